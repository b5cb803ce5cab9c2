"""Animation samplers: key times and key values, read and checked together for speed.

Key times are the inputs of samplers, key values their outputs (glTF 2.0, section 3.11).
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..animation.track import Interpolation, Path
from ..animation.types import F32
from ..animation.vectors import length
from ..wording import quoted
from .accessor import Accessors, all_finite, finite_rows
from .document import Document
from .nodes import MIN_QUATERNION_LENGTH
from .object_names import described_node

LATEST = 1e9  # seconds; far beyond the precision of float32
_NUMBERS = frozenset({5120, 5121, 5122, 5123, 5126})


class Output(NamedTuple):
    """The output of a sampler."""

    accessor: int
    path: Path
    interpolation: Interpolation
    width: int  # C, components per row
    rows: int  # K, or 3 K with tangents
    order: NDArray[np.intp] | None  # [K] index of each key in the file, if keys were sorted


def read_outputs(document: Document, accessors: Accessors, outputs: list[Output]) -> list[F32]:
    """Return the rows [n, C] of each output; STEP and LINEAR quaternions are normalized.

    Raises
    ------
    GltfError
        A value is NaN, infinite or too large; with the key, its joint and its clip.
    """
    found: list[F32] = [np.empty((0, 0), np.float32)] * len(outputs)
    groups: dict[tuple[int, bool], list[int]] = {}
    for k, output in enumerate(outputs):
        unit = output.path == "rotation" and output.interpolation != "CUBICSPLINE"
        groups.setdefault((output.width, unit), []).append(k)
    for (width, unit), members in groups.items():
        counts = [outputs[k].rows for k in members]
        values = accessors.concatenate([outputs[k].accessor for k in members], counts, width)
        ends = np.cumsum([0, *counts])
        if not all_finite(values):
            bad = int(np.argmax(~finite_rows(values)))
            k = members[int(np.searchsorted(ends, bad, side="right")) - 1]
            row = bad - int(ends[members.index(k)])
            key = _key_name(document, outputs[k], row)
            raise document.error(f"/accessors/{outputs[k].accessor}", f"{key} {fault(values[bad])}")
        if unit:
            _normalize(document, values, [outputs[k] for k in members], ends)
        for k, (a, b) in zip(members, pairwise(ends.tolist()), strict=True):
            found[k] = values[a:b]
            if (order := outputs[k].order) is not None:
                found[k] = values[a:b].reshape(len(order), -1)[order].reshape(-1, width)
    return found


def _key_name(document: Document, output: Output, row: int) -> str:
    """Return a row of an output as people name it: ``key 12 of “LeftArm” rotation in “Walk”``."""
    per_key = 3 if output.interpolation == "CUBICSPLINE" else 1
    key, part = row // per_key + 1, row % per_key
    name = f"key {key}" if per_key == 1 or part == 1 else f"a tangent of key {key}"
    for a, animation in enumerate(document.rows("animations")):
        for channel in animation["channels"]:
            if animation["samplers"][channel["sampler"]]["output"] == output.accessor:
                target, clip = channel["target"], animation.get("name")
                of = _target_name(document, target)
                return f"{name} of {of} in {quoted(clip) if clip else f'animation {a}'}"
    return name


def _target_name(document: Document, target: dict[str, Any]) -> str:
    """Return the target of a channel: its node and path, or the pointer of a property."""
    node = target.get("node")
    if node is None:
        return "an animated property"
    return f"{described_node(document.json, node)} {target['path']}"


def fault(values: F32) -> str:
    """Return what is wrong with values that are not finite or too large."""
    if np.isnan(values).any():
        return "is not a number"
    return "is infinite" if np.isinf(values).any() else "is too large"


def _normalize(
    document: Document, values: F32, outputs: list[Output], ends: NDArray[np.int64]
) -> None:
    """Normalize quaternions [n, 4] in place; a zero quaternion becomes the identity."""
    size = length(values)
    if size.min() < MIN_QUATERNION_LENGTH:
        flat = np.flatnonzero(size < MIN_QUATERNION_LENGTH)
        for k in np.unique(np.searchsorted(ends, flat, side="right") - 1).tolist():
            keys = flat[(flat >= ends[k]) & (flat < ends[k + 1])] - int(ends[k])
            key = _key_name(document, outputs[k], int(keys[0]))
            more = f" ({len(keys)} keys)" if len(keys) > 1 else ""
            document.warn(
                f"/accessors/{outputs[k].accessor}",
                f"{key} has zero length; the identity is used{more}",
            )
        values[flat] = (0, 0, 0, 1)
        size[flat] = 1
    values /= size[:, None]


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
