"""Steps of sync groups whose weights change: exact to a billionth of an interval.

The speed of a group depends on the weights, and jumps at sync marks and where weights bend. A step
is halved until two halves give the same as the whole.
"""

import math
from collections.abc import Callable

import numpy as np

from ..animation.types import F64
from .joined_groups import JoinedGroups, Phase
from .sync_group import SyncGroup

Group = SyncGroup | JoinedGroups
WeightsAt = Callable[[float], F64]  # seconds since the start of a step to weights [..., n]

_NODES = 0.5 - math.sqrt(1 / 12), 0.5 + math.sqrt(1 / 12)  # of Gauss quadrature, on 0 to 1
_EXACT = 1e-9  # intervals
_ROUNDING = 1e-14  # relative error of states
_HALVINGS = 7


def advance_with(group: Group, seconds: float, weights_at: WeightsAt) -> None:
    """Advance a group by seconds of global time, with weights that change."""
    at = _reached(group, group.at, (0.0, seconds), weights_at, _HALVINGS)
    group.finish(at, seconds, weights_at(seconds / 2))  # type: ignore[arg-type]


def _reached(
    group: Group, at: F64 | Phase, span: tuple[float, float], weights_at: WeightsAt, halvings: int
) -> F64 | Phase:
    """Return the state at the end of a span of seconds."""
    begin, end = span
    middle = (begin + end) / 2
    halves = (begin, middle), (middle, end)
    once, twice = _moved(group, at, span, weights_at), at
    for half in halves:
        twice = _moved(group, twice, half, weights_at)
    if not halvings or _are_close(once, twice):
        return twice
    for half in halves:
        at = _reached(group, at, half, weights_at, halvings - 1)
    return at


def _moved(
    group: Group, at: F64 | Phase, span: tuple[float, float], weights_at: WeightsAt
) -> F64 | Phase:
    begin, end = span
    weights = np.stack([weights_at(begin + (end - begin) * node) for node in _NODES])
    return group.moved(at, group.rate * (end - begin), weights)  # type: ignore[arg-type]


def _are_close(one: F64 | Phase, two: F64 | Phase) -> bool:
    if isinstance(one, tuple) and isinstance(two, tuple):
        return all(map(_are_close, one, two))
    a, b = np.asarray(one), np.asarray(two)
    return not np.any(np.abs(a - b) > _EXACT + _ROUNDING * np.abs(a))
