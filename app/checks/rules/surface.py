"""Rules about the surface: small regions that move unlike the surface around them, and their cause.

The surface is measured in poses of all clips, and at the end of each morph target. A region that
sticks out is traced to what its vertices have and their neighbours lack: a joint's weights, or a
morph target's displacements.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...animation.types import F32, F64, Index
from ...animation.vectors import length
from ...model.model import MeshInstance
from ...wording import counted, measure, number, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, rule
from ..joint_bindings import Binding, bindings, corrected_binds
from ..surface_graph import SurfaceGraph, island_contacts, morphed_surface, skinned_surface
from ..surface_outliers import (
    MorphMotion,
    Outlier,
    SkinMotion,
    outliers,
    point_kernels,
    torn_islands,
)
from ..surface_poses import measured_poses

_SOME = 0.05  # the smallest weight of a vertex in the region of a joint
_ALONE = 5  # least distance in the hierarchy to the joint of a wrong part
_FURTHER = 2.0  # times the distance of the joints beside: that of the joint of a wrong part
_RELATED = 2  # greatest distance in the hierarchy of joints that blend into each other
_LOT = 512  # poses processed at once
_LIMITS = (
    Limit("mm", 18, "mm", "distance from where the surface around is", scaled=True),
    Limit("fold", 3.6, "mm", "the same where triangles collapse or turn over", scaled=True),
)


class _Region(NamedTuple):
    """A region that sticks out because of the weights of a joint."""

    nodes: Index  # [n]
    joint: int  # of the skeleton
    weight: float  # of the joint, more than the surface around has
    folded: bool  # whether triangles of it collapse or turn over
    size: float  # metres
    clip: int  # in which it is that large; -1: of a turned joint
    time: float
    clips: frozenset[int]  # in which it is larger than the limit


class _Place(NamedTuple):
    """Where a surface is displaced most."""

    size: float  # metres
    clip: int
    time: float


@rule(
    "surface-weights",
    "size",
    "vertices stick out of the surface in a clip, because of weights that those around them "
    "do not have",
    "remove the weight of the joint from these vertices and smooth their neighbours; the "
    "viewer shows them in the weights of that joint",
    *_LIMITS,
)
def _weights(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for instance in context.model.instances:
        surface = skinned_surface(context.model, instance)
        if surface is None or (surface.values == surface.values[0]).all():
            continue
        regions: dict[int, list[_Region]] = {}
        for region in _regions(context, instance, surface, limits):
            regions.setdefault(region.joint, []).append(region)
        for same in regions.values():
            yield _of_weights(context, instance, surface, same, limits)


def _regions(
    context: CheckContext, instance: MeshInstance, surface: SurfaceGraph, limits: Limits
) -> Iterator[_Region]:
    """Yield the regions of a skinned mesh that stick out because of a joint's weights."""
    limit, least = limits["mm"] / 1000, limits["fold"] / 1000
    binding, poses = context.cached(bindings)[instance.skin], context.cached(measured_poses)
    if not binding.regular.all():
        return
    joints = binding.joints[surface.columns]
    inverse = corrected_binds(context, instance.skin)[surface.columns]
    contacts = island_contacts(surface, limit / max(binding.size, 1e-30))
    for matrices in poses:
        turned = matrices is poses.turned
        palettes = matrices[:, joints, :3] @ inverse
        if not len(palettes):
            continue
        motion = SkinMotion(palettes)
        found = [
            cause
            for graph, seen in (
                (surface, outliers(surface, motion, limit, least)),
                (contacts, torn_islands(contacts, motion, limit)),
            )
            for outlier in seen
            for cause in [_cause(graph, joints, motion, outlier)]
            if _is_wrong(context, binding, graph, outlier, cause, turned=turned)
        ]
        if not found:
            continue
        kernels = np.stack([cause.kernel for cause in found])
        if turned:
            sizes = _distances(kernels, palettes).max(axis=1).tolist()
            places = [[_Place(size, -1, 0.0)] for size in sizes]
        else:
            places = _over_clips(context, joints, inverse, kernels)
        for cause, each in zip(found, places, strict=True):
            far = [place for place in each if place.size > (least if cause.folded else limit)]
            if far:
                clips = frozenset(place.clip for place in far)
                yield _Region(
                    cause.nodes, cause.joint, cause.weight, cause.folded, *max(far), clips
                )


def _is_wrong(
    context: CheckContext,
    binding: Binding,
    surface: SurfaceGraph,
    outlier: Outlier,
    cause: "_Cause",
    *,
    turned: bool,
) -> bool:
    """Return whether a region that sticks out is no part of a limb, nor a part with its own joint.

    A limb has a border to the joint above it, and so has a part of a `turned` one. A separate part
    is wrong if its joint is of another limb and further away than those of the parts beside it.
    """
    parents = context.model.skeleton.parents.tolist()
    end = surface.end[outlier.edges]
    held = surface.columns[(surface.values[end] >= _SOME).any(axis=0)]
    steps = [_steps(parents, cause.joint, other) for other in binding.joints[held].tolist()]
    if not surface.touching[outlier.edges].all():
        return not (turned or len(outlier.nodes) > 1) or min(steps, default=0) > _RELATED
    entry = int(np.flatnonzero(binding.joints == cause.joint)[0])
    point = surface.points[surface.begin[outlier.edges[0]]]
    away, *near = length(binding.bind[[entry, *held.tolist()], :3, 3] - point).tolist()
    return min(steps, default=0) >= _ALONE and away > _FURTHER * min(near, default=np.inf)


class _Cause(NamedTuple):
    """A joint that displaces a region, since the region has more of its weight."""

    nodes: Index  # [n] of the region
    joint: int  # of the skeleton
    weight: float  # more than the surface around has
    folded: bool
    kernel: F32  # [4 S]: multiplied by palettes [4 S, 3] it is the region's displacement


def _cause(surface: SurfaceGraph, joints: Index, motion: SkinMotion, outlier: Outlier) -> _Cause:
    """Return the joint that displaces a region.

    It is the one without whose additional weight the region is displaced least.
    """
    begin, end = surface.begin[outlier.edges], surface.end[outlier.edges]
    more = surface.values[begin] - surface.values[end]
    points = np.append(surface.points[begin], np.ones((len(begin), 1)), axis=1)
    around = motion.at(outlier.pose, surface.values[end])
    predicted = np.einsum("eab,eb->ea", around, points)
    moved = np.einsum("sab,eb->esa", motion.palettes[outlier.pose], points) - predicted[:, None]
    parts = (more[..., None] * moved).mean(axis=0)  # [S, 3] by joint
    excess = more.mean(axis=0)
    left = length(parts.sum(axis=0) - parts)
    column = int(np.where(excess > 0, left, np.inf).argmin())
    nodes, sums = surface.differences(outlier.edges)
    kernel = point_kernels(sums, surface.points[nodes]).sum(axis=0) / len(outlier.edges)
    joint, weight = int(joints[column]), float(excess[column])
    return _Cause(outlier.nodes, joint, weight, outlier.folded, kernel.astype(np.float32))


def _steps(parents: list[int], a: int, b: int) -> int:
    """Return the distance of two joints in the hierarchy; large between separate trees."""
    above: dict[int, int] = {}
    while a >= 0:
        above[a] = len(above)
        a = parents[a]
    steps = 0
    while b >= 0 and b not in above:
        b, steps = parents[b], steps + 1
    return steps + above[b] if b >= 0 else len(parents)


def _distances(kernels: F32, palettes: F64) -> F64:
    """Return the distances [n, T] of regions with kernels [n, 4 S] in palettes [T, S, 3, 4]."""
    moved = SkinMotion(palettes).moved(kernels)
    return np.asarray(length(moved))


def _over_clips(
    context: CheckContext, joints: Index, inverse: F64, kernels: F32
) -> list[list[_Place]]:
    """Return for each kernel [n, 4 S] where it is displaced most in each clip."""
    places: list[list[_Place]] = [[] for _ in kernels]
    for c in context.clips:
        clip = context.sampled(c)
        distances = np.concatenate(
            [
                _distances(kernels, clip.matrices[k : k + _LOT, joints, :3] @ inverse)
                for k in range(0, len(clip.times), _LOT)
            ],
            axis=1,
        )
        distances[~np.isfinite(distances)] = 0
        for k, row in enumerate(distances.argmax(axis=1).tolist()):
            places[k].append(_Place(float(distances[k, row]), c, float(clip.times[row])))
    return places


def _of_weights(
    context: CheckContext,
    instance: MeshInstance,
    surface: SurfaceGraph,
    regions: list[_Region],
    limits: Limits,
) -> Finding:
    """Return the finding about the regions of a mesh that one joint displaces."""
    model, worst = context.model, max(regions, key=lambda region: (region.clip >= 0, region.size))
    joint, mesh = model.skeleton.names[worst.joint], model.meshes[instance.mesh]
    nodes = np.unique(np.concatenate([region.nodes for region in regions]))
    part, rows, touched = _vertices(surface, worst.nodes, nodes)
    clips = frozenset().union(*(region.clips for region in regions))
    mm, folded = worst.size * 1000, any(region.folded for region in regions)
    clip = model.clips[worst.clip].name if worst.clip >= 0 else ""
    where = f"in {quoted(clip)}" if clip else "where joints turn that no clip moves"
    others = len(clips - {worst.clip, -1})
    more = f"; in {counted(others, 'other clip')} too" if others else ""
    one = len(rows) == 1
    subject = f"vertex {rows[0]}" if one else counted(len(rows), "vertex", "vertices")
    return Finding(
        f"{subject} of mesh {quoted(mesh.name)} {'sticks' if one else 'stick'} out by "
        f"{measure(mm, 'mm')} {where}{_folding(folded)}: {'its' if one else 'their'} weight of "
        f"{quoted(joint)} is {number(worst.weight)} more than that of the surface around{more}",
        amount=mm,
        unit="mm",
        limit=_limit(mm, limits),
        place=f"/meshes/{instance.mesh}/primitives/{mesh.primitives[part].number}",
        clip=clip,
        joint=joint,
        item=mesh.name,
        time=worst.time if clip else None,
        vertices=tuple(rows.tolist()),
        size=worst.size,
        touches=touched,
    )


def _vertices(surface: SurfaceGraph, worst: Index, nodes: Index) -> tuple[int, Index, int]:
    """Return the primitive of the worst nodes, its vertices at `nodes`, and how many all are."""
    part = int(surface.vertices_of(worst)[0][0])
    parts, rows = surface.vertices_of(nodes)
    return part, np.sort(rows[parts == part]), len(rows)


def _folding(folded: bool) -> str:
    return ", and the surface folds" if folded else ""


def _limit(mm: float, limits: Limits) -> float:
    """Return the exceeded limit of a displacement, that of folds for smaller ones."""
    return limits["mm"] if mm > limits["mm"] else limits["fold"]


@rule(
    "surface-morph",
    "size",
    "a morph target displaces vertices out of the surface around them",
    "correct the vertices of the target: in Blender smooth them with Vertex > Blend from Shape "
    "from the Basis",
    *_LIMITS,
    group="Mesh",
)
def _morphs(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    limit, least = limits["mm"] / 1000, limits["fold"] / 1000
    for instance in context.model.instances:
        surface = morphed_surface(context.model, instance)
        if surface is None:
            continue
        weights = _greatest_weights(context, instance)
        motion = MorphMotion(weights, _unit(context, instance))
        found: dict[int, list[Outlier]] = {}
        for outlier in outliers(surface, motion, limit, least):
            if outlier.distance > (least if outlier.folded else limit):
                found.setdefault(outlier.pose, []).append(outlier)
        for target, same in found.items():
            weight = float(weights[target])
            yield _of_target(context, instance, surface, target, weight, same, limits)


def _greatest_weights(context: CheckContext, instance: MeshInstance) -> F64:
    """Return the greatest weights [M] of a mesh's targets in all clips, at least 1."""
    chosen = context.model.channels[instance.channel].slice
    weights = np.ones(chosen.stop - chosen.start)
    for c in context.clips:
        values = np.nan_to_num(context.sampled(c).values[:, chosen], posinf=0.0, neginf=0.0)
        weights = np.maximum(weights, np.abs(values).max(axis=0))
    return weights


def _unit(context: CheckContext, instance: MeshInstance) -> float:
    """Return the length of a unit of a mesh at rest, metres."""
    if instance.skin >= 0:
        return context.cached(bindings)[instance.skin].size
    skeleton = context.model.skeleton
    matrix = skeleton.to_model(skeleton.rest)[instance.joint, :3, :3].astype(np.float64)
    return float(np.cbrt(abs(np.linalg.det(matrix))))


def _of_target(
    context: CheckContext,
    instance: MeshInstance,
    surface: SurfaceGraph,
    target: int,
    weight: float,
    found: list[Outlier],
    limits: Limits,
) -> Finding:
    """Return the finding about the regions of a mesh that a morph target displaces."""
    mesh = context.model.meshes[instance.mesh]
    worst = max(found, key=lambda outlier: outlier.distance)
    nodes = np.unique(np.concatenate([outlier.nodes for outlier in found]))
    part, rows, touched = _vertices(surface, worst.nodes, nodes)
    primitive = mesh.primitives[part]
    name = primitive.morph.names[target] if primitive.morph is not None else ""
    mm = worst.distance * 1000
    one = len(rows) == 1
    subject = f"vertex {rows[0]}" if one else counted(len(rows), "vertex", "vertices")
    return Finding(
        f"morph target {quoted(name)} displaces {subject} of mesh {quoted(mesh.name)} by "
        f"{measure(mm, 'mm')} from the surface around"
        + (f", at a weight of {number(weight)}" if weight > 1 else "")
        + _folding(any(outlier.folded for outlier in found)),
        amount=mm,
        unit="mm",
        limit=_limit(mm, limits),
        place=f"/meshes/{instance.mesh}/primitives/{primitive.number}/targets/{target}/POSITION",
        item=mesh.name,
        vertices=tuple(rows.tolist()),
        size=worst.distance,
        touches=touched,
    )
