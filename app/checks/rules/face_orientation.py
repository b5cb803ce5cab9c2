"""Rules about the sides of faces: parts and patches inside out, normals on the other side.

A part of a mesh is a set of triangles that share edges. It is inside out if its volume is negative
and its backs are seen from outside; linings, mouths and outlines of toon characters are not. The
front of a triangle is that of glTF 2.0, section 3.7.4: negative scales reverse the winding order.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...animation.types import F64, Bool, Index
from ...animation.vectors import length
from ...model.material import Material
from ...wording import counted, quoted
from ..check_context import CheckContext
from ..drawn_surfaces import (
    DIRECTIONS,
    Surface,
    drawn_surfaces,
    followed_joints,
    material_of,
    open_sides,
    posed_surfaces,
    strongest_entries,
)
from ..finding import Finding, Limit, Limits, rule
from ..surface_graph import connected

_ROUND = 0.1  # least volume, relative to a sphere's, of a part with openings that has an inside
_THIN = 1e-3  # the same of a part without openings
_SAMPLES = 32  # triangles of a part from which rays start, vertices of an outline
_SEEN = 0.01  # least share of rays that leave the back of a part that is inside out
_MORE = 2.0  # how many times more rays leave its back than its front
_MOST = 32  # parts of a mesh that are examined by rays, the largest ones
_AGAINST = -0.2  # cosine between a face and its normals that are on the other side
_SHELL = 0.02  # of the height: how far an outline is from the surface that it surrounds
_NEARLY_ALL = 0.9  # of its vertices
_DARK = 0.1  # of the base colour of an outline
_OUTLINES = ("outline", "hull", "shell", "contour")  # in names of materials
_CONTENTS = 0.05  # of the area of a room: what is in it
_WHOLE = 0.5  # of the area of a mesh: beyond it the mesh is one finding, not its parts
_EXTENT = Limit("mm", 3.6, "mm", "extent of connected triangles, 0.2 % of the height", scaled=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """Which triangles [T] of a surface face inward, and which do so on purpose."""

    inward: Bool
    meant: Bool


def _all_sides(context: CheckContext) -> list[_Sides]:
    return [_sides(context, number) for number in range(len(context.cached(drawn_surfaces)))]


def _sides(context: CheckContext, number: int) -> _Sides:
    """Return which triangles of a surface face inward: of a part, all or those of a patch."""
    surface = context.cached(drawn_surfaces)[number]
    parts, sizes = surface.parts, surface.triangles.sizes
    label, half = parts.label, parts.areas  # sizes are twice the areas
    solid = np.abs(parts.roundness) > np.where(parts.closed, _THIN, _ROUND)
    smaller = np.bincount(label, sizes * parts.turned) <= half  # flat parts have no inside
    wrong = np.where(solid, _outward(context, surface) > 0, smaller)
    inward = (parts.turned == wrong[label]) & ~parts.one_sided[label]
    meant = np.zeros(len(inward), bool)
    suspects = np.flatnonzero(solid & (np.bincount(label, sizes * inward) > half))
    suspects = suspects[np.argsort(-parts.areas[suspects], kind="stable")]
    for rank, part in enumerate(suspects.tolist()):
        rows = np.flatnonzero(label == part)
        if rank < _MOST and _is_outline(context, number, rows):
            inward[rows], meant[rows] = False, True
        elif rank >= _MOST or not _is_inside_out(context, number, rows, inward[rows]):
            inward[rows] = ~inward[rows]
    return _Sides(inward, meant)


def _outward(context: CheckContext, surface: Surface) -> F64:
    """Return the volumes of the parts [N], of which joints may mirror some but not all."""
    volumes, instance, model = surface.parts.volumes, surface.instance, context.model
    if instance.skin < 0 or not len(model.skins[instance.skin].joints):
        return volumes
    skin = model.skins[instance.skin]
    palette = skin.palette(model.skeleton.to_model(model.skeleton.rest))
    mirrored = np.linalg.det(palette[..., :3, :3]) < 0
    mirrored ^= mirrored[0]  # reverses the winding order of the whole mesh
    if not mirrored.any():
        return volumes
    entries = strongest_entries(surface)[surface.triangles.vertices[:, 0]]
    signs = np.where(mirrored[entries] & (entries >= 0), -1.0, 1.0)
    signs = np.bincount(surface.parts.label, surface.triangles.sizes * signs)
    return volumes * np.where(signs < 0, -1.0, 1.0)


def _is_inside_out(context: CheckContext, number: int, rows: Index, inward: Bool) -> bool:
    """Return whether the backs of a part are seen from outside, and its fronts hardly are."""
    if _is_room(context, number, rows):
        return False
    posed = context.cached(posed_surfaces)[number]
    total = np.cumsum(context.cached(drawn_surfaces)[number].triangles.sizes[rows])
    places = (np.arange(_SAMPLES) + 0.5) / _SAMPLES * total[-1]
    some = np.unique(np.searchsorted(total, places).clip(0, len(rows) - 1))
    fronts = posed.fronts[rows[some]] * np.where(inward[some], 1.0, -1.0)[:, None]
    middles = posed.corners[rows[some]].mean(axis=1)
    occluders = np.concatenate((context.cached(_occluders), posed.corners[rows]))
    front, back = open_sides(middles, fronts, occluders)
    return back > _SEEN and back > _MORE * front


def _occluders(context: CheckContext) -> F64:
    """Return the corners [T, 3, 3] of all triangles that cannot be seen through."""
    found = [np.zeros((0, 3, 3))]
    surfaces, all_posed = context.cached(drawn_surfaces), context.cached(posed_surfaces)
    for surface, posed in zip(surfaces, all_posed, strict=True):
        materials = [material_of(context, each) for each in surface.mesh.primitives]
        clear = [each.alpha_mode == "BLEND" or each.transmission is not None for each in materials]
        found.append(posed.corners[~np.array(clear)[surface.triangles.primitives]])
    return np.concatenate(found)


def _others(context: CheckContext, number: int, rows: Index) -> F64:
    """Return the corners [n, 3, 3] of all triangles but those of a part."""
    found = [posed.corners for posed in context.cached(posed_surfaces)]
    found[number] = np.delete(found[number], rows, axis=0)
    return np.concatenate(found)


def _is_room(context: CheckContext, number: int, rows: Index) -> bool:
    """Return whether a part is a room: in a file without skins it has all other parts inside."""
    if context.model.skins:
        return False
    own = context.cached(posed_surfaces)[number].corners[rows]
    others = _others(context, number, rows)
    low, high = own.min(axis=(0, 1)), own.max(axis=(0, 1))
    inside = ((others >= low) & (others <= high)).all()
    return bool(inside) and _area(others) > _CONTENTS * _area(own)


def _area(corners: F64) -> float:
    """Return the area of triangles [n, 3, 3]."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(length(across).sum()) / 2


def _is_outline(context: CheckContext, number: int, rows: Index) -> bool:
    """Return whether a part is the outline of a toon character: an enlarged copy, inside out."""
    surface = context.cached(drawn_surfaces)[number]
    used = np.unique(surface.triangles.primitives[rows]).tolist()
    materials = [material_of(context, surface.mesh.primitives[p]) for p in used]
    if any(each.double_sided for each in materials):
        return False
    if not all(map(_draws_outlines, materials)) and not _has_copy(context, number, rows):
        return False
    around = _others(context, number, rows).reshape(-1, 3)
    if not len(around):
        return False
    own = context.cached(posed_surfaces)[number].corners[rows, 0]
    some = own[np.linspace(0, len(own) - 1, min(len(own), _SAMPLES)).astype(np.intp)]
    apart = [float(length(around - point).min()) for point in some]
    near = np.array(apart) < _SHELL * context.height
    return bool(near.mean() >= _NEARLY_ALL)


def _draws_outlines(material: Material) -> bool:
    dark = max(material.base_color[:3]) <= _DARK and material.base_color_texture is None
    named = any(word in material.name.lower() for word in _OUTLINES)
    return dark or named


def _has_copy(context: CheckContext, number: int, rows: Index) -> bool:
    """Return whether a part of another material has as many triangles."""
    here = context.cached(drawn_surfaces)[number]
    used = np.unique(here.triangles.primitives[rows]).tolist()
    materials = {here.mesh.primitives[p].material for p in used}
    for surface in context.cached(drawn_surfaces):
        same = np.flatnonzero(np.bincount(surface.parts.label) == len(rows))
        owners = surface.triangles.primitives[np.isin(surface.parts.label, same)]
        found = {surface.mesh.primitives[p].material for p in np.unique(owners).tolist()}
        if found - materials:
            return True
    return False


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Faulty triangles of a surface that are one finding."""

    rows: Index  # [n] triangles
    extent: float  # of the largest connected patch, metres
    primitive: int  # position in Mesh.primitives, of most of them
    joint: str  # that most of them follow


def _groups(context: CheckContext, number: int, faulty: Bool, least: float) -> list[_Group]:
    """Return faulty triangles by parts, without patches smaller than `least`, metres.

    Parts of the same primitive and joint are one group; so is all if most of the mesh is faulty.
    """
    surface, rows = context.cached(drawn_surfaces)[number], np.flatnonzero(faulty)
    if not len(rows):
        return []
    posed = context.cached(posed_surfaces)[number]
    beside = surface.parts.beside
    patch = connected(len(faulty), *beside[faulty[beside].all(axis=1)].T)
    extents = _extents(patch[rows], posed.corners[rows])
    rows, extents = rows[extents >= least], extents[extents >= least]
    if not len(rows):
        return []
    owners, joints = surface.triangles.primitives[rows], followed_joints(context, surface)[rows]
    names, sizes = context.model.skeleton.names, surface.triangles.sizes
    if sizes[rows].sum() > _WHOLE * sizes.sum():
        key = np.zeros(len(rows), np.intp)
    else:
        key = _most_frequent(surface.parts.label[rows], owners * len(names) + joints)
    found = []
    for value in np.unique(key).tolist():
        own = key == value
        owner, joint = (int(np.bincount(each[own]).argmax()) for each in (owners, joints))
        found.append(_Group(rows[own], float(extents[own].max()), owner, names[joint]))
    return found


def _extents(patch: Index, corners: F64) -> F64:
    """Return the greatest extent [n] of the patch of each triangle [n, 3, 3], metres."""
    order = np.argsort(patch, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(patch[order]) != 0))
    along = corners[order] @ DIRECTIONS.T  # [n, 3, directions]
    high = np.maximum.reduceat(along.max(axis=1), starts, axis=0)
    low = np.minimum.reduceat(along.min(axis=1), starts, axis=0)
    found = np.empty(len(patch))
    counts = np.diff(np.append(starts, len(patch)))
    found[order] = np.repeat((high - low).max(axis=1), counts)
    return found


def _most_frequent(label: Index, values: Index) -> Index:
    """Return the most frequent value [n] among those with the same label."""
    pairs, counts = np.unique(np.stack((label, values)), axis=1, return_counts=True)
    order = np.lexsort((counts, pairs[0]))  # of each label the most frequent value comes last
    last = np.append(np.diff(pairs[0][order]) != 0, True)
    kinds, best = pairs[0][order][last], pairs[1][order][last]
    return np.asarray(best[np.searchsorted(kinds, label)])


def _finding(
    context: CheckContext, number: int, group: _Group, what: str, *, seen: bool
) -> Finding:
    """Return the finding of a group; `what` is wrong with its triangles, and whether it is seen."""
    surface = context.cached(drawn_surfaces)[number]
    primitive = surface.mesh.primitives[group.primitive]
    own = group.rows[surface.triangles.primitives[group.rows] == group.primitive]
    vertices = np.unique(surface.triangles.vertices[own]) - surface.first_vertex(group.primitive)
    name, every = material_of(context, primitive).name, len(surface.triangles.sizes)
    of = counted(every, "triangle")
    return Finding(
        f"{f'all {of}' if len(group.rows) == every else f'{len(group.rows)} of {of}'} of mesh "
        f"{quoted(surface.mesh.name)}{f' with material {quoted(name)}' if name else ''}, at "
        f"{quoted(group.joint)}, {what}",
        amount=group.extent * 1000,
        place=f"/meshes/{surface.index}/primitives/{primitive.number}",
        joint=group.joint,
        item=surface.mesh.name,
        vertices=tuple(vertices.tolist()),
        size=min(group.extent, context.height) if seen else None,
        touches=len(vertices),
    )


@rule(
    "faces-inward",
    "size",
    "a part of a mesh, or a patch of it, is inside out: its faces are turned to the inside "
    "(info if its material is double-sided, and nothing shows)",
    "turn the faces to the outside (Blender: Mesh > Normals > Recalculate Outside, Maya: Mesh "
    "Display > Reverse); of a mirrored copy apply the negative scale before",
    _EXTENT,
)
def _inward(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for number, sides in enumerate(context.cached(_all_sides)):
        surface = context.cached(drawn_surfaces)[number]
        for group in _groups(context, number, sides.inward, limits["mm"] / 1000):
            material = material_of(context, surface.mesh.primitives[group.primitive])
            label = surface.parts.label
            of_parts = np.isin(label, label[group.rows])
            one = len(group.rows) == 1
            if np.count_nonzero(of_parts) == len(group.rows):
                what = f"{'is' if one else 'are'} inside out"
            else:
                what = f"{'faces' if one else 'face'} inward, unlike the rest"
            lit = not material.unlit and bool((_cosines(surface, group.rows) < 0).mean() > _WHOLE)
            if not material.double_sided:
                effect = "from outside one looks through, at the inside"
            elif lit:
                effect = "the material is double-sided, but lit from the wrong side"
            else:
                effect = "nothing shows, as the material is double-sided"
            seen = lit or not material.double_sided
            yield _finding(context, number, group, f"{what}: {effect}", seen=seen)


def _cosines(surface: Surface, rows: Index) -> F64:
    """Return the greatest cosine [n] between a triangle and its normals; infinite without them."""
    normals = [
        np.zeros_like(each.positions) if each.normals is None else each.normals
        for each in surface.mesh.primitives
    ]
    every, found = np.concatenate(normals), np.full(len(rows), -np.inf)
    fronts = surface.triangles.normals[rows] / surface.triangles.sizes[rows, None]
    for corner in range(3):
        own = every[surface.triangles.vertices[rows, corner]]
        cosines = np.einsum("nk,nk->n", own, fronts)
        found = np.maximum(found, np.where((own != 0).any(axis=1), cosines, np.inf))
    return found


@rule(
    "normals-against-faces",
    "size",
    "the normals of triangles point to the other side than their faces",
    "recompute the normals (Blender: Mesh > Normals > Reset Vectors, Maya: Mesh Display > Set "
    "to Face), or turn the faces",
    _EXTENT,
)
def _against(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for number, surface in enumerate(context.cached(drawn_surfaces)):
        faulty = _cosines(surface, np.arange(len(surface.triangles.sizes))) < _AGAINST
        if not faulty.any():
            continue
        unlit = np.array([material_of(context, each).unlit for each in surface.mesh.primitives])
        sides = context.cached(_all_sides)[number]
        faulty &= ~sides.inward & ~sides.meant & ~unlit[surface.triangles.primitives]
        for group in _groups(context, number, faulty, limits["mm"] / 1000):
            what = (
                f"{'has' if len(group.rows) == 1 else 'have'} normals on the other side of the "
                "face: the light comes from the wrong side"
            )
            yield _finding(context, number, group, what, seen=True)
