"""The rule about vertices that are bound to a joint far away, while another one is right there.

Distance alone says little: a cape hangs down to the feet and belongs to the back. What a mistake
has, and a cape has not, is an edge: the vertices right beside it belong to other joints.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...animation.types import F32, F64, Bool, Index
from ..finding_text import counted, quoted
from ..rule import Hit, Limit, Limits, Rule
from ..stored_meshes import Bound, Raw
from ..subject import Subject
from .inverse_bind import Binding, bindings

_MOST = 0.3  # a joint with at least such a weight is one that a vertex belongs to
_SOME = 0.05  # a neighbour with such a weight shares the joint
_STEPS = 2  # joints apart in the hierarchy, at least, beside vertices of others
_KIN = 2  # joints so near in the hierarchy blend into each other
_ALONE = 5  # the same, for a part of the mesh that hangs together with no other
_TRUNK = 0.4  # of the skin's joints below a joint: it belongs to no limb
_LOT = 2048  # vertices looked at together


@dataclass(frozen=True, slots=True, eq=False)
class Bones:
    """The segments from the joints of a skin to those below them, in mesh space."""

    owners: Index  # [B] entry of the skin
    starts: F64  # [B, 3]
    steps: F64  # [B, 3]

    def of(self, entry: int) -> "Bones":
        """Return those of one joint."""
        own = self.owners == entry
        return Bones(self.owners[own], self.starts[own], self.steps[own])

    def apart(self, points: F64) -> F64:
        """Return the distances [n, B] of points [n, 3]."""
        squares = (self.steps**2).sum(axis=1)
        along = points @ self.steps.T - (self.starts * self.steps).sum(axis=1)
        share = np.clip(along / np.where(squares > 0, squares, 1), 0, 1)
        off = points[:, None] - self.starts - share[..., None] * self.steps
        return np.asarray(np.sqrt(np.einsum("nbc,nbc->nb", off, off)))


class Suspects(NamedTuple):
    """Vertices that lie far from a joint that they belong to and near another."""

    rows: Index  # [n] vertices
    joints: Index  # [n] entries of the skin
    away: F64  # [n] distance from that joint, units of the mesh
    nearest: Index  # [n] entries of the skin


def bones(binding: Binding) -> Bones:
    """Return the segments of a skin; a joint without any below is a point."""
    up, ends = binding.above, binding.bind[:, :3, 3]
    below = np.flatnonzero(up >= 0)
    leaves = np.setdiff1d(np.arange(len(up)), up[below])
    return Bones(
        np.concatenate((up[below], leaves)),
        np.concatenate((ends[up[below]], ends[leaves])),
        np.concatenate((ends[below] - ends[up[below]], np.zeros((len(leaves), 3)))),
    )


def _suspects(
    bound: Bound, points: F64, all_bones: Bones, far: float, ratio: float, steps: Index
) -> Suspects:
    """Return who is further than `far` from its joint and `ratio` times nearer to another."""
    heavy = np.where(bound.finite[:, None], bound.weights, 0) >= _MOST
    heavy &= bound.joints < len(steps)
    vertices, slots = np.nonzero(heavy)
    entries = bound.joints[vertices, slots]
    away = np.zeros(len(vertices))
    for entry in np.unique(entries).tolist():
        own = entries == entry
        away[own] = all_bones.of(entry).apart(points[vertices[own]]).min(axis=1)
    kept = np.flatnonzero(away > far)
    nearest, near = np.zeros(len(kept), np.intp), np.full(len(kept), np.inf)
    for lot in np.split(np.arange(len(kept)), range(_LOT, len(kept), _LOT)):
        if len(lot):
            apart = all_bones.apart(points[vertices[kept[lot]]])
            bone = apart.argmin(axis=1)
            near[lot] = apart[np.arange(len(lot)), bone]
            nearest[lot] = all_bones.owners[bone]
    odd = (near * ratio < away[kept]) & (steps[entries[kept], nearest] >= _STEPS)
    kept = kept[odd]
    return Suspects(vertices[kept], entries[kept], away[kept], nearest[odd])


def _chains(above: Index) -> F32:
    """Return [S, S]: 1 where the second joint is the first one or above it."""
    chains = np.eye(len(above), dtype=np.float32)
    rows, up = np.arange(len(above)), above
    while (up >= 0).any():
        rows, up = rows[up >= 0], up[up >= 0]
        chains[rows, up] = 1
        up = above[up]
    return chains


def _steps(above: Index) -> Index:
    """Return how many joints lie between two of a skin [S, S]; those of two trees are far apart."""
    chains = _chains(above)
    lengths, common = chains.sum(axis=1), chains @ chains.T
    steps = lengths[:, None] + lengths - 2 * common
    return np.where(common > 0, steps, len(above) + _ALONE).astype(np.intp)


def _trunk(above: Index) -> Bool:
    """Return [S] whether a joint carries so much of the skeleton that it belongs to no limb."""
    return np.asarray(_chains(above).sum(axis=0) >= _TRUNK * len(above))


class _Surface:
    """How the vertices of a mesh hang together: by triangles, and where they lie together."""

    def __init__(self, raw: Raw, bound: Bound, points: F32) -> None:
        self.spot = _welded(points)  # [V] vertices that lie together have the same
        edges = [np.zeros((0, 2), np.intp)]
        for part in raw.parts:
            if part.mesh == bound.mesh and part.attributes["POSITION"] == bound.points:
                corners = raw.indices(part)
                if corners is None:
                    corners = np.arange(len(points) // 3 * 3).reshape(-1, 3)
                edges.append(self.spot[corners[:, [0, 1, 1, 2, 2, 0]]].reshape(-1, 2))
        ends = np.concatenate(edges)
        self.edges = np.concatenate((ends, ends[:, ::-1]))

    def regions(self, inside: Bool) -> tuple[Index, dict[int, Index]]:
        """Split the spots [P] that are inside into those that hang together.

        Returns
        -------
        label
            [P] of each; as good as any for those outside.
        beside
            Spots outside that lie right beside a region, by its label.
        """
        label = np.arange(len(inside))
        near = self.edges[inside[self.edges[:, 0]]]
        within = inside[near[:, 1]]
        edges = near[within]
        while True:  # each takes the least label beside it, until nothing changes
            before = label.copy()
            np.minimum.at(label, edges[:, 0], label[edges[:, 1]])
            label = label[label]
            if (label == before).all():
                break
        out = near[~within]
        owners = label[out[:, 0]]
        return label, {int(one): out[owners == one, 1] for one in np.unique(owners)}


def _welded(points: F32) -> Index:
    """Return a number [V] for each place that points [V, 3] lie at."""
    order = np.lexsort(points.T)
    placed = points[order]
    new = np.append(True, (placed[1:] != placed[:-1]).any(axis=1))
    spot = np.empty(len(points), np.intp)
    spot[order] = np.cumsum(new) - 1
    return spot


def _mistakes(
    raw: Raw, bound: Bound, points: F32, suspects: Suspects, binding: Binding, steps: Index
) -> Bool:
    """Return [n] which suspects are no part of what their joint moves in good order.

    What hangs together and shares the joint is looked at as one: beside it are vertices of joints
    next to it in the hierarchy, or it is no mistake of a weight but a part, and hangs from a trunk.
    """
    surface, trunk = _Surface(raw, bound, points), _trunk(binding.above)
    count = int(surface.spot.max()) + 1
    shares = bound.weights >= _SOME
    named = np.minimum(bound.joints, len(steps) - 1)
    found = np.zeros(len(suspects.rows), bool)
    for joint in np.unique(suspects.joints).tolist():
        rows = np.flatnonzero(suspects.joints == joint)
        inside, kin = np.zeros(count, bool), np.zeros(count, bool)
        inside[surface.spot[((named == joint) & shares).any(axis=1)]] = True
        kin[surface.spot[((steps[joint] <= _KIN)[named] & shares).any(axis=1)]] = True
        label, beside = surface.regions(inside)
        own = label[surface.spot[suspects.rows[rows]]]
        for region in np.unique(own).tolist():
            here = rows[own == region]
            if region in beside:
                found[here] = not kin[beside[region]].any()
            else:
                apart = steps[joint, suspects.nearest[here]]
                whole = len(here) == np.count_nonzero(label[surface.spot] == region)
                found[here] = whole and not trunk[joint] and bool((apart >= _ALONE).all())
    return found


class _Found(NamedTuple):
    """What is far in one primitive."""

    place: str
    vertices: int  # of the primitive
    rows: Index  # [n] vertices that are far
    vertex: int  # the furthest of them
    mm: float
    joint: int  # what it belongs to, of the skeleton
    other: int  # what it is close to


def _far(subject: Subject, limits: Limits) -> Iterator[Hit]:
    raw, names = subject.raw, subject.model.skeleton.names
    by_mesh: dict[int, list[_Found]] = {}
    sizes: dict[int, int] = {}
    for bound in raw.bound if raw else ():
        sizes[bound.mesh] = sizes.get(bound.mesh, 0) + len(bound)
        for binding in subject.once(bindings):
            if raw and binding.index in bound.skins and binding.regular.all() and binding.size:
                found = _judge(subject, raw, bound, binding, limits)
                by_mesh.setdefault(bound.mesh, []).extend([found] if found else [])
    for index, found_in in by_mesh.items():
        if not found_in:
            continue
        worst, mesh = max(found_in, key=lambda each: each.mm), subject.model.meshes[index].name
        joint, other = names[worst.joint], names[worst.other]
        number = sum(len(rows) for rows in {each.place: each.rows for each in found_in}.values())
        vertices = counted(sizes[index], "vertex", "vertices")
        yield Hit(
            f"{number} of {vertices} of mesh {quoted(mesh)} "
            f"{'belongs' if number == 1 else 'belong'} to joints far away: vertex {worst.vertex} "
            f"is {worst.mm:.4g} mm from {quoted(joint)}, but close to "
            f"{quoted(other)}",
            amount=worst.mm,
            unit="mm",
            limit="mm",
            place=worst.place,
            joint=joint,
            item=mesh,
        )


def _judge(
    subject: Subject, raw: Raw, bound: Bound, binding: Binding, limits: Limits
) -> _Found | None:
    points = raw.accessors.floats(bound.points)
    if not np.isfinite(points).all():
        return None
    steps = subject.once(_all_steps)[binding.index]
    far = limits["mm"] / 1000 / binding.size
    suspects = _suspects(
        bound, points.astype(np.float64), bones(binding), far, limits["ratio"], steps
    )
    if not len(suspects.rows):
        return None
    odd = _mistakes(raw, bound, points, suspects, binding, steps)
    if not odd.any():
        return None
    k = int(np.where(odd, suspects.away, 0).argmax())
    return _Found(
        bound.place,
        len(bound),
        np.unique(suspects.rows[odd]),
        int(suspects.rows[k]),
        float(suspects.away[k] * binding.size * 1000),
        int(binding.joints[suspects.joints[k]]),
        int(binding.joints[suspects.nearest[k]]),
    )


def _all_steps(subject: Subject, _: int) -> list[Index]:
    return [_steps(binding.above) for binding in subject.once(bindings)]


RULES: tuple[Rule, ...] = (
    Rule(
        "weights-far",
        "error",
        "a vertex belongs to a joint far away although another limb's joint is close",
        "take the weight of the far joint off these vertices and smooth those beside them; "
        "in the viewer, the weights of the joint show where they are",
        _far,
        (
            Limit("mm", 100, "mm", "how far a vertex may be from its joint", scaled=True),
            Limit("ratio", 3, "", "how much nearer another joint must be"),
        ),
    ),
)
