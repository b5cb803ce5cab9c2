"""What is done with files dropped on the window: opened, added beside, or their clips added."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from ...loading.load import has_clips, has_meshes
from .. import character_files, picking
from ..attaching import attach
from ..session import Session
from ..ui_state import Asked as Asked
from .add_clips import add_clips
from .mapping_rows import ClipImportView

ENVIRONMENTS = ".hdr", ".exr"


class Take(Protocol):
    """Does something with chosen files."""

    def __call__(self, session: Session, /, *paths: Path) -> object:
        """Open, add or import files."""


def take(
    session: Session, paths: Sequence[Path], place: tuple[float, float], *, beside: bool
) -> None:
    """Take dropped files: add them, add their clips, ask in a pop-up, or open them.

    Files with clips that are dropped on the list of clips give them to the active character.
    Where a file is dropped on a drawn joint, a pop-up offers to attach it, too.
    Elsewhere a pop-up asks about files with clips and no meshes; other files are opened.

    Parameters
    ----------
    place
        Of the drop, points from the upper left corner of the window.
    beside
        Whether to add them beside the open characters.
    """
    if beside:
        add_files(session, *paths)
    elif _on_joint(session, paths, place):
        session.interface.of(ClipImportView).dropped = tuple(paths)
        session.interface.popup = "dropped"
    elif session.path is None or session.interface.start.shown:
        open_files(session, *paths)
    else:  # Blender finds out what its files have
        take_read = partial(_take_converted, session, paths, place)
        character_files.after_converting(session, paths, take_read)


def _on_joint(session: Session, paths: Sequence[Path], place: tuple[float, float]) -> bool:
    """Return whether files are dropped on a drawn joint, which is selected then."""
    left, top, right, bottom = session.interface.viewport.box
    view = place[0] - left, place[1] - top
    inside = _inside(session.interface.viewport.box, place)
    found = picking.joint_at(session, view, (right - left, bottom - top)) if inside else None
    if found is None or len(paths) > 1 or session.interface.start.shown:
        return False
    session.selections.select(*found)
    return True


def _take_converted(session: Session, paths: Sequence[Path], place: tuple[float, float]) -> None:
    """Open files, give their clips to the active character, or ask, as `take` says."""
    if not can_give_clips(session, paths):
        open_files(session, *paths)
    elif _inside(session.interface.of(ClipImportView).clips_box, place):
        add_clips(session, *paths)
    elif any(has_meshes(path) for path in paths):
        open_files(session, *paths)
    else:
        session.interface.of(ClipImportView).dropped = tuple(paths)
        session.interface.popup = "dropped"


def open_files(session: Session, *paths: Path) -> None:
    """Open files in place of all characters; an environment map lights the scene."""
    characters = session.stage.open_environment(paths)
    if characters:
        character_files.try_open(session, *characters)


def add_files(session: Session, *paths: Path) -> None:
    """Add files beside the open characters; an environment map lights the scene."""
    characters = session.stage.open_environment(paths)
    if characters:
        character_files.try_add(session, *characters)


def can_give_clips(session: Session, paths: Sequence[Path]) -> bool:
    """Return whether files have clips, and a character is open that can get them.

    The demo behind the card at the start is not asked about.
    """
    if session.path is None or session.interface.start.shown:
        return False
    return all(has_clips(path) for path in paths)


def _inside(box: tuple[float, float, float, float] | None, place: tuple[float, float]) -> bool:
    if box is None:
        return False
    left, top, right, bottom = box
    return left <= place[0] < right and top <= place[1] < bottom


TAKES: dict[Asked, tuple[str, Take]] = {  # title of the dialog, and what is done with the files
    "open": ("Open characters", open_files),
    "add": ("Add characters", add_files),
    "add clips": ("Add clips", add_clips),
    "attach": ("Attach to the selected joint", attach),
}
