"""Content of the report about one file: pictures, statistics and findings, or its error."""

from dataclasses import dataclass

from ..checks.finding import Finding
from ..model.statistics import Facts
from .joint_table import JointRow
from .media import Media


@dataclass(frozen=True, slots=True)
class AnimationRow:
    """A row of the contact sheet and its looping video: a clip, or the layers of a motion file.

    Attributes
    ----------
    clip
        Index of the clip, -1: a motion, or a still pose.
    title, subtitle
        Its name and the text beside it.
    length
        Seconds of one repetition; 0 without motion.
    frames_strip, captions
        Pictures side by side, and a caption for each.
    still
        The picture while the video is paused.
    loop
        The looping video; None without motion.
    loop_note
        A note about the video, such as a changed speed.
    """

    clip: int
    title: str
    subtitle: str
    length: float
    frames_strip: Media
    captions: tuple[str, ...]
    still: Media
    loop: Media | None = None
    loop_note: str = ""


@dataclass(frozen=True, slots=True)
class CharacterEntry:
    """The content of the report about one character."""

    file: str  # as the user named it
    statistics: Facts
    findings: tuple[Finding, ...]
    joints: tuple[JointRow, ...]
    main_picture: Media
    thumbnail: Media
    rows: tuple[AnimationRow, ...]
    columns: tuple[str, ...] = ()  # headings of the sheet's columns, if all rows share them
    motion: str = ""  # name of the motion file used


@dataclass(frozen=True, slots=True)
class FailedEntry:
    """A file that could not be read."""

    file: str
    message: str
    location: str = ""  # in the file, such as a JSON pointer
    hint: str = ""
