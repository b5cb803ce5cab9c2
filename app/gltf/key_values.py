"""Key values: the outputs of animation samplers, read and checked together for speed."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..animation.track import Interpolation, Path
from ..animation.types import F32
from ..animation.vectors import length
from .accessor import Accessors, all_finite, finite_rows
from .document import Document
from .nodes import MIN_QUATERNION_LENGTH


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
        A value is NaN, infinite or too large.
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
            raise document.error(
                f"/accessors/{outputs[k].accessor}", "a key value is NaN, infinite or too large"
            )
        if unit:
            _normalize(document, values, [outputs[k].accessor for k in members], ends)
        for k, (a, b) in zip(members, pairwise(ends.tolist()), strict=True):
            found[k] = values[a:b]
            if (order := outputs[k].order) is not None:
                found[k] = values[a:b].reshape(len(order), -1)[order].reshape(-1, width)
    return found


def _normalize(
    document: Document, values: F32, accessors: list[int], ends: NDArray[np.int64]
) -> None:
    """Normalize quaternions [n, 4] in place; a zero quaternion becomes the identity."""
    size = length(values)
    if size.min() < MIN_QUATERNION_LENGTH:
        flat = np.flatnonzero(size < MIN_QUATERNION_LENGTH)
        for k in np.unique(np.searchsorted(ends, flat, side="right") - 1).tolist():
            document.warn(
                f"/accessors/{accessors[k]}", "a rotation has zero length; the identity is used"
            )
        values[flat] = (0, 0, 0, 1)
        size[flat] = 1
    values /= size[:, None]
