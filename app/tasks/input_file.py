"""Load the input file of a command, print its warnings, and choose a clip."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..console import print_message, print_verbose, warn
from ..errors import AppError, UsageError
from ..loading.load import load_document
from ..model.lookup import find_clip
from ..model.model import Model
from .output import STANDARD

if TYPE_CHECKING:
    from ..gltf.document import Document
    from ..loading.import_clips import ImportedFile
    from ..motion.read import MotionFile

CHARACTERS = (".glb", ".gltf", ".vrm")  # extensions of characters in a folder
BUNDLED = "mannequin.glb"


def source_path(file: str | None) -> Path:
    """Return the path of a file, or of the bundled character for None."""
    if file is not None:
        return Path(file)
    from ..resources import asset_path

    return asset_path(BUNDLED)


def checked_root(args: argparse.Namespace) -> Path | None:
    """Return the folder that files may be read from, None: the folder of FILE."""
    root = None if args.root is None else Path(args.root)
    if root is not None and not os.path.isdir(root):  # also catches names that are too long
        raise UsageError(f"--root: folder {args.root!r} does not exist")
    return root


def load_source(args: argparse.Namespace) -> Model:
    """Load the file of a command (``-``: standard input) with the clips of `--anims`."""
    model = load_file(args)
    return add_anims(args, model, None) if getattr(args, "anims", None) else model


def load_file(args: argparse.Namespace) -> Model:
    """Load the file of a command without imported clips."""
    return load_with_document(args)[0]


def load_with_document(args: argparse.Namespace) -> "tuple[Model, Document | None]":
    """Load the file of a command, with its glTF document if it is glTF."""
    root = checked_root(args)
    if args.file == STANDARD:
        try:
            return load_document(sys.stdin.buffer.read(), root=root)
        except AppError as error:
            error.file = source_name(args)
            raise
    return load_document(source_path(args.file), root=root)


def add_anims(args: argparse.Namespace, model: Model, motion: "MotionFile | None") -> Model:
    """Import the clips of other files into a model, and print a report of each file.

    Files of the motion file come first, then those of `--anims`.
    """
    from ..loading.import_clips import import_all_clips  # imported late: rarely needed

    model, report = import_all_clips(model, motion, args.anims or (), root=checked_root(args))
    print_anims_report(args, report)
    return model


def print_anims_report(args: argparse.Namespace, report: Sequence["ImportedFile"]) -> None:
    """Print how each animation file was retargeted: one line, with `--verbose` every joint."""
    if args.quiet:
        return
    for each in report:
        print_message(f"{each.file}: {each.summary}")
        warn(each.warnings, file=each.file, quiet=args.quiet)
        for line in each.details:
            print_verbose(f"{each.file}: {line}", verbose=args.verbose)


def each_file(args: argparse.Namespace) -> list[argparse.Namespace]:
    """Return the arguments for each file of a command.

    A folder is expanded to the characters in it and its subfolders, sorted by name; without files
    the bundled character is used.

    Raises
    ------
    UsageError
        A folder has no characters, or standard input is combined with other files.
    """
    names = [name for given in args.files or [None] for name in _expanded(given)]
    if STANDARD in names and len(names) > 1:
        raise UsageError("standard input cannot be combined with other files", hint="leave out -")
    return [argparse.Namespace(**{**vars(args), "file": name}) for name in names]


def _expanded(name: str | None) -> list[str | None]:
    if name is None or not os.path.isdir(name):
        return [name]
    found = sorted(str(path) for path in Path(name).rglob("*") if path.suffix.lower() in CHARACTERS)
    if not found:
        raise UsageError(f"no {', '.join(CHARACTERS)} file in the folder {name!r}")
    return [*found]


def source_name(args: argparse.Namespace) -> str:
    """Return the file as the user named it, for messages."""
    if args.file == STANDARD:
        return "standard input"
    return str(args.file) if args.file is not None else BUNDLED


def print_file_warnings(args: argparse.Namespace, model: Model) -> None:
    """Print the warnings of the file, unless `--quiet`."""
    warn(model.warnings, file=source_name(args), quiet=args.quiet)


def choose_clip(args: argparse.Namespace, model: Model, text: str | None) -> int:
    """Return the index of the clip that `text` names; None: the first, -1 without clips."""
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
