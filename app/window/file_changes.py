"""Files that are opened, and written by other programs, while the window runs."""

from pathlib import Path
from typing import Literal, Protocol

from ..batch.jobs import Shows
from ..loading.file_watcher import Watcher
from ..session import character_files, motion_saving
from ..session.clip_import import dropped_files
from ..session.clip_import.add_clips import add_clips
from ..session.session import Session
from .file_dialog import FileDialog

POLL = 0.25  # seconds between two polls
DIALOG_POLL = 0.05  # the same while a file dialog is open
WATCH_INTERVAL = 0.5  # seconds between updates of the watched files
Asked = Literal["open", "add", "add clips"]  # requests for files, and their pop-ups


class Take(Protocol):
    """Does something with chosen files."""

    def __call__(self, session: Session, /, *paths: Path) -> object:
        """Open, add or import files."""


TAKES: dict[Asked, tuple[str, Take]] = {  # title of the dialog, and what is done with the files
    "open": ("Open characters", dropped_files.open_files),
    "add": ("Add characters", dropped_files.add_files),
    "add clips": ("Add clips", add_clips),
}


class FileChanges:
    """The file dialogs and the file watcher of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._dialog: FileDialog | None = None
        self._take: Take = dropped_files.open_files  # what is done with the chosen files
        self._watcher = Watcher(session.clock)
        self._last_check = 0.0  # session time when the watched files were updated

    @property
    def poll_seconds(self) -> float:
        """The longest time between two polls, seconds."""
        return POLL if self._dialog is None else DIALOG_POLL

    def ask(self, popup: Asked, title: str = "") -> None:
        """Show a dialog for files of `TAKES`; on a system without dialogs the pop-up."""
        usual, take = TAKES[popup]
        if self._dialog is None:
            self._dialog = FileDialog.show(self._session.path, title or usual)
            self._take = take
        if self._dialog is None:
            self._session.interface.popup = popup

    def ask_environment(self) -> None:
        """Show a dialog for an environment map."""
        self.ask("open", "Open an environment map")
        if self._session.interface.popup == "open":
            self._session.notify("Drop an .hdr or .exr file on the window, or type its path")

    def ask_name(self) -> None:
        """Show a dialog for the name of the motion file to save."""
        interface = self._session.interface
        if self._dialog is None:
            proposed = Path(interface.of(motion_saving.NewName).path)
            self._dialog = FileDialog.show(proposed, "Save the motion file", saving=True)
        if self._dialog is None:
            interface.popup = "save as"

    def poll(self) -> Shows:
        """Open chosen files and reload changed ones; return what this has changed."""
        answered = self._poll_dialog()
        return Shows.SCENE if self._poll_watcher() or answered else Shows.NOTHING

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
            motion_saving.finish(self._session, chosen[0])
        elif chosen:
            self._take(self._session, *chosen)
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
