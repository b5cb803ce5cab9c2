"""What playback controls and the motion editor need of an open character, and it of its session."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from ..batch.jobs import Jobs
from ..blending.mixer import Mixer
from ..errors import AppError
from ..motion.document import MotionDoc
from ..scene.character import Character
from ..scene.scene import Scene
from .undo_history import UndoHistory

SHORTEST = 1e-3  # seconds of a range


class PlayRange(NamedTuple):
    """A range of the ruler, seconds."""

    begin: float
    end: float  # infinity: a ruler without an end

    @property
    def length(self) -> float:
        """Seconds from the in to the out point."""
        return self.end - self.begin


class Moment(NamedTuple):
    """The state of a playback in a frame."""

    mixer: Mixer
    anchor: tuple[float, float]  # of the playback
    speed: float  # seconds of the ruler a second; negative: time goes back
    tau: float  # global time, seconds
    time: float  # on the ruler, seconds


@dataclass(slots=True)
class PlayRanges:
    """The ranges of a character.

    Attributes
    ----------
    known
        By what plays: a clip's name, or "" for layers.
    passes
        Number of passes of the present range that are over.
    last
        The moment of the last frame.
    """

    known: dict[str, PlayRange] = field(default_factory=dict)
    passes: int = 0
    last: Moment | None = None


class NextClip(NamedTuple):
    """A clip that plays when the present one ends."""

    clip: int
    mixer: Mixer  # what plays until then
    end: float  # unwrapped local time of its end, seconds


class Host(Protocol):
    """The session, to its characters and its stage."""

    scene: Scene
    jobs: Jobs  # what runs beside the frames
    history: UndoHistory

    @property
    def tau(self) -> float:
        """The global time of the current frame, seconds."""

    @property
    def frame_rate(self) -> float:
        """Frames per second of frame steps."""

    @property
    def aspect(self) -> float:
        """Width over height of the part of the view that no panel covers."""

    def notify(self, text: str) -> None:
        """Show a notice for a few seconds."""

    def fail(self, error: AppError, title: str = "") -> None:
        """Show an error pop-up."""


class Player(Protocol):
    """An open character, to its playback controls and its motion editor."""

    session: Host
    character: Character  # what is controlled
    path: Path | None  # the character's file
    next_clip: NextClip | None  # that plays when the present one ends
    play_ranges: PlayRanges  # the ranges of the ruler that are repeated

    @property
    def offset(self) -> float:
        """Seconds that it plays ahead of the others."""

    @property
    def document(self) -> MotionDoc:
        """Its motion document, whose settings of clips apply to clips that play alone."""
