"""`rigview sheet` of several files: one sheet with a row for each file, or one sheet per file."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..console import warn
from ..errors import UsageError
from ..options.command_options import Options
from ..scenedoc.shown import BUNDLED
from ..wording import counted
from . import renderer_cache
from .file_results import FileResults
from .input_file import print_file_warnings, source_name
from .output import STANDARD, check_target, write
from .output_check import check_outputs
from .output_names import fill_pattern, model_name, unique_names
from .sheet_of_clips import clip_sheet, column_count, draw, file_rows, sheet_layout

if TYPE_CHECKING:
    from ..images.contact_sheet import Layout, Row

Tasks = Sequence[Options]


def run(options: Options, files: Tasks, *, apart: bool) -> int:
    """Render and write in parallel; returns the exit code."""
    if options.parallel.dask is not None and files[0].file == STANDARD:
        raise UsageError("standard input cannot be sent to --dask", hint="name the file")
    try:
        return _separate_sheets(options, files) if apart else _one_sheet(options, files)
    finally:
        renderer_cache.clear()


def _separate_sheets(options: Options, files: Tasks) -> int:
    """Write a sheet for each file, as soon as it is rendered."""
    wanted = [model_name(own.file or BUNDLED) for own in files]
    models = unique_names(wanted)
    targets = [fill_pattern(options.output.file, model=model, clip=None) for model in models]
    for target in targets:
        check_target(target)
    check_outputs(options, targets)
    for own, model, name, target in zip(files, models, wanted, targets, strict=True):
        if model != name:
            message = f"another file has the name {name}; this sheet is written to {target}"
            warn([message], file=source_name(own), quiet=options.general.quiet)
    sheets = FileResults(options, partial(clip_sheet, keep_renderer=_keeps(options)), files)
    with closing(iter(sheets)) as done:
        for number, picture in done:
            write(targets[number], picture)
    return sheets.code


def _one_sheet(options: Options, files: Tasks) -> int:
    """Write one picture with a row for each file, or for each file and clip."""
    check_outputs(options, [options.output.file])
    count = len(files) * max(1, len(options.clips.animations))
    hint = "-o '{model}.png' writes one sheet per file"
    most = sheet_layout(options, count, column_count(options), hint)
    tasks = [own.with_scene(size=most.cell) for own in files]
    rows_of_files: dict[int, list[Row]] = {}
    drawn = FileResults(options, partial(file_pictures, keep_renderer=_keeps(options)), tasks)
    with closing(iter(drawn)) as done:
        for number, rows in done:
            rows_of_files[number] = rows
    shown = _shown_names(files)
    rows = [
        _with_file_name(shown[number], row)
        for number in sorted(rows_of_files)
        for row in rows_of_files[number]
    ]
    if rows:
        write(options.output.file, _sheet(options.output.file, rows, most, len(rows_of_files)))
    return drawn.code


def _keeps(options: Options) -> bool:
    """Return whether the renderer is cached: not in Dask workers."""
    return options.parallel.dask is None


def file_pictures(task: Options, *, keep_renderer: bool = False) -> "list[Row]":
    """Return the rows of one file with their pictures, in cells of --resolution."""
    model, rows = file_rows(task)
    pictures = draw(model, rows, task.scene.size, keep_renderer=keep_renderer)
    drawn = [replace(row, cells=list(row.cells)) for row in pictures]
    print_file_warnings(task, model)
    return drawn


def _shown_names(files: Tasks) -> list[str]:
    """Return the name of each file, with its folders where two names are equal."""
    given = [source_name(options).replace("\\", "/") for options in files]
    short = [name.rpartition("/")[2] for name in given]
    which = {
        name: {one for one, own in zip(given, short, strict=True) if own == name} for name in short
    }
    return [own if len(which[own]) == 1 else name for own, name in zip(short, given, strict=True)]


def _with_file_name(name: str, row: "Row") -> "Row":
    return replace(row, title=name, note="   ".join(part for part in (row.title, row.note) if part))


def _sheet(target: str, rows: "Sequence[Row]", most: "Layout", count: int) -> bytes:
    from ..images.contact_sheet import Layout, contact_sheet
    from ..images.stills import as_still

    layout = Layout(most.cell, len(rows), max(len(row.captions) for row in rows))
    return as_still(contact_sheet(counted(count, "file"), rows, layout), target)
