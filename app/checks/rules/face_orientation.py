"""Rules about the sides of faces: parts and patches inside out, normals on the other side.

A part of a mesh is a set of triangles that share edges. It is inside out if its volume is negative
and its backs are seen from outside; linings, mouths and outlines of toon characters are not. The
front of a triangle is that of glTF 2.0, section 3.7.4: negative scales reverse the winding order.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...animation.model_space import to_model_transforms
from ...animation.types import F64, Bool, Index
from ...animation.vectors import length
from ...model.material import Material
from ...model.model import Mesh, MeshInstance, Primitive
from ...model.skinned_vertices import vertex_block
from ...wording import counted, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule
from ..mesh_parts import Parts, Triangles, connected, parts_of, triangles_of
from ..open_sides import DIRECTIONS, open_sides

_ROUND = 0.1  # least volume, relative to a sphere's, of a part with openings that has an inside
_THIN = 1e-3  # the same of a part without openings
_SAMPLES = 32  # triangles of a part from which rays start
_SEEN = 0.01  # least share of rays that leave the back of a part that is inside out
_MORE = 2.0  # how many times more rays leave its back than its front
_MOST = 32  # parts of a mesh that are examined by rays, the largest ones
_AGAINST = -0.2  # cosine between a face and its normals that are on the other side
_SHELL = 0.02  # of the height: how far an outline is from the surface that it surrounds
_DARK = 0.1  # of the base colour of an outline
_OUTLINES = ("outline", "hull", "shell", "contour", "toonline")  # in names of materials
_SKINNED_ROOM = 0.05  # of the area of a room: what is in it
_WHOLE = 0.5  # of the area of a mesh: a fault of more is one of the mesh, not of its parts


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The triangles [T] of a drawn mesh, and their parts."""

    index: int  # of the mesh
    mesh: Mesh
    instance: MeshInstance
    triangles: Triangles
    parts: Parts


@dataclass(frozen=True, slots=True, eq=False)
class Posed:
    """A surface in the rest pose, in model space."""

    points: F64  # [V, 3] of the vertices of all primitives
    corners: F64  # [T, 3, 3]
    fronts: F64  # [T, 3] unit normals of the fronts


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """Which triangles [T] of a surface face inward, and which do so on purpose."""

    inward: Bool
    meant: Bool


def drawn_surfaces(context: CheckContext, _: int) -> list[Surface]:
    """Return all drawn meshes with triangles, each once."""
    model, found = context.model, dict[int, Surface]()
    for instance in model.instances:
        if instance.in_scene and instance.mesh not in found:
            mesh = model.meshes[instance.mesh]
            triangles = triangles_of(mesh)
            if triangles is not None and len(triangles.sizes):
                parts = parts_of(triangles)
                found[instance.mesh] = Surface(instance.mesh, mesh, instance, triangles, parts)
    return list(found.values())


def posed_surfaces(context: CheckContext, _: int) -> list[Posed]:
    """Return the surfaces in the rest pose."""
    skeleton = context.model.skeleton
    matrices, _rotations = to_model_transforms(skeleton, skeleton.rest)
    return [_posed(context, surface, matrices) for surface in context.cached(drawn_surfaces)]


def _posed(context: CheckContext, surface: Surface, matrices: F64) -> Posed:
    model, instance = context.model, surface.instance
    points = []
    for primitive in surface.mesh.primitives:
        rows = np.arange(len(primitive.positions))
        block = vertex_block(model, instance, primitive, rows)
        shape = block.morphed(model.skeleton.rest.values)
        points.append(block.skinned(block.palette(matrices), shape))
    placed = np.concatenate(points)
    corners = placed[surface.triangles.vertices]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(length(normals), 1e-300)[:, None]
    whole = matrices[instance.joint]
    if instance.skin >= 0 and len(model.skins[instance.skin].joints):
        skin = model.skins[instance.skin]
        whole = matrices[skin.joints[0]] @ skin.inverse_bind[0]
    mirrored = np.linalg.det(whole[:3, :3]) < 0
    return Posed(placed, corners, -normals if mirrored else normals)


def sides_of_surfaces(context: CheckContext, _: int) -> list[_Sides]:
    surfaces = context.cached(drawn_surfaces)
    return [_sides(context, number) for number in range(len(surfaces))]


def _sides(context: CheckContext, number: int) -> _Sides:
    """Return which triangles of a surface face inward: of a part, all or those of a patch."""
    surface = context.cached(drawn_surfaces)[number]
    parts, sizes = surface.parts, surface.triangles.sizes
    outward = _outward(context, surface)
    least = np.where(parts.closed, _THIN, _ROUND)
    sure = (np.abs(parts.roundness) > least) & ~parts.one_sided
    inward = parts.turned == (outward > 0)[parts.label]
    meant = np.zeros(len(inward), bool)
    # flat parts have no inside: there the smaller side is wrong
    turned = np.bincount(parts.label, sizes * parts.turned)
    smaller = turned <= parts.areas
    inward = np.where(sure[parts.label], inward, parts.turned == smaller[parts.label])
    inward &= ~parts.one_sided[parts.label]
    wrong = np.bincount(parts.label, sizes * inward)
    suspects = np.flatnonzero(sure & (wrong > parts.areas))  # more than half: areas are half sizes
    suspects = suspects[np.argsort(-parts.areas[suspects], kind="stable")]
    for rank, part in enumerate(suspects.tolist()):
        rows = np.flatnonzero(parts.label == part)
        if rank < _MOST and _is_outline(context, number, rows):
            inward[rows], meant[rows] = False, True
        elif rank >= _MOST or not _is_inside_out(context, number, rows):
            inward[rows] = ~inward[rows]
    return _Sides(inward, meant)


def _outward(context: CheckContext, surface: Surface) -> F64:
    """Return the volumes of the parts [N], negative where joints mirror parts that face outward."""
    volumes, instance, model = surface.parts.volumes, surface.instance, context.model
    if instance.skin < 0 or not len(model.skins[instance.skin].joints):
        return volumes
    skin = model.skins[instance.skin]
    palette = skin.palette(model.skeleton.to_model(model.skeleton.rest))[..., :3]
    mirrored = np.linalg.det(palette) < 0
    mirrored ^= mirrored[0]  # the winding order of the whole mesh
    if not mirrored.any():
        return volumes
    signs = np.concatenate(
        [np.where(_strongest(each, mirrored), -1.0, 1.0) for each in surface.mesh.primitives]
    )
    weights = surface.triangles.sizes * signs[surface.triangles.vertices[:, 0]]
    return volumes * np.where(np.bincount(surface.parts.label, weights) < 0, -1.0, 1.0)


def _strongest(primitive: Primitive, values: Bool) -> Bool:
    """Return values [S] of the joint of the greatest weight of each vertex [V]."""
    if primitive.joints is None or primitive.weights is None:
        return np.zeros(len(primitive.positions), bool)
    slots = primitive.weights.argmax(axis=1)
    return values[primitive.joints[np.arange(len(slots)), slots]]


def _samples(sizes: F64) -> Index:
    """Return the rows of some triangles, evenly distributed over their area."""
    total = np.cumsum(sizes)
    places = (np.arange(_SAMPLES) + 0.5) / _SAMPLES * total[-1]
    return np.unique(np.searchsorted(total, places).clip(0, len(sizes) - 1))


def _is_inside_out(context: CheckContext, number: int, rows: Index) -> bool:
    """Return whether the backs of a part are seen from outside, and its fronts hardly are."""
    surface, posed = context.cached(drawn_surfaces)[number], context.cached(posed_surfaces)[number]
    if _is_room(context, number, rows):
        return False
    some = rows[_samples(surface.triangles.sizes[rows])]
    turned = surface.parts.turned[rows]
    most = np.count_nonzero(turned) * 2 > len(rows)
    flip = np.where(surface.parts.turned[some] == most, 1.0, -1.0)
    middles = posed.corners[some].mean(axis=1)
    fronts = posed.fronts[some] * flip[:, None]
    front, back = open_sides(middles, fronts, context.cached(_occluders))
    return back > _SEEN and back > _MORE * front


def _occluders(context: CheckContext, _: int) -> F64:
    """Return the corners [T, 3, 3] of all triangles that cannot be seen through."""
    found = [np.zeros((0, 3, 3))]
    for surface, posed in zip(
        context.cached(drawn_surfaces), context.cached(posed_surfaces), strict=True
    ):
        clear = [_is_clear(_material(context, each)) for each in surface.mesh.primitives]
        found.append(posed.corners[~np.array(clear)[surface.triangles.primitives]])
    return np.concatenate(found)


def _is_clear(material: Material) -> bool:
    return material.alpha_mode == "BLEND" or material.transmission is not None


def _material(context: CheckContext, primitive: Primitive) -> Material:
    return context.model.materials[primitive.material] if primitive.material >= 0 else Material()


def _is_room(context: CheckContext, number: int, rows: Index) -> bool:
    """Return whether a part is a room: in a file without skins it has all other parts inside."""
    if context.model.skins:
        return False
    all_posed = context.cached(posed_surfaces)
    own = all_posed[number].corners[rows].reshape(-1, 3)
    rest = np.ones(len(all_posed[number].corners), bool)
    rest[rows] = False
    others = [posed.corners for k, posed in enumerate(all_posed) if k != number]
    within = np.concatenate((all_posed[number].corners[rest], *others))
    points = within.reshape(-1, 3)
    inside = (points >= own.min(axis=0)).all() and (points <= own.max(axis=0)).all()
    return bool(inside) and _area(within) > _SKINNED_ROOM * _area(own.reshape(-1, 3, 3))


def _area(corners: F64) -> float:
    """Return the area of triangles [n, 3, 3]."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(length(across).sum()) / 2


def _is_outline(context: CheckContext, number: int, rows: Index) -> bool:
    """Return whether a part is the outline of a toon character: an enlarged copy, inside out."""
    surface = context.cached(drawn_surfaces)[number]
    used = np.unique(surface.triangles.primitives[rows]).tolist()
    materials = [_material(context, surface.mesh.primitives[p]) for p in used]
    if any(each.double_sided for each in materials):
        return False
    if not all(map(_draws_outlines, materials)) and not _has_copy(context, number, rows):
        return False
    others = [np.zeros((0, 3))]
    for k, posed in enumerate(context.cached(posed_surfaces)):
        rest = np.ones(len(posed.corners), bool)
        if k == number:
            rest[rows] = False
        others.append(posed.corners[rest].reshape(-1, 3))
    around = np.concatenate(others)
    own = context.cached(posed_surfaces)[number].corners[rows, 0]
    step = max(1, len(own) // _SAMPLES)
    near = _SHELL * context.height
    close = [
        bool(len(around)) and float(((around - point) ** 2).sum(axis=1).min()) < near**2
        for point in own[::step]
    ]
    return sum(close) > 0.9 * len(close)


def _draws_outlines(material: Material) -> bool:
    dark = max(material.base_color[:3]) <= _DARK and material.base_color_texture is None
    named = any(word in material.name.lower() for word in _OUTLINES)
    return dark or material.unlit or named


def _has_copy(context: CheckContext, number: int, rows: Index) -> bool:
    """Return whether another part has as many triangles, of another material."""
    here = context.cached(drawn_surfaces)[number]
    used = {here.mesh.primitives[p].material for p in here.triangles.primitives[rows].tolist()}
    for surface in context.cached(drawn_surfaces):
        counts = np.bincount(surface.parts.label)
        for part in np.flatnonzero(counts == len(rows)).tolist():
            first = int(np.argmax(surface.parts.label == part))
            primitive = surface.mesh.primitives[surface.triangles.primitives[first]]
            if primitive.material not in used:
                return True
    return False


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Faulty triangles of a surface that are one finding."""

    rows: Index  # [n] triangles
    extent: float  # of the largest connected patch, metres
    primitive: int  # position in Mesh.primitives of most of them
    joint: str  # that most of them follow


def _groups(context: CheckContext, number: int, faulty: Bool, least: float) -> list[_Group]:
    """Return faulty triangles by material and joint, without patches smaller than `least` metres.

    If most of the mesh is faulty, it is one group.
    """
    if not faulty.any():
        return []
    surface, posed = context.cached(drawn_surfaces)[number], context.cached(posed_surfaces)[number]
    pairs = surface.parts.beside[faulty[surface.parts.beside].all(axis=1)]
    patch = connected(len(faulty), pairs)
    extents = _extents(patch[faulty], posed.corners[faulty])
    faulty = faulty.copy()
    faulty[faulty] = extents >= least
    kept, sizes = np.flatnonzero(faulty), surface.triangles.sizes
    if not len(kept):
        return []
    extents = extents[extents >= least]
    owners, joints = surface.triangles.primitives[kept], _followed(context, surface)[kept]
    if sizes[kept].sum() > _WHOLE * sizes.sum():
        key = np.zeros(len(kept), np.intp)
    else:  # a patch, or a part, is named by what most of it has
        key = _common(surface.parts.label[kept], owners * (len(context.model.skeleton.names) + 1) + joints)
    found = []
    for value in np.unique(key).tolist():
        own = key == value
        primitive, joint = _usual(owners[own]), _usual(joints[own])
        name = context.model.skeleton.names[joint]
        found.append(_Group(kept[own], float(extents[own].max()), primitive, name))
    return found


def _usual(values: Index) -> int:
    """Return the most frequent of some numbers."""
    return int(np.bincount(values).argmax())


def _common(label: Index, values: Index) -> Index:
    """Return the most frequent value [n] among those with the same label."""
    found = np.empty_like(values)
    for one in np.unique(label).tolist():
        rows = label == one
        kinds, counts = np.unique(values[rows], return_counts=True)
        found[rows] = kinds[counts.argmax()]
    return found


def _extents(patch: Index, corners: F64) -> F64:
    """Return the greatest extents [n] of the patches of triangles [n, 3, 3], metres."""
    order = np.argsort(patch, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(patch[order]) != 0))
    along = corners[order] @ DIRECTIONS.T  # [n, 3, 26]
    high = np.maximum.reduceat(along.max(axis=1), starts, axis=0)
    low = np.minimum.reduceat(along.min(axis=1), starts, axis=0)
    widths = (high - low).max(axis=1)
    found = np.empty(len(patch))
    found[order] = np.repeat(widths, np.diff(np.append(starts, len(patch))))
    return found


def _followed(context: CheckContext, surface: Surface) -> Index:
    """Return the joint [T] that each triangle follows: of the greatest weight of its vertices."""
    model, instance = context.model, surface.instance
    if instance.skin < 0:
        return np.full(len(surface.triangles.sizes), instance.joint)
    joints = model.skins[instance.skin].joints.astype(np.intp)
    found = []
    for each in surface.mesh.primitives:
        if each.joints is None or each.weights is None:
            found.append(np.full(len(each.positions), instance.joint))
        else:
            slots = each.weights.argmax(axis=1)
            found.append(joints[each.joints[np.arange(len(slots)), slots]])
    return np.concatenate(found)[surface.triangles.vertices[:, 0]]


def _finding(
    context: CheckContext, number: int, group: _Group, limits: Limits, what: str, *, seen: bool
) -> Finding:
    """Return the finding of a group; `what` is wrong with its triangles."""
    surface = context.cached(drawn_surfaces)[number]
    primitive = surface.mesh.primitives[group.primitive]
    own = surface.triangles.primitives[group.rows] == group.primitive
    first = sum(len(each.positions) for each in surface.mesh.primitives[: group.primitive])
    vertices = np.unique(surface.triangles.vertices[group.rows[own]]) - first
    material = _material(context, primitive).name
    of = f" with material {quoted(material)}" if material else ""
    every = len(surface.triangles.sizes)
    number_of = "all" if len(group.rows) == every else str(len(group.rows))
    return Finding(
        f"{number_of} of {counted(every, 'triangle')} of mesh {quoted(surface.mesh.name)}{of}, "
        f"at {quoted(group.joint)}, {what}",
        amount=group.extent * 1000,
        unit="mm",
        limit=limits["mm"],
        place=f"/meshes/{surface.index}/primitives/{primitive.number}",
        joint=group.joint,
        item=surface.mesh.name,
        vertices=tuple(vertices.tolist()),
        size=min(group.extent, context.height) if seen else None,
        touches=len(vertices),
    )


def _inward(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for number, sides in enumerate(context.cached(sides_of_surfaces)):
        surface = context.cached(drawn_surfaces)[number]
        for group in _groups(context, number, sides.inward, limits["mm"] / 1000):
            material = _material(context, surface.mesh.primitives[group.primitive])
            against = _cosines(surface, group.rows)
            lit = material.double_sided and not material.unlit and (against < 0).mean() > 0.5
            parts = np.unique(surface.parts.label[group.rows])
            whole = len(group.rows) == np.isin(surface.parts.label, parts).sum()
            where = "face inward: a part is inside out" if whole else "face inward, unlike the rest"
            if not material.double_sided:
                effect = "they are not drawn from outside, and the inside shows"
            elif lit:
                effect = "their material is double-sided, but they are lit from the wrong side"
            else:
                effect = "their material is double-sided, so that nothing shows"
            seen = lit or not material.double_sided
            yield _finding(
                context, number, group, limits, f"{where}; {effect}", seen=bool(seen)
            )


def _cosines(surface: Surface, rows: Index) -> F64:
    """Return the greatest cosine [n] between triangles and their normals; 1 without normals."""
    normals = np.concatenate(
        [
            np.zeros_like(each.positions) if each.normals is None else each.normals
            for each in surface.mesh.primitives
        ]
    )
    found = np.full(len(rows), -1.0)
    for corner in range(3):
        own = normals[surface.triangles.vertices[rows, corner]]
        dots = np.einsum("nk,nk->n", own, surface.triangles.normals[rows])
        found = np.maximum(found, np.where((own != 0).any(axis=1), dots, np.inf))
    return found / surface.triangles.sizes[rows]


def _against(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for number, surface in enumerate(context.cached(drawn_surfaces)):
        cosines = _cosines(surface, np.arange(len(surface.triangles.sizes)))
        faulty = cosines < _AGAINST
        if not faulty.any():
            continue
        unlit = np.array([_material(context, each).unlit for each in surface.mesh.primitives])
        sides = context.cached(sides_of_surfaces)[number]
        faulty &= ~sides.inward & ~sides.meant & ~unlit[surface.triangles.primitives]
        for group in _groups(context, number, faulty, limits["mm"] / 1000):
            yield _finding(
                context,
                number,
                group,
                limits,
                "have normals on the other side of the face: they are lit from the wrong side",
                seen=True,
            )


_LIMITS = (
    Limit("mm", 3.6, "mm", "extent of a patch of such triangles: 0.2 % of the height", scaled=True),
)
RULES: tuple[Rule, ...] = (
    Rule(
        "faces-inward",
        "size",
        "a part of a mesh, or a patch, is inside out: its faces are turned to the inside",
        "flip the faces (Blender: Mesh > Normals > Recalculate Outside, Maya: Mesh Display > "
        "Reverse); after a mirrored copy apply the negative scale first",
        _inward,
        _LIMITS,
        group="Mesh",
    ),
    Rule(
        "normals-against-faces",
        "size",
        "the normals of triangles point to the other side than their faces",
        "recompute the normals (Blender: Mesh > Normals > Reset Vectors, Maya: Unlock Normals), "
        "or flip the faces",
        _against,
        _LIMITS,
        group="Mesh",
    ),
)
