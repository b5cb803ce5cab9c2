"""State of the pop-up and the panel for clips of other files."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...animation.skeleton import Skeleton
from .joint_rows import JointRow, joint_rows

if TYPE_CHECKING:
    from ...loading.import_clips import ImportedFile


@dataclass(slots=True)
class ClipImportView:
    """State of the pop-up and the panel for clips of other files."""

    dropped: tuple[Path, ...] = ()  # files in the pop-up "Dropped files"
    clips_box: tuple[float, float, float, float] | None = None  # of the list of clips, points
    file: int = 0  # index of the file whose joint mapping is shown
    only_unmatched: bool = False  # list only joints without a source joint
    search: str = ""  # in the list of joints
    search_partner: str = ""  # in the drop-down of a joint
    _rows: tuple[JointRow, ...] = ()  # of the next three, cached
    _imported: "ImportedFile | None" = None
    _skeleton: Skeleton | None = None
    _filter: tuple[str, bool] = ("", False)

    def rows(self, imported: "ImportedFile", skeleton: Skeleton) -> tuple[JointRow, ...]:
        """Return the rows that match search and filter; cached until one of them changes."""
        chosen = self.search, self.only_unmatched
        same = self._imported is imported and self._skeleton is skeleton
        if not same or self._filter != chosen:
            self._imported, self._skeleton, self._filter = imported, skeleton, chosen
            words = self.search.casefold().split()
            self._rows = tuple(
                row
                for row in joint_rows(imported, skeleton)
                if not (self.only_unmatched and row.source)
                and all(word in f"{row.target} {row.source}".casefold() for word in words)
            )
        return self._rows
