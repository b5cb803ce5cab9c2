"""The pops of the clips of a character, which the curves show."""

from collections.abc import Mapping

from ...animation.clip import Clip
from ...check.clip_pops import PopMark, clip_pops
from ...model.model import Model
from .clip_results import ClipResults


class ClipPops(ClipResults[Mapping[int, tuple[PopMark, ...]]]):
    """The pops of the clips that were shown, by joint."""

    def __init__(self) -> None:
        super().__init__(lambda model, _document, clip: clip_pops(model, clip))


def clip_number(model: Model, clip: Clip) -> int:
    """Return the index of a clip in its model, -1 if it is not one of its clips."""
    return next((k for k, own in enumerate(model.clips) if own is clip), -1)
