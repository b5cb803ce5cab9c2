"""Rules about the reach of joints: vertices bound to a distant one, joints without influence.

Distance alone is no criterion: a cape bound to the back may reach the feet. Wrongly bound
vertices have an edge: the vertices next to them belong to joints of another limb.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...animation.types import F32, F64, Bool, Index
from ...animation.vectors import length
from ...wording import counted, listed, measure, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule
from ..stored_meshes import StoredInfluences, StoredMeshes
from .inverse_bind import Binding, bindings

_MIN_WEIGHT = 0.3  # the smallest weight of a joint that a vertex belongs to
MAX_JOINTS = 2000  # of a skin, since all pairs of its joints are compared
_SOME = 0.05  # the smallest weight of a vertex in the region of a joint
_STEPS = 2  # least distance in the hierarchy between the distant and the near joint
_RELATED = 2  # greatest distance in the hierarchy of joints that blend into each other
_ALONE = 5  # least distance in the hierarchy for a disconnected part of the mesh
_TRUNK = 0.4  # of the skin's joints: a joint with more descendants is part of the trunk
_LOT = 2048  # vertices processed at once
# Words in names of joints without influence on purpose: ends of chains, attachment points.
_MEANT = (
    "end tip nub nib leaf top site locator socket attach attachment mount point prop weapon slot "
    "hold grip camera look eye root origin reference motion center centre marker dummy"
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")  # of “LeftToe_End”


@dataclass(frozen=True, slots=True, eq=False)
class BoneSegments:
    """The segments from the joints of a skin to their children, in mesh space."""

    owners: Index  # [B] entry of the skin
    starts: F64  # [B, 3]
    steps: F64  # [B, 3]

    def of(self, entry: int) -> "BoneSegments":
        """Return the segments of one joint."""
        own = self.owners == entry
        return BoneSegments(self.owners[own], self.starts[own], self.steps[own])

    def distances(self, points: F64) -> F64:
        """Return the distances [n, B] of points [n, 3]."""
        squares = (self.steps**2).sum(axis=1)
        along = points @ self.steps.T - (self.starts * self.steps).sum(axis=1)
        fraction = np.clip(along / np.where(squares > 0, squares, 1), 0, 1)
        off = points[:, None] - self.starts - fraction[..., None] * self.steps
        return np.asarray(length(off))


class Suspects(NamedTuple):
    """Vertices far from a joint that they belong to and near another."""

    rows: Index  # [n] vertices
    joints: Index  # [n] entries of the skin
    away: F64  # [n] distance to that joint, units of the mesh
    nearest: Index  # [n] entries of the skin


def bones(binding: Binding) -> BoneSegments:
    """Return the segments of a skin; a leaf joint is a point."""
    up, ends = binding.above, binding.bind[:, :3, 3]
    below = np.flatnonzero(up >= 0)
    leaves = np.setdiff1d(np.arange(len(up)), up[below])
    return BoneSegments(
        np.concatenate((up[below], leaves)),
        np.concatenate((ends[up[below]], ends[leaves])),
        np.concatenate((ends[below] - ends[up[below]], np.zeros((len(leaves), 3)))),
    )


def _suspects(
    influences: StoredInfluences,
    points: F64,
    all_bones: BoneSegments,
    far: float,
    ratio: float,
    steps: Index,
    above: Index,
) -> Suspects:
    """Return vertices further than `far` from their joint and `ratio` times nearer to another."""
    belongs = np.where(influences.finite[:, None], influences.weights, 0) >= _MIN_WEIGHT
    belongs &= influences.joints < len(steps)
    vertices, slots = np.nonzero(belongs)
    entries = influences.joints[vertices, slots]
    away = np.zeros(len(vertices))
    for entry in np.unique(entries).tolist():
        own = entries == entry
        away[own] = all_bones.of(entry).distances(points[vertices[own]]).min(axis=1)
    kept = np.flatnonzero(away > far)
    nearest, near = np.zeros(len(kept), np.intp), np.full(len(kept), np.inf)
    for lot in np.split(np.arange(len(kept)), range(_LOT, len(kept), _LOT)):
        if len(lot):
            distances = all_bones.distances(points[vertices[kept[lot]]])
            bone = distances.argmin(axis=1)
            near[lot] = distances[np.arange(len(lot)), bone]
            nearest[lot] = all_bones.owners[bone]
    odd = (near * ratio < away[kept]) & (steps[entries[kept], nearest] >= _STEPS)
    odd &= ~_in_line(above)[entries[kept], nearest]
    odd &= ~_blends(influences, vertices[kept], entries[kept], nearest, steps)
    kept = kept[odd]
    return Suspects(vertices[kept], entries[kept], away[kept], nearest[odd])


def _blends(
    influences: StoredInfluences, vertices: Index, entries: Index, nearest: Index, steps: Index
) -> Bool:
    """Return [n] which vertices a joint between the two limbs holds too, as the hips at a crotch.

    It is on the way from the one joint to the other, close to both.
    """
    held = influences.weights[vertices] >= _SOME  # [n, slots]
    others = np.minimum(influences.joints[vertices], len(steps) - 1)
    here, there = steps[entries[:, None], others], steps[others, nearest[:, None]]
    between = here + there == steps[entries, nearest][:, None]
    between &= (here > 0) & (here <= _RELATED) & (there <= _RELATED)
    return np.asarray((held & between).any(axis=1))


def _chains(above: Index) -> F32:
    """Return [S, S]: 1 where the second joint is the first one or its ancestor."""
    chains = np.eye(len(above), dtype=np.float32)
    rows, up = np.arange(len(above)), above
    while (up >= 0).any():
        rows, up = rows[up >= 0], up[up >= 0]
        chains[rows, up] = 1
        up = above[up]
    return chains


def _steps(above: Index) -> Index:
    """Return the distances [S, S] in the hierarchy; large between separate trees."""
    chains = _chains(above)
    lengths, common = chains.sum(axis=1), chains @ chains.T
    steps = lengths[:, None] + lengths - 2 * common
    return np.where(common > 0, steps, len(above) + _ALONE).astype(np.intp)


def _in_line(above: Index) -> Bool:
    """Return [S, S] whether one of two close joints is an ancestor of the other: not a limb."""
    chains = _chains(above)
    return np.asarray(((chains + chains.T) > 0) & (_steps(above) <= _RELATED))


def _trunk(above: Index) -> Bool:
    """Return [S] whether a joint is part of the trunk: whether it has many descendants."""
    return np.asarray(_chains(above).sum(axis=0) >= _TRUNK * len(above))


class _Surface:
    """Connectivity of a mesh's vertices: by triangles and by equal positions."""

    def __init__(self, stored: StoredMeshes, influences: StoredInfluences, points: F32) -> None:
        self.position = _position_indices(
            points
        )  # [V] index of the position, equal for coincident vertices
        edges = [np.zeros((0, 2), np.intp)]
        for primitive in stored.primitives:
            if (
                primitive.mesh == influences.mesh
                and primitive.attributes["POSITION"] == influences.points
            ):
                corners = stored.indices(primitive)
                if corners is None:
                    corners = np.arange(len(points) // 3 * 3).reshape(-1, 3)
                edges.append(self.position[corners[:, [0, 1, 1, 2, 2, 0]]].reshape(-1, 2))
        ends = np.concatenate(edges)
        self.edges = np.concatenate((ends, ends[:, ::-1]))

    def regions(self, inside: Bool) -> tuple[Index, dict[int, Index]]:
        """Return the connected regions of the positions [P] that are inside.

        Returns
        -------
        label
            [P] region of each position; undefined outside.
        beside
            Adjacent positions outside of each region, by its label.
        """
        label = np.arange(len(inside))
        near = self.edges[inside[self.edges[:, 0]]]
        within = inside[near[:, 1]]
        edges = near[within]
        while True:  # propagate the least label of the neighbours until nothing changes
            before = label.copy()
            np.minimum.at(label, edges[:, 0], label[edges[:, 1]])
            label = label[label]
            if (label == before).all():
                break
        out = near[~within]
        owners = label[out[:, 0]]
        return label, {int(one): out[owners == one, 1] for one in np.unique(owners)}


def _position_indices(points: F32) -> Index:
    """Return an index [V] of the unique position of points [V, 3]."""
    order = np.lexsort(points.T)
    placed = points[order]
    new = np.append(True, (placed[1:] != placed[:-1]).any(axis=1))
    position = np.empty(len(points), np.intp)
    position[order] = np.cumsum(new) - 1
    return position


def _wrongly_bound(
    stored: StoredMeshes,
    influences: StoredInfluences,
    points: F32,
    suspects: Suspects,
    binding: Binding,
    steps: Index,
) -> Bool:
    """Return [n] which suspects are wrongly bound.

    Each connected region of vertices that share the joint is judged as a whole. It is right if
    vertices of joints that are close in the hierarchy are next to it. A region without neighbours
    is a separate part, which is right if it is bound to the trunk.
    """
    surface, trunk = _Surface(stored, influences, points), _trunk(binding.above)
    count = int(surface.position.max()) + 1
    weighted = influences.weights >= _SOME
    named = np.minimum(influences.joints, len(steps) - 1)
    found = np.zeros(len(suspects.rows), bool)
    for joint in np.unique(suspects.joints).tolist():
        rows = np.flatnonzero(suspects.joints == joint)
        inside, related = np.zeros(count, bool), np.zeros(count, bool)
        inside[surface.position[((named == joint) & weighted).any(axis=1)]] = True
        related[surface.position[((steps[joint] <= _RELATED)[named] & weighted).any(axis=1)]] = True
        label, beside = surface.regions(inside)
        own = label[surface.position[suspects.rows[rows]]]
        for region in np.unique(own).tolist():
            here = rows[own == region]
            if region in beside:
                found[here] = not related[beside[region]].any()
            else:
                distances = steps[joint, suspects.nearest[here]]
                whole = len(here) == np.count_nonzero(label[surface.position] == region)
                found[here] = whole and not trunk[joint] and bool((distances >= _ALONE).all())
    return found


class _Found(NamedTuple):
    """The wrongly bound vertices of one primitive."""

    place: str
    vertices: int  # of the primitive
    rows: Index  # [n] vertices
    vertex: int  # the furthest of them
    mm: float
    joint: int  # the joint it belongs to
    other: int  # the joint it is close to


def _far(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    stored, names = context.stored, context.model.skeleton.names
    by_mesh: dict[int, list[_Found]] = {}
    sizes: dict[int, int] = {}
    for influences in stored.influences if stored else ():
        sizes[influences.mesh] = sizes.get(influences.mesh, 0) + len(influences)
        for binding in context.cached(bindings):
            if (
                stored
                and binding.index in influences.skins
                and binding.regular.all()
                and binding.size
                and len(binding.above) <= MAX_JOINTS
            ):
                found = _judge(context, stored, influences, binding, limits)
                by_mesh.setdefault(influences.mesh, []).extend([found] if found else [])
    for index, found_in in by_mesh.items():
        if not found_in:
            continue
        worst, mesh = (
            max(found_in, key=lambda far_vertices: far_vertices.mm),
            context.model.meshes[index].name,
        )
        joint, other = names[worst.joint], names[worst.other]
        number = sum(
            len(rows)
            for rows in {
                far_vertices.place: far_vertices.rows for far_vertices in found_in
            }.values()
        )
        vertices = counted(sizes[index], "vertex", "vertices")
        yield Finding(
            f"{number} of {vertices} of mesh {quoted(mesh)} "
            f"{'belongs' if number == 1 else 'belong'} to distant joints: vertex {worst.vertex} "
            f"is {measure(worst.mm, 'mm')} from {quoted(joint)}, but close to "
            f"{quoted(other)}",
            amount=worst.mm,
            unit="mm",
            limit=limits["mm"],
            place=worst.place,
            joint=joint,
            item=mesh,
            vertices=tuple(worst.rows.tolist()),
            size=worst.mm / 1000,
            touches=number,
        )


def _judge(
    context: CheckContext,
    stored: StoredMeshes,
    influences: StoredInfluences,
    binding: Binding,
    limits: Limits,
) -> _Found | None:
    points = stored.accessors.floats(influences.points)
    if not np.isfinite(points).all():
        return None
    steps = context.cached(_all_steps)[binding.index]
    far = limits["mm"] / 1000 / binding.size
    suspects = _suspects(
        influences,
        points.astype(np.float64),
        bones(binding),
        far,
        limits["ratio"],
        steps,
        binding.above,
    )
    if not len(suspects.rows):
        return None
    odd = _wrongly_bound(stored, influences, points, suspects, binding, steps)
    if not odd.any():
        return None
    k = int(np.where(odd, suspects.away, 0).argmax())
    return _Found(
        influences.place,
        len(influences),
        np.unique(suspects.rows[odd]),
        int(suspects.rows[k]),
        float(suspects.away[k] * binding.size * 1000),
        int(binding.joints[suspects.joints[k]]),
        int(binding.joints[suspects.nearest[k]]),
    )


def _all_steps(context: CheckContext, _: int) -> list[Index]:
    none = np.zeros((0, 0), np.int64)
    return [
        _steps(binding.above) if len(binding.above) <= MAX_JOINTS else none
        for binding in context.cached(bindings)
    ]


def used_joints(context: CheckContext) -> Bool:
    """Return [J] whether a joint or a descendant has vertices, a mesh, a camera or a light."""
    model, stored = context.model, context.stored
    used = np.zeros(model.skeleton.count, bool)
    for influences in stored.influences if stored else ():
        times = np.bincount(influences.joints[influences.moves])
        for skin in influences.skins:
            joints = model.skins[skin].joints
            used[joints[np.flatnonzero(times[: len(joints)])]] = True
    rows = context.document.rows("nodes") if context.document else []
    for joint, node in enumerate(model.skeleton.nodes.tolist()):
        row = rows[node]
        rigid = row.get("mesh") is not None and row.get("skin") is None
        if rigid or row.get("camera") is not None or row.get("extensions"):
            used[joint] = True
    for joint in range(model.skeleton.count - 1, -1, -1):  # children come after their parents
        if used[joint] and model.skeleton.parents[joint] >= 0:
            used[model.skeleton.parents[joint]] = True
    return used


def _meant(name: str) -> bool:
    meant = _MEANT.split()
    words = [word.lower() for word in _WORD.findall(name)]
    return any(word in meant or word.endswith(("nub", "nib")) for word in words)


def _ends_chain(context: CheckContext, joint: int, used: Bool) -> bool:
    """Return whether a joint only marks the end of the bone above it, as exporters add them.

    It is the only joint below one that moves vertices, and has none below it.
    """
    parents = context.model.skeleton.parents
    parent = int(parents[joint])
    alone = np.count_nonzero(parents == parent) == 1 and not (parents == joint).any()
    return parent >= 0 and bool(used[parent]) and alone


def _unused(context: CheckContext, _: Limits) -> Iterator[Finding]:
    stored, names = context.stored, context.model.skeleton.names
    skinned = {skin for skins in stored.skins_of.values() for skin in skins} if stored else set()
    used = used_joints(context) if skinned else np.zeros(0, bool)
    reported: set[int] = set()  # skins often share their joints
    for index in sorted(skinned):
        skin = context.model.skins[index]
        idle = [
            joint for joint in skin.joints.tolist() if not used[joint] and joint not in reported
        ]
        reported.update(idle)
        found = [
            joint
            for joint in idle
            if not _meant(names[joint]) and not _ends_chain(context, joint, used)
        ]
        if found:
            yield Finding(
                f"{len(found)} of {counted(len(skin.joints), 'joint')} of skin {quoted(skin.name)} "
                f"{'has' if len(found) == 1 else 'have'} no influence on any vertex, nor have "
                f"their descendants: {listed([names[j] for j in found])}",
                amount=len(found),
                unit="joints",
                place=f"/skins/{index}/joints",
                joint=names[found[0]],
                item=skin.name,
                touches=len(found),
            )


RULES: tuple[Rule, ...] = (
    Rule(
        "weights-far",
        "size",
        "a vertex belongs to a distant joint although a joint of another limb is close "
        f"(in skins of up to {MAX_JOINTS} joints)",
        "remove the weight of the distant joint from these vertices and smooth their neighbours; "
        "the viewer shows them in the weights of that joint",
        _far,
        (
            Limit("mm", 100, "mm", "distance of a vertex from its joint", scaled=True),
            Limit("ratio", 3, "", "how many times nearer another joint is"),
        ),
        group="Rig",
    ),
    Rule(
        "joints-unused",
        "info",
        "a joint of a skin and its descendants have no influence on any vertex, and it is no "
        "end of a chain, nor has it the name of an end or of an attachment point",
        "export only deforming joints: in Blender's exporter Armature > Export Deformation Bones "
        "Only, in Maya bind to the deforming joints",
        _unused,
        group="Rig",
    ),
)
