"""Which clips should loop: what is said of them, their names, or how their ends meet.

In this order: the motion file (``[clips.X] loop``), the patterns of a file of rules
(``[clips."Death*"] loop = false``), ``extras.rigview.loop`` of the animation, words of the name,
and at last the motion itself: a clip whose ends nearly meet while it moves on in the same
direction. A gesture that begins and ends at rest meets itself, too, and is no loop.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..animation.playback import parse_loop
from ..errors import AppError
from ..model.lookup import find_clip
from ..motion.document import ClipSettings
from .clip_ends import Ends, ends
from .subject import TALL, Subject

MEETS = 0.1  # of a clip's own range of motion: ends no further apart nearly meet
MOVES = 0.02  # of the height: a clip whose joints move less says nothing about itself
PACE = 0.2  # of the mean speed: what moves so fast at both ends does not begin and end at rest

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
    """Return words and what they become: run, runs, running, strafing."""
    words = text.split()
    forms = {*words, *(word + "s" for word in words), *(word + "ing" for word in words)}
    forms |= {word[:-1] + "ing" for word in words if word.endswith("e")}
    forms |= {word + word[-1] + "ing" for word in words}
    return frozenset(forms)


_ORDER = (  # the first that has a word of the name decides
    (frozenset(_SAYS_LOOP.split()), True),
    (frozenset(_SAYS_ONCE.split()), False),
    (frozenset(_RESTS.split()) | {"idles", "idling"}, True),
    (_forms(_ONCE), False),
    (_forms(_LOOPS), True),
)
_KNOWN = frozenset[str]().union(*(words for words, _ in _ORDER))


@dataclass(frozen=True, slots=True)
class Loop:
    """Whether a clip should loop."""

    wanted: bool
    why: str  # as a sentence goes on: "its name says so"
    declared: bool  # by a file, not guessed


def looping(subject: Subject, index: int) -> Loop:
    """Return whether a clip should loop, and what says so."""
    return subject.once(_looping, index)


def loops(subject: Subject) -> list[int]:
    """Return the clips that should loop and have any length."""
    return [c for c in subject.clips if subject.clip(c).duration > 0 and looping(subject, c).wanted]


def _looping(subject: Subject, index: int) -> Loop:
    name = subject.clip(index).name
    settings = said(subject, index)
    if settings is not None and settings.loop is not None:
        mode, passes = parse_loop(settings.loop)
        return Loop(mode == "loop" and passes > 1, "the motion file says so", True)
    told = subject.should_loop(name)
    if told is not None:
        return Loop(told, "the file of rules says so", True)
    extra = _extra(subject, index)
    if extra is not None:
        return Loop(extra, "the file says so", True)
    by_name = named(name)
    if by_name is not None:
        return Loop(by_name, "its name says so", False)
    meets = _meets(subject, subject.once(ends, index))
    return Loop(meets, f"its ends {'nearly' if meets else 'do not'} meet", False)


def said(subject: Subject, index: int) -> ClipSettings | None:
    """Return what the motion file says of a clip."""
    return subject.once(_settings).get(index)


def _settings(subject: Subject, _: int) -> dict[int, ClipSettings]:
    found: dict[int, ClipSettings] = {}
    if subject.motion is not None:
        for name, settings in subject.motion.document.clips.items():
            try:
                found[find_clip(subject.model, name).index] = settings
            except AppError:
                continue  # who binds the motion file says it
    return found


def _extra(subject: Subject, index: int) -> bool | None:
    rows = subject.document.rows("animations") if subject.document is not None else []
    extras = rows[index].get("extras") if index < len(rows) else None
    own = extras.get("rigview") if isinstance(extras, dict) else None
    told = own.get("loop") if isinstance(own, dict) else None
    return told if isinstance(told, bool) else None


def named(name: str) -> bool | None:
    """Return whether a clip of that name loops; None where the name does not tell.

    ``Robot_Running``, ``walkcycle`` and ``SitIdle`` loop, ``Run_To_Stop``, ``WalkJump`` and
    ``Death`` do not.
    """
    words = set(_words(name))
    return next((loops for known, loops in _ORDER if words & known), None)


def _words(name: str) -> Iterable[str]:
    for word in (each.lower() for each in _WORD.findall(name)):
        if word in _KNOWN:
            yield word
            continue
        parts = ((word[:k], word[k:]) for k in range(3, len(word) - 2))
        yield from next((both for both in parts if set(both) <= _KNOWN), (word,))


def _meets(subject: Subject, found: Ends) -> bool:
    """Tell whether a clip comes back to where it began, moving on in the same direction."""
    tall = subject.scale * TALL
    if not found.reach > MOVES * tall or not found.apart <= MEETS * found.reach:
        return False
    begin, end = found.begins.ravel(), found.finishes.ravel()
    slowest = np.sqrt(min(begin @ begin, end @ end) / max(len(found.joints), 1))
    return bool(slowest > PACE * found.pace and begin @ end > 0)
