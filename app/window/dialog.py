"""The system's own dialog to choose files, asked for its answer once a frame."""

import shutil
import sys
from pathlib import Path
from typing import Self

from imgui_bundle import portable_file_dialogs

FILTERS = ["glTF characters", "*.gltf *.glb *.vrm", "All files", "*"]
_HELPERS = ("zenity", "kdialog", "matedialog", "qarma")  # one of them, where the system has none


class FileDialog:
    """An open dialog; it does not stop the window."""

    def __init__(self, start: Path | None, title: str = "Open characters") -> None:
        folder = str(start.absolute().parent) if start is not None else ""
        self._dialog = portable_file_dialogs.open_file(
            title, folder, FILTERS, portable_file_dialogs.opt.multiselect
        )

    @classmethod
    def ask(cls, start: Path | None, title: str = "Open characters") -> Self | None:
        """Open a dialog in the folder of `start`; None where this system cannot show one."""
        if sys.platform.startswith("linux") and not any(map(shutil.which, _HELPERS)):
            return None
        return cls(start, title)

    def ready(self) -> bool:
        """Tell whether the person has answered."""
        return self._dialog.ready(0)

    def result(self) -> list[Path]:
        """Return the files that were chosen."""
        return [Path(chosen) for chosen in self._dialog.result()]

    def close(self) -> None:
        """Take the dialog away."""
        self._dialog.kill()
