"""The pops of the clips of a character, which the curves show."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...animation.clip import Clip
from ...model.model import Model
from ...motion.document import MotionDoc
from .clip_results import ClipResults

if TYPE_CHECKING:
    from ...check.clip_pops import PopMark


class ClipPops(ClipResults[Mapping[int, tuple["PopMark", ...]]]):
    """The pops of the clips that were shown, by joint."""

    def __init__(self) -> None:
        super().__init__(_pops)


def _pops(model: Model, _document: MotionDoc, clip: int) -> "Mapping[int, tuple[PopMark, ...]]":
    from ...check.clip_pops import clip_pops  # imported late, in a thread: all rules

    return clip_pops(model, clip)


def clip_number(model: Model, clip: Clip) -> int:
    """Return the index of a clip in its model, -1 if it is not one of its clips."""
    return next((k for k, own in enumerate(model.clips) if own is clip), -1)
