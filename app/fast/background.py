"""Compiled poses for a window: compiled in a process, loaded in a thread, used when ready."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ..animation import compiled
from ..animation.compiled import MakePoser
from ..batch.jobs import Job, Jobs, Report, Shows
from ..errors import AppError

PLAYED = 120  # frames of a window, after which compiled poses are worth their loading


class BackgroundPoser:
    """Makes the thread of a window compute its poses with compiled functions, once they are ready.

    Nothing waits for them, and a failure leaves numpy in use.

    Parameters
    ----------
    jobs
        Compile and load them.

    Attributes
    ----------
    used
        Whether they are in use.
    """

    def __init__(self, jobs: Jobs) -> None:
        self.used = False
        self._jobs = jobs
        self._private: Path | None = None  # used where the cache folder is not writable
        self._begun = False

    def begin(self, frames: int, *, playing: bool) -> None:
        """Start to get them once something plays for a while, if they are installed and not off.

        Parameters
        ----------
        frames
            Number of frames that the window has drawn.
        playing
            Whether something plays.
        """
        if not playing or frames <= PLAYED or self._begun:
            return
        from .cached_kernels import compile_into, is_intact, kernel_folder, why_not

        self._begun = True
        if why_not():
            return
        folder = kernel_folder()
        if is_intact(folder):
            self._load(folder)
        else:
            self._jobs.start(
                self,
                partial(compile_into, folder),
                partial(self._take_compiled, folder),
                shows=Shows.NOTHING,
                in_process=True,
            )

    @contextmanager
    def by_numpy(self, update: Callable[[], object]) -> Iterator[bool]:
        """Compute poses with numpy for a picture; yield whether `update` had to compute them."""
        with compiled.numpy_only():
            if self.used:
                update()
            yield self.used

    def end(self) -> None:
        """Stop, and compute poses with numpy."""
        self._jobs.cancel(self)
        if self._private is not None:
            import shutil

            shutil.rmtree(self._private, ignore_errors=True)
        compiled.use(None)

    def _load(self, folder: Path) -> None:
        self._jobs.start(self, partial(_import, folder), self._use, shows=Shows.NOTHING)

    def _take_compiled(self, wanted: Path, job: Job[str]) -> None:
        try:
            folder = Path(job.result())
        except AppError:
            return
        if folder != wanted:
            self._private = folder
        self._load(folder)

    def _use(self, job: Job[MakePoser | None]) -> None:
        maker = job.result()
        if maker is not None:
            compiled.use(maker)
            self.used = True


def _import(folder: Path, _report: Report) -> MakePoser | None:
    from .cached_kernels import load

    try:
        return load(folder)
    except Exception:  # an unfit numba: numpy stays in use
        return None
