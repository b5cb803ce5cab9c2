"""`rigview page`: write a page in which a character plays."""

from ..console import print_verbose
from ..options.command_options import Options
from ..tasks.character_page import character_page
from ..tasks.input_file import print_file_warnings
from ..tasks.output import PAGES, STANDARD, check_extension, write
from ..tasks.output_check import check_outputs
from ..wording import page_size


def run(options: Options) -> int:
    """Write the page; returns the exit code."""
    if options.output.file != STANDARD:
        check_extension(options.output.file, PAGES)
    check_outputs(options, [options.output.file])
    made = character_page(options)
    print_file_warnings(options, made.model)
    page = made.html.encode()
    write(options.output.file, page)
    print_verbose(
        f"{options.output.file}: {' '.join(page_size(len(page)).split())}",
        verbose=options.general.verbose,
    )
    return 0
