"""The pops, jumps and full turns of a clip by joint, as `check` finds them."""

from typing import NamedTuple

import numpy as np

from ..model.model import Model
from ..wording import measure
from .check_context import CheckContext
from .rule_settings import Settings
from .rules import pops

WORDS = {
    "pop": "pop, {amount} off the curve",
    "jump": "jump by {amount}",
    "full-turn": "full turn, {amount} within a few frames",
}


class PopMark(NamedTuple):
    """A moment at which a joint pops."""

    seconds: float  # of the clip
    words: str


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def clip_pops(model: Model, number: int) -> dict[int, tuple[PopMark, ...]]:
    """Return the pops of the joints in a clip, by joint, in order of time."""
    context = CheckContext(model, clips=(number,))
    found: dict[int, list[PopMark]] = {}
    for rule in pops.RULES:
        limits = Settings().limits_of(rule, context.scale)
        for pop in pops.all_pops(context, number, rule, limits):
            words = WORDS[rule.id].format(amount=measure(pop.amount, pop.unit))
            found.setdefault(pop.joint, []).append(PopMark(pop.time, words))
    return {joint: tuple(sorted(marks)) for joint, marks in found.items()}
