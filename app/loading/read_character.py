"""Read a character file for the window, with its motion file and imported clips."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..animation.track import Rotation
from ..errors import AppError, MotionError
from ..gltf.document import MAX_MEMORY
from ..model.model import Model
from ..motion.file_paths import motion_path
from ..motion.read import MotionFile, read_motion
from .load import load

if TYPE_CHECKING:
    from .import_clips import ImportedFile


class CharacterFile(NamedTuple):
    """A character file, with its motion file and imported clips."""

    path: Path
    model: Model
    imports: tuple["ImportedFile", ...] = ()  # files whose clips were imported
    motion: MotionFile | None = None
    motion_error: AppError | None = None  # why the motion file is not used


class UploadModel(Protocol):
    """Uploads a model to the GPU, in addition to the others or in place of them."""

    def __call__(self, model: Model, *, beside: bool) -> object:
        """Upload the model; raises AppError if that fails."""


def read(
    path: Path,
    *,
    root: Path | None = None,
    anims: tuple[Path, ...] = (),
    force: bool = False,
    key_rotation: Rotation = "slerp",
    max_memory: int = MAX_MEMORY,
    with_motion: bool = True,
) -> CharacterFile:
    """Return a character, on request with the motion file next to it, if there is one.

    Raises
    ------
    AppError
        The file cannot be read. An error of the motion file is stored in the result.
    """
    motion_error: AppError | None = None
    motion_file = motion_path(path)
    read_it = partial(
        read_with,
        path,
        root=root,
        anims=anims,
        force=force,
        key_rotation=key_rotation,
        max_memory=max_memory,
    )
    if with_motion and motion_file.is_file():
        try:
            return read_it(read_motion(motion_file))
        except MotionError as error:
            motion_error = error
    return read_it(None)._replace(motion_error=motion_error)


def read_with(
    path: Path,
    motion: MotionFile | None,
    *,
    root: Path | None = None,
    anims: tuple[Path, ...] = (),
    force: bool = False,
    key_rotation: Rotation = "slerp",
    max_memory: int = MAX_MEMORY,
) -> CharacterFile:
    """Return a character, with the clips of the files in its motion file and in `anims`.

    With `force`, also those of files in `anims` of which few joints are matched.

    Raises
    ------
    AppError
        See `rigview.loading.import_clips`.
    """
    model = load(path, root=root, max_memory=max_memory)
    imports: tuple[ImportedFile, ...] = ()
    if anims or (motion is not None and motion.document.extends_model):
        from .import_clips import import_all_clips  # imported late: seldom used

        model, imports = import_all_clips(model, motion, anims, root=root, force=force)
    return CharacterFile(path, model.with_key_rotation(key_rotation), imports, motion)
