"""The system's dialogs to open files and to save a motion file, polled once a frame."""

import shutil
import sys
from pathlib import Path
from typing import Self

from imgui_bundle import portable_file_dialogs

from ..conversion.formats import FORMATS

MOTION_FILTERS = ["Motion files", "*.toml", "All files", "*"]
FILTERS = [
    "Characters",
    f"*.gltf *.glb *.vrm *.bvh {' '.join(f'*{ending}' for ending in FORMATS)}",
    "Environment maps",
    "*.hdr *.exr",
    "All files",
    "*",
]
_HELPERS = ("zenity", "kdialog", "matedialog", "qarma")  # show dialogs on Linux; one is needed


class FileDialog:
    """A shown dialog; it does not block the window.

    Parameters
    ----------
    start
        Opens in its folder; with `saving` it is the suggested file.
    saving
        Whether it asks for the name of a motion file, instead of for files to open.
    """

    def __init__(self, start: Path | None, title: str, *, saving: bool = False) -> None:
        self.saving = saving
        if saving:
            suggested = "" if start is None else str(start.absolute())
            self._save = portable_file_dialogs.save_file(title, suggested, MOTION_FILTERS)
            return
        folder = str(start.absolute().parent) if start is not None else ""
        self._open = portable_file_dialogs.open_file(
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
        return (self._save if self.saving else self._open).ready(0)

    def result(self) -> list[Path]:
        """Return the selected files, none if the user cancelled."""
        if self.saving:
            name = self._save.result()
            return [Path(name)] if name else []
        return [Path(file) for file in self._open.result()]

    def close(self) -> None:
        """Close the dialog."""
        (self._save if self.saving else self._open).kill()
