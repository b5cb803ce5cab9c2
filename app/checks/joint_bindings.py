"""The joints of skins in the bind pose and at rest, and those that do not fit the others."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..animation.types import F64, Bool, Index
from ..animation.vectors import length
from ..model.model import Model
from .check_context import CheckContext
from .visible_size import displaced_by_joint

FEW = 0.2  # of the joints of a skin: so many are unlike the others
ROW = 1e-4  # tolerance of a matrix
_FLAT = 1e-6  # of the product of the axis lengths: with a smaller determinant it is singular
_SMALL = 0.001  # of the height: a smaller displacement of a joint at rest is none
_AGREE = 0.25  # of a joint's displacement: joints that differ less agree


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """The S joints of a skin in the bind pose and in the rest pose.

    Entries of singular matrices are not `regular`, and their `bind` is undefined.
    """

    index: int
    name: str
    joints: Index  # [S] of the skeleton
    names: tuple[str, ...]  # [S] of the joints
    inverse: F64  # [S, 4, 4]
    regular: Bool  # [S]
    bind: F64  # [S, 4, 4] joint space to mesh space
    rest: F64  # [S, 4, 4] joint space to model space
    above: Index  # [S] entry of the nearest ancestor in the skin, -1: none
    size: float  # metres per unit of the mesh

    @property
    def placed(self) -> F64:
        """Skinning matrices [S, 4, 4] at rest: mesh space to model space."""
        return self.rest @ self.inverse

    @property
    def place(self) -> str:
        """JSON pointer of the matrices."""
        return f"/skins/{self.index}/inverseBindMatrices"


def bindings(context: CheckContext) -> list[Binding]:
    """Return the bindings of all skins; call it by `context.cached`."""
    model = context.model
    return [_binding(model, s, context.rest[0]) for s in range(len(model.skins))]


def _binding(model: Model, index: int, rest: F64) -> Binding:
    skin = model.skins[index]
    inverse = skin.inverse_bind.astype(np.float64)
    inverse[:, 3] = 0, 0, 0, 1  # a wrong last row is reported separately
    volume, axes = np.linalg.det(inverse[:, :3, :3]), axis_lengths(inverse)
    regular = np.abs(volume) > _FLAT * axes.prod(axis=1)
    bind = np.linalg.inv(np.where(regular[:, None, None], inverse, np.eye(4)))
    joints = skin.joints.astype(np.intp)
    placed = rest[joints] @ inverse
    sizes = np.cbrt(np.abs(np.linalg.det(placed[regular][:, :3, :3])))
    return Binding(
        index,
        skin.name,
        joints,
        tuple(model.skeleton.names[joint] for joint in joints.tolist()),
        inverse,
        regular,
        bind,
        rest[joints],
        above(model.skeleton.parents.tolist(), joints),
        float(np.median(sizes)) if len(sizes) else 1.0,
    )


def above(parents: list[int], joints: Index) -> Index:
    """Return for each entry of a skin the entry of its nearest ancestor in the skin; -1: none."""
    entries = {joint: s for s, joint in reversed(list(enumerate(joints.tolist())))}
    found = []
    for joint in joints.tolist():
        up = parents[joint]
        while up >= 0 and up not in entries:
            up = parents[up]
        found.append(entries[up] if up >= 0 else -1)
    return np.array(found, np.intp)


def axis_lengths(matrices: F64) -> F64:
    """Return the lengths [S, 3] of the axes of matrices [S, 4, 4]."""
    squares: F64 = np.einsum("sab,sab->sb", matrices[:, :3, :3], matrices[:, :3, :3])
    return np.sqrt(squares)


def unit_axes(matrices: F64) -> F64:
    """Return the axes [S, 3, 3] of matrices [S, 4, 4] at unit length, as columns."""
    axes = axis_lengths(matrices)
    return matrices[:, :3, :3] / np.where(axes > 0, axes, 1)[:, None]


def shears(matrices: F64) -> F64:
    """Return the greatest deviations [S] of two axes from a right angle, degrees."""
    unit = unit_axes(matrices)
    cosines = np.abs(np.einsum("sab,sac->sbc", unit, unit)[:, [0, 0, 1], [1, 2, 2]])
    return np.degrees(np.arcsin(np.minimum(cosines.max(axis=1), 1)))


class Displaced(NamedTuple):
    """A joint whose inverse bind matrix displaces its surface at rest."""

    entry: int  # of the skin
    inverse: F64  # [4, 4] that would fit
    size: float  # metres
    touches: int  # vertices


class DisplacedJoints(NamedTuple):
    """The displaced joints of a skin."""

    joints: list[Displaced]
    beside: bool  # against the joints above and below, since most do not rest as they were bound


def displaced(context: CheckContext) -> list[DisplacedJoints]:
    """Return the displaced joints of each skin; call it by `context.cached`."""
    return [
        DisplacedJoints(few, beside=False)
        if (few := _unlike_most(context, binding))
        else DisplacedJoints(_unlike_beside(context, binding), beside=True)
        for binding in context.cached(bindings)
    ]


def corrected_binds(context: CheckContext, skin: int) -> F64:
    """Return the inverse bind matrices [S, 4, 4] of a skin, with those that fit for wrong ones."""
    inverse = context.cached(bindings)[skin].inverse.copy()
    for wrong in context.cached(displaced)[skin].joints:
        inverse[wrong.entry] = wrong.inverse
    return inverse


def _unlike_most(context: CheckContext, binding: Binding) -> list[Displaced]:
    """Return the few joints of a skin that do not rest as they were bound, if all others do."""
    if not binding.regular.any() or is_identity(binding.inverse):
        return []
    usual = usual_motion(binding)
    off = np.where(binding.regular[:, None, None], binding.placed - usual, 0.0)
    gone, vertices = displaced_by_joint(context, binding.index, off)
    unseen = (vertices == 0) & (np.abs(off).max(axis=(1, 2)) > ROW * context.scale)
    bad = gone > _SMALL * context.height
    if not are_few(bad | unseen):
        return []
    fits = binding.inverse - np.linalg.pinv(binding.rest) @ off
    return _displaced(fits, gone, vertices, bad)


def _displaced(fits: F64, gone: F64, vertices: Index, bad: Bool) -> list[Displaced]:
    rows = np.flatnonzero(bad).tolist()
    return [Displaced(row, fits[row], float(gone[row]), int(vertices[row])) for row in rows]


def _unlike_beside(context: CheckContext, binding: Binding) -> list[Displaced]:
    """Return the joints of a skin that are unlike those above and below them."""
    if not binding.regular.all() or not np.linalg.det(binding.rest).all():
        return []
    least, offsets = _SMALL * context.height, _bone_offsets(binding)
    points = [_points(context, binding, entry) for entry in range(len(binding.joints))]
    fits = binding.inverse.copy()
    for entry in (entry for entry, own in enumerate(points) if len(own)):
        fits[entry] = _as_those_beside(binding, entry, points[entry])
    gone, _ = displaced_by_joint(context, binding.index, binding.rest @ (binding.inverse - fits))
    for entry in np.flatnonzero(gone <= least).tolist():
        fits[entry] = _as_its_bones(binding, entry, offsets)
    off = binding.rest @ (binding.inverse - fits)
    gone, vertices = displaced_by_joint(context, binding.index, off)
    return _displaced(fits, gone, vertices, gone > least)


def _points(context: CheckContext, binding: Binding, entry: int) -> F64:
    """Return the points [n, 4] in mesh space of the vertices of a joint."""
    parts = [
        part
        for instance in context.model.instances
        if instance.skin == binding.index
        for part in context.model.meshes[instance.mesh].primitives
    ]
    points = [
        part.positions[((part.joints == entry) & (part.weights > 0)).any(axis=1)]
        for part in parts
        if part.joints is not None and part.weights is not None
    ]
    every = np.concatenate([np.zeros((0, 3)), *points]).astype(np.float64)
    return np.append(every, np.ones((len(every), 1)), axis=1)


def _as_those_beside(binding: Binding, entry: int, points: F64) -> F64:
    """Return the inverse bind matrix [4, 4] by which a joint rests as those above and below do.

    It is the joint's own if those disagree on where its points [n, 4] are, or if it is an end that
    is only turned.
    """
    own, parent = binding.inverse[entry], int(binding.above[entry])
    near = _beside(binding.above, entry)
    end = len(near) < 2
    if parent >= 0 and end:
        near += [each for each in _beside(binding.above, parent) if each != entry]
    if len(near) < 2:
        return own
    placed = binding.rest @ binding.inverse
    off = placed[entry] - placed[near[0]]
    most = float(length(points @ off[:3].T).max())
    others = (placed[near[1:]] - placed[near[0]])[:, :3]
    disagree = float(length(np.einsum("sab,vb->sva", others, points)).max())
    apart = float(length((off @ binding.bind[entry])[:3, 3]))
    if disagree >= _AGREE * most or (end and apart < _AGREE * most):
        return own
    return np.linalg.solve(binding.rest[entry], placed[near[0]])


def _bone_offsets(binding: Binding) -> F64:
    """Return how far joints [S, 3] are bound from where their parents' bones end, mesh space."""
    up = binding.above
    local = np.linalg.solve(binding.rest[up], binding.rest)
    ends = (binding.bind[up] @ local)[:, :3, 3]
    return np.where((up >= 0)[:, None], binding.bind[:, :3, 3] - ends, 0.0)


def _as_its_bones(binding: Binding, entry: int, offsets: F64) -> F64:
    """Return the inverse bind matrix [4, 4] by which a joint is bound where its bones end.

    It is the joint's own if not all of its bones, and no others near, end elsewhere.
    """
    own, parent = binding.inverse[entry], int(binding.above[entry])
    off = offsets[entry]
    most = _AGREE * float(length(off))
    below = np.flatnonzero(binding.above == entry)
    others = np.flatnonzero(np.isin(binding.above, [*below.tolist(), parent]))
    others = np.append(others[others != entry], parent)
    if parent < 0 or not most or (length(offsets[below] + off) >= most).any():
        return own
    if (length(offsets[others]) >= most).any():
        return own
    moved = np.eye(4)
    moved[:3, 3] = off
    return own @ moved


def _beside(above: Index, entry: int) -> list[int]:
    """Return the entries above and below one in the hierarchy."""
    below = np.flatnonzero(above == entry).tolist()
    return [*([int(above[entry])] if above[entry] >= 0 else []), *below]


def are_few(bad: Bool) -> bool:
    """Return whether so few joints of a skin [S] are unlike the others."""
    return bool(np.count_nonzero(bad) <= FEW * len(bad))


def is_identity(inverse: F64) -> bool:
    """Return whether all inverse bind matrices [S, 4, 4] are the identity: they are missing."""
    return bool(np.abs(inverse - np.eye(4)).max() < ROW)


def usual_motion(binding: Binding) -> F64:
    """Return the matrix [4, 4] from the bind pose to the rest pose that most joints share."""
    return np.median(binding.placed[binding.regular], axis=0)
