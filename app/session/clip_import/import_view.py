"""State of the pop-up and the panel for clips of other files."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...animation.skeleton import Skeleton
from ...memo import Memo
from ..search import matches
from .mapping_rows import JointRow, joint_rows

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


@Memo
def searched_rows(
    imported: "ImportedFile", skeleton: Skeleton, search: str, only_unmatched: bool
) -> tuple[JointRow, ...]:
    """Return the rows of a file's joints that match search and filter."""
    found = matches(search)
    return tuple(
        row
        for row in joint_rows(imported, skeleton)
        if not (only_unmatched and row.source) and found(f"{row.target} {row.source}")
    )
