"""The system's dialog to open files, polled once a frame."""

import shutil
import sys
from pathlib import Path
from typing import Self

from imgui_bundle import portable_file_dialogs

FILTERS = ["glTF characters", "*.gltf *.glb *.vrm", "All files", "*"]
_HELPERS = ("zenity", "kdialog", "matedialog", "qarma")  # show dialogs on Linux; one is needed


class FileDialog:
    """A shown dialog for opening files; it does not block the window."""

    def __init__(self, start: Path | None, title: str = "Open characters") -> None:
        folder = str(start.absolute().parent) if start is not None else ""
        self._dialog = portable_file_dialogs.open_file(
            title, folder, FILTERS, portable_file_dialogs.opt.multiselect
        )

    @classmethod
    def show(cls, start: Path | None, title: str = "Open characters") -> Self | None:
        """Show a dialog in the folder of `start`; return None if the system has no file dialog."""
        if sys.platform.startswith("linux") and not any(map(shutil.which, _HELPERS)):
            return None
        return cls(start, title)

    def ready(self) -> bool:
        """Return whether the user has closed the dialog."""
        return self._dialog.ready(0)

    def result(self) -> list[Path]:
        """Return the selected files, none if the user cancelled."""
        return [Path(file) for file in self._dialog.result()]

    def close(self) -> None:
        """Close the dialog."""
        self._dialog.kill()
