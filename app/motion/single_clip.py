"""A single clip with its settings in a motion file."""

from dataclasses import dataclass, replace

from ..animation.playback import parse_loop
from ..animation.root_motion import RootMotion
from ..model.model import Model
from .bind_names import NameResolver
from .bind_sources import Loop, SourceBuilder
from .document import ClipSettings, LayerSettings, MotionDoc

BASE = "base"


@dataclass(frozen=True, slots=True)
class SingleClip:
    """A single clip and its settings in a motion file.

    Attributes
    ----------
    document
        A motion document that plays only this clip.
    settings
        The clip's settings.
    begin, end
        Start and end of a pass, seconds of the file.
    root
        Its root motion, if any.
    """

    document: MotionDoc
    settings: ClipSettings
    begin: float
    end: float
    root: RootMotion | None

    @property
    def loop(self) -> Loop | None:
        """The loop mode in the settings, None if it is not set."""
        return None if self.settings.loop is None else parse_loop(self.settings.loop)

    def like(self, other: "SingleClip | None") -> bool:
        """Return whether range, loop mode and root motion equal those of another clip."""
        if other is None:
            return False
        keys = ("begin", "end", "loop")
        same = all(getattr(self, key) == getattr(other, key) for key in keys)
        return same and self.settings.root == other.settings.root


def single_clip(
    model: Model, document: MotionDoc, clip: int, *, trim: bool = False
) -> SingleClip | None:
    """Return clip number `clip` with its settings, None where they do not affect playback.

    A clip that is driven by a parameter plays without its settings.

    Raises
    ------
    MotionError
        The document does not fit the model.
    """
    if clip < 0 or not document.clips:
        return None
    names = NameResolver(model, document)
    settings = names.settings_of(clip)[1]
    silent = settings.range is None and settings.loop is None and settings.root is None
    if silent or settings.drive is not None:
        return None
    source_builder = SourceBuilder(names, trim=trim)
    begin, end = source_builder.clip_range(clip)
    return SingleClip(
        single_clip_document(document, clip), settings, begin, end, source_builder.root(clip, begin)
    )


def single_clip_document(document: MotionDoc, clip: int) -> MotionDoc:
    """Return a document that plays only clip number `clip` (-1: nothing)."""
    return replace(document, layers=base_layers(clip), at=(), pivot=None)


def base_layers(clip: int) -> tuple[LayerSettings, ...]:
    """Return a base layer that plays a clip."""
    return (LayerSettings(BASE, f"#{clip}"),) if clip >= 0 else ()
