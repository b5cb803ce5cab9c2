"""Files that are opened, and written by other programs, while the window runs."""

from pathlib import Path

from ..loading.file_watcher import Watcher
from ..session import character_files, saving
from ..session.session import Session
from ..session.stage.open_environment import open_environments
from .file_dialog import FileDialog

POLL = 0.25  # seconds between two polls
DIALOG_POLL = 0.05  # the same while a file dialog is open
WATCH_INTERVAL = 0.5  # seconds between updates of the watched files


class FileChanges:
    """The file dialogs and the file watcher of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._dialog: FileDialog | None = None
        self._adding = False  # the files chosen in the dialog are added
        self._watcher = Watcher(session.clock)
        self._last_check = 0.0  # session time when the watched files were updated

    @property
    def poll_seconds(self) -> float:
        """The longest time between two polls, seconds."""
        return POLL if self._dialog is None else DIALOG_POLL

    def ask(self, title: str, *, beside: bool = False) -> None:
        """Show a dialog for files to open, or to add beside the open characters."""
        if self._dialog is None:
            self._dialog, self._adding = FileDialog.show(self._session.path, title), beside
        if self._dialog is None:
            self._session.interface.popup = "add" if beside else "open"

    def ask_environment(self) -> None:
        """Show a dialog for an environment map."""
        self.ask("Open an environment map")
        if self._session.interface.popup == "open":
            self._session.notify("Drop an .hdr or .exr file on the window, or type its path")

    def ask_name(self) -> None:
        """Show a dialog for the name of the motion file to save."""
        interface = self._session.interface
        if self._dialog is None:
            title = "Save the motion file"
            self._dialog = FileDialog.show(Path(interface.motion_path), title, saving=True)
        if self._dialog is None:
            interface.popup = "save as"

    def poll(self) -> bool:
        """Open chosen files and reload changed ones; return whether the session changed."""
        answered = self._poll_dialog()
        return self._poll_watcher() or answered

    def close(self) -> None:
        """Stop watching, and close the dialog."""
        self._watcher.close()
        if self._dialog is not None:
            self._dialog.close()

    def _poll_dialog(self) -> bool:
        if self._dialog is None or not self._dialog.ready():
            return False
        chosen, saves = self._dialog.result(), self._dialog.saving
        self._dialog = None
        if chosen and saves:
            saving.finish(self._session, chosen[0])
        elif chosen:
            open_or_add(self._session, *chosen, beside=self._adding)
        return True

    def _poll_watcher(self) -> bool:
        session = self._session
        if session.tau - self._last_check > WATCH_INTERVAL:
            self._last_check = session.tau
            watched = character_files.watched_files(session)
            self._watcher.watch(watched if session.settings.reload else ())
        changed = self._watcher.changed()
        if changed:
            character_files.refresh(session)
        problem, self._watcher.failure = self._watcher.failure, ""
        if problem:
            session.notify(f"File changes cannot be watched: {problem}")
        return changed or bool(problem)


def open_or_add(session: Session, *paths: Path, beside: bool) -> None:
    """Open files, or add them beside the open characters; an environment map lights the scene."""
    characters = open_environments(session, paths)
    if not characters:
        return
    (character_files.try_add if beside else character_files.try_open)(session, *characters)
