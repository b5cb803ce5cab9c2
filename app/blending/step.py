"""The result of a time step beside the pose: root motion and events."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..animation.types import F64


class FiredEvent(NamedTuple):
    """An animation event that fired."""

    tau: float  # global time, seconds
    name: str
    clip: str
    layer: str
    weight: float
    number: int  # of the pass, from 0
    character: int = 0  # index in a batch


@dataclass(slots=True)
class Step:
    """Root motion of one step, in the axes at its start, and its events.

    Attributes
    ----------
    translation
        [..., 3] metres.
    yaw
        [...] radians about +Y.
    events
        Events that fired, in order of time.
    """

    translation: F64 = field(default_factory=lambda: np.zeros(3))
    yaw: F64 = field(default_factory=lambda: np.zeros(()))
    events: list[FiredEvent] = field(default_factory=list)
