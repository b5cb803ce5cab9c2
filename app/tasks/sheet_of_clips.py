"""The contact sheet of one file: a row for each clip, a column for each phase."""

from ..console import Progress
from ..model.model import Model
from ..options.command_options import Options
from .input_file import print_file_warnings, source_name
from .sheet_rows import SheetRow, clip_rows, draw, sheet_layout


def clip_sheet(options: Options, *, keep_renderer: bool = False) -> bytes:
    """Return the sheet of one file, as PNG; `keep_renderer` caches the renderer for the next."""
    model, rows = clip_rows(options)
    columns = max(len(row.taus) for row in rows)
    layout = sheet_layout(options, len(rows), columns)

    from ..images.contact_sheet import contact_sheet
    from ..images.png import as_png

    with Progress(len(rows) * columns, "picture", quiet=options.general.quiet) as bar:
        drawn = draw(model, rows, layout.cell, bar.step, keep_renderer=keep_renderer)
        picture = as_png(contact_sheet(_title(options, model, rows), drawn, layout))
    print_file_warnings(options, model)
    return picture


def _title(options: Options, model: Model, rows: list[SheetRow]) -> str:
    name = source_name(options).replace("\\", "/").rpartition("/")[2]
    count = sum(not row.setup.layered and row.setup.clip >= 0 for row in rows)
    if not count:
        return name
    shown = f"{count} of {len(model.clips)}" if count != len(model.clips) else count
    return f"{name}: {shown} animation{'s' * (len(model.clips) != 1)}"
