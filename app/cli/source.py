"""The file a command reads, with its warnings told, and the clip it speaks of."""

import argparse
import os
import sys
from pathlib import Path

from app.cli.output import STANDARD
from app.cli.report import warn
from app.errors import AppError, UsageError
from app.files import load
from app.model import Model
from app.select import find_clip

BUNDLED = "mannequin.glb"


def source_path(file: str | None) -> Path:
    """Return the path of the file that was named, of the bundled character where none was."""
    if file is not None:
        return Path(file)
    from app.resources import asset_path

    return asset_path(BUNDLED)


def load_source(args: argparse.Namespace) -> Model:
    """Load the file of a command; ``-`` is standard input."""
    root = None if args.root is None else Path(args.root)
    if root is not None and not os.path.isdir(root):  # also where the name is too long
        raise UsageError(f"--root: there is no folder {args.root!r}")
    if args.file == STANDARD:
        try:
            return load(sys.stdin.buffer.read(), root=root)
        except AppError as error:
            error.file = source_name(args)
            raise
    return load(source_path(args.file), root=root)


def source_name(args: argparse.Namespace) -> str:
    """Return the file as the user named it, for messages."""
    if args.file == STANDARD:
        return "standard input"
    return str(args.file) if args.file is not None else BUNDLED


def warn_of(args: argparse.Namespace, model: Model) -> None:
    """Tell the warnings of the file, unless the user wants none."""
    warn(model.warnings, file=source_name(args), quiet=args.quiet)


def choose_clip(args: argparse.Namespace, model: Model, text: str | None) -> int:
    """Return the clip that `text` names, the first one for None, -1 where the file has none."""
    if text is None:
        return 0 if model.clips else -1
    try:
        found = find_clip(model, text)
    except UsageError as error:
        error.file = source_name(args)
        raise
    if found.warning:
        warn([found.warning], file=source_name(args), quiet=args.quiet)
    return found.index
