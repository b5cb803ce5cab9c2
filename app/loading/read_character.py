"""Read a character file for the window, with its motion file and imported clips."""

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
    """A character file, with its motion file and imported clips."""

    path: Path
    model: Model
    fitted: tuple["Carried", ...] = ()  # files whose clips were imported
    motion: MotionFile | None = None
    wrong: AppError | None = None  # why the motion file is not used


class Accept(Protocol):
    """Uploads a model to the GPU, in addition to the others or in place of them."""

    def __call__(self, model: Model, *, beside: bool) -> object:
        """Upload the model; raises AppError if that fails."""


def read(
    path: Path, *, root: Path | None = None, anims: tuple[Path, ...] = (), beside: bool = True
) -> Reading:
    """Return a character, with the motion file next to it if there is one and `beside` is set.

    Raises
    ------
    AppError
        The file cannot be read. An error of the motion file is stored in the result.
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
    """Return a character, with the clips of the files in its motion file and in `anims`.

    Raises
    ------
    AppError
        A file cannot be read, or a named joint does not exist.
    """
    model = load(path, root=root)
    fitted: tuple[Carried, ...] = ()
    if anims or (motion is not None and motion.document.anims.files):
        from .import_clips import with_all_anims  # imported late: seldom used

        model, fitted = with_all_anims(model, motion, anims, root=root)
    return Reading(path, model, fitted, motion)
