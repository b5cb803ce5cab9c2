"""What a page shows of one file: all that was drawn, counted and found; or why there is nothing."""

from dataclasses import dataclass

from ..check.finding import Finding
from ..model.statistics import Facts
from .joint_table import JointRow
from .media import Media


@dataclass(frozen=True, slots=True)
class Moving:
    """One row of the sheet and one loop: a clip, or the layers of a motion file.

    Attributes
    ----------
    clip
        Index of the clip, -1: a motion, or a still pose.
    title, note
        Its name and what stands beside it.
    length
        Seconds of one pass; 0 where nothing moves.
    strip, captions
        Pictures side by side, and the words under each.
    still
        What the loop shows while it does not play.
    loop
        The loop; None where nothing moves.
    remark
        What is to be known of the loop: that it is faster than the clip.
    """

    clip: int
    title: str
    note: str
    length: float
    strip: Media
    captions: tuple[str, ...]
    still: Media
    loop: Media | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A character, as the page shows it."""

    file: str  # as the user named it
    facts: Facts
    findings: tuple[Finding, ...]
    joints: tuple[JointRow, ...]
    hero: Media
    thumbnail: Media
    moving: tuple[Moving, ...]
    columns: tuple[str, ...] = ()  # headings of the sheet's columns, where all rows share them
    motion: str = ""  # name of the motion file that had a say


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that could not be shown."""

    file: str
    sentence: str
    place: str = ""
    hint: str = ""
