"""Differences of the rest transforms of matching joints, named at the joint that has them.

A joint that only moves with its parent has no difference.
"""

from collections.abc import Iterator

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.types import F32, F64, Bool, Index
from ..animation.vectors import length
from ..model.model import Model
from .difference import Change, changed
from .joints import JointMatch

SCALED = 1e-4  # tolerance of rest scales, relative


class LocalSpaces:
    """The parents of the matching joints of two versions at rest, for lengths in metres.

    Attributes
    ----------
    own, other
        [n] matching joints of A and B with matching parents.
    """

    def __init__(self, a: Model, b: Model, match: JointMatch, scale: float) -> None:
        own, other = match.pairs
        above, there = a.skeleton.parents[own], b.skeleton.parents[other]
        same = np.where(above >= 0, match.to[above], -1) == there
        self.own: Index = own[same]
        self.other: Index = other[same]
        self._axes = _axes_above(a, self.own)
        sizes = [
            np.cbrt(np.abs(np.linalg.det(axes)))
            for axes in (self._axes, _axes_above(b, self.other))
        ]
        with np.errstate(all="ignore"):
            self._ratio: F64 = np.nan_to_num(sizes[1] / sizes[0] / scale, nan=1, posinf=1)

    def distances(self, rows: Index, p: F32, q: F32) -> F64:
        """Return the distances [..., n] of local translations [..., n, 3] of A and B, metres.

        Lengths of B are converted to the units of A's parents, if that makes them more similar.
        """
        one, two = p.astype(float), q.astype(float)
        found = [
            length(np.einsum("nab,...nb->...na", self._axes[rows], two * ratio - one))
            for ratio in (np.ones((len(rows), 1)), self._ratio[rows, None])
        ]
        least: F64 = np.nan_to_num(np.minimum(*found), nan=0.0)
        return least


def rest_changes(
    a: Model, b: Model, match: JointMatch, scale: float, metres: float, degrees: float
) -> Iterator[Change]:
    """Yield the differences of local rest transforms beyond `metres` and `degrees`.

    Joints at the same place in model space, as after a change of their parents only, are the same
    character stored differently.
    """
    spaces = LocalSpaces(a, b, match, scale)
    own, other = spaces.own, spaces.other
    p, q = a.skeleton.rest, b.skeleton.rest
    rows = np.arange(len(own))
    moved = spaces.distances(rows, p.translation[own], q.translation[other])
    turned = angles(p.rotation[own], q.rotation[other])
    grown = _grown(p.scale[own], q.scale[other], scale)
    stored = _same_place(a, b, own, other, scale, metres, degrees)
    for k in np.flatnonzero((moved > metres) | (turned > degrees) | grown).tolist():
        name, same = a.skeleton.names[own[k]], bool(stored[k])
        if moved[k] > metres:
            both = 0.0, float(moved[k]) * 1000
            yield changed("joint", name, "rest position", both, unit="mm", stored=same)
        if turned[k] > degrees:
            both = 0.0, float(turned[k])
            yield changed("joint", name, "rest rotation", both, unit="°", stored=same)
        if grown[k]:
            sizes = (tuple(map(float, v)) for v in (p.scale[own[k]], q.scale[other[k]]))
            yield changed("joint", name, "rest scale", tuple(sizes), stored=same)


def angles(p: F32, q: F32) -> F64:
    """Return the angles [...] between rotations [..., 4], degrees."""
    one, two = p.astype(float), q.astype(float)
    chord = np.minimum(length(two - one), length(two + one))
    found: F64 = np.nan_to_num(np.degrees(4 * np.arcsin(np.minimum(chord / 2, 1))), nan=0.0)
    return found


def _grown(p: F32, q: F32, scale: float) -> Bool:
    """Return which scales [n, 3] differ, apart from the scale of the model."""
    most = SCALED * np.maximum(np.abs(p), np.abs(q))
    same = (np.abs(q - p) <= most).all(axis=1)
    if scale != 1.0:
        same |= (np.abs(q / scale - p) <= most / min(scale, 1.0)).all(axis=1)
    out: Bool = ~same
    return out


def _same_place(
    a: Model, b: Model, own: Index, other: Index, scale: float, metres: float, degrees: float
) -> Bool:
    """Return which joints have the same transform in model space."""
    (before, turns_a), (after, turns_b) = (
        to_model_transforms(model.skeleton, model.skeleton.rest) for model in (a, b)
    )
    m, n = before[own], after[other]
    far = length(n[:, :3, 3] / scale - m[:, :3, 3])
    turned = angles(turns_a[own].astype(np.float32), turns_b[other].astype(np.float32))
    one, two = (length(x[:, :3, :3].swapaxes(1, 2)).astype(np.float32) for x in (m, n))
    same: Bool = (far <= metres) & (turned <= degrees) & ~_grown(one, two, scale)
    return same


def _axes_above(model: Model, joints: Index) -> F64:
    """Return the model-space axes [n, 3, 3] of the parents of joints at rest."""
    matrices, _ = to_model_transforms(model.skeleton, model.skeleton.rest)
    parents = model.skeleton.parents[joints]
    axes = np.where((parents >= 0)[:, None, None], matrices[parents, :3, :3], np.eye(3))
    out: F64 = np.nan_to_num(axes)
    return out
