"""Surfaces that are drawn: meshes with their parts, and their shape in the rest pose.

Parts are triangles connected by edges; each part has a side that it faces. A side of a triangle is
open if rays leave the character from there.
"""

from dataclasses import dataclass

import numpy as np

from ..animation.types import F64, Bool, Index
from ..animation.vectors import length
from ..model.material import Material
from ..model.model import Mesh, MeshInstance, Primitive
from ..model.skinned_vertices import vertex_block
from .check_context import CheckContext
from .surface_graph import connected, unique_rows

_GRAZING = 0.1  # cosine: rays that run nearly along a triangle are left out
_OFF = 1e-4  # of the extent of the occluders: nearer ones, as the triangle itself, hide nothing
_LOT = 1 << 15  # triangles processed at once: bounds memory
_CUBE = np.stack(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
DIRECTIONS = _CUBE[(_CUBE != 0).any(axis=1)]  # [26, 3] to the faces, edges and corners of a cube
DIRECTIONS /= length(DIRECTIONS)[:, None]


def open_sides(middles: F64, normals: F64, occluders: F64) -> tuple[float, float]:
    """Return the share of rays from the fronts and from the backs of triangles that hit no other.

    Parameters
    ----------
    middles
        [n, 3] of the triangles.
    normals
        [n, 3] unit length, on the side of their fronts.
    occluders
        [T, 3, 3] corners of all triangles that hide what lies behind them.
    """
    points = occluders.reshape(-1, 3)
    near = _OFF * float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    free, every = np.zeros(2), np.zeros(2)
    for direction in DIRECTIONS:
        along = normals @ direction
        rows = np.abs(along) > _GRAZING
        front, leaves = along[rows] > 0, ~_hidden(middles[rows], direction, occluders, near)
        every += np.count_nonzero(front), np.count_nonzero(~front)
        free += np.count_nonzero(front & leaves), np.count_nonzero(~front & leaves)
    shares = free / np.maximum(every, 1)
    return float(shares[0]), float(shares[1])


def _hidden(starts: F64, direction: F64, occluders: F64, near: float) -> Bool:
    """Return which parallel rays from points [n, 3] hit a triangle further away than `near`."""
    side = np.cross(direction, np.eye(3)[np.abs(direction).argmin()])
    side /= length(side)
    axes = side, np.cross(direction, side), direction
    own = starts @ np.stack(axes, axis=1)
    low, high = own.min(axis=0, initial=np.inf), own.max(axis=0, initial=-np.inf)
    reached = np.ones(len(occluders), bool)
    places = []
    for axis, least, most in zip(axes, low, (*high[:2], np.inf), strict=True):
        a, b, c = (occluders[:, k] @ axis for k in range(3))
        places.append((a, b, c))
        reached &= np.maximum(np.maximum(a, b), c) >= least
        reached &= np.minimum(np.minimum(a, b), c) <= most
    found = np.zeros(len(starts), bool)
    rows = np.flatnonzero(reached)
    for lot in np.split(rows, range(_LOT, len(rows), _LOT)):
        x, y, z = (np.stack([corner[lot] for corner in place], axis=1) for place in places)
        found |= _hit(own, x, y, z, near)
    return found


def _hit(starts: F64, x: F64, y: F64, z: F64, near: float) -> Bool:
    """Return which rays along z from points [n, 3] hit a triangle of corners x, y, z [T, 3]."""
    # twice the areas of the triangles of a point and each edge, as factors of its x, y and 1
    nx, ny = x[:, [1, 2, 0]], y[:, [1, 2, 0]]
    factors = np.stack((y - ny, nx - x, x * ny - nx * y))  # [3, T, 3 edges]
    areas = factors[2].sum(axis=1)
    factors *= np.where(areas < 0, -1.0, 1.0)[None, :, None]
    flat = np.concatenate((starts[:, :2], np.ones((len(starts), 1))), axis=1)
    depth, within = np.zeros((len(starts), len(areas))), np.ones((len(starts), len(areas)), bool)
    for edge in range(3):
        share = flat @ factors[..., edge]
        within &= share >= 0
        depth += share * z[:, (edge + 2) % 3]
    beyond = depth > (starts[:, 2] + near)[:, None] * np.abs(areas)
    return np.asarray((within & beyond & (areas != 0)).any(axis=1))


_SPHERE = 6.0 * np.sqrt(np.pi)  # volume of a sphere times this is its area to the power of 1.5


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
        return _SPHERE * self.volumes / np.maximum(self.areas, _NONE) ** 1.5


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


_NONE = 1e-300  # instead of a divisor of 0


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The triangles [T] of a drawn mesh, and their parts."""

    index: int  # of the mesh
    mesh: Mesh
    instance: MeshInstance  # the first one
    triangles: Triangles
    parts: Parts

    def first_vertex(self, primitive: int) -> int:
        """Return the number of the first vertex of a primitive, by position in the mesh."""
        return sum(len(each.positions) for each in self.mesh.primitives[:primitive])


@dataclass(frozen=True, slots=True, eq=False)
class PosedSurface:
    """A surface in the rest pose, model space, metres."""

    corners: F64  # [T, 3, 3]
    fronts: F64  # [T, 3] unit normals of the fronts


def drawn_surfaces(context: CheckContext) -> list[Surface]:
    """Return all drawn meshes with triangles, each once; call it by `context.cached`."""
    model, found = context.model, dict[int, Surface]()
    for instance in model.instances:
        if instance.in_scene and instance.mesh not in found:
            mesh = model.meshes[instance.mesh]
            triangles = triangles_of(mesh)
            if triangles is not None and len(triangles.sizes):
                parts = parts_of(triangles)
                found[instance.mesh] = Surface(instance.mesh, mesh, instance, triangles, parts)
    return list(found.values())


def posed_surfaces(context: CheckContext) -> list[PosedSurface]:
    """Return the drawn surfaces in the rest pose; call it by `context.cached`."""
    matrices = context.rest[0]
    return [_posed(context, surface, matrices) for surface in context.cached(drawn_surfaces)]


def _posed(context: CheckContext, surface: Surface, matrices: F64) -> PosedSurface:
    model, instance = context.model, surface.instance
    points = []
    for primitive in surface.mesh.primitives:
        block = vertex_block(model, instance, primitive, np.arange(len(primitive.positions)))
        shape = block.morphed(model.skeleton.rest.values)
        points.append(block.skinned(block.palette(matrices), shape))
    corners = np.concatenate(points)[surface.triangles.vertices]
    fronts = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    fronts /= np.maximum(length(fronts), _NONE)[:, None]
    whole = matrices[instance.joint]
    if instance.skin >= 0 and len(model.skins[instance.skin].joints):
        skin = model.skins[instance.skin]
        whole = matrices[skin.joints[0]] @ skin.inverse_bind[0]
    mirrored = np.linalg.det(whole[:3, :3]) < 0  # glTF 2.0, section 3.7.4
    return PosedSurface(corners, -fronts if mirrored else fronts)


def material_of(context: CheckContext, primitive: Primitive) -> Material:
    """Return the material of a primitive, glTF's default one if it has none."""
    return context.model.materials[primitive.material] if primitive.material >= 0 else Material()


def strongest_entries(surface: Surface) -> Index:
    """Return the entry [V] of the skin with the greatest weight of each vertex, -1: none."""
    found = []
    for primitive in surface.mesh.primitives:
        entries = np.full(len(primitive.positions), -1)
        if primitive.joints is not None and primitive.weights is not None:
            slots = primitive.weights.argmax(axis=1)
            entries = primitive.joints[np.arange(len(slots)), slots].astype(np.intp)
        found.append(entries)
    return np.concatenate(found)


def followed_joints(context: CheckContext, surface: Surface) -> Index:
    """Return the joint [T] that each triangle follows: the strongest one of its first vertex."""
    instance = surface.instance
    if instance.skin < 0:
        return np.full(len(surface.triangles.sizes), instance.joint)
    entries = strongest_entries(surface)[surface.triangles.vertices[:, 0]]
    joints = context.model.skins[instance.skin].joints.astype(np.intp)
    return np.where(entries < 0, instance.joint, joints[entries])
