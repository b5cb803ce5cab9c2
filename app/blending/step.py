"""The result of a time step beside the pose: root motion and events."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..animation.types import F64

ROUNDING = 1e-3  # seconds: tolerance of event times between steps of different length


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


def later_events(
    events: list[FiredEvent], earlier: list[FiredEvent], since: float
) -> list[FiredEvent]:
    """Return the events of a step that are not in an earlier step to `since`.

    Events are matched by their pass and order, as their times are subject to rounding.
    """
    if not earlier:
        return events
    if events == earlier:  # as most frames fire none
        return []
    passed = Counter(map(_sort, earlier))
    found = []
    for event in events:
        if passed[_sort(event)] > 0:
            passed[_sort(event)] -= 1
        elif event.tau > since - ROUNDING:
            found.append(event)
    return found


def _sort(event: FiredEvent) -> tuple[str, str, str, int, int]:
    return event.layer, event.clip, event.name, event.number, event.character
