"""Read character files in a background thread, with the stage and the share that is done."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

from ..gltf.images import decode_ahead
from ..loading.read_character import CharacterFile

READING = 0.4  # share of a file; the rest is the decoding of its textures


class Loading:
    """Files that are being read; their textures are decoded, so that uploading them is short.

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
        self._found: list[CharacterFile] = []
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether everything was read, or an error ended it."""
        return not self._thread.is_alive()

    def wait(self, seconds: float) -> bool:
        """Wait for the end for some seconds at most; return whether it is done."""
        self._thread.join(seconds)
        return self.done

    def result(self) -> list[CharacterFile]:
        """Return the files that were read, when done.

        Raises
        ------
        AppError
            A file cannot be read.
        """
        if self._error is not None:
            raise self._error
        return self._found

    def _run(self) -> None:
        try:
            for k, path in enumerate(self.paths):
                self._load(k, path.name)
            self.stage, self.share = "Uploading", 1.0
        except BaseException as error:  # raised again in the main thread
            self._error = error

    def _load(self, k: int, name: str) -> None:
        self._set(f"Reading {name}", k, 0.0)
        found = self._read(k)
        images = found.model.images
        decode_ahead(images)
        for number, image in enumerate(images):
            self._set(
                f"Decoding textures of {name}",
                k,
                READING + (1.0 - READING) * number / len(images),
            )
            image.decode()
        self._found.append(found)

    def _set(self, stage: str, k: int, share: float) -> None:
        self.stage, self.share = stage, (k + share) / len(self.paths)
