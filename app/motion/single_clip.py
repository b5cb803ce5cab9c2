"""One clip that plays by itself, with what a motion file says of it (RULINGS M5)."""

from dataclasses import dataclass, replace

from ..animation.playback import parse_loop
from ..animation.root_motion import RootMotion
from ..model.model import Model
from .bind_names import Names
from .bind_sources import Casting, Loop
from .document import ClipSettings, LayerSettings, MotionDoc

BASE = "base"


@dataclass(frozen=True, slots=True)
class Alone:
    """What holds for a clip that plays alone.

    Attributes
    ----------
    document
        A motion of nothing but this clip.
    settings
        What is said of the clip.
    begin, end
        Seconds of the file: a pass.
    root
        What is done with the motion of its root, if anything.
    """

    document: MotionDoc
    settings: ClipSettings
    begin: float
    end: float
    root: RootMotion | None

    @property
    def loop(self) -> Loop | None:
        """How it repeats, None where that is not said."""
        return None if self.settings.loop is None else parse_loop(self.settings.loop)

    def like(self, other: "Alone | None") -> bool:
        """Tell whether it plays as another does."""
        if other is None:
            return False
        keys = ("begin", "end", "loop")
        same = all(getattr(self, key) == getattr(other, key) for key in keys)
        return same and self.settings.root == other.settings.root


def alone(model: Model, document: MotionDoc, clip: int, *, trim: bool = False) -> Alone | None:
    """Return what a document says of clip number `clip`, None where it says nothing of its run.

    A clip that a value drives runs by itself, as if nothing were said of it.

    Raises
    ------
    MotionError
        It does not fit the model.
    """
    if clip < 0 or not document.clips:
        return None
    names = Names(model, document)
    settings = names.settings_of(clip)[1]
    silent = settings.range is None and settings.loop is None and settings.root is None
    if silent or settings.drive is not None:
        return None
    casting = Casting(names, trim=trim)
    begin, end = casting.reach(clip)
    return Alone(only(document, clip), settings, begin, end, casting.root(clip, begin))


def only(document: MotionDoc, clip: int) -> MotionDoc:
    """Return a document that plays nothing but clip number `clip` (-1: nothing)."""
    return replace(document, layers=base(clip), at=(), pivot=None)


def base(clip: int) -> tuple[LayerSettings, ...]:
    """Return the one layer that plays a clip."""
    return (LayerSettings(BASE, f"#{clip}"),) if clip >= 0 else ()
