"""Run the command of an export in a process beside the window, one at a time.

It writes what the export dialog asks for, with the command that the dialog copies. Its state is the
`ExportView` of the interface.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from ...batch.jobs import Job, Report, Shows
from ...errors import AppError
from ...file_io import remove_abandoned
from ...options.command_options import Options
from ...resources import pictures_folder
from ..session import Session
from .export_command import export_options, export_path
from .export_view import ExportView

# Runs a command of the program with options, reports steps done and their total, and returns its
# messages; importable
Command = Callable[[str, Options, Report], tuple[str, ...]]
EXPORT = "export"  # key of the job
NOT_EXPORTED = "The export failed"
_SHOWN = 3  # messages of the command in the notice


def begin(session: Session, command: Command | None, size: tuple[int, int], samples: int) -> None:
    """Start the export, with unsaved changes of motion files; a notice says why it cannot start.

    Parameters
    ----------
    command
        Runs the command; None: exports are not possible.
    size
        Width and height of the view, pixels.
    samples
        Requested samples per pixel of a picture.
    """
    view, running = session.interface.of(ExportView), session.jobs.is_running(EXPORT)
    if running or command is None:
        session.notify("An export is running" if running else "Exports are not possible here")
        return
    for each in session.open_characters:
        each.editor.apply_document()
    try:
        options = export_options(session, size, samples)
        if options is None:
            session.notify("There is nothing to export")
            return
        path = export_path(session)
        if path.parent == (view.folder or pictures_folder()):
            with suppress(OSError):  # the command says why it cannot write there
                path.parent.mkdir(parents=True, exist_ok=True)
    except (AppError, ValueError) as error:
        _fail(session, error if isinstance(error, AppError) else AppError(str(error)))
        return
    view.running, view.done, view.total = str(path), 0, 0
    view.sequence = view.is_sequence

    def remove_half_written() -> None:
        view.running = ""
        remove_abandoned(path.resolve().parent)

    session.jobs.start(
        EXPORT,
        partial(command, view.command, options),
        partial(_finish, session),
        progress=view.count,
        cancelled=remove_half_written,
        shows=Shows.PANELS,
        in_process=True,
    )


def cancel(session: Session) -> None:
    """Kill the running export; what is half written is removed."""
    session.jobs.cancel(EXPORT)
    session.notify("The export was cancelled")


def at_quit(session: Session) -> str:
    """Return what closing the window does to the export; empty without one."""
    return "The running export is ended" if session.jobs.is_running(EXPORT) else ""


def _finish(session: Session, job: Job[tuple[str, ...]]) -> None:
    view = session.interface.of(ExportView)
    path, view.running = view.running, ""
    try:
        messages = job.result()
    except AppError as error:
        _fail(session, error)
        return
    count = f"{view.total} pictures as " if view.sequence else ""
    session.notify("\n".join((f"Saved {count}{path}", *messages[:_SHOWN])))


def _fail(session: Session, error: AppError) -> None:
    if session.interface.popup in ("", "export"):
        session.fail(error, NOT_EXPORTED)
    else:  # another pop-up asks something
        session.notify(f"{NOT_EXPORTED}: {error}")
