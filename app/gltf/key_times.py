"""Key times: the inputs of animation samplers, read and checked together for speed."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..animation.types import F32
from .accessor import Accessors
from .document import Document

LATEST = 1e9  # seconds; far beyond the precision of float32
_NUMBERS = frozenset({5120, 5121, 5122, 5123, 5126})


class Times(NamedTuple):
    """The key times of a sampler."""

    seconds: F32  # [K] ascending
    order: NDArray[np.intp] | None  # [K] index of each key in the file, if keys were sorted


def read_times(
    document: Document, accessors: Accessors, inputs: dict[int, tuple[int, int]]
) -> dict[int, Times]:
    """Return key times by accessor; unsorted keys are sorted, with a warning.

    Parameters
    ----------
    document, accessors
        Validated.
    inputs
        An animation and a sampler that use the accessor, by accessor; for messages.

    Raises
    ------
    GltfError
        A time is not finite or too large.
    """
    if not inputs:
        return {}
    for index, user in inputs.items():
        row = accessors.rows[index]
        if row["type"] != "SCALAR" or row["componentType"] != 5126:
            accessors.require(index, _place(user), ("SCALAR",), _NUMBERS)
    counts = [accessors.count(index) for index in inputs]
    ends = np.cumsum([0, *counts]).tolist()
    times = accessors.concatenate(list(inputs), counts, 1)[:, 0]
    if not (times.max() <= LATEST and times.min() >= -LATEST):  # NaN too
        bad = int(np.argmin(np.abs(times) <= LATEST))
        place = _place(list(inputs.values())[int(np.searchsorted(ends, bad, side="right")) - 1])
        raise document.error(place, f"invalid key time: {times[bad]:.3g} s")
    steps = np.diff(times, append=np.inf)
    steps[[end - 1 for end in ends[1:]]] = 1  # steps between accessors are not checked
    even = steps.min() > 0
    if even:
        spans = zip(inputs, pairwise(ends), strict=True)
        return {index: Times(times[a:b], None) for index, (a, b) in spans}
    return {
        index: _sorted(document, times[a:b], _place(user))
        for (index, user), (a, b) in zip(inputs.items(), pairwise(ends), strict=True)
    }


def _place(user: tuple[int, int]) -> str:
    return f"/animations/{user[0]}/samplers/{user[1]}/input"


def _sorted(document: Document, times: F32, place: str) -> Times:
    """Return sorted key times; the sort is stable."""
    steps = np.diff(times)
    if not steps.size or steps.min() > 0:
        return Times(times, None)
    if steps.min() == 0:
        document.warn(place, "two keys at the same time; the later one is used from there on")
        return Times(times, None)
    document.warn(place, f"key {int(np.argmax(steps < 0)) + 1} is out of order; keys are sorted")
    order = np.argsort(times, kind="stable")
    return Times(times[order], order)
