"""`rigview thumbnail`: write the small picture of a file that file managers show."""

from ..images.png import as_png
from ..options.command_options import Options
from ..tasks.input_file import source_path
from ..tasks.output import write
from ..tasks.output_check import check_outputs
from ..tasks.still_pictures import draw_thumbnail


def run(options: Options) -> int:
    """Draw and write a PNG, whatever the name of the output; returns the exit code."""
    check_outputs(options, [options.output.file])
    picture = draw_thumbnail(source_path(options.file), options.output.size)
    write(options.output.file, as_png(picture))
    return 0
