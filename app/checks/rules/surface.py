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
from ..finding import Finding, Limit, Limits, Rule
from ..surface_graph import SurfaceGraph, morphed_surface
from ..surface_motion import MorphMotion, SkinMotion, point_kernels
from ..surface_outliers import Outlier, outliers
from ..surface_poses import measured_poses
from .inverse_bind import bindings
from .surface_bind import corrected_binds, skinned_surfaces

_SOME = 0.05  # the smallest weight of a vertex in the region of a joint
_RELATED = 2  # greatest distance in the hierarchy of joints that blend into each other
_LOT = 512  # poses processed at once


class _Region(NamedTuple):
    """A region that sticks out because of the weights of a joint."""

    nodes: Index  # [n]
    joint: int  # of the skeleton
    weight: float  # of the joint, more than the surface around has
    size: float  # metres
    clip: int  # in which it is that large; -1: of a turned joint
    time: float
    clips: frozenset[int]  # in which it is larger than the limit


class _Place(NamedTuple):
    """Where a surface is displaced most."""

    size: float  # metres
    clip: int
    time: float


def _weights(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    limit = limits["mm"] / 1000
    surfaces = context.cached(skinned_surfaces)
    for instance, surface in zip(context.model.instances, surfaces, strict=True):
        if surface is None or (surface.values == surface.values[0]).all():
            continue
        regions: dict[int, list[_Region]] = {}
        for region in _regions(context, instance, surface, limit):
            regions.setdefault(region.joint, []).append(region)
        for same in regions.values():
            yield _of_weights(context, instance, surface, same, limits["mm"])


def _regions(
    context: CheckContext, instance: MeshInstance, surface: SurfaceGraph, limit: float
) -> Iterator[_Region]:
    """Yield the regions of a skinned mesh that stick out because of a joint's weights."""
    binding, poses = context.cached(bindings)[instance.skin], context.cached(measured_poses)
    if not binding.regular.all():
        return
    joints = binding.joints[surface.columns]
    inverse = corrected_binds(context, instance.skin)[surface.columns]
    for matrices in poses:
        palettes = matrices[:, joints, :3] @ inverse
        found = _caused(context, joints, surface, palettes, limit, turned=matrices is poses.turned)
        if not found:
            continue
        kernels = np.stack([_kernel(surface, outlier) for outlier, _, _ in found])
        if matrices is poses.turned:
            sizes = _distances(kernels, palettes).max(axis=1).tolist()
            places = [[_Place(size, -1, 0.0)] for size in sizes]
        else:
            places = _over_clips(context, joints, inverse, kernels)
        for (outlier, joint, weight), each in zip(found, places, strict=True):
            far = [place for place in each if place.size > limit]
            if far:
                clips = frozenset(place.clip for place in far)
                yield _Region(outlier.nodes, joint, weight, *max(far), clips)


def _caused(
    context: CheckContext,
    joints: Index,
    surface: SurfaceGraph,
    palettes: F64,
    limit: float,
    *,
    turned: bool,
) -> list[tuple[Outlier, int, float]]:
    """Return the outliers of palettes [T, S, 3, 4] with their causes.

    A limb has a border to the joint above it, and so has a part of a `turned` one.
    """
    if not len(palettes):
        return []
    motion, parents = SkinMotion(palettes), context.model.skeleton.parents.tolist()
    found = []
    for outlier in outliers(surface, motion, limit):
        joint, weight = _cause(surface, joints, motion, outlier)
        held = (surface.values[surface.end[outlier.edges]] >= _SOME).any(axis=0)
        beside = joints[np.flatnonzero(held)].tolist()
        limb = turned or len(outlier.nodes) > 1
        if not limb or all(_steps(parents, joint, other) > _RELATED for other in beside):
            found.append((outlier, joint, weight))
    return found


def _cause(
    surface: SurfaceGraph, joints: Index, motion: SkinMotion, outlier: Outlier
) -> tuple[int, float]:
    """Return the joint that displaces a region, and how much more of its weight the region has.

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
    return int(joints[column]), float(excess[column])


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


def _kernel(surface: SurfaceGraph, outlier: Outlier) -> F32:
    """Return [4 S]: multiplied by palettes [4 S, 3] it is the displacement of a region."""
    nodes, sums = surface.differences(outlier.edges)
    kernels = point_kernels(sums, surface.points[nodes])
    return np.asarray(kernels.sum(axis=0) / np.float32(len(outlier.edges)))


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
    limit: float,
) -> Finding:
    """Return the finding about the regions of a mesh that one joint displaces."""
    model, worst = context.model, max(regions, key=lambda region: (region.clip >= 0, region.size))
    joint, mesh = model.skeleton.names[worst.joint], model.meshes[instance.mesh]
    nodes = np.unique(np.concatenate([region.nodes for region in regions]))
    part, rows, touched = _vertices(surface, worst.nodes, nodes)
    clips = frozenset().union(*(region.clips for region in regions))
    mm = worst.size * 1000
    clip = model.clips[worst.clip].name if worst.clip >= 0 else ""
    where = f"in {quoted(clip)}" if clip else "where joints turn that no clip moves"
    others = len(clips - {worst.clip, -1})
    more = f"; in {counted(others, 'other clip')} too" if others else ""
    one = len(rows) == 1
    subject = f"vertex {rows[0]}" if one else counted(len(rows), "vertex", "vertices")
    return Finding(
        f"{subject} of mesh {quoted(mesh.name)} {'sticks' if one else 'stick'} out by "
        f"{measure(mm, 'mm')} {where}: {'its' if one else 'their'} weight of "
        f"{quoted(joint)} is {number(worst.weight)} more than that of the surface around{more}",
        amount=mm,
        unit="mm",
        limit=limit,
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


def _morphs(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    limit = limits["mm"] / 1000
    for instance in context.model.instances:
        surface = morphed_surface(context.model, instance)
        if surface is None:
            continue
        weights = _greatest_weights(context, instance)
        motion = MorphMotion(weights * _unit(context, instance))
        found: dict[int, list[Outlier]] = {}
        for outlier in outliers(surface, motion, limit):
            if outlier.distance > limit:
                found.setdefault(outlier.pose, []).append(outlier)
        for target, same in found.items():
            weight = float(weights[target])
            yield _of_target(context, instance, surface, target, weight, same, limits["mm"])


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
    limit: float,
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
        + (f", at a weight of {number(weight)}" if weight > 1 else ""),
        amount=mm,
        unit="mm",
        limit=limit,
        place=f"/meshes/{instance.mesh}/primitives/{primitive.number}/targets/{target}/POSITION",
        item=mesh.name,
        vertices=tuple(rows.tolist()),
        size=worst.distance,
        touches=touched,
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "surface-weights",
        "size",
        "vertices stick out of the surface in a clip, because of weights that those around them "
        "do not have",
        "remove the weight of the joint from these vertices and smooth their neighbours; the "
        "viewer shows them in the weights of that joint",
        _weights,
        (Limit("mm", 18, "mm", "distance from where the surface around is", scaled=True),),
        group="Rig",
    ),
    Rule(
        "surface-morph",
        "size",
        "a morph target displaces vertices out of the surface around them",
        "correct the vertices of the target: in Blender smooth them with Vertex > Blend from Shape "
        "from the Basis",
        _morphs,
        (Limit("mm", 18, "mm", "distance from where the surface around is", scaled=True),),
        group="Mesh",
    ),
)
