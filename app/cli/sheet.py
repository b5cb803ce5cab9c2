"""`rigview sheet`: a contact sheet with a row per clip or file and a column per phase."""

from ..images.stills import DISPLAYED
from ..options.command_options import Options
from ..scenedoc.shown import BUNDLED
from ..tasks import sheet_of_files
from ..tasks.input_file import each_file
from ..tasks.output import check_extension
from ..tasks.output_check import check_outputs
from ..tasks.output_names import has_field, model_name
from ..tasks.sheet_of_clips import clip_sheet, page_names, with_default_phases, write_pages


def run(options: Options) -> int:
    """Draw and write; returns the exit code."""
    check_extension(options.output.file, DISPLAYED)
    options = with_default_phases(options)
    files = each_file(options)
    if len(files) > 1 or options.parallel.dask is not None:
        return sheet_of_files.run(options, files, apart=has_field(options.output.file, "model"))
    (options,) = files
    model = model_name(options.file or BUNDLED)
    check_outputs(options, page_names(options.output.file, model, 1))
    write_pages(options, model, clip_sheet(options))
    return 0
