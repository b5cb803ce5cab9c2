"""How the files of characters are read: limits and folders, and the files being read."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..gltf.document import MAX_MEMORY
from ..loading.read_character import CharacterFile, UploadModel
from ..model.model import Model
from .background_loading import Loading
from .open_character import OpenCharacter

After = Callable[[list[CharacterFile]], object]


@dataclass
class FileReading:
    """How files are read, and those that are being read in the background.

    Attributes
    ----------
    root
        Folder that files may be read from; None: each file's own.
    max_memory
        Bytes for the textures of a file.
    read_motions
        Whether the motion files beside characters are read.
    in_background
        Whether files are read in a thread; `finish` shows them.
    accept
        Uploads a model to the GPU; None: without OpenGL.
    loading
        The files being read, None: none are.
    """

    root: Path | None = None
    max_memory: int = MAX_MEMORY
    read_motions: bool = True
    in_background: bool = False
    accept: UploadModel | None = None
    loading: Loading | None = None
    _after: After = list  # takes the files that were read

    def begin(self, loading: Loading, after: After) -> None:
        """Wait for files that are being read; `finish` calls `after` with them."""
        self.loading, self._after = loading, after

    def finish(self) -> bool:
        """Hand on the files once they are read and a frame has shown that; returns whether.

        Raises
        ------
        AppError
            A file cannot be read.
        """
        loading = self.loading
        if loading is None or not loading.seen:
            return False
        self.loading = None
        self._after(loading.result())
        return True

    def upload(self, models: Sequence[Model], *, beside: bool = False) -> None:
        """Upload models to the GPU before they are shown: if that fails, the old ones stay."""
        if self.accept is not None:
            for k, model in enumerate(models):
                self.accept(model, beside=beside or k > 0)

    def root_of(self, open_character: OpenCharacter) -> Path | None:
        """Return the folder that files of a character must lie in; None: that of the motion file.

        It is `root` if given; else one that also contains the files whose clips the user has added.
        """
        folder = motion_folder(open_character)
        if self.root is not None or folder is None:
            return self.root
        inside = folder.resolve()
        outside = [path for path in open_character.given_files if not path.is_relative_to(inside)]
        return _common_folder([inside, *(path.parent for path in outside)]) if outside else None

    def common_root(self, characters: Iterable[OpenCharacter]) -> Path | None:
        """Return the `root_of` several characters: a folder that contains all files of all."""
        found = list(characters)
        roots = [self.root_of(each) for each in found]
        if self.root is not None or not any(roots):
            return self.root
        folders = [each.path.resolve().parent for each in found if each.path is not None]
        return _common_folder([*folders, *(each for each in roots if each is not None)])


def motion_folder(open_character: OpenCharacter) -> Path | None:
    """Return the folder of a character's motion file, absolute; None without a file."""
    path = open_character.editor.path or open_character.editor.default_path()
    return None if path is None else path.absolute().parent


def _common_folder(folders: Iterable[Path]) -> Path | None:
    """Return the folder that contains some absolute folders; None on several drives."""
    try:
        return Path(os.path.commonpath(list(folders)))
    except ValueError:
        return None
