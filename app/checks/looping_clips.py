"""Which clips should loop: by declaration, by name, or by the similarity of their ends.

In this order: the motion file (``[clips.X] loop``), the patterns of a configuration file
(``[clips."Death*"] loop = false``), ``extras.rigview.loop`` of the animation, words of the name,
and the motion itself: a clip whose last pose is close to its first and moves in the same
direction there. A gesture that begins and ends at rest is not a loop.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..animation.playback import parse_loop
from ..errors import AppError
from ..model.lookup import find_clip
from ..motion.document import ClipSettings
from .check_context import REFERENCE_HEIGHT, CheckContext
from .clip_ends import EndComparison, compare_ends

MAX_GAP = 0.1  # of a clip's range of motion: the ends of a loop are closer
MIN_MOTION = 0.02  # of the height: clips with less motion are not classified by their motion
MIN_SPEED = 0.2  # of the mean speed: a loop moves faster at both ends

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SAYS_LOOP = "loop cycle looped looping cyclic"
_SAYS_ONCE = "to start stop begin end enter exit transition into out finish oneshot"
_RESTS = "idle breathe breathing stance"
_ONCE = (
    "jump death die dying dead punch kick attack hit hurt slash stab shoot fire throw pick pickup "
    "land stand sit turn getup dodge roll block react cast open close fall hop leap reload grab "
    "draw equip sheathe spawn knockdown impact flinch pose"
)
_LOOPS = (
    "walk run jog sprint swim fly strafe crawl trot gallop canter march hover float glide limp "
    "sneak tiptoe pedal spin"
)


def _forms(text: str) -> frozenset[str]:
    """Return words with their inflected forms: run, runs, running, strafing."""
    words = text.split()
    forms = {*words, *(word + "s" for word in words), *(word + "ing" for word in words)}
    forms |= {word[:-1] + "ing" for word in words if word.endswith("e")}
    forms |= {word + word[-1] + "ing" for word in words}
    return frozenset(forms)


_ORDER = (  # the first set with a word of the name decides
    (frozenset(_SAYS_LOOP.split()), True),
    (frozenset(_SAYS_ONCE.split()), False),
    (frozenset(_RESTS.split()) | {"idles", "idling"}, True),
    (_forms(_ONCE), False),
    (_forms(_LOOPS), True),
)
_FLIES = _forms("fly glide hover float swim soar")
_KNOWN = frozenset[str]().union(*(words for words, _ in _ORDER))


@dataclass(frozen=True, slots=True)
class LoopDecision:
    """Whether a clip should loop."""

    expected: bool
    why: str  # the reason, for a sentence: "its name says so"
    declared: bool  # in a file, not guessed


def loop_decision(context: CheckContext, index: int) -> LoopDecision:
    """Return whether a clip should loop, and the reason."""
    return context.cached(_looping, index)


def looping_clips(context: CheckContext) -> list[int]:
    """Return the clips that should loop and are longer than 0 s."""
    return [
        c
        for c in context.clips
        if context.clip(c).duration > 0 and loop_decision(context, c).expected
    ]


def _looping(context: CheckContext, index: int) -> LoopDecision:
    name = context.clip(index).name
    settings = motion_file_settings(context, index)
    if settings is not None and settings.loop is not None:
        mode, passes = parse_loop(settings.loop)
        return LoopDecision(mode == "loop" and passes > 1, "the motion file says so", True)
    configured = context.configured_loop(name)
    if configured is not None:
        return LoopDecision(configured, "a configuration file says so", True)
    extra = context.extras(index).get("loop")
    if isinstance(extra, bool):
        return LoopDecision(extra, "the file says so", True)
    by_name = loops_by_name(name)
    if by_name is not None:
        return LoopDecision(by_name, "its name says so", False)
    meets = _meets(context, context.cached(compare_ends, index))
    return LoopDecision(meets, f"its ends {'nearly' if meets else 'do not'} meet", False)


def motion_file_settings(context: CheckContext, index: int) -> ClipSettings | None:
    """Return the settings of a clip in the motion file."""
    return context.cached(_settings).get(index)


def _settings(context: CheckContext) -> dict[int, ClipSettings]:
    found: dict[int, ClipSettings] = {}
    if context.motion is not None:
        for name, settings in context.motion.document.clips.items():
            try:
                found[find_clip(context.model, name).index] = settings
            except AppError:
                continue  # binding the motion file reports it
    return found


def loops_by_name(name: str) -> bool | None:
    """Return whether a clip of that name loops; None if the name has no known word.

    ``Robot_Running``, ``walkcycle`` and ``SitIdle`` loop, ``Run_To_Stop``, ``WalkJump`` and
    ``Death`` do not.
    """
    words = set(_words(name))
    return next((looping_clips for known, looping_clips in _ORDER if words & known), None)


def flies_by_name(name: str) -> bool:
    """Return whether the name says that a clip leaves the ground: ``Bird_Flying``, ``Swim``."""
    return bool(_FLIES.intersection(_words(name)))


def _words(name: str) -> Iterable[str]:
    for word in (part.lower() for part in _WORD.findall(name)):
        if word in _KNOWN:
            yield word
            continue
        parts = ((word[:k], word[k:]) for k in range(3, len(word) - 2))
        yield from next((both for both in parts if set(both) <= _KNOWN), (word,))


def _meets(context: CheckContext, found: EndComparison) -> bool:
    """Return whether a clip ends near its first pose, moving in the same direction."""
    tall = context.scale * REFERENCE_HEIGHT
    if (
        not found.motion_range > MIN_MOTION * tall
        or not found.pose_distance <= MAX_GAP * found.motion_range
    ):
        return False
    begin, end = found.start_velocity.ravel(), found.end_velocity.ravel()
    slowest = np.sqrt(min(begin @ begin, end @ end) / max(len(found.joints), 1))
    return bool(slowest > MIN_SPEED * found.speed and begin @ end > 0)
