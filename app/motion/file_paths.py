"""Paths of motion files: that beside a character, and those in a file that moves."""

import os
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..errors import KeyPath
from ..tomlfile.toml_errors import motion_error

if TYPE_CHECKING:
    from .document import MotionDoc

SUFFIX = ".motion.toml"


def motion_path(path: Path) -> Path:
    """Return the motion file beside a character: ``hero.motion.toml`` for ``hero.glb``."""
    return path.with_name(f"{path.stem}{SUFFIX}")


def with_files_from(document: "MotionDoc", before: Path, now: Path) -> "MotionDoc":
    """Return a document whose files are found from another folder of the motion file."""
    before, now = before.absolute(), now.absolute()
    if before == now or not (document.anims.files or document.attachments):
        return document
    files = tuple(path_from(before / file, now) for file in document.anims.files)
    attachments = {
        name: replace(each, file=path_from(before / each.file, now))
        for name, each in document.attachments.items()
    }
    return replace(
        document,
        anims=replace(document.anims, files=files),
        attachments=MappingProxyType(attachments),
    )


def allowed_path(file: str | Path, folder: Path, root: Path | None, place: KeyPath) -> Path:
    """Return the path of a file that a motion file in a folder names.

    Raises
    ------
    MotionError
        It lies neither in the folder nor in `root`; at a place of the motion file.
    """
    try:
        path, allowed = (folder / file).resolve(), (root or folder).resolve()
    except (OSError, ValueError, RuntimeError):  # a loop of links, a NUL, a name too long
        raise motion_error(place, "invalid file name") from None
    if not path.is_relative_to(allowed):
        raise motion_error(
            place,
            f"{str(file)!r} lies outside {allowed}",
            hint="give a folder that contains both with --root",
        )
    return folder / file


def path_from(path: Path, folder: Path) -> str:
    """Return a path relative to a folder, with slashes; absolute on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # on another drive
        return path.as_posix()
