"""Small regions of a surface that move unlike the surface around them.

Along an edge the surface is stretched by the difference of its two ends' motion. A region sticks
out if it is displaced from where the nodes around it would be in its place. Sound surfaces stretch
too: at a bent joint the displacements at the two sides of a region are opposite (they have no
common direction), they are those of a turn about a place in the border (a hinge), or the surface
around stretches as much. None of these is an outlier.

A node is displaced by the difference of its values from those of its neighbours: weights of joints
in poses of a skin, or displacements of morph targets.
"""

from typing import NamedTuple, Protocol

import numpy as np

from ..animation.types import F32, F64, Bool, Index
from ..animation.vectors import length
from .surface_graph import SurfaceGraph, connected

SCALES = tuple(0.5 * 2.0**k for k in range(9))  # of the limit: edges that stretch more are borders
LEAST = 24  # nodes of an island: smaller ones have no surface around a region
SHARE = 0.25  # of the nodes of an island, the greatest region
CLOSE = 0.5  # of the limit: regions are looked at, since other poses may displace them more
ALIKE = 0.45  # of the displacement: spread along the border, and stretch of the surface around
TURNED = 0.6  # the same along the border of a region of some nodes, which turns as a whole
BORDER = 4  # nodes of the border of such a region
HINGE = 0.4  # of the displacement: a smaller one at the other end of the border's edges is a hinge
FLAT = 0.05  # of its area on the side that it should face: a triangle with less is folded
_SAME = 0.002  # sum of differences of weights that moves nothing visibly
_CHUNK = 1 << 20  # numbers processed at once: fits the cache of a CPU


class SurfaceMotion(Protocol):
    """T poses that displace points [n, 3] of mesh space with values [n, S]; metres."""

    base: F32  # [T, 3, 4] to metres, of what all points have in common

    def displacements(self, values: F32, points: F64) -> F32:
        """Return the displacements [n, T, 3] of differences of values in all poses."""

    def at(self, pose: int, values: F32) -> F32:
        """Return matrices [n, 3, 4] in a pose, less the base."""


class SkinMotion:
    """Poses of S joints with skinning matrices [T, S, 3, 4]."""

    def __init__(self, palettes: F64) -> None:
        base = palettes.mean(axis=1)
        self.base = base.astype(np.float32)
        self.palettes = (palettes - base[:, None]).astype(np.float32)  # differences sum to 0
        flat = self.palettes.transpose(1, 3, 0, 2)
        self._flat = np.ascontiguousarray(flat.reshape(4 * flat.shape[0], -1))

    def displacements(self, values: F32, points: F64) -> F32:
        """Return the displacements [n, T, 3] of differences of weights [n, S]."""
        moved = np.empty((len(values), len(self.palettes), 3), np.float32)
        most = max(1, _CHUNK // max(self._flat.shape[0], 1))
        for k in range(0, len(values), most):
            moved[k : k + most] = self.moved(
                point_kernels(values[k : k + most], points[k : k + most])
            )
        return moved

    def moved(self, kernels: F32) -> F32:
        """Return the displacements [n, T, 3] of kernels [n, 4 S], see `point_kernels`."""
        return (kernels @ self._flat).reshape(-1, len(self.palettes), 3)

    def at(self, pose: int, values: F32) -> F32:
        """Return the matrices [n, 3, 4] of weights [n, S] in a pose, less the base."""
        return (values @ self.palettes[pose].reshape(-1, 12)).reshape(-1, 3, 4)


def point_kernels(values: F32, points: F64) -> F32:
    """Return [n, 4 S]: multiplied by palettes [4 S, 3] they are the displacements of points."""
    placed = np.append(points, np.ones((len(points), 1)), axis=1).astype(np.float32)
    return np.asarray((values[:, :, None] * placed[:, None]).reshape(len(values), -1))


class MorphMotion:
    """M morph targets, each at a weight [M]; `unit` is metres per unit of the mesh."""

    def __init__(self, weights: F64, unit: float) -> None:
        self._scales = (weights * unit).astype(np.float32)
        self.base = np.tile(np.eye(3, 4, dtype=np.float32) * np.float32(unit), (len(weights), 1, 1))

    def displacements(self, values: F32, _points: F64) -> F32:
        """Return the displacements [n, M, 3] of differences [n, 3 M]."""
        return values.reshape(len(values), -1, 3) * self._scales[:, None]

    def at(self, pose: int, values: F32) -> F32:
        """Return matrices [n, 3, 4] that displace all points by a target's displacement."""
        matrices = np.zeros((len(values), 3, 4), np.float32)
        matrices[..., 3] = values[:, 3 * pose : 3 * pose + 3] * self._scales[pose]
        return matrices


class Outlier(NamedTuple):
    """A region that sticks out.

    Its displacement is the mean of `SurfaceMotion.displacements` of its border.
    """

    nodes: Index  # [n] of the region
    edges: Index  # [b] from the region to the surface around it
    pose: int  # in which it is displaced most
    distance: float  # metres
    folded: bool = False  # whether triangles at it collapse or turn over


def outliers(
    surface: SurfaceGraph, motion: SurfaceMotion, limit: float, least: float
) -> list[Outlier]:
    """Return the regions that are displaced by nearly `limit` metres or more; they may overlap.

    Those that fold the surface, where they are displaced by nearly `least`.
    """
    found = [
        outlier._replace(folded=_is_folded(surface, motion, outlier))
        for outlier in _regions(surface, motion, min(limit, least))
    ]
    return [each for each in found if each.folded or each.distance > CLOSE * limit]


def _regions(surface: SurfaceGraph, motion: SurfaceMotion, limit: float) -> list[Outlier]:
    """Return the regions that are displaced by nearly `limit` metres or more."""
    sizes = np.bincount(surface.island, minlength=surface.count)[surface.island]
    large = sizes >= LEAST
    if not large.any():
        return []
    found = _outliers(surface, motion, limit, np.arange(surface.count), large)
    one_way = np.flatnonzero(surface.begin < surface.end)
    begin, end = surface.begin[one_way], surface.end[one_way]
    stretch = _stretches(surface, motion, one_way)
    known = set[tuple[int, int]]()
    for scale in SCALES:
        joined = stretch <= scale * limit
        if joined.all():
            break
        labels = connected(surface.count, begin[joined], end[joined])
        size = np.bincount(labels, minlength=surface.count)[labels]
        fits = large & (size > 1) & (size <= SHARE * sizes)
        for outlier in _outliers(surface, motion, limit, labels, fits):
            key = (int(outlier.nodes[0]), len(outlier.nodes))
            found += [outlier] if key not in known else []
            known.add(key)
    return found


def _is_folded(surface: SurfaceGraph, motion: SurfaceMotion, outlier: Outlier) -> bool:
    """Return whether a triangle at a region collapses or turns over, against those around it."""
    near = np.isin(surface.triangles, outlier.nodes).any(axis=1)
    triangles = surface.triangles[near]
    points = surface.points[triangles]
    around = motion.at(outlier.pose, surface.values[surface.end[outlier.edges]]).mean(axis=0)
    moves = motion.at(outlier.pose, surface.values[triangles.ravel()]) - around
    moves = moves.reshape(*points.shape[:2], 3, 4)
    even = points @ (motion.base[outlier.pose] + around)[:, :3].T
    placed = even + np.einsum("tkab,tkb->tka", moves[..., :3], points) + moves[..., 3]
    sides, own = (np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]) for t in (even, placed))
    return bool(((own * sides).sum(axis=1) < FLAT * (sides**2).sum(axis=1)).any())


def torn_islands(contacts: SurfaceGraph, motion: SurfaceMotion, limit: float) -> list[Outlier]:
    """Return the islands that leave the islands beside them by more than `limit` metres.

    `contacts` has the edges of `island_contacts`.
    """
    nodes, sums = contacts.differences(np.arange(len(contacts.begin)))
    found: list[Outlier] = []
    if not len(nodes):
        return found
    counts = contacts.first[nodes + 1] - contacts.first[nodes]
    distances = length(motion.displacements(sums, contacts.points[nodes])) / counts[:, None]
    poses = distances.argmax(axis=1)
    for k in np.flatnonzero(distances.max(axis=1) > limit).tolist():
        inside = np.flatnonzero(contacts.island == contacts.island[nodes[k]])
        edges, _ = contacts.around(nodes[k : k + 1])
        found.append(Outlier(inside, edges, int(poses[k]), float(distances[k, poses[k]])))
    return found


def _stretches(surface: SurfaceGraph, motion: SurfaceMotion, edges: Index) -> F64:
    """Return how much edges stretch at most, metres: the displacement in their middle."""
    stretch = np.zeros(len(edges))
    for rows in np.array_split(np.arange(len(edges)), 1 + len(edges) // 8192):
        begin, end = surface.begin[edges[rows]], surface.end[edges[rows]]
        steps = surface.values[begin] - surface.values[end]
        some = np.flatnonzero(np.abs(steps).sum(axis=1) > _SAME)
        if len(some):
            middles = (surface.points[begin[some]] + surface.points[end[some]]) / 2
            moved = motion.displacements(steps[some], middles)
            stretch[rows[some]] = length(moved).max(axis=1)
    return stretch


def _outliers(
    surface: SurfaceGraph, motion: SurfaceMotion, limit: float, labels: Index, fits: Bool
) -> list[Outlier]:
    """Return the outliers among regions, the nodes of equal labels [N]; only nodes that fit."""
    crossing = labels[surface.begin] != labels[surface.end]
    edges = np.flatnonzero(crossing & fits[surface.begin])
    joined = np.zeros(surface.count, bool)  # else a separate part, which touches
    joined[labels[surface.begin[edges[~surface.touching[edges]]]]] = True
    edges = edges[joined[labels[surface.begin[edges]]]]
    nodes, sums = surface.differences(edges)
    some = np.abs(sums).sum(axis=1) > _SAME
    if not some.any():
        return []
    regions, owners = np.unique(labels[nodes[some]], return_inverse=True)
    moved = motion.displacements(sums[some], surface.points[nodes[some]])
    if len(regions) < len(moved):
        order = np.argsort(owners, kind="stable")
        starts = np.searchsorted(owners[order], np.arange(len(regions)))
        moved = np.add.reduceat(moved[order], starts)
    elif len(regions):
        moved = moved[np.argsort(owners)]
    counts = np.bincount(labels[surface.begin[edges]], minlength=surface.count)[regions]
    distances = length(moved) / counts[:, None]
    poses = distances.argmax(axis=1)
    distances = distances[np.arange(len(regions)), poses]
    far = distances > CLOSE * limit
    places = np.full(surface.count, -1)
    places[regions[far]] = np.arange(np.count_nonzero(far))
    regions, poses, distances = regions[far], poses[far], distances[far]
    owners = places[labels[surface.begin[edges]]]
    edges, owners = edges[owners >= 0], owners[owners >= 0]
    found: list[Outlier] = []
    for pose in np.unique(poses).tolist():
        here = poses[owners] == pose
        odd = _stick_out(surface, motion, pose, labels, edges[here], owners[here])
        for k in np.unique(owners[here])[odd].tolist():
            inside = np.flatnonzero(labels == regions[k])
            found.append(Outlier(inside, edges[owners == k], pose, float(distances[k])))
    return found


def _stick_out(
    surface: SurfaceGraph,
    motion: SurfaceMotion,
    pose: int,
    labels: Index,
    edges: Index,
    owners: Index,
) -> Bool:
    """Return for each owner of border edges, in order, whether its region sticks out in a pose."""
    owners = np.unique(owners, return_inverse=True)[1]
    matrices = motion.at(pose, surface.values)
    begin, end = surface.begin[edges], surface.end[edges]
    inner = _stretched(surface, matrices, edges, begin)
    outer = _stretched(surface, matrices, edges, end)
    mean, far_mean = _means(inner, owners), _means(outer, owners)
    size = np.maximum(length(mean), 1e-30)
    step = far_mean - mean
    share = -(mean * step).sum(axis=1) / np.maximum((step**2).sum(axis=1), 1e-30)
    nearest = length(mean + np.clip(share, 0, 1)[:, None] * step)
    spread = _rms(inner - mean[owners], owners, len(mean))
    beyond, rings = surface.around(end)
    outside = labels[surface.end[beyond]] != labels[begin[rings]]
    beyond, rings = beyond[outside], rings[outside]
    around = _stretched(surface, matrices, beyond, surface.begin[beyond])
    stretch = _rms(around, owners[rings], len(mean))
    new = np.append(True, begin[1:] != begin[:-1])  # edges are sorted by node
    most = np.where(np.bincount(owners[new]) < BORDER, ALIKE, TURNED)
    alike = (spread < most * size) & (stretch < ALIKE * size)
    return np.asarray(alike & (nearest > HINGE * size))


def _stretched(surface: SurfaceGraph, matrices: F32, edges: Index, nodes: Index) -> F64:
    """Return how edges [m] stretch [m, 3], at a node of each [m]."""
    steps = matrices[surface.begin[edges]] - matrices[surface.end[edges]]
    return np.einsum("eab,eb->ea", steps[..., :3], surface.points[nodes]) + steps[..., 3]


def _means(vectors: F64, owners: Index) -> F64:
    """Return the means [n, 3] of vectors [m, 3] by owner."""
    counts = np.bincount(owners)
    sums = [np.bincount(owners, vectors[:, axis]) for axis in range(3)]
    return np.stack(sums, axis=1) / counts[:, None]


def _rms(vectors: F64, owners: Index, count: int) -> F64:
    """Return the root mean square lengths [count] of vectors [m, 3] by owner."""
    squares = np.bincount(owners, (vectors**2).sum(axis=1), count)
    return np.asarray(np.sqrt(squares / np.maximum(np.bincount(owners, minlength=count), 1)))
