"""`rigview sheet`: one picture of all clips, a row a clip, a column a phase; or a row a file."""

import argparse

from ..console import Progress
from ..model.model import Model
from ..tasks.input_file import BUNDLED, each_file, source_name, warn_of
from ..tasks.output import STANDARD, check_ending, check_target, write
from ..tasks.output_names import filled, names, stem
from ..tasks.playback_setup import Performance
from ..tasks.sheet_rows import clip_rows, count, draw, layout_of, set_moments


def run(args: argparse.Namespace) -> int:
    """Draw and write; returns the exit code."""
    if args.output != STANDARD:
        check_ending(args.output, (".png",))
    set_moments(args)
    files = each_file(args)
    if len(files) > 1 or args.dask is not None:
        from . import sheet_of_files

        return sheet_of_files.run(args, files, apart=names(args.output, "model"))
    (args,) = files
    target = args.output
    if target != STANDARD:
        target = filled(target, model=stem(args.file or BUNDLED), clip=None)
    check_target(target)
    write(target, whole(args))
    return 0


def whole(args: argparse.Namespace) -> bytes:
    """Return the sheet of one file, as PNG."""
    model, played = clip_rows(args)
    columns = max(count(args, row) for row in played)
    layout = layout_of(args, len(played), columns)

    from ..images.contact_sheet import contact_sheet
    from ..images.png import as_png

    with Progress(len(played) * columns, "picture", quiet=args.quiet) as bar:
        rows = draw(args, model, played, layout.cell, bar.step)
        picture = as_png(contact_sheet(_title(args, model, played), rows, layout))
    warn_of(args, model)
    return picture


def _title(args: argparse.Namespace, model: Model, rows: list[Performance]) -> str:
    name = source_name(args).replace("\\", "/").rpartition("/")[2]
    count = sum(not row.layered and row.clip >= 0 for row in rows)
    if not count:
        return name
    shown = f"{count} of {len(model.clips)}" if count != len(model.clips) else count
    return f"{name}: {shown} animation{'s' * (len(model.clips) != 1)}"
