"""Compiled poses for a window: compiled in a process, loaded in a thread, used when ready."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from ..animation import compiled
from ..animation.compiled import MakePoser
from ..errors import AppError

if TYPE_CHECKING:
    from ..batch.background_task import BackgroundTask

PLAYED = 120  # frames of a window, after which compiled poses are worth their loading


class BackgroundPoser:
    """Makes the thread of a window compute its poses with compiled functions, once they are ready.

    Nothing waits for them, and a failure leaves numpy in use.

    Attributes
    ----------
    used
        Whether they are in use.
    """

    def __init__(self) -> None:
        self.used = False
        self._task: BackgroundTask[str] | None = None
        self._thread: Thread | None = None
        self._maker: MakePoser | None = None
        self._private: Path | None = None  # used where the cache folder is not writable
        self._begun = False

    def _begin(self) -> None:
        """Start to get them, where they are installed and not switched off."""
        from ..batch.background_task import BackgroundTask  # imported late: once something plays
        from .cached_kernels import compile_into, is_intact, kernel_folder, why_not

        self._begun = True
        if why_not():
            return
        folder = kernel_folder()
        if is_intact(folder):
            self._load(folder)
        else:
            self._task = BackgroundTask(compile_into, folder)

    def poll(self, frames: int, *, playing: bool) -> None:
        """Use what is ready, in this thread; begin once something plays for a while.

        Parameters
        ----------
        frames
            Number of frames that the window has drawn.
        playing
            Whether something plays.
        """
        if playing and frames > PLAYED and not self._begun:
            self._begin()
        if self._task is not None and self._task.result is not None:
            from .cached_kernels import kernel_folder

            result, self._task = self._task.result, None
            if not isinstance(result, AppError):
                if Path(result) != kernel_folder():
                    self._private = Path(result)
                self._load(Path(result))
        if self._maker is not None:
            compiled.use(self._maker)
            self.used, self._maker = True, None

    @contextmanager
    def by_numpy(self, update: Callable[[], object]) -> Iterator[bool]:
        """Compute poses with numpy for a picture; yield whether `update` had to compute them."""
        with compiled.numpy_only():
            if self.used:
                update()
            yield self.used

    @property
    def working(self) -> bool:
        """Whether they are being compiled or loaded."""
        return self._task is not None or (self._thread is not None and self._thread.is_alive())

    def end(self) -> None:
        """Stop, and compute poses with numpy."""
        if self._task is not None:
            self._task.end()
            self._task = None
        if self._private is not None:
            import shutil

            shutil.rmtree(self._private, ignore_errors=True)
        compiled.use(None)

    def _load(self, folder: Path) -> None:
        self._thread = Thread(target=self._import, args=(folder,), name="poses", daemon=True)
        self._thread.start()

    def _import(self, folder: Path) -> None:
        from .cached_kernels import load

        try:
            self._maker = load(folder)
        except Exception:  # an unfit numba: numpy stays in use
            self._maker = None
