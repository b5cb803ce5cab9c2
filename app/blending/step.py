"""What a step of a source brings beside a pose: root motion and events."""

from dataclasses import dataclass, field

import numpy as np

from ..animation.types import F64


@dataclass(frozen=True, slots=True)
class Fired:
    """An event that fired."""

    tau: float  # global time, seconds
    name: str
    clip: str
    layer: str
    weight: float
    number: int  # of the pass, from 0
    character: int = 0  # in a batch of several


@dataclass(slots=True)
class Step:
    """Root motion of one step: a move on the ground as seen from where the step began.

    Attributes
    ----------
    travel
        [..., 3] metres, in the heading at the step's beginning.
    turn
        [...] radians about +Y.
    events
        What fired, in order of time.
    """

    travel: F64 = field(default_factory=lambda: np.zeros(3))
    turn: F64 = field(default_factory=lambda: np.zeros(()))
    events: list[Fired] = field(default_factory=list)
