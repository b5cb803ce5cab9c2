"""Files that are opened, by dialogs of the system, or written by other programs meanwhile."""

import shutil
import sys
from pathlib import Path
from typing import Self

from imgui_bundle import portable_file_dialogs

from ..batch.jobs import Shows
from ..loading.file_watcher import Watcher
from ..session import character_files, motion_saving
from ..session.clip_import import dropped_files
from ..session.clip_import.dropped_files import Asked
from ..session.session import Session

POLL = 0.25  # seconds between two polls
DIALOG_POLL = 0.05  # the same while a file dialog is open
WATCH_INTERVAL = 0.5  # seconds between updates of the watched files
MOTION_FILTERS = ["Motion files", "*.toml", "All files", "*"]
MODEL_FILTERS = ["Binary glTF", "*.glb", "All files", "*"]
FILTERS = [
    "Characters",
    " ".join(f"*{suffix}" for suffix in character_files.SUFFIXES),
    "Environment maps",
    " ".join(f"*{suffix}" for suffix in dropped_files.ENVIRONMENTS),
    "All files",
    "*",
]
_HELPERS = ("zenity", "kdialog", "matedialog", "qarma")  # show dialogs on Linux; one is needed


class FileChanges:
    """The file dialogs and the file watcher of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._dialog: FileDialog | None = None
        self._take: dropped_files.Take = (
            dropped_files.open_files
        )  # what is done with the chosen files
        self._watcher = Watcher(session.clock)
        self._last_check = 0.0  # session time when the watched files were updated

    @property
    def poll_seconds(self) -> float:
        """The longest time between two polls, seconds."""
        return POLL if self._dialog is None else DIALOG_POLL

    def ask(self, popup: Asked, title: str = "") -> None:
        """Show a dialog for files of `TAKES`; on a system without dialogs the pop-up."""
        usual, take = dropped_files.TAKES[popup]
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
        """Show a dialog for the name of the motion file or the edited model to save."""
        interface = self._session.interface
        asked = interface.of(motion_saving.NewName)
        if self._dialog is None:
            self._dialog = FileDialog.show(Path(asked.path), asked.words, saving=True)
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


class FileDialog:
    """A shown dialog; it does not block the window.

    Parameters
    ----------
    start
        Opens in its folder; with `saving` it is the suggested file.
    saving
        Whether it asks for the name of a motion file or a .glb, instead of for files to open.
    """

    def __init__(self, start: Path | None, title: str, *, saving: bool = False) -> None:
        self.saving = saving
        self._dialog: portable_file_dialogs.save_file | portable_file_dialogs.open_file
        if saving:
            suggested = "" if start is None else str(start.absolute())
            filters = MODEL_FILTERS if suggested.endswith(".glb") else MOTION_FILTERS
            self._dialog = portable_file_dialogs.save_file(title, suggested, filters)
            return
        folder = str(start.absolute().parent) if start is not None else ""
        self._dialog = portable_file_dialogs.open_file(
            title, folder, FILTERS, portable_file_dialogs.opt.multiselect
        )

    @classmethod
    def show(cls, start: Path | None, title: str, *, saving: bool = False) -> Self | None:
        """Show a dialog; return None if the system has no file dialog."""
        if sys.platform.startswith("linux") and not any(map(shutil.which, _HELPERS)):
            return None
        return cls(start, title, saving=saving)

    def ready(self) -> bool:
        """Return whether the user has closed the dialog."""
        return self._dialog.ready(0)

    def result(self) -> list[Path]:
        """Return the selected files, none if the user cancelled."""
        found = self._dialog.result()
        return [Path(file) for file in ([found] if isinstance(found, str) else found) if file]

    def close(self) -> None:
        """Close the dialog."""
        self._dialog.kill()
