"""File watcher: a thread waits for change notifications of the operating system."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from ..clock import Clock

SETTLE_SECONDS = 0.3  # seconds; exporters write a file in several steps
_STOP_CHECK_MS = 250  # milliseconds between checks of the stop event


class Watcher:
    """Watches a set of files, which need not exist, for changes.

    Parameters
    ----------
    clock
        Real time.
    settle_seconds
        Seconds without a change after which a file counts as written.

    Attributes
    ----------
    failure
        Why watching failed; empty if it works, or after the caller has cleared it.
    """

    def __init__(self, clock: Clock, settle_seconds: float = SETTLE_SECONDS) -> None:
        self.failure = ""
        self._clock = clock
        self._settle_seconds = settle_seconds
        self._files: frozenset[Path] = frozenset()
        self._folders: frozenset[Path] = frozenset()
        self._last: float | None = None  # time of the last change; written by the thread
        self._reported: float | None = None  # time of the last change that `changed` reported
        self._stop = Event()
        self._thread: Thread | None = None

    def watch(self, files: Iterable[Path]) -> None:
        """Set the files to watch."""
        wanted = frozenset(Path(file).absolute() for file in files)
        if wanted == self._files:
            return
        folders = frozenset(file.parent for file in wanted if file.parent.is_dir())
        if folders == self._folders:
            self._files = wanted
            return
        self.close()
        self._files, self._folders, self.failure = wanted, folders, ""
        if folders:
            self._stop = Event()
            self._thread = Thread(
                target=self._run, args=(folders, self._stop), name="watcher", daemon=True
            )
            self._thread.start()

    def changed(self) -> bool:
        """Return whether a file changed since the last True, and has settled."""
        last = self._last
        if (
            last is None
            or last == self._reported
            or self._clock.now() - last < self._settle_seconds
        ):
            return False
        self._reported = last
        return True

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._thread, self._files, self._folders = None, frozenset(), frozenset()
        self._last = self._reported = None

    def _run(self, folders: frozenset[Path], stop: Event) -> None:
        try:
            from watchfiles import watch  # imported late: must not delay the first frame

            for changes in watch(
                *folders,
                watch_filter=lambda _, path: Path(path) in self._files,
                debounce=100,
                rust_timeout=_STOP_CHECK_MS,
                stop_event=stop,
                recursive=False,
            ):
                if changes:
                    self._last = self._clock.now()
        except (OSError, RuntimeError) as error:  # a folder was deleted, or the watch limit reached
            self.failure = str(error)


def file_stamps(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return modification time in ns and size of each existing file."""
    found = {}
    for file in files:
        with suppress(OSError):
            status = file.stat()
            found[file] = status.st_mtime_ns, status.st_size
    return found
