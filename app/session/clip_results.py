"""What is found out about each clip of a character once: its foot contacts, its pops."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from ..animation.clip import Clip
from ..animation.playback import parse_loop
from ..batch.jobs import Jobs
from ..model.model import Model
from ..motion.document import MotionDoc
from ..scene.character import Character
from ..scene.contact_spans import ContactSpans
from ..scenedoc.kept import Kept
from .clip_settings import settings_of

if TYPE_CHECKING:
    from ..check.clip_pops import PopMark

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
        self._key = Kept(_key)
        self._wanted: ClipKey | None = None
        self._since = 0.0  # global time since which it is wanted, seconds

    def find(
        self, model: Model, document: MotionDoc, clip: int, tau: float, jobs: Jobs
    ) -> tuple[T | None, bool]:
        """Return the result of a clip, None if unknown, and whether it is awaited.

        Parameters
        ----------
        tau
            The global time, seconds.
        jobs
            Examine one clip at a time.
        """
        key = self._key(model, document, clip)
        if key in self.known:
            return self.known[key], False
        if key != self._wanted:
            self._wanted, self._since = key, tau
        if tau - self._since < DELAY:
            return None, True
        if not jobs.is_running(self):
            jobs.start(
                self,
                lambda _: self._work(model, document, clip),
                lambda job: self._keep(key, job.result()),
            )
        return self.known.get(key), key not in self.known

    def _keep(self, key: ClipKey, found: T) -> None:
        while len(self.known) >= MOST:
            del self.known[next(iter(self.known))]
        self.known[key] = found


def _key(model: Model, document: MotionDoc, clip: int) -> ClipKey:
    return model.clips[clip], settings_of(model, document, clip).loop


class FootContacts(ClipResults[ContactSpans]):
    """The foot contacts of the clips that were shown.

    Attributes
    ----------
    awaited
        Whether those of the present clip are being looked for.
    is_low
        Whether a joint may be part of a foot; `is_low`.
    """

    def __init__(self) -> None:
        super().__init__(_contacts)
        self.awaited = False
        self.is_low = Kept(is_low)

    def give(self, character: Character, document: MotionDoc, tau: float, jobs: Jobs) -> None:
        """Give a character the contacts of the clip that plays alone, once they are known.

        The parameters are those of `find`.
        """
        clip = character.mixer.clip
        self.awaited = False
        if clip >= 0:
            character.foot_contacts, self.awaited = self.find(
                character.model, document, clip, tau, jobs
            )


def is_low(model: Model, joint: int) -> bool:
    """Return whether a joint is so low at rest that it may be part of a foot."""
    heights = model.skeleton.to_model(model.skeleton.rest)[:, 1, 3]
    limit = heights.min() + LOW * (heights.max() - heights.min())
    return bool(heights[joint] <= limit)


def _contacts(model: Model, document: MotionDoc, clip: int) -> ContactSpans:
    from ..check.clip_contacts import clip_contacts  # imported late, in a job: all rules

    loop = settings_of(model, document, clip).loop
    return clip_contacts(model, clip, None if loop is None else parse_loop(loop))


class ClipPops(ClipResults[Mapping[int, tuple["PopMark", ...]]]):
    """The pops of the clips that were shown, by joint."""

    def __init__(self) -> None:
        super().__init__(_pops)


def _pops(model: Model, _document: MotionDoc, clip: int) -> "Mapping[int, tuple[PopMark, ...]]":
    from ..check.clip_pops import clip_pops  # imported late, in a job: all rules

    return clip_pops(model, clip)


def clip_number(model: Model, clip: Clip) -> int:
    """Return the index of a clip in its model, -1 if it is not one of its clips."""
    return next((k for k, own in enumerate(model.clips) if own is clip), -1)
