"""Content of the report about one file: pictures, statistics and findings, or its error."""

from dataclasses import dataclass

from ..check.finding import Finding
from ..model.statistics import Facts
from .joint_table import JointRow
from .media import Media


@dataclass(frozen=True, slots=True)
class AnimationRow:
    """A row of the contact sheet and its loop: a clip, or the layers of a motion file.

    Attributes
    ----------
    clip
        Index of the clip, -1: a motion, or a still pose.
    title, note
        Its name and the note beside it.
    length
        Seconds of one pass; 0 without motion.
    strip, captions
        Pictures side by side, and a caption for each.
    still
        The picture while the loop is paused.
    loop
        The animation; None without motion.
    remark
        A remark about the loop, such as a changed speed.
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
class CharacterEntry:
    """The content of the report about one character."""

    file: str  # as the user named it
    facts: Facts
    findings: tuple[Finding, ...]
    joints: tuple[JointRow, ...]
    hero: Media
    thumbnail: Media
    moving: tuple[AnimationRow, ...]
    columns: tuple[str, ...] = ()  # headings of the sheet's columns, if all rows share them
    motion: str = ""  # name of the motion file used


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that could not be read."""

    file: str
    message: str
    place: str = ""
    hint: str = ""
