"""Key times: the inputs of animation samplers, read and checked together for speed."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..animation.types import F32
from .accessor import Accessors
from .document import Document
from .key_values import fault

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
        Already validated by `validate`.
    inputs
        Accessor index: (animation, sampler) that uses it, for messages.

    Raises
    ------
    GltfError
        A time is not finite or too large.
    """
    if not inputs:
        return {}
    for index, user in inputs.items():
        accessor = accessors.rows[index]
        if accessor["type"] != "SCALAR" or accessor["componentType"] != 5126:
            accessors.require(index, _json_pointer(user), ("SCALAR",), _NUMBERS)
    counts = [accessors.count(index) for index in inputs]
    ends = np.cumsum([0, *counts]).tolist()
    times = accessors.concatenate(list(inputs), counts, 1)[:, 0]
    if not (times.max() <= LATEST and times.min() >= -LATEST):  # NaN too
        bad = int(np.argmin(np.abs(times) <= LATEST))
        k = int(np.searchsorted(ends, bad, side="right")) - 1
        raise document.error(
            _json_pointer(list(inputs.values())[k]),
            f"the time of key {bad - ends[k] + 1} {fault(times[bad : bad + 1])}",
        )
    steps = np.diff(times, append=np.inf)
    steps[[end - 1 for end in ends[1:]]] = 1  # steps between accessors are not checked
    if steps.min() > 0:
        spans = zip(inputs, pairwise(ends), strict=True)
        return {index: Times(times[a:b], None) for index, (a, b) in spans}
    return {
        index: _sorted(document, times[a:b], _json_pointer(user))
        for (index, user), (a, b) in zip(inputs.items(), pairwise(ends), strict=True)
    }


def _json_pointer(user: tuple[int, int]) -> str:
    return f"/animations/{user[0]}/samplers/{user[1]}/input"


def _sorted(document: Document, times: F32, pointer: str) -> Times:
    """Return sorted key times; the sort is stable."""
    steps = np.diff(times)
    if not steps.size or steps.min() > 0:
        return Times(times, None)
    if steps.min() == 0:
        document.warn(pointer, "two keys at the same time; the later one is used from there on")
        return Times(times, None)
    document.warn(pointer, f"key {int(np.argmax(steps < 0)) + 2} is out of order; keys are sorted")
    order = np.argsort(times, kind="stable")
    return Times(times[order], order)
