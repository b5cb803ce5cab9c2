"""Which joints move a vertex, and how much: JOINTS_n and WEIGHTS_n (glTF 2.0, section 3.7.3.3)."""

from typing import Any

import numpy as np

from ..animation.types import F32, U16
from .accessor import Accessors

MOST = 8  # influences of a vertex that are kept
_OFF = 0.01  # a sum of weights further from 1 is reported: more than integers round to
_JOINT_CODES = frozenset({5121, 5123})
_WEIGHT_CODES = frozenset({5121, 5123, 5126})


def read_influences(
    accessors: Accessors, attributes: dict[str, Any], count: int, skin_size: int | None, place: str
) -> tuple[U16, F32] | None:
    """Return joints and normalised weights of each vertex.

    Parameters
    ----------
    accessors
        Of the document.
    attributes
        Of the primitive: name to accessor.
    count
        V, the number of vertices.
    skin_size
        Joints of the smallest skin that moves the mesh; None: no skin does.
    place
        JSON pointer of the attributes.

    Returns
    -------
    joints, weights
        [V, 4] or [V, 8] each, or None where the primitive has none. The rows of weights sum to 1:
        a vertex without any weight belongs to its first joint.

    Raises
    ------
    GltfError
        A weight refers to a joint that the skin does not have.
    """
    joints, weights = _sets(accessors, attributes, count, place)
    if not joints:
        return None
    accessors.charge(count * 24 * len(joints), place)
    j = joints[0] if len(joints) == 1 else np.concatenate(joints, axis=1)
    w = np.concatenate(weights, axis=1)
    if w.min() < 0:
        accessors.document.warn(f"{place}/WEIGHTS_0", "negative weights are taken as 0")
        np.maximum(w, 0, out=w)
    if w.shape[1] > MOST:
        j, w = _heaviest(accessors, j, w, place)
    _normalize(accessors, w, place)
    if skin_size is not None and j.max() >= skin_size:
        j = np.where(w > 0, j, 0)  # a joint without weight may be anything
        if j.max() >= skin_size:
            raise accessors.document.error(
                f"{place}/JOINTS_0", f"joint {j.max()} of a skin of {skin_size} joints"
            )
    return np.ascontiguousarray(j, np.uint16), w


def _sets(
    accessors: Accessors, attributes: dict[str, Any], count: int, place: str
) -> tuple[list[Any], list[F32]]:
    """Return JOINTS_n and WEIGHTS_n that come in pairs; a later set without weight is left out."""
    joints: list[Any] = []
    weights: list[F32] = []
    for n in range(len(attributes)):
        jointed, weighed = attributes.get(f"JOINTS_{n}"), attributes.get(f"WEIGHTS_{n}")
        if jointed is None or weighed is None:
            if jointed is not weighed:
                have, lack = ("JOINTS", "WEIGHTS") if weighed is None else ("WEIGHTS", "JOINTS")
                accessors.document.warn(place, f"{have}_{n} without {lack}_{n} is ignored")
            break
        accessors.require(jointed, f"{place}/JOINTS_{n}", ("VEC4",), _JOINT_CODES, count)
        accessors.require(weighed, f"{place}/WEIGHTS_{n}", ("VEC4",), _WEIGHT_CODES, count)
        weight = accessors.clean(weighed, f"{place}/WEIGHTS_{n}")
        if n and not weight.any():
            continue
        joints.append(accessors.raw(jointed))
        weights.append(weight)
    return joints, weights


def _heaviest(accessors: Accessors, joints: Any, weights: F32, place: str) -> tuple[Any, F32]:  # noqa: ANN401
    """Keep the heaviest influences of each vertex, in the order of the file."""
    lost = np.count_nonzero(np.count_nonzero(weights, axis=1) > MOST)
    if lost:
        accessors.document.warn(
            place, f"{lost} vertices have more than {MOST} influences; the heaviest are kept"
        )
    kept = np.sort(np.argsort(-weights, axis=1, kind="stable")[:, :MOST], axis=1)
    return np.take_along_axis(joints, kept, axis=1), np.take_along_axis(weights, kept, axis=1)


def _normalize(accessors: Accessors, weights: F32, place: str) -> None:
    """Make the rows of weights sum to 1, in place."""
    sums = weights.sum(axis=1)
    if sums.min() <= 0:
        none = sums <= 0
        accessors.document.warn(
            f"{place}/WEIGHTS_0",
            f"{np.count_nonzero(none)} vertices have no weight; their first joint moves them",
        )
        weights[none, 0] = 1
        sums[none] = 1
    low, high = float(sums.min()), float(sums.max())
    off = max(1 - low, high - 1)
    if off > _OFF:
        accessors.document.warn(
            f"{place}/WEIGHTS_0",
            f"the weights of a vertex sum to {low if 1 - low == off else high:.3g}; normalised",
        )
    weights /= sums[:, None]
