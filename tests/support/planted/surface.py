"""Faults of weights, morph targets and inverse bind matrices, planted where the surface is quiet.

A place is quiet if the edges near it hardly stretch in any pose of the clips, so that the size of a
planted fault is that of the displacement it makes: of a vertex, or of the middle of a patch.
"""

import re
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from rigview.animation.model_space import to_model_transforms
from rigview.animation.vectors import length
from rigview.checks.check_context import CheckContext
from rigview.checks.joint_bindings import bindings
from rigview.checks.rule_list import rule
from rigview.checks.rule_settings import Settings
from rigview.checks.surface_graph import morphed_surface, skinned_surface
from tests.support.planted.fault_class import FaultClass

MOST = 10  # places
SIZES = (0.5, 1.05, 2.0, 5.0, 10.0)
POSES = 600  # of all clips, in which displacements are determined
QUIET = 0.1  # of the limit: the greatest stretch of an edge near a place
PATCH = 10  # nodes
SHARE = 6  # regions are at most this part of an island
CANDIDATES = 40  # quiet nodes of a mesh, to choose places from
COARSE = 0.8  # of the limit: shorter edges would fold at half of it
FINE = 0.7  # of the limit of folds: where a node is nearer to another one, the surface may fold
FAR = 3  # least distance in the hierarchy to a joint of another limb
SIDES = (("Left", "Right"), (".L", ".R"), ("_L", "_R"), ("left", "right"))


class Place(NamedTuple):
    """Where a fault is planted."""

    mesh: int  # instance of the model
    vertices: tuple  # of (primitive, row)
    column: int  # entry of the skin, or morph target
    reach: float  # metres of displacement per unit of what is planted
    cause: str  # name of the joint or target


class _Skin(NamedTuple):
    """A skinned surface with its motion in all clips."""

    surface: object  # SurfaceGraph
    joints: np.ndarray  # [S] of the whole skin
    names: list
    palettes: np.ndarray  # [T, S, 3, 4]
    quiet: np.ndarray  # nodes
    nearest: np.ndarray  # [N] nodes at the other end of the shortest edge
    short: np.ndarray  # [N] metres, the shortest edge of each node


def with_model(context, model):
    """A context of a changed model whose clips move as before."""
    made = CheckContext(model, clips=context.clips)
    made._sampled |= context._sampled
    return made


def limit_of(context, identity, name="mm"):
    """A limit of a rule in metres."""
    return Settings().limits_of(rule(identity), context.scale)[name] / 1000


def shortest(surface, unit):
    """The nearest neighbour [N] of each node, and its distance [N], metres."""
    lengths = unit * length(surface.points[surface.begin] - surface.points[surface.end])
    lengths[surface.touching] = np.inf
    order = np.lexsort((lengths, surface.begin))
    nearest, short = np.arange(surface.count), np.full(surface.count, np.inf)
    nodes, first = np.unique(surface.begin[order], return_index=True)
    nearest[nodes], short[nodes] = surface.end[order[first]], lengths[order[first]]
    return nearest, short


def is_fine(context, short, *, fine):
    """Whether nodes with a shortest edge [n] fold the surface at the limit of folds.

    Without `fine`: whether they do not at half the limit of others.
    """
    if fine:
        return short < FINE * limit_of(context, "surface-weights", "fold")
    return short > COARSE * limit_of(context, "surface-weights")


def _skins(context, _=-1):
    """The skinned surfaces, by instance; call it by `context.cached`."""
    found, model = {}, context.model
    poses = [context.sampled(c).matrices for c in context.clips]
    if not poses:
        return found
    step = max(1, sum(map(len, poses)) // POSES)
    matrices = np.concatenate([each[::step] for each in poses])
    for number, instance in enumerate(model.instances):
        surface = skinned_surface(model, instance)
        if surface is None:
            continue
        skin = model.skins[instance.skin]
        palettes = matrices[:, skin.joints, :3] @ skin.inverse_bind.astype(float)
        names = [model.skeleton.names[joint] for joint in skin.joints.tolist()]
        stretch = _stretch(surface, palettes[:, surface.columns])
        quiet = _quiet(surface, stretch, QUIET * limit_of(context, "surface-weights"))
        unit = context.cached(bindings)[instance.skin].size
        found[number] = _Skin(
            surface, skin.joints, names, palettes, quiet, *shortest(surface, unit)
        )
    return found


def _stretch(surface, palettes):
    """The greatest displacement [E] of the middle of each edge, metres."""
    stretch = np.zeros(len(surface.begin))
    for some in np.array_split(np.arange(len(stretch)), 1 + len(stretch) // 2000):
        steps = surface.values[surface.begin[some]] - surface.values[surface.end[some]]
        moving = np.flatnonzero(np.abs(steps).sum(axis=1) > 1e-6)
        if not len(moving):
            continue
        edges = some[moving]
        middle = (surface.points[surface.begin[edges]] + surface.points[surface.end[edges]]) / 2
        for each in np.array_split(palettes, 1 + len(palettes) // 100):
            matrices = np.einsum("es,tsab->teab", steps[moving], each, optimize=True)
            moved = np.einsum("teab,eb->tea", matrices[..., :3], middle) + matrices[..., 3]
            most = np.sqrt((moved**2).sum(axis=-1)).max(axis=0)
            stretch[edges] = np.maximum(stretch[edges], most)
    return stretch


def _quiet(surface, stretch, most):
    """The nodes of large islands with at least three neighbours and only quiet edges near."""
    near = np.zeros(surface.count)
    np.maximum.at(near, surface.begin, stretch)
    for _ in range(2):
        np.maximum.at(near, surface.begin, near[surface.end])
    large = np.bincount(surface.island, minlength=surface.count)[surface.island] >= 4 * PATCH
    return np.flatnonzero(large & (near <= most) & (np.diff(surface.first) >= 3))


def _spread(rows, count=MOST):
    """Up to `count` of some rows, spread over them."""
    return rows[np.unique(np.linspace(0, len(rows) - 1, min(count, len(rows))).astype(int))]


def _grown(surface, node, count):
    """A node and those around it, at least `count` if there are as many."""
    inside = np.array([node])
    while len(inside) < count:
        edges, _ = surface.around(inside)
        more = np.union1d(inside, surface.end[edges])
        if len(more) == len(inside):
            break
        inside = more
    return inside


def _candidates(context, skin, size=1, *, fine=False):
    """Quiet regions [n] of `size` nodes or more, each a small part of its island."""
    quiet = skin.quiet[is_fine(context, skin.short[skin.quiet], fine=fine)]
    for node in _spread(quiet, CANDIDATES).tolist():
        nodes = _grown(skin.surface, node, size)
        if not is_fine(context, skin.short[nodes], fine=fine).all():
            continue
        island = np.count_nonzero(skin.surface.island == skin.surface.island[node])
        if np.isin(nodes, skin.quiet).all() and len(nodes) * SHARE <= island:
            yield nodes


def _reaches(skin, nodes):
    """How far [S] full weights of each joint would displace the mean of nodes, metres."""
    return length(_furthest(skin, nodes)[0])


def _furthest(skin, nodes):
    """The greatest displacements [S, 3] by full weights of each joint, and their poses [S].

    That of the border of nodes, in the mean of its edges.
    """
    edges, _ = skin.surface.around(nodes)
    nodes = skin.surface.begin[edges[~np.isin(skin.surface.end[edges], nodes)]]
    points = np.append(skin.surface.points[nodes], np.ones((len(nodes), 1)), axis=1)
    mean = points.mean(axis=0)
    values = np.zeros((len(nodes), len(skin.joints)))
    values[:, skin.surface.columns] = skin.surface.values[nodes]
    placed = np.einsum("ns,tsab,nb->ta", values, skin.palettes, points, optimize=True) / len(nodes)
    off = skin.palettes @ mean - placed[:, None]
    poses = (off**2).sum(axis=-1).argmax(axis=0)
    return off[poses, np.arange(len(poses))], poses


def _steps(parents, a, b):
    """The distance of two joints in the hierarchy."""
    chains = []
    for joint in (a, b):
        chain = []
        while joint >= 0:
            chain.append(joint)
            joint = parents[joint]
        chains.append(chain)
    common = [joint for joint in chains[0] if joint in chains[1]]
    return sum(chain.index(common[0]) for chain in chains) if common else len(parents)


def _place(number, skin, nodes, column, reach):
    parts, rows = skin.surface.vertices_of(nodes)
    vertices = tuple(zip(parts.tolist(), rows.tolist(), strict=True))
    return Place(number, vertices, column, float(reach), skin.names[column])


def _near_joints(skin, nodes):
    """The entries of the skin with a weight in nodes or beside them."""
    around = np.union1d(nodes, skin.surface.end[skin.surface.around(nodes)[0]])
    held = (skin.surface.values[around] >= 0.02).any(axis=0)
    return skin.surface.columns[held].tolist()


def far_places(context, size=1, most=SIZES[-1], *, fine=False):
    """Places where a joint of another limb displaces `size` nodes by up to `most` limits.

    `fine`: nodes of a fine surface, which folds.
    """
    parents = context.model.skeleton.parents.tolist()
    least = most * limit_of(context, "surface-weights", "fold" if fine else "mm")
    found = []
    for number, skin in context.cached(_skins).items():
        for k, nodes in enumerate(_candidates(context, skin, size, fine=fine)):
            held, reaches = skin.joints[_near_joints(skin, nodes)].tolist(), _reaches(skin, nodes)
            if fine:
                reaches = reaches * _folding(skin, nodes[0], least / most)
            far = [
                column
                for column in np.flatnonzero(reaches >= least).tolist()
                if all(_steps(parents, int(skin.joints[column]), own) >= FAR for own in held)
            ]
            if far:
                column = far[k * 7 % len(far)]
                found.append(_place(number, skin, nodes, column, reaches[column]))
    return _few(found)


def _folding(skin, node, size):
    """Whether each joint [S] turns a triangle over, where it displaces a node by `size` metres."""
    surface = skin.surface
    moved, poses = _furthest(skin, np.array([node]))
    by = moved * (size / np.maximum(length(moved), 1e-30))[:, None]
    corners = surface.triangles[(surface.triangles == node).any(axis=1)]
    points = np.append(surface.points[corners], np.ones((*corners.shape, 1)), axis=2)
    values = surface.values[corners]
    palettes = skin.palettes[poses][:, surface.columns]
    placed = np.einsum("tks,psab,tkb->ptka", values, palettes, points, optimize=True)
    other = placed + (corners == node)[..., None] * by[:, None, None]
    sides, turned = (
        np.cross(t[:, :, 1] - t[:, :, 0], t[:, :, 2] - t[:, :, 0]) for t in (placed, other)
    )
    return ((sides * turned).sum(axis=-1) < 0).any(axis=1)


def _few(found, count=MOST):
    """Up to `count` of a list, spread over it."""
    rows = np.unique(np.linspace(0, len(found) - 1, min(count, len(found))).astype(int))
    return [found[row] for row in rows.tolist()] if found else []


def opposite_places(context):
    """Places where the joint of the other side displaces a vertex by up to ten limits."""
    least = SIZES[-1] * limit_of(context, "surface-weights")
    found = []
    for number, skin in context.cached(_skins).items():
        for nodes in _candidates(context, skin):
            held = _near_joints(skin, nodes)
            own = max(held, key=partial(_weight, skin, nodes[0]))
            other = _mirrored(skin.names, own)
            if other >= 0 and other not in held:
                reach = _reaches(skin, nodes)[other]
                if reach >= least:
                    found.append(_place(number, skin, nodes, other, reach))
    return _few(found)


def _weight(skin, node, column):
    return float(skin.surface.values[node, skin.surface.columns == column].sum())


def _mirrored(names, column):
    """The entry with the name of the other side, -1: none."""
    for left, right in SIDES:
        for here, there in ((left, right), (right, left)):
            other = re.sub(re.escape(here), there, names[column])
            if other != names[column] and other in names:
                return names.index(other)
    return -1


def root_places(context):
    """Places where the root joint displaces a vertex by at least two limits."""
    parents = context.model.skeleton.parents.tolist()
    least = 2 * limit_of(context, "surface-weights")
    found = []
    for number, skin in context.cached(_skins).items():
        joints = skin.joints.tolist()
        root = next(c for c, joint in enumerate(joints) if not _above(parents, joint) & set(joints))
        for nodes in _candidates(context, skin):
            reach = _reaches(skin, nodes)[root]
            if reach >= least and root not in _near_joints(skin, nodes):
                found.append(_place(number, skin, nodes, root, reach))
    return _few(found)


def _above(parents, joint):
    found = set()
    while parents[joint] >= 0:
        joint = parents[joint]
        found.add(joint)
    return found


def plant_weights(context, place, size, *, full=False, clips=True, limit="mm"):
    """Give vertices a weight of a joint that displaces them by `size` limits, or the whole."""
    model = context.model
    instance = model.instances[place.mesh]
    weight = 1.0
    if not full:
        weight = size * limit_of(context, "surface-weights", limit) / place.reach
    parts = list(model.meshes[instance.mesh].primitives)
    for number in {part for part, _ in place.vertices}:
        rows = np.array([row for part, row in place.vertices if part == number])
        joints, weights = parts[number].joints.copy(), parts[number].weights.copy()
        slots = weights[rows].argmin(axis=1)
        weights[rows, slots] = 0
        weights[rows] *= (1 - weight) / weights[rows].sum(axis=1, keepdims=True)
        joints[rows, slots], weights[rows, slots] = place.column, weight
        parts[number] = replace(parts[number], joints=joints, weights=weights)
    changed = _with_parts(model, instance.mesh, parts)
    return with_model(context, changed) if clips else without_clips(context, changed)


def without_clips(context, model):
    """A context of a model without its clips."""
    return CheckContext(replace(model, clips=()))


def vertex_of(surface, part, row):
    """The vertex of a surface with a row of a primitive."""
    return int(np.flatnonzero((surface.parts == part) & (surface.rows == row))[0])


def _with_parts(model, mesh, parts):
    meshes = list(model.meshes)
    meshes[mesh] = replace(meshes[mesh], primitives=tuple(parts))
    return replace(model, meshes=tuple(meshes))


def morph_places(context, *, fine=False):
    """Places where a morph target moves a vertex as those around it."""
    found, model = [], context.model
    limit = limit_of(context, "surface-morph")
    for number, instance in enumerate(model.instances):
        surface = morphed_surface(model, instance)
        if surface is None:
            continue
        matrix = to_model_transforms(model.skeleton, model.skeleton.rest)[0][instance.joint]
        unit = 1.0
        if instance.skin >= 0:
            skin = model.skins[instance.skin]
            rest = to_model_transforms(model.skeleton, model.skeleton.rest)[0]
            matrix = np.median(rest[skin.joints] @ skin.inverse_bind, axis=0)
        unit = np.cbrt(abs(np.linalg.det(matrix[:3, :3])))
        part = next(p for p in model.meshes[instance.mesh].primitives if p.morph is not None)
        weights = [
            np.abs(context.sampled(c).values[:, model.channels[instance.channel].slice]).max(axis=0)
            for c in context.clips
        ]
        greatest = np.maximum(1, np.max([*weights, np.ones(len(part.morph.names))], axis=0))
        steps = surface.values[surface.begin] - surface.values[surface.end]
        for target, name in enumerate(part.morph.names):
            off = steps[:, 3 * target : 3 * target + 3]
            stretch = np.sqrt((off**2).sum(axis=1)) * unit * greatest[target]
            quiet = _quiet(surface, stretch, QUIET * limit)
            quiet = quiet[is_fine(context, shortest(surface, unit)[1][quiet], fine=fine)]
            reach = float(unit * greatest[target])
            for node in _spread(quiet).tolist():
                parts, rows = surface.vertices_of(np.array([node]))
                vertices = tuple(zip(parts.tolist(), rows.tolist(), strict=True))
                found.append(Place(number, vertices, target, reach, name))
    return _few(found)


def plant_morph(context, place, size, *, limit="mm"):
    """Displace a vertex of a morph target by `size` limits, if of folds past the nearest one."""
    model = context.model
    mesh = model.instances[place.mesh].mesh
    parts = list(model.meshes[mesh].primitives)
    way = np.array([0.6, 0.0, 0.8])
    if limit == "fold":
        surface = morphed_surface(model, model.instances[place.mesh])
        node = int(surface.nodes[vertex_of(surface, *place.vertices[0])])
        way = surface.points[shortest(surface, 1.0)[0][node]] - surface.points[node]
    by = way / length(way) * size * limit_of(context, "surface-morph", limit) / place.reach
    for part, row in place.vertices:
        positions = parts[part].morph.positions.copy()
        positions[place.column, row] += by
        parts[part] = replace(parts[part], morph=replace(parts[part].morph, positions=positions))
    return with_model(context, _with_parts(model, mesh, parts))


WEIGHTS, MORPH = ("surface-weights",), ("surface-morph",)
CLASSES = (
    FaultClass("weight of another limb", WEIGHTS, far_places, plant_weights, SIZES),
    FaultClass(
        "patch with a weight of another limb",
        WEIGHTS,
        partial(far_places, size=PATCH),
        plant_weights,
        SIZES,
    ),
    FaultClass("weight of the other side", WEIGHTS, opposite_places, plant_weights, SIZES),
    FaultClass(
        "vertex that belongs to the root joint",
        WEIGHTS,
        root_places,
        partial(plant_weights, full=True),
    ),
    FaultClass(
        "vertex of another limb, without clips",
        WEIGHTS,
        far_places,
        partial(plant_weights, full=True, clips=False),
    ),
    FaultClass(
        "weight that folds a fine surface",
        WEIGHTS,
        partial(far_places, fine=True),
        partial(plant_weights, limit="fold"),
        SIZES,
    ),
    FaultClass("vertex of a morph target", MORPH, morph_places, plant_morph, SIZES),
    FaultClass(
        "vertex of a morph target that folds a fine surface",
        MORPH,
        partial(morph_places, fine=True),
        partial(plant_morph, limit="fold"),
        SIZES,
    ),
)
