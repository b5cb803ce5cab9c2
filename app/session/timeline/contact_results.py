"""The foot contacts of the clips of a character, which the timeline and paths of joints show."""

from ...animation.playback import parse_loop
from ...model.model import Model
from ...motion.document import MotionDoc
from ...scene.character import Character
from ...scene.contact_spans import ContactSpans
from ...scenedoc.kept import Kept
from ..clip_settings import settings_of
from .clip_results import ClipResults

LOW = 0.3  # of the height of the skeleton at rest: higher joints are not looked at for contacts


class FootContacts(ClipResults[ContactSpans]):
    """The foot contacts of the clips that were shown.

    Attributes
    ----------
    is_low
        Whether a joint may be part of a foot; `is_low`.
    """

    def __init__(self) -> None:
        super().__init__(_examine)
        self.is_low = Kept(is_low)

    def give(
        self, character: Character, document: MotionDoc, tau: float, *, in_background: bool
    ) -> bool:
        """Give a character the contacts of the clip that plays alone, once they are known.

        Returns whether they are awaited; the parameters are those of `find`.
        """
        clip = character.mixer.clip
        if clip < 0:
            return False
        character.foot_contacts, awaited = self.find(
            character.model, document, clip, tau, in_background=in_background
        )
        return awaited


def is_low(model: Model, joint: int) -> bool:
    """Return whether a joint is so low at rest that it may be part of a foot."""
    heights = model.skeleton.to_model(model.skeleton.rest)[:, 1, 3]
    limit = heights.min() + LOW * (heights.max() - heights.min())
    return bool(heights[joint] <= limit)


def _examine(model: Model, document: MotionDoc, clip: int) -> ContactSpans:
    from ...check.clip_contacts import clip_contacts  # imported late, in a thread: all rules

    loop = settings_of(model, document, clip).loop
    return clip_contacts(model, clip, None if loop is None else parse_loop(loop))
