"""Faces and normals of patches and parts of a surface, turned to the other side."""

from dataclasses import replace

import numpy as np

from rigview.checks.check_context import CheckContext
from rigview.checks.drawn_surfaces import drawn_surfaces, material_of, open_sides, posed_surfaces
from rigview.checks.rule_list import rule
from tests.support.planted.fault_class import FaultClass

PLACES = 10
SIZES = (0.5, 1.2, 2.0, 5.0, 10.0)
WIDE = 12  # times the limit: the least extent of a part with a patch
SOLID = 0.15  # least volume relative to a sphere's of a part with an inside
ALIGNED = 0.5  # least cosine between a face and its normals
SEEN = 0.05  # of the rays from a part that leave the character


def limit_of(context):
    """The limit of the extent of a patch, metres."""
    (limit,) = rule("faces-inward").limits
    return limit.default / 1000 * context.scale


def extent(corners):
    """The greatest distance between some of the corners [n, 3, 3]."""
    points = corners.reshape(-1, 3)
    axes = np.random.default_rng(1).normal(size=(3, 200))
    return float(np.ptp(points @ (axes / np.linalg.norm(axes, axis=0)), axis=0).max())


def parts(context, least):
    """The surface, label and triangles of the parts of an extent that are seen from outside."""
    posed = context.cached(posed_surfaces)
    every = np.concatenate([each.corners for each in posed])
    for number, surface in enumerate(context.cached(drawn_surfaces)):
        sides = surface.parts
        solid = (sides.roundness > SOLID) & ~sides.one_sided
        for label in np.flatnonzero(solid).tolist():
            rows = np.flatnonzero(sides.label == label)
            corners, fronts = posed[number].corners[rows], posed[number].fronts[rows]
            if extent(corners) < least * limit_of(context):
                continue
            some = np.linspace(0, len(rows) - 1, min(len(rows), 24)).astype(int)
            if open_sides(corners[some].mean(axis=1), fronts[some], every)[0] > SEEN:
                yield number, label, rows


def part_places(context):
    """Up to ten of the largest visible parts."""
    areas = [each.parts.areas for each in context.cached(drawn_surfaces)]
    found = sorted(parts(context, 2), key=lambda place: -areas[place[0]][place[1]])
    return [(number, rows) for number, _, rows in found[:PLACES]]


def patch_places(context):
    """Up to ten triangles of large parts, evenly distributed over their area."""
    surfaces = context.cached(drawn_surfaces)
    rows = [(n, row) for n, _, rows in parts(context, WIDE) for row in rows.tolist()]
    if not rows:
        return []
    total = np.cumsum([surfaces[n].triangles.sizes[row] for n, row in rows])
    at = np.searchsorted(total, (np.arange(PLACES) + 0.5) / PLACES * total[-1])
    return [rows[k] for k in np.unique(at).tolist()]


def patch_places_with_normals(context):
    return [place for place in patch_places(context) if shows_normals(context, *place)]


def shows_normals(context, number, row):
    """Whether the normals of a triangle are on its side, and its material is single-sided."""
    surface = context.cached(drawn_surfaces)[number]
    p = int(surface.triangles.primitives[row])
    primitive = surface.mesh.primitives[p]
    if primitive.normals is None or material_of(context, primitive).double_sided:
        return False
    corners = surface.triangles.vertices[row] - surface.first_vertex(p)
    front = surface.triangles.normals[row] / surface.triangles.sizes[row]
    return bool((primitive.normals[corners] @ front > ALIGNED).all())


def grown(context, number, row, size):
    """The triangles [n] around one, of an extent: those that share more and more vertices."""
    surface, posed = context.cached(drawn_surfaces)[number], context.cached(posed_surfaces)[number]
    corners = surface.triangles.corners
    rows = np.array([row])
    while extent(posed.corners[rows]) < size:
        reached = np.isin(corners, corners[rows]).any(axis=1)
        reached &= surface.parts.label == surface.parts.label[row]
        reached &= surface.triangles.primitives == surface.triangles.primitives[row]
        more = np.flatnonzero(reached)
        if len(more) == len(rows):
            break
        rows = more
    return rows


def with_vertices(primitive, sources):
    """A primitive with copies of some vertices [n] at the end."""

    def copied(array, axis=0):
        if array is None:
            return None
        return np.concatenate((array, array.take(sources, axis=axis)), axis=axis)

    names = ("positions", "normals", "tangents", "colors", "joints", "weights", "weight_sums")
    morph = primitive.morph
    if morph is not None:
        moved = {name: copied(getattr(morph, name), 1) for name in MORPHED}
        morph = replace(morph, **moved)
    return replace(
        primitive,
        **{name: copied(getattr(primitive, name)) for name in names},
        texcoords=tuple(map(copied, primitive.texcoords)),
        morph=morph,
    )


MORPHED = ("positions", "normals", "tangents")


def listed(primitive):
    """The triangles [T, 3] of a primitive, to be changed."""
    rows = primitive.indices
    if rows is None:
        rows = np.arange(len(primitive.positions), dtype=np.uint32)
    return rows[: len(rows) // 3 * 3].reshape(-1, 3).copy()


def turned(context, number, rows, *, faces, normals):
    """The character with triangles of a surface that are turned, with vertices of their own."""
    surface = context.cached(drawn_surfaces)[number]
    primitives, first = list(surface.mesh.primitives), 0
    for p, primitive in enumerate(surface.mesh.primitives):
        own = rows[surface.triangles.primitives[rows] == p]
        corners = (surface.triangles.vertices[own] - first).astype(np.uint32)
        first += len(primitive.positions)
        if len(own):
            primitives[p] = turned_triangles(primitive, corners, faces, normals)
    return with_primitives(context, surface, primitives)


def turned_triangles(primitive, corners, faces, normals):
    """A primitive with some of its triangles, of corners [n, 3], turned."""
    triangles = listed(primitive)
    key = {tuple(each): k for k, each in enumerate(triangles.tolist())}
    places = [key[tuple(each)] for each in corners.tolist()]
    if normals:
        used, own = np.unique(corners, return_inverse=True)
        made = with_vertices(primitive, used)
        start = len(primitive.positions)
        made.normals[start:] *= -1
        primitive, corners = made, (own.reshape(-1, 3) + start).astype(np.uint32)
    triangles[places] = corners[:, ::-1] if faces else corners
    return replace(primitive, indices=triangles.reshape(-1))


def with_primitives(context, surface, primitives):
    """The character with other primitives of a surface."""
    meshes = list(context.model.meshes)
    meshes[surface.index] = replace(surface.mesh, primitives=tuple(primitives))
    model = replace(context.model, meshes=tuple(meshes))
    return CheckContext(model, clips=context.clips, motion=context.motion)


def inset(context, number, row, share):
    """The character with a triangle that has a smaller one inside, and the smaller one's row."""
    surface = context.cached(drawn_surfaces)[number]
    p = int(surface.triangles.primitives[row])
    first = sum(len(each.positions) for each in surface.mesh.primitives[:p])
    corners = (surface.triangles.vertices[row] - first).astype(np.uint32)
    old = surface.mesh.primitives[p]
    made, start = with_vertices(old, corners), len(old.positions)
    middle = old.positions[corners].mean(axis=0)
    made.positions[start:] = middle + share * (old.positions[corners] - middle)
    if old.weights is not None:
        blend_influences(made, corners, share)
    a, b, c = corners.tolist()
    x, y, z = range(start, start + 3)
    triangles = listed(old)
    place = np.flatnonzero((triangles == corners).all(axis=1))[0]
    ring = [(a, b, y), (a, y, x), (b, c, z), (b, z, y), (c, a, x), (c, x, z)]
    triangles[place] = x, y, z
    triangles = np.concatenate((triangles, np.array(ring, np.uint32)))
    primitives = list(surface.mesh.primitives)
    primitives[p] = replace(made, indices=triangles.reshape(-1))
    found = with_primitives(context, surface, primitives)
    return found, (number, p, (x, y, z))


def blend_influences(primitive, corners, share):
    """Give the last three vertices the influences inside a triangle [3], the strongest ones."""
    width = int(primitive.joints.max()) + 1
    dense = np.zeros((3, width))
    joints, weights = primitive.joints[corners], primitive.weights[corners]
    np.add.at(dense, (np.arange(3)[:, None], joints), weights)
    dense = share * dense + (1 - share) * dense.mean(axis=0)
    count = min(width, joints.shape[1])
    best = np.argsort(-dense, axis=1)[:, :count]
    kept = np.take_along_axis(dense, best, axis=1)
    primitive.joints[-3:, :count] = best
    primitive.weights[-3:] = 0
    primitive.weights[-3:, :count] = kept / kept.sum(axis=1, keepdims=True)


def patch(*, faces, normals):
    """A function that turns a patch of an extent in multiples of the limit."""

    def plant(context, place, size):
        number, row = place
        wanted = size * limit_of(context)
        corners = context.cached(posed_surfaces)[number].corners[[row]]
        share = wanted / extent(corners)
        if share >= 1:
            rows = grown(context, number, row, wanted)
            return turned(context, number, rows, faces=faces, normals=normals)
        made, (number, p, inner) = inset(context, number, row, share)
        surface = context.cached(drawn_surfaces)[number]
        primitives = list(made.model.meshes[surface.index].primitives)
        small = np.array([inner], np.uint32)
        primitives[p] = turned_triangles(primitives[p], small, faces, normals)
        return with_primitives(context, surface, primitives)

    return plant


def part(*, normals):
    """A function that turns a whole part."""

    def plant(context, place, _):
        number, rows = place
        return turned(context, number, rows, faces=True, normals=normals)

    return plant


def part_normals(context, place, _):
    number, rows = place
    return turned(context, number, rows, faces=False, normals=True)


def part_places_with_normals(context):
    return [
        (number, rows)
        for number, rows in part_places(context)
        if shows_normals(context, number, rows[len(rows) // 2])
    ]


def mesh_of(context, place):
    """The name of the mesh of a place."""
    return [context.cached(drawn_surfaces)[place[0]].mesh.name]


CLASSES: tuple[FaultClass, ...] = (
    FaultClass(
        "faces of a patch inverted",
        ("faces-inward",),
        patch_places,
        patch(faces=True, normals=False),
        SIZES,
        mesh_of,
    ),
    FaultClass(
        "faces of a patch inverted with their normals",
        ("faces-inward",),
        patch_places_with_normals,
        patch(faces=True, normals=True),
        SIZES,
        mesh_of,
    ),
    FaultClass(
        "normals of a patch negated",
        ("normals-against-faces",),
        patch_places_with_normals,
        patch(faces=False, normals=True),
        SIZES,
        mesh_of,
    ),
    FaultClass(
        "part inside out", ("faces-inward",), part_places, part(normals=False), causes=mesh_of
    ),
    FaultClass(
        "part inside out with its normals",
        ("faces-inward",),
        part_places_with_normals,
        part(normals=True),
        causes=mesh_of,
    ),
    FaultClass(
        "normals of a part negated",
        ("normals-against-faces",),
        part_places_with_normals,
        part_normals,
        causes=mesh_of,
    ),
)
