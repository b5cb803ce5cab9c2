"""`rigview sheet` of several files: one sheet with a row for each file, or one sheet per file."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..console import warn
from ..options.command_options import Options
from ..scenedoc.shown import BUNDLED
from ..wording import counted
from .file_results import FileResults
from .input_file import print_file_warnings, source_name
from .output import check_target
from .output_check import check_outputs
from .output_names import model_name, unique_names
from .sheet_of_clips import (
    camera_distance,
    clip_sheet,
    column_count,
    draw,
    drawn_pages,
    file_rows,
    page_layouts,
    page_names,
    sheet_layouts,
    write_pages,
)
from .still_pictures import shared_renderer

if TYPE_CHECKING:
    from ..images.contact_sheet import Row

Tasks = Sequence[Options]


def run(options: Options, files: Tasks, *, apart: bool) -> int:
    """Render and write in parallel; returns the exit code."""
    try:
        return _separate_sheets(options, files) if apart else _one_sheet(options, files)
    finally:
        shared_renderer().release()


def _separate_sheets(options: Options, files: Tasks) -> int:
    """Write a sheet for each file, as soon as it is rendered."""
    wanted = [model_name(own.file or BUNDLED) for own in files]
    models = unique_names(wanted)
    targets = [page_names(options.output.file, model, 1)[0] for model in models]
    for target in targets:
        check_target(target)
    check_outputs(options, targets)
    for own, model, name, target in zip(files, models, wanted, targets, strict=True):
        if model != name:
            message = f"another file has the name {name}; this sheet is written to {target}"
            warn([message], file=source_name(own), quiet=options.general.quiet)
    sheets = FileResults(options, partial(clip_sheet, keep_renderer=_keeps(options)), files)
    with closing(iter(sheets)) as done:
        for number, pages in done:
            write_pages(files[number], models[number], pages)
    return sheets.code


def _one_sheet(options: Options, files: Tasks) -> int:
    """Write one sheet with a row for each file, or for each file and clip."""
    check_outputs(options, page_names(options.output.file, "", 1))
    counts = [column_count(options)] * len(files) * max(1, len(options.clips.animations))
    hint = "-o '{model}.png' writes one sheet per file, --rows N pages"
    cell = sheet_layouts(options, counts, hint)[0].cell
    code, tasks, farthest = 0, [own.with_scene(size=cell) for own in files], 0.0
    if options.sheet.scale == "sheet":
        code, tasks, farthest = _one_scale(options, tasks)
        if not tasks:
            return code
    work = partial(file_pictures, keep_renderer=_keeps(options), farthest=farthest)
    drawn = FileResults(options, work, tasks)
    rows_of_files, shown = drawn.in_order(), _shown_names(tasks)
    rows = [
        _with_file_name(shown[number], row) for number, own in rows_of_files.items() for row in own
    ]
    if rows:
        layouts = page_layouts(options, [len(row.captions) for row in rows], cell)
        title = counted(len(rows_of_files), "file")
        write_pages(options, "", drawn_pages(options, title, rows, layouts))
    return max(code, drawn.code)


def _one_scale(options: Options, tasks: list[Options]) -> tuple[int, list[Options], float]:
    """Return the exit code, the files that can be read, and the distance for all their rows."""
    quiet = [replace(own, general=replace(own.general, quiet=True)) for own in tasks]
    measured = FileResults(options, camera_distance, quiet)
    distances = measured.in_order()
    readable = [tasks[number] for number in distances]
    return measured.code, readable, max(distances.values(), default=0.0)


def _keeps(options: Options) -> bool:
    """Return whether the renderer is cached: not in Dask workers."""
    return options.parallel.dask is None


def file_pictures(
    task: Options, *, keep_renderer: bool = False, farthest: float = 0.0
) -> "list[Row]":
    """Return the rows of one file with their pictures, in cells of --resolution.

    `farthest` is the distance of all cameras, 0: of those of this file.
    """
    model, rows = file_rows(task)
    size = task.scene.size
    pictures = draw(model, rows, size, keep_renderer=keep_renderer, farthest=farthest)
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
