"""Paths of motion files: that beside a character, and those in a file that moves."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .document import MotionDoc

SUFFIX = ".motion.toml"


def motion_path(path: Path) -> Path:
    """Return the motion file beside a character: ``hero.motion.toml`` for ``hero.glb``."""
    return path.with_name(f"{path.stem}{SUFFIX}")


def with_files_from(document: "MotionDoc", before: Path, now: Path) -> "MotionDoc":
    """Return a document whose files are found from another folder of the motion file."""
    before, now = before.absolute(), now.absolute()
    if before == now or not document.anims.files:
        return document
    files = tuple(path_from(before / file, now) for file in document.anims.files)
    return replace(document, anims=replace(document.anims, files=files))


def path_from(path: Path, folder: Path) -> str:
    """Return a path relative to a folder, with slashes; absolute on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # on another drive
        return path.as_posix()
