"""Skins: joints, inverse bind matrices, and JOINTS_n and WEIGHTS_n (glTF 2.0, section 3.7.3)."""

from typing import Any

import numpy as np

from ..animation.skin import Skin
from ..animation.types import F32, U16
from .accessor import Accessors, all_finite
from .document import Document
from .nodes import NodeOrder
from .object_names import unique_names

_FLOAT = frozenset({5126})
MAX_INFLUENCES = 8  # maximum influences per vertex
_SUM_TOLERANCE = 0.01  # tolerance of a sum of weights; more than quantization explains
_ROUNDING = 1e-4  # difference of a sum of weights from 1 that rounding explains
_JOINT_CODES = frozenset({5121, 5123})
_WEIGHT_CODES = frozenset({5121, 5123, 5126})


def read_skins(document: Document, accessors: Accessors, order: NodeOrder) -> tuple[Skin, ...]:
    """Return all skins; missing inverse bind matrices are identity matrices.

    Raises
    ------
    GltfError
        There are too few matrices, or a value is NaN, infinite or too large.
    """
    rows = document.rows("skins")
    names = unique_names(rows, "Skin")
    skins = []
    for s, row in enumerate(rows):
        place, count = f"/skins/{s}/inverseBindMatrices", len(row["joints"])
        joints = np.array([order.joints[n] for n in row["joints"]], np.int32)
        index = row.get("inverseBindMatrices")
        if index is None:
            accessors.reserve(count * 64, place)
            bind = np.tile(np.eye(4, dtype=np.float32), (count, 1, 1))
        else:
            accessors.require(index, place, ("MAT4",), _FLOAT)
            columns = accessors.floats(index)
            if len(columns) < count:
                raise document.error(place, f"{len(columns)} matrices for {count} joints")
            columns = columns[:count]
            if not all_finite(columns):
                raise document.error(place, "a matrix value is NaN, infinite or too large")
            bind = np.ascontiguousarray(columns.reshape(-1, 4, 4).swapaxes(-1, -2))
        skins.append(Skin(names[s], joints, bind))
    return tuple(skins)


def read_influences(
    accessors: Accessors, attributes: dict[str, Any], count: int, skin_size: int | None, place: str
) -> tuple[U16, F32, F32 | None] | None:
    """Return the joints and normalized weights of each vertex, and the sums before.

    Parameters
    ----------
    accessors
        Accessors of the document.
    attributes
        Accessors of the primitive by attribute name.
    count
        V, the number of vertices.
    skin_size
        Joint count of the smallest skin used with the mesh; None: no skin.
    place
        JSON pointer of the attributes.

    Returns
    -------
    joints, weights
        [V, 4] or [V, 8] each, or None if the primitive has none. The weights of a vertex sum to 1;
        a vertex without weights is fully weighted to its first joint.
    sums
        [V] sums of the weights in the file; None if all are 1 but for rounding.

    Raises
    ------
    GltfError
        A joint index with a weight is out of range for the skin.
    """
    joints, weights = _sets(accessors, attributes, count, place)
    if not joints:
        return None
    accessors.reserve(count * 24 * len(joints), place)
    j = joints[0] if len(joints) == 1 else np.concatenate(joints, axis=1)
    w = np.concatenate(weights, axis=1)
    sums = w.sum(axis=1)
    if w.min() < 0:
        accessors.document.warn(f"{place}/WEIGHTS_0", "negative weights are set to 0")
        np.maximum(w, 0, out=w)
    if w.shape[1] > MAX_INFLUENCES:
        j, w = _largest(accessors, j, w, place)
    _normalize(accessors, w, place)
    if skin_size is not None and j.max() >= skin_size:
        j = np.where(w > 0, j, 0)  # joint indices without a weight may be out of range
        if j.max() >= skin_size:
            raise accessors.document.error(
                f"{place}/JOINTS_0",
                f"joint {j.max()} is out of range: the skin has {skin_size} joints",
            )
    uneven = bool(np.abs(sums - 1.0).max() > _ROUNDING)
    return np.ascontiguousarray(j, np.uint16), w, sums if uneven else None


def _sets(
    accessors: Accessors, attributes: dict[str, Any], count: int, place: str
) -> tuple[list[Any], list[F32]]:
    """Return the pairs of JOINTS_n and WEIGHTS_n; n > 0 with only zero weights is left out."""
    joints: list[Any] = []
    weights: list[F32] = []
    for n in range(len(attributes)):
        joint_index, weight_index = attributes.get(f"JOINTS_{n}"), attributes.get(f"WEIGHTS_{n}")
        if joint_index is None or weight_index is None:
            if joint_index is not weight_index:
                present, absent = (
                    ("JOINTS", "WEIGHTS") if weight_index is None else ("WEIGHTS", "JOINTS")
                )
                accessors.document.warn(place, f"{present}_{n} without {absent}_{n} is ignored")
            break
        accessors.require(joint_index, f"{place}/JOINTS_{n}", ("VEC4",), _JOINT_CODES, count)
        accessors.require(weight_index, f"{place}/WEIGHTS_{n}", ("VEC4",), _WEIGHT_CODES, count)
        weight = accessors.finite_floats(weight_index, f"{place}/WEIGHTS_{n}")
        if n and not weight.any():
            continue
        joints.append(accessors.raw(joint_index))
        weights.append(weight)
    return joints, weights


def _largest(accessors: Accessors, joints: Any, weights: F32, place: str) -> tuple[Any, F32]:  # noqa: ANN401
    """Return the largest influences of each vertex, in file order."""
    lost = np.count_nonzero(np.count_nonzero(weights, axis=1) > MAX_INFLUENCES)
    if lost:
        accessors.document.warn(
            place,
            f"{lost} vertices have more than {MAX_INFLUENCES} influences; the largest are kept",
        )
    kept = np.sort(np.argsort(-weights, axis=1, kind="stable")[:, :MAX_INFLUENCES], axis=1)
    return np.take_along_axis(joints, kept, axis=1), np.take_along_axis(weights, kept, axis=1)


def _normalize(accessors: Accessors, weights: F32, place: str) -> None:
    """Normalize the weights of each vertex to a sum of 1, in place."""
    sums = weights.sum(axis=1)
    if sums.min() <= 0:
        none = sums <= 0
        accessors.document.warn(
            f"{place}/WEIGHTS_0",
            f"{np.count_nonzero(none)} vertices have no weight; their first joint is used",
        )
        weights[none, 0] = 1
        sums[none] = 1
    low, high = float(sums.min()), float(sums.max())
    error = max(1 - low, high - 1)
    if error > _SUM_TOLERANCE:
        accessors.document.warn(
            f"{place}/WEIGHTS_0",
            f"the weights of a vertex sum to {low if 1 - low == error else high:.3g}; normalized",
        )
    weights /= sums[:, None]
