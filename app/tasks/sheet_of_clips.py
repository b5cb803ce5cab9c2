"""The contact sheet of one file: a row for each clip, a column for each phase."""

import argparse

from ..console import Progress
from ..model.model import Model
from .input_file import print_file_warnings, source_name
from .playback_setup import PlaybackSetup
from .sheet_rows import clip_rows, draw, picture_count, sheet_layout


def clip_sheet(args: argparse.Namespace) -> bytes:
    """Return the sheet of one file, as PNG."""
    model, setup = clip_rows(args)
    columns = max(picture_count(args, row) for row in setup)
    layout = sheet_layout(args, len(setup), columns)

    from ..images.contact_sheet import contact_sheet
    from ..images.png import as_png

    with Progress(len(setup) * columns, "picture", quiet=args.quiet) as bar:
        rows = draw(args, model, setup, layout.cell, bar.step)
        picture = as_png(contact_sheet(_title(args, model, setup), rows, layout))
    print_file_warnings(args, model)
    return picture


def _title(args: argparse.Namespace, model: Model, rows: list[PlaybackSetup]) -> str:
    name = source_name(args).replace("\\", "/").rpartition("/")[2]
    count = sum(not row.layered and row.clip >= 0 for row in rows)
    if not count:
        return name
    shown = f"{count} of {len(model.clips)}" if count != len(model.clips) else count
    return f"{name}: {shown} animation{'s' * (len(model.clips) != 1)}"
