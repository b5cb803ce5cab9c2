"""A character read for the window: its model, the motion file beside it, clips of other files."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..errors import AppError, MotionError
from ..model.model import Model
from ..motion.motion_path import motion_path
from ..motion.read import MotionFile, read_motion
from .load import load

if TYPE_CHECKING:
    from .import_clips import Carried


class Reading(NamedTuple):
    """A file as it was read."""

    path: Path
    model: Model
    fitted: tuple["Carried", ...] = ()  # how the clips of other files fitted
    motion: MotionFile | None = None
    wrong: AppError | None = None  # why the motion file beside it is not used


class Accept(Protocol):
    """Takes a new model, which comes beside the others or in their place; or raises AppError."""

    def __call__(self, model: Model, *, beside: bool) -> object:
        """Take it."""


def read(
    path: Path, *, root: Path | None = None, anims: tuple[Path, ...] = (), beside: bool = True
) -> Reading:
    """Read a file, and where it is wanted the motion file that lies `beside` it, if any.

    Raises
    ------
    AppError
        The file cannot be read; of the motion file it is told.
    """
    wrong: AppError | None = None
    place = motion_path(path)
    if beside and place.is_file():
        try:
            return read_with(path, read_motion(place), root=root, anims=anims)
        except MotionError as error:
            wrong = error
    return read_with(path, None, root=root, anims=anims)._replace(wrong=wrong)


def read_with(
    path: Path,
    motion: MotionFile | None,
    *,
    root: Path | None = None,
    anims: tuple[Path, ...] = (),
) -> Reading:
    """Read a file, with the clips of the files that a motion file and `anims` name.

    Raises
    ------
    AppError
        One of them cannot be read, or fits nothing.
    """
    model = load(path, root=root)
    fitted: tuple[Carried, ...] = ()
    if anims or (motion is not None and motion.document.anims.files):
        from .import_clips import with_all_anims  # few sessions have any

        model, fitted = with_all_anims(model, motion, anims, root=root)
    return Reading(path, model, fitted, motion)
