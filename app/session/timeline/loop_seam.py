"""The seam of a loop: how far the last pose of a clip is from its first, as `check` says."""

from dataclasses import dataclass

import numpy as np

from ...check.check_context import CheckContext
from ...check.clip_ends import compare_ends, worst
from ...check.looping_clips import loop_decision
from ...check.rule_settings import Settings
from ...check.rules import loop_seams
from ...model.model import Model
from ...motion.document import MotionDoc
from ...motion.read import MotionFile
from ...wording import measure, number, quoted
from ..clip_results import ClipResults


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


class LoopSeams(ClipResults[LoopSeam | None]):
    """The seams of the clips that were shown; None: the clip moves no joints."""

    def __init__(self) -> None:
        super().__init__(loop_seam)


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
    faults = [
        finding.message
        for rule in loop_seams.RULES
        for finding in rule.find(context, Settings().limits_of(rule, context.scale))
    ]
    return LoopSeam(decision.expected, distance, tuple(faults))
