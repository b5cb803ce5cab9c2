"""The joint mapping of a file's clips: state and rows of its panel, changes of the document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...animation.skeleton import Skeleton
from ...errors import UsageError
from ...memo import Memo
from ...motion.document import MotionDoc
from ..search import matches

if TYPE_CHECKING:
    from ...loading.import_clips import ImportedFile

HOW = {
    "map": "set by hand: anims.names of the motion file",
    "name": "the names are equal",
    "alias": "both names are known for this body part",
    "hips": "both are the hips",
    "hierarchy": "the same place in two equal skeletons",
}


@dataclass(frozen=True, slots=True)
class JointRow:
    """A joint of the target, and the source joint that moves it."""

    target: str
    source: str = ""  # "" if it is unmatched
    kind: str = ""  # how the pair was found, a key of `HOW`


def joint_rows(imported: "ImportedFile", skeleton: Skeleton) -> tuple[JointRow, ...]:
    """Return a row for each joint of the target, matched or not, in the order of its skeleton."""
    kinds = imported.kinds or ("",) * len(imported.matched)
    rows = [
        JointRow(target, source, kind)
        for (source, target), kind in zip(imported.matched, kinds, strict=True)
    ]
    rows += [JointRow(target) for target in imported.unmatched]
    return tuple(sorted(rows, key=lambda row: skeleton.find(row.target)))


def source_joints(imported: "ImportedFile") -> tuple[str, ...]:
    """Return the names of all joints of the source, those without a target first."""
    return (*imported.extra, *sorted(source for source, _ in imported.matched))


def with_pair(document: MotionDoc, imported: "ImportedFile", target: str, source: str) -> MotionDoc:
    """Return a document in which a source joint moves a target joint.

    Parameters
    ----------
    source
        "" for none: the source joint that moves it now is omitted.

    Raises
    ------
    UsageError
        The hips would have no source, or the source's hips would move another joint.
    """
    hips, target_hips = imported.hips
    if target == target_hips:
        if not source:
            raise UsageError("the hips need a source joint")
        names = _without(document.anims.names, (source,))
        changed = replace(document.retarget, source_hips=source)
        return replace(document, anims=replace(document.anims, names=names), retarget=changed)
    if source == hips:
        raise UsageError(f"“{source}” moves the hips; choose another joint for them first")
    now = next((one for one, other in imported.matched if other == target), "")
    mapped = [one for one, other in document.anims.names.items() if other == target]
    kept = _without(document.anims.names, (source, *mapped))
    entry = {source: target} if source else {now: ""} if now else {}
    names = MappingProxyType({**entry, **kept})
    return replace(document, anims=replace(document.anims, names=names))


def without_changes(document: MotionDoc, imported: "ImportedFile") -> MotionDoc:
    """Return a document in which no joint of a file is mapped by hand; patterns stay."""
    plain = source_joints(imported)
    anims = replace(document.anims, names=_without(document.anims.names, plain))
    retarget = document.retarget
    if retarget.source_hips in plain:
        retarget = replace(retarget, source_hips=None)
    return replace(document, anims=anims, retarget=retarget)


def _without(names: Mapping[str, str], omitted: Sequence[str]) -> Mapping[str, str]:
    return MappingProxyType({one: other for one, other in names.items() if one not in omitted})


@dataclass(slots=True)
class ClipImportView:
    """State of the pop-up and the panel for clips of other files."""

    dropped: tuple[Path, ...] = ()  # files in the pop-up "Dropped files"
    clips_box: tuple[float, float, float, float] | None = None  # of the list of clips, points
    file: int = 0  # index of the file whose joint mapping is shown
    only_unmatched: bool = False  # list only joints without a source joint
    filter: str = ""  # of the list of joints


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
