"""Run the command of an export in a process beside the window, one at a time."""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from ...errors import AppError
from ...file_io import remove_abandoned
from ...options.command_options import Options
from ...resources import pictures_folder
from ...tasks.command_process import Command, run_command
from ..session import Session
from .export_command import export_options
from .export_name import export_path
from .export_view import ExportView

NOT_EXPORTED = "The export failed"
PROGRESS = 0.1  # seconds between looks at the progress
_SHOWN = 3  # messages of the command in the notice


class ExportJob(Protocol):
    """A command that runs in a process; see `BackgroundTask`."""

    progress: Any
    result: tuple[str, ...] | AppError | None

    def end(self) -> None:
        """Kill it."""


Start = Callable[[str, Options], ExportJob]


def process_starter(command: Command | None) -> Start | None:
    """Return a function that starts a command with its options in a process.

    `command` is an importable function that runs a command and returns its exit code, or None.
    """
    if command is None:
        return None

    def start(name: str, options: Options) -> ExportJob:
        from ...batch.background_task import BackgroundTask  # imported late: multiprocessing

        return BackgroundTask(partial(run_command, command), (name, options))

    return start


class BackgroundExport:
    """Writes what the export dialog asks for, with the command that it copies.

    Its state is the `ExportView` of the interface. Unsaved changes of motion files are exported,
    too.

    Parameters
    ----------
    start
        Starts a command with options; None: exports are not possible.
    """

    def __init__(self, session: Session, start: Start | None) -> None:
        self._session = session
        self._start = start
        self._job: ExportJob | None = None
        self._path = Path()

    @property
    def working(self) -> bool:
        """Whether an export runs."""
        return self._job is not None

    @property
    def poll_seconds(self) -> float:
        """The longest time between two calls of `poll`, seconds."""
        return PROGRESS if self.working else math.inf

    @property
    def at_quit(self) -> str:
        """What closing the window does to the export; empty without one."""
        return "The running export is ended" if self.working else ""

    def begin(self, size: tuple[int, int], samples: int) -> None:
        """Start the export; a notice says why it cannot be started.

        Parameters
        ----------
        size
            Width and height of the view, pixels.
        samples
            Requested samples per pixel of a picture.
        """
        session, view = self._session, self._session.interface.of(ExportView)
        if self._job is not None or self._start is None:
            session.notify("An export is running" if self._job else "Exports are not possible here")
            return
        for each in session.open_characters:
            each.editor.apply_document()
        try:
            options = export_options(session, size, samples)
            if options is None:
                session.notify("There is nothing to export")
                return
            self._path = export_path(session)
            if self._path.parent == (view.folder or pictures_folder()):
                _make_folder(self._path.parent)
        except (AppError, ValueError) as error:
            self._fail(error if isinstance(error, AppError) else AppError(str(error)))
            return
        view.running, view.done, view.total, view.cancel = str(self._path), 0, 0, False
        view.sequence = view.is_sequence
        self._job = self._start(view.command, options)

    def poll(self) -> bool:
        """Continue or end the export; return whether its state has changed. Never waits."""
        job, view = self._job, self._session.interface.of(ExportView)
        if job is None:
            return False
        if view.cancel:
            self.end()
            self._session.notify("The export was cancelled")
            return True
        result = job.result
        steps = job.progress or (0, 0)
        if result is None:
            changed = steps != (view.done, view.total)
            view.done, view.total = steps
            return changed
        view.done, view.total = steps
        self._finish()
        if isinstance(result, AppError):
            self._fail(result)
        else:
            count = f"{view.total} pictures as " if view.sequence else ""
            saved = f"Saved {count}{self._path}"
            self._session.notify("\n".join((saved, *result[:_SHOWN])))
        return True

    def end(self) -> None:
        """Kill a running export; what is half written is removed."""
        if self._job is None:
            return
        self._job.end()
        remove_abandoned(self._path.resolve().parent)
        self._finish()

    def _finish(self) -> None:
        self._job = None
        self._session.interface.of(ExportView).running = ""

    def _fail(self, error: AppError) -> None:
        session = self._session
        if session.interface.popup in ("", "export"):
            session.fail(error, NOT_EXPORTED)
        else:  # another pop-up asks something
            session.notify(f"{NOT_EXPORTED}: {error}")


def _make_folder(folder: Path) -> None:
    """Create the pictures folder; if that fails, the command says why it cannot write there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
