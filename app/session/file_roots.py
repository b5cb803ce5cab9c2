"""The folders that the motion file of a character may name files in."""

import os
from collections.abc import Iterable
from pathlib import Path

from .open_character import OpenCharacter


def motion_folder(open_character: OpenCharacter) -> Path | None:
    """Return the folder of a character's motion file, absolute; None without a file."""
    path = open_character.editor.path or open_character.editor.default_path()
    return None if path is None else path.absolute().parent


def reading_root(open_character: OpenCharacter, root: Path | None) -> Path | None:
    """Return the folder that files of a character must lie in; None: that of the motion file.

    It is `root` if given; else one that also contains the files whose clips the user has added.
    """
    folder = motion_folder(open_character)
    if root is not None or folder is None:
        return root
    outside = [
        path for path in open_character.given_files if not path.is_relative_to(folder.resolve())
    ]
    return (
        common_folder([folder.resolve(), *(path.parent for path in outside)]) if outside else None
    )


def common_root(characters: Iterable[OpenCharacter], root: Path | None) -> Path | None:
    """Return the `reading_root` of several characters: one that contains all files of all."""
    found = list(characters)
    roots = [reading_root(each, root) for each in found]
    if root is not None or not any(roots):
        return root
    folders = [each.path.resolve().parent for each in found if each.path is not None]
    return common_folder([*folders, *(each for each in roots if each is not None)])


def common_folder(folders: Iterable[Path]) -> Path | None:
    """Return the folder that contains some absolute folders; None on several drives."""
    try:
        return Path(os.path.commonpath(list(folders)))
    except ValueError:
        return None
