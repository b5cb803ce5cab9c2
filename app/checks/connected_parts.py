"""Parts of meshes: triangles connected by edges, and the side that each of them faces."""

from dataclasses import dataclass

import numpy as np

from ..animation.types import F64, Bool, Index
from ..animation.vectors import length
from ..model.model import Mesh
from .surface_graph import connected, unique_rows

_SPHERE = 6.0 * np.sqrt(np.pi)  # volume of a sphere times this is its area to the power of 1.5
_NONE = 1e-300  # instead of a divisor of 0


@dataclass(frozen=True, slots=True, eq=False)
class Triangles:
    """The T triangles of a mesh, all primitives together, in mesh space.

    Vertices of all primitives are numbered in sequence. Triangles without area are left out, and
    those of which a second one has the same corners, as in leaves that are drawn from both sides.
    """

    primitives: Index  # [T] position in Mesh.primitives
    vertices: Index  # [T, 3]
    corners: Index  # [T, 3] positions, equal for vertices at the same place
    points: F64  # [P, 3] of the positions
    middles: F64  # [T, 3]
    normals: F64  # [T, 3] on the side of the front, as long as twice the area
    sizes: F64  # [T] lengths of the normals


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Parts of a mesh: N sets of triangles that share edges.

    The volume of a part is positive if it faces outward; fans close its openings. It holds for the
    side of the part's first triangle, that of the triangles that are not turned.
    """

    label: Index  # [T] part of a triangle
    turned: Bool  # [T] whether a triangle faces another side than the first one of its part
    beside: Index  # [E, 2] neighbours that face the same side
    areas: F64  # [N]
    volumes: F64  # [N]
    closed: Bool  # [N] whether the part has no openings
    one_sided: Bool  # [N] whether the part has only one side, as a Möbius strip

    @property
    def roundness(self) -> F64:
        """The volumes [N] relative to those of spheres of the same area."""
        relative: F64 = _SPHERE * self.volumes / np.maximum(self.areas, _NONE) ** 1.5
        return relative


def triangles_of(mesh: Mesh) -> Triangles | None:
    """Return the triangles of a mesh; None if it has none."""
    starts = np.cumsum([0, *(len(each.positions) for each in mesh.primitives)])
    owners, found = [], []
    for p, primitive in enumerate(mesh.primitives):
        if primitive.topology == "triangles":
            listed = primitive.indices
            each = np.arange(len(primitive.positions)) if listed is None else listed
            rows = each[: len(each) // 3 * 3].reshape(-1, 3).astype(np.intp)
            found.append(rows + starts[p])
            owners.append(np.full(len(rows), p))
    if not sum(map(len, found)):
        return None
    places = np.concatenate([each.positions for each in mesh.primitives]).astype(np.float64)
    position, kept = unique_rows(places.T)
    points = places[kept]
    vertices, primitives = np.concatenate(found), np.concatenate(owners)
    corners = position[vertices]
    a, b, c = (points[corners[:, k]] for k in range(3))
    normals: F64 = np.cross(b - a, c - a)
    sizes = length(normals)
    kept = np.flatnonzero((sizes > 0) & ~_twice(corners))
    return Triangles(
        primitives[kept],
        vertices[kept],
        corners[kept],
        points,
        ((a + b + c) / 3)[kept],
        normals[kept],
        sizes[kept],
    )


def _twice(corners: Index) -> Bool:
    """Return which triangles [T, 3] have the same corners as another one."""
    a, b, c = (corners[:, k] for k in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    middle = a + b + c - low - high
    key = (low << 42) ^ (middle << 21) ^ high
    order = np.argsort(key)
    equal = np.flatnonzero(key[order[1:]] == key[order[:-1]])
    one, other = order[equal], order[equal + 1]
    same = (low[one] == low[other]) & (middle[one] == middle[other]) & (high[one] == high[other])
    twice = np.zeros(len(corners), bool)
    twice[one[same]] = twice[other[same]] = True
    return twice


def parts_of(triangles: Triangles) -> Parts:
    """Return the parts of a mesh; edges of more than two triangles connect none of them."""
    corners, count = triangles.corners, len(triangles.corners)
    halves, against, border = _edges(corners)
    pairs = halves // 3
    beside = pairs
    turned, one_sided = np.zeros(count, bool), np.zeros(count, bool)
    if against.any():  # each triangle twice, as it is and turned over
        beside, other = pairs[~against], pairs[against]
        one, two = other.T
        crossed = np.stack((one, two + count)), np.stack((one + count, two))
        both = np.concatenate((beside.T, beside.T + count, *crossed), axis=1)
        label = connected(2 * count, *both)
        own, opposite = label[:count], label[count:]
        label = np.minimum(own, opposite)
        turned, one_sided = own != label, own == opposite
    else:
        label = connected(count, *pairs.T)
    first = np.flatnonzero(label == np.arange(count))
    number = np.zeros(count, np.intp)
    number[first] = np.arange(len(first))
    label = number[label]
    areas = np.bincount(label, triangles.sizes)
    centre = _means(label, triangles.middles, triangles.sizes)
    normals = triangles.normals * np.where(turned, -1.0, 1.0)[:, None]
    solid = np.einsum("tk,tk->t", triangles.middles - centre[label], normals)
    volumes = np.bincount(label, solid) / 6
    opened = np.zeros(len(first), bool)
    if len(border):
        opened[label[border // 3]] = True
        volumes = volumes + _caps(triangles, border, label, turned, centre)
    return Parts(label, turned, beside, areas / 2, volumes, ~opened, one_sided[first])


def _edges(corners: Index) -> tuple[Index, Bool, Index]:
    """Return the edges of triangles [T, 3]; half edge 3 t + k starts at corner k of triangle t.

    Returns
    -------
    halves
        [E, 2] half edges on the same edge, where an edge has two.
    against
        [E] whether both run in one direction: their triangles face different sides.
    border
        [B] all other half edges.
    """
    start, end = corners.ravel(), corners[:, [1, 2, 0]].ravel()
    forward = start < end
    key = np.where(forward, start, end) * (int(corners.max(initial=0)) + 1)
    key += np.where(forward, end, start)
    order = np.argsort(key)
    ordered = key[order]
    new = np.ones(len(order) + 1, bool)
    new[1:-1] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    twice = starts[:-1][np.diff(starts) == 2]
    halves = np.stack((order[twice], order[twice + 1]), axis=1)
    border = np.ones(len(order), bool)
    border[halves] = False
    return halves, forward[halves[:, 0]] == forward[halves[:, 1]], np.flatnonzero(border)


def _means(label: Index, points: F64, weights: F64) -> F64:
    """Return the means [N, 3] of points [n, 3] with the same label, by their weights."""
    total = np.maximum(np.bincount(label, weights), _NONE)
    sums = [np.bincount(label, weights * points[:, k]) / total for k in range(3)]
    return np.stack(sums, axis=1)


def _caps(triangles: Triangles, border: Index, label: Index, turned: Bool, centre: F64) -> F64:
    """Return the volumes [N] between the centre of each part and fans over its openings."""
    own, flip = label[border // 3], turned[border // 3]
    start = triangles.corners.ravel()[border]
    end = triangles.corners[:, [1, 2, 0]].ravel()[border]
    start, end = np.where(flip, end, start), np.where(flip, start, end)
    ends = np.concatenate((start, end)) + np.concatenate((own, own)) * len(triangles.points)
    kinds, nodes = np.unique(ends, return_inverse=True)
    rims = connected(len(kinds), *nodes.reshape(2, -1))[nodes[: len(own)]]
    a, b = triangles.points[start] - centre[own], triangles.points[end] - centre[own]
    tips = _means(rims, (a + b) / 2, length(b - a))[rims]
    solid = np.einsum("bk,bk->b", np.cross(b, a), tips)  # a fan runs against the border
    return np.bincount(own, solid, len(centre)) / 6
