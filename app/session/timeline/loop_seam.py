"""The seam of a loop: how far the last pose of a clip is from its first, by the rules of `check`.

Each clip is examined once, in a thread where files are read in the background, else at once.
"""

from dataclasses import dataclass, field
from threading import Thread

import numpy as np

from ...animation.clip import Clip
from ...check.check_context import CheckContext
from ...check.clip_ends import compare_ends, worst
from ...check.examine import limits_of
from ...check.looping_clips import loop_decision
from ...check.rule_settings import Settings
from ...check.rules import loop_seams
from ...model.model import Model
from ...motion.document import MotionDoc
from ...motion.read import MotionFile
from ...wording import measure, number, quoted
from ..clip_settings import settings_of

DELAY = 0.3  # seconds that a clip is shown before it is examined
MOST = 256  # clips whose seams are kept

SeamKey = tuple[Clip, str | None]  # a clip, and its loop mode in the motion file


@dataclass(frozen=True, slots=True)
class LoopSeam:
    """The seam of a clip.

    Attributes
    ----------
    loops
        Whether the clip should loop.
    distance
        The distance of the ends, and why the clip should loop or not.
    faults
        What the rules found.
    """

    loops: bool
    distance: str
    faults: tuple[str, ...] = ()


@dataclass(slots=True)
class LoopSeams:
    """The seams of the clips that were shown.

    Attributes
    ----------
    known
        Seams by clip; None: the clip moves no joints.
    """

    known: dict[SeamKey, LoopSeam | None] = field(default_factory=dict)
    _asked: tuple[Clip, MotionDoc, SeamKey] | None = None
    _wanted: SeamKey | None = None
    _since: float = 0.0  # global time since which it is wanted, seconds
    _thread: Thread | None = None

    def find(
        self, model: Model, document: MotionDoc, clip: int, tau: float, *, in_background: bool
    ) -> tuple[LoopSeam | None, bool]:
        """Return the seam of a clip, None if unknown, and whether it is awaited.

        Parameters
        ----------
        tau
            The global time, seconds.
        in_background
            Examine clips in a thread.
        """
        key = self._key(model, document, clip)
        if key in self.known:
            return self.known[key], False
        if key != self._wanted:
            self._wanted, self._since = key, tau
        if tau - self._since < DELAY:
            return None, True
        if not in_background:
            self._examine(key, model, document, clip)
            return self.known[key], False
        if self._thread is None or not self._thread.is_alive():
            arguments = key, model, document, clip
            self._thread = Thread(target=self._examine, args=arguments, daemon=True)
            self._thread.start()
        return None, True

    def _key(self, model: Model, document: MotionDoc, clip: int) -> SeamKey:
        """Return the key of a clip, kept until the clip or the document changes."""
        asked, own = self._asked, model.clips[clip]
        if asked is None or asked[0] is not own or asked[1] is not document:
            key = own, settings_of(model, document, clip).loop
            asked = self._asked = own, document, key
        return asked[2]

    def _examine(self, key: SeamKey, model: Model, document: MotionDoc, clip: int) -> None:
        found = loop_seam(model, document, clip)
        while len(self.known) >= MOST:
            del self.known[next(iter(self.known))]
        self.known[key] = found


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def loop_seam(model: Model, document: MotionDoc, clip: int) -> LoopSeam | None:
    """Return the seam of a clip; None if it has no length or moves no joints."""
    context = CheckContext(model, clips=(clip,), motion=MotionFile(document))
    if not context.clip(clip).duration > 0:
        return None
    ends = context.cached(compare_ends, clip)
    if not len(ends.joints):
        return None
    far, rotated = worst(ends.position_gaps), worst(ends.rotation_gaps)
    names = [model.skeleton.names[ends.joints[k]] for k in (far, rotated)]
    decision = loop_decision(context, clip)
    distance = (
        f"The last pose is {measure(float(ends.position_gaps[far]) * 1000, 'mm')} from the first "
        f"at {quoted(names[0])}, rotated by "
        f"{number(float(np.degrees(ends.rotation_gaps[rotated])))}° at {quoted(names[1])}. "
        f"The clip should {'' if decision.expected else 'not '}loop: {decision.why}."
    )
    matches = [
        match.message
        for rule in loop_seams.RULES
        for match in rule.find(context, limits_of(rule, Settings(), context.scale))
    ]
    return LoopSeam(decision.expected, distance, tuple(matches))
