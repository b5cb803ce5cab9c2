"""`rigview sheet`: a contact sheet with a row per clip or file and a column per phase."""

import argparse

from ..tasks import sheet_of_files
from ..tasks.input_file import BUNDLED, each_file
from ..tasks.output import STANDARD, check_ending, check_target, write
from ..tasks.output_names import filled, names, stem
from ..tasks.sheet_of_clips import whole
from ..tasks.sheet_rows import set_moments


def run(args: argparse.Namespace) -> int:
    """Draw and write; returns the exit code."""
    if args.output != STANDARD:
        check_ending(args.output, (".png",))
    set_moments(args)
    files = each_file(args)
    if len(files) > 1 or args.dask is not None:
        return sheet_of_files.run(args, files, apart=names(args.output, "model"))
    (args,) = files
    target = args.output
    if target != STANDARD:
        target = filled(target, model=stem(args.file or BUNDLED), clip=None)
    check_target(target)
    write(target, whole(args))
    return 0
