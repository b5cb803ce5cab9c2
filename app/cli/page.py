"""`rigview page`: write a page in which a character plays."""

from ..options.command_options import Options
from ..tasks.character_page import character_page
from ..tasks.input_file import print_file_warnings
from ..tasks.output import PAGES, check_extension, write_page
from ..tasks.output_check import check_outputs


def run(options: Options) -> int:
    """Write the page; returns the exit code."""
    check_extension(options.output.file, PAGES)
    check_outputs(options, [options.output.file])
    made = character_page(options)
    print_file_warnings(options, made.model)
    write_page(options, made.html)
    return 0
