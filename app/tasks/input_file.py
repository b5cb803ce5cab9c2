"""The file a command reads, with its warnings told, and the clip it speaks of."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..console import complain, tell, warn
from ..errors import AppError, UsageError
from ..loading.load import load_document
from ..model.lookup import find_clip
from ..model.model import Model
from .output import STANDARD

if TYPE_CHECKING:
    from ..gltf.document import Document
    from ..loading.import_clips import Carried
    from ..motion.read import MotionFile

CHARACTERS = (".glb", ".gltf", ".vrm")  # what is looked for in a folder
BUNDLED = "mannequin.glb"


def source_path(file: str | None) -> Path:
    """Return the path of the file that was named, of the bundled character where none was."""
    if file is not None:
        return Path(file)
    from ..resources import asset_path

    return asset_path(BUNDLED)


def checked_root(args: argparse.Namespace) -> Path | None:
    """Return the folder that files may come from, None: the one FILE lies in."""
    root = None if args.root is None else Path(args.root)
    if root is not None and not os.path.isdir(root):  # also where the name is too long
        raise UsageError(f"--root: there is no folder {args.root!r}")
    return root


def load_source(args: argparse.Namespace) -> Model:
    """Load the file of a command, ``-`` is standard input, and the clips of `--anims`."""
    model = load_bare(args)
    return add_anims(args, model, None) if getattr(args, "anims", None) else model


def load_bare(args: argparse.Namespace) -> Model:
    """Load the file of a command alone."""
    return load_with_document(args)[0]


def load_with_document(args: argparse.Namespace) -> "tuple[Model, Document | None]":
    """Load the file of a command, and the glTF document it came from, if it is one."""
    root = checked_root(args)
    if args.file == STANDARD:
        try:
            return load_document(sys.stdin.buffer.read(), root=root)
        except AppError as error:
            error.file = source_name(args)
            raise
    return load_document(source_path(args.file), root=root)


def add_anims(args: argparse.Namespace, model: Model, motion: "MotionFile | None") -> Model:
    """Put the clips of other files on a model, and say what became of each file.

    Those that the motion file names come first, then those of `--anims`.
    """
    from ..loading.import_clips import with_all_anims  # few commands are given any

    model, report = with_all_anims(model, motion, args.anims or (), root=checked_root(args))
    tell_anims(args, report)
    return model


def tell_anims(args: argparse.Namespace, report: Sequence["Carried"]) -> None:
    """Say of each file of clips how it fitted: one line, with `--verbose` every joint."""
    if args.quiet:
        return
    for each in report:
        complain(f"{each.file}: {each.summary}")
        warn(each.warnings, file=each.file, quiet=args.quiet)
        for line in each.details:
            tell(f"{each.file}: {line}", verbose=args.verbose)


def each_file(args: argparse.Namespace) -> list[argparse.Namespace]:
    """Return the arguments once for each file of a command that takes several.

    A folder stands for the characters in it and below it, by name; no file for the bundled one.

    Raises
    ------
    UsageError
        A folder without any character, or standard input beside something else.
    """
    names = [name for given in args.files or [None] for name in _expanded(given)]
    if STANDARD in names and len(names) > 1:
        raise UsageError("standard input is one file", hint="name the others alone")
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
