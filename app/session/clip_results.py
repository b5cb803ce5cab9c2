"""What is found out about each clip of a character once: its foot contacts, its pops."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from ..animation.clip import Clip
from ..animation.playback import parse_loop
from ..batch.jobs import Jobs
from ..memo import Memo
from ..model.model import Model
from ..motion.document import MotionDoc
from ..scene.character import Character
from ..scene.contact_spans import ContactSpans
from .clip_settings import settings_of

if TYPE_CHECKING:
    from ..checks.rules.pops import PopMark

DELAY = 0.3  # seconds that a clip is shown before it is examined
MOST = 256  # clips whose results are kept
LOW = 0.3  # of the height of the skeleton at rest: higher joints are not looked at for contacts

T = TypeVar("T")
ClipKey = tuple[Clip, str | None]  # a clip, and its loop mode in the motion file


class ClipResults(Generic[T]):
    """The results of the clips that were shown.

    Parameters
    ----------
    examine
        Returns the result of a clip of a model, by its index.

    Attributes
    ----------
    known
        Results by clip.
    """

    def __init__(self, examine: Callable[[Model, MotionDoc, int], T]) -> None:
        self.known: dict[ClipKey, T] = {}
        self._work = examine
        self._key = Memo(_key)
        self._wanted: ClipKey | None = None  # that is examined

    def find(self, model: Model, document: MotionDoc, clip: int, jobs: Jobs) -> T | None:
        """Return the result of a clip; None if it is not known yet, then a job examines it."""
        key = self._key(model, document, clip)
        if key not in self.known and not (key == self._wanted and jobs.is_running(self)):
            self._wanted = key
            jobs.start(
                self,
                lambda _: self._work(model, document, clip),
                lambda job: self._keep(key, job.result()),
                delay=DELAY,
            )
        return self.known.get(key)

    def _keep(self, key: ClipKey, found: T) -> None:
        while len(self.known) >= MOST:
            del self.known[next(iter(self.known))]
        self.known[key] = found


def _key(model: Model, document: MotionDoc, clip: int) -> ClipKey:
    return model.clips[clip], settings_of(model, document, clip).loop


class FootContacts(ClipResults[ContactSpans]):
    """The foot contacts of the clips that were shown."""

    def __init__(self) -> None:
        super().__init__(_contacts)

    def give(self, character: Character, document: MotionDoc, jobs: Jobs) -> None:
        """Give a character the contacts of the clip that plays alone, once they are known."""
        clip = character.mixer.clip
        if clip >= 0:
            character.foot_contacts = self.find(character.model, document, clip, jobs)


@Memo
def is_low(model: Model, joint: int) -> bool:
    """Return whether a joint is so low at rest that it may be part of a foot."""
    heights = model.skeleton.to_model(model.skeleton.rest)[:, 1, 3]
    limit = heights.min() + LOW * (heights.max() - heights.min())
    return bool(heights[joint] <= limit)


def _contacts(model: Model, document: MotionDoc, clip: int) -> ContactSpans:
    from ..checks.foot_contacts import clip_contacts  # imported late, in a job: all rules

    loop = settings_of(model, document, clip).loop
    return clip_contacts(model, clip, None if loop is None else parse_loop(loop))


def pops_of(model: Model, _document: MotionDoc, clip: int) -> "Mapping[int, tuple[PopMark, ...]]":
    """Return the pops of a clip by joint."""
    from ..checks.rules.pops import clip_pops  # imported late, in a job: all rules

    return clip_pops(model, clip)


def clip_number(model: Model, clip: Clip) -> int:
    """Return the index of a clip in its model, -1 if it is not one of its clips."""
    return next((k for k, own in enumerate(model.clips) if own is clip), -1)
