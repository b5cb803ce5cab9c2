"""`rigview sheet`: a contact sheet with a row per clip or file and a column per phase."""

import argparse

from ..tasks import sheet_of_files
from ..tasks.input_file import BUNDLED, each_file
from ..tasks.output import STANDARD, check_extension, check_target, write
from ..tasks.output_names import fill_pattern, has_field, model_name
from ..tasks.sheet_of_clips import clip_sheet
from ..tasks.sheet_rows import set_default_phases


def run(args: argparse.Namespace) -> int:
    """Draw and write; returns the exit code."""
    if args.output != STANDARD:
        check_extension(args.output, (".png",))
    set_default_phases(args)
    files = each_file(args)
    if len(files) > 1 or args.dask is not None:
        return sheet_of_files.run(args, files, apart=has_field(args.output, "model"))
    (args,) = files
    target = args.output
    if target != STANDARD:
        target = fill_pattern(target, model=model_name(args.file or BUNDLED), clip=None)
    check_target(target)
    write(target, clip_sheet(args))
    return 0
