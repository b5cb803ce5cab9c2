"""What is found out about each clip once: in a thread if files are read in the background."""

from collections.abc import Callable
from threading import Thread
from typing import Generic, TypeVar

from ...animation.clip import Clip
from ...model.model import Model
from ...motion.document import MotionDoc
from ...scenedoc.kept import Kept
from ..clip_settings import settings_of

DELAY = 0.3  # seconds that a clip is shown before it is examined
MOST = 256  # clips whose results are kept

T = TypeVar("T")
ClipKey = tuple[Clip, str | None]  # a clip, and its loop mode in the motion file


class ClipResults(Generic[T]):
    """The results of the clips that were shown.

    Parameters
    ----------
    examine
        Returns the result of a clip of a model, by its index.

    Attributes
    ----------
    known
        Results by clip.
    """

    def __init__(self, examine: Callable[[Model, MotionDoc, int], T]) -> None:
        self.known: dict[ClipKey, T] = {}
        self._work = examine
        self._key = Kept(_key)
        self._wanted: ClipKey | None = None
        self._since = 0.0  # global time since which it is wanted, seconds
        self._thread: Thread | None = None

    def find(
        self, model: Model, document: MotionDoc, clip: int, tau: float, *, in_background: bool
    ) -> tuple[T | None, bool]:
        """Return the result of a clip, None if unknown, and whether it is awaited.

        Parameters
        ----------
        tau
            The global time, seconds.
        in_background
            Examine clips in a thread.
        """
        key = self._key(model, document, clip)
        if key in self.known:
            return self.known[key], False
        if key != self._wanted:
            self._wanted, self._since = key, tau
        if tau - self._since < DELAY:
            return None, True
        if not in_background:
            self._examine(key, model, document, clip)
            return self.known[key], False
        if self._thread is None or not self._thread.is_alive():
            arguments = key, model, document, clip
            self._thread = Thread(target=self._examine, args=arguments, daemon=True)
            self._thread.start()
        return None, True

    def _examine(self, key: ClipKey, model: Model, document: MotionDoc, clip: int) -> None:
        found = self._work(model, document, clip)
        while len(self.known) >= MOST:
            del self.known[next(iter(self.known))]
        self.known[key] = found


def _key(model: Model, document: MotionDoc, clip: int) -> ClipKey:
    return model.clips[clip], settings_of(model, document, clip).loop
