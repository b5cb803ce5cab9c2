"""Read character files in a background thread, with the stage and the share that is done."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ..gltf.images import decode_ahead, shown_at_once
from ..loading.read_character import CharacterFile
from .background_call import BackgroundCall

READING = 0.4  # share of a file; the rest is the decoding of its textures


class Loading:
    """Files that are being read; textures but large ones are decoded: uploading them is short.

    Attributes
    ----------
    stage
        What is being done: "Reading NAME", "Decoding textures of NAME", "Uploading".
    share
        Share that is done, 0 to 1.
    seen
        Whether a frame has shown that it is done: uploading draws no frames.

    Parameters
    ----------
    read
        Reads the file with an index.
    """

    def __init__(self, paths: Sequence[Path], read: Callable[[int], CharacterFile]) -> None:
        self.paths = tuple(paths)
        self.stage, self.share = f"Reading {self.paths[0].name}", 0.0
        self.seen = False
        self._read = read
        self._call = BackgroundCall(self._run)

    @property
    def done(self) -> bool:
        """Whether everything was read, or an error ended it."""
        return self._call.done

    def wait(self, seconds: float) -> bool:
        """Wait for the end for some seconds at most; return whether it is done."""
        return self._call.wait(seconds)

    def result(self) -> list[CharacterFile]:
        """Return the files that were read, when done.

        Raises
        ------
        AppError
            A file cannot be read.
        """
        return self._call.result()

    def _run(self) -> list[CharacterFile]:
        found = [self._load(k, path.name) for k, path in enumerate(self.paths)]
        self.stage, self.share = "Uploading", 1.0
        return found

    def _load(self, k: int, name: str) -> CharacterFile:
        self._set(f"Reading {name}", k, 0.0)
        found = self._read(k)
        images = shown_at_once(found.model.images)
        decode_ahead(images)
        for number, image in enumerate(images):
            self._set(
                f"Decoding textures of {name}",
                k,
                READING + (1.0 - READING) * number / len(images),
            )
            image.decode()
        return found

    def _set(self, stage: str, k: int, share: float) -> None:
        self.stage, self.share = stage, (k + share) / len(self.paths)
