"""Key values: the outputs of animation samplers, all of one path checked together."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..animation.track import Interpolation, Path
from ..animation.types import F32
from .accessor import Accessors, sound, sound_rows
from .document import Document
from .nodes import SHORTEST


class Output(NamedTuple):
    """What a track's keys hold, and where."""

    accessor: int
    path: Path
    interpolation: Interpolation
    width: int  # C, components of a row
    rows: int  # K, or 3 K with tangents
    order: NDArray[np.intp] | None  # [K] of keys that were not in order


def read_outputs(document: Document, accessors: Accessors, outputs: list[Output]) -> list[F32]:
    """Return the rows [n, C] of each output; quaternions of STEP and LINEAR are of unit length.

    Raises
    ------
    GltfError
        A value is not a number.
    """
    found: list[F32] = [np.empty((0, 0), np.float32)] * len(outputs)
    groups: dict[tuple[int, bool], list[int]] = {}
    for k, output in enumerate(outputs):
        unit = output.path == "rotation" and output.interpolation != "CUBICSPLINE"
        groups.setdefault((output.width, unit), []).append(k)
    for (width, unit), members in groups.items():
        counts = [outputs[k].rows for k in members]
        packed = accessors.pack([outputs[k].accessor for k in members], counts, width)
        ends = np.cumsum([0, *counts])
        if not sound(packed):
            bad = int(np.argmax(~sound_rows(packed)))
            k = members[int(np.searchsorted(ends, bad, side="right")) - 1]
            raise document.error(f"/accessors/{outputs[k].accessor}", "a key's value is no number")
        if unit:
            _normalize(document, packed, [outputs[k].accessor for k in members], ends)
        for k, (a, b) in zip(members, pairwise(ends.tolist()), strict=True):
            found[k] = packed[a:b]
            if (order := outputs[k].order) is not None:
                found[k] = packed[a:b].reshape(len(order), -1)[order].reshape(-1, width)
    return found


def _normalize(
    document: Document, packed: F32, accessors: list[int], ends: NDArray[np.int64]
) -> None:
    """Make quaternions [n, 4] unit length in place; one without length is no rotation."""
    length = np.sqrt(np.einsum("ij,ij->i", packed, packed))
    if length.min() < SHORTEST:
        flat = np.flatnonzero(length < SHORTEST)
        for k in np.unique(np.searchsorted(ends, flat, side="right") - 1).tolist():
            document.warn(
                f"/accessors/{accessors[k]}", "a rotation of no length; taken as no rotation"
            )
        packed[flat] = (0, 0, 0, 1)
        length[flat] = 1
    packed /= length[:, None]
