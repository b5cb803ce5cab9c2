"""The system's own dialog to choose a file, asked for its answer once a frame."""

import shutil
import sys
from pathlib import Path
from typing import Self

from imgui_bundle import portable_file_dialogs

FILTERS = ["glTF characters", "*.gltf *.glb *.vrm", "All files", "*"]
_HELPERS = ("zenity", "kdialog", "matedialog", "qarma")  # one of them, where the system has none


class FileDialog:
    """An open dialog; it does not stop the window."""

    def __init__(self, start: Path | None) -> None:
        folder = str(start.absolute().parent) if start is not None else ""
        self._dialog = portable_file_dialogs.open_file("Open a character", folder, FILTERS)

    @classmethod
    def ask(cls, start: Path | None) -> Self | None:
        """Open a dialog in the folder of `start`; None where this system cannot show one."""
        if sys.platform.startswith("linux") and not any(map(shutil.which, _HELPERS)):
            return None
        return cls(start)

    def ready(self) -> bool:
        """Tell whether the person has answered."""
        return self._dialog.ready(0)

    def result(self) -> Path | None:
        """Return the file that was chosen, None where it was none."""
        chosen = self._dialog.result()
        return Path(chosen[0]) if chosen else None

    def close(self) -> None:
        """Take the dialog away."""
        self._dialog.kill()
