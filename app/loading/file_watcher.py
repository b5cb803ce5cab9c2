"""Notices that files have changed: a thread waits for the system's word, nobody polls."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from ..clock import Clock

REST = 0.3  # seconds: exporters write a file in several goes
_WAKE = 250  # milliseconds after which the thread looks whether it is to end


class Watcher:
    """Watches a set of files, which need not exist; `changed` tells once of all that happened.

    Parameters
    ----------
    clock
        Of real time.
    rest
        Seconds without a change after which a file is taken as written.

    Attributes
    ----------
    trouble
        Why changes are not noticed; empty where they are, or once somebody has taken it.
    """

    def __init__(self, clock: Clock, rest: float = REST) -> None:
        self.trouble = ""
        self._clock = clock
        self._rest = rest
        self._files: frozenset[Path] = frozenset()
        self._folders: frozenset[Path] = frozenset()
        self._last: float | None = None  # when something changed last; the thread writes it
        self._told: float | None = None  # of those, what was told of
        self._stop = Event()
        self._thread: Thread | None = None

    def watch(self, files: Iterable[Path]) -> None:
        """Watch these files from now on, and no others."""
        wanted = frozenset(Path(file).absolute() for file in files)
        if wanted == self._files:
            return
        folders = frozenset(file.parent for file in wanted if file.parent.is_dir())
        if folders == self._folders:
            self._files = wanted
            return
        self.close()
        self._files, self._folders, self.trouble = wanted, folders, ""
        if folders:
            self._stop = Event()
            self._thread = Thread(
                target=self._wait, args=(folders, self._stop), name="watcher", daemon=True
            )
            self._thread.start()

    def changed(self) -> bool:
        """Tell whether a file was written since the last call, and rests by now."""
        last = self._last
        if last is None or last == self._told or self._clock.now() - last < self._rest:
            return False
        self._told = last
        return True

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._thread, self._files, self._folders = None, frozenset(), frozenset()
        self._last = self._told = None

    def _wait(self, folders: frozenset[Path], stop: Event) -> None:
        try:
            from watchfiles import watch  # not before the first picture is there

            for changes in watch(
                *folders,
                watch_filter=lambda _, path: Path(path) in self._files,
                debounce=100,
                rust_timeout=_WAKE,
                stop_event=stop,
                recursive=False,
            ):
                if changes:
                    self._last = self._clock.now()
        except (OSError, RuntimeError) as error:  # a folder is gone, or no more can be watched
            self.trouble = str(error)


def stamps(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return when each of the files that are there was written, and its size."""
    found = {}
    for file in files:
        with suppress(OSError):
            told = file.stat()
            found[file] = told.st_mtime_ns, told.st_size
    return found
