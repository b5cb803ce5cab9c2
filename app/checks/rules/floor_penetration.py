"""Rule about characters that penetrate the floor."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F32, F64, Index
from ...model.pointer_values import PointerValues
from ...model.skinned_vertices import VertexBlock, instance_blocks
from ...retargeting.ground_contact import furthest
from ...wording import measure, quoted
from ..check_context import REFERENCE_HEIGHT, CheckContext, ClipPoses
from ..clip_rules import per_clip
from ..finding import Finding, Limit, Limits, rule
from ..foot_contacts import REACHES, feet, floor, foot_motions
from ..looping_clips import flies_by_name

RATE = 30.0  # samples per second of the first pass
_CLOTH = {"cape", "cloak", "coat", "skirt", "dress", "robe", "scarf", "veil", "mantle", "banner"}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")  # of “Cape_End”
DIPS = 0.02  # of the height: vertices closer to the floor may be below it between samples
LOOKS, FINE = 4, 9  # minima that are refined, and samples around each of them
MAX_KEYS = 400  # key times that are sampled around the minima
BLENDED = 0.1  # of the height: the distance that blending between joints can move a vertex


class Lowest(NamedTuple):
    """The lowest vertex of a clip."""

    height: float  # metres, model space; infinite if no vertex is near the floor
    time: float  # seconds
    joint: int  # the joint with the greatest weight on that vertex
    mesh: str = ""


def lowest(context: CheckContext, index: int) -> Lowest:
    """Return the lowest vertex of a clip, if one may be below the floor.

    The times are found with the outermost vertices of each joint; at these times all vertices are
    evaluated. Call it by `context.cached`.
    """
    shown, level = context.sampled(index), context.cached(floor)
    stride = max(1, round(1 / RATE / shown.step)) if shown.step > 0 else 1
    rows = np.unique(np.append(np.arange(0, len(shown.times), stride), len(shown.times) - 1))
    tall = context.scale * REFERENCE_HEIGHT
    lows, heights = [], np.full(len(rows), np.inf, np.float32)
    named = context.cached(_solid)
    for few in context.cached(_outer):
        alone = _heights(few, shown, rows, 1).min(axis=0)
        lows.append(few.subset(np.asarray(alone < level + BLENDED * tall)))
        own = _heights(lows[-1], shown, rows).min(axis=1, initial=np.inf)
        heights = np.fmin(heights, own)
    found = Lowest(np.inf, 0.0, -1)
    if not heights.min() < level + DIPS * tall:
        return found
    clip = context.clip(index)
    shown = context.posed(clip, _refined_times(clip, shown.times[rows], heights))
    rows = np.arange(len(shown.times))
    for (mesh, block), low in zip(named, lows, strict=True):
        own = _heights(low, shown, rows).min(axis=1, initial=np.inf)
        if not own.min() < min(level, found.height):
            continue
        t = int(np.argmin(own))
        placed = block.skinned(block.palette(shown.matrices[t]), block.morphed(shown.values[t]))
        v = int(placed[:, 1].argmin())
        joint = int(block.joints[int(block.weights[v].argmax())])
        found = Lowest(float(placed[v, 1]), float(shown.times[t]), joint, mesh)
    return found


def _refined_times(clip: Clip, times: F64, heights: F32) -> F64:
    """Return sample times around the lowest heights [T], including the key times there.

    A stamping foot reverses at a key: between samples it can be much deeper than at them.
    """
    beside = np.pad(heights, 1, constant_values=np.inf)
    before, after = heights - beside[:-2], heights - beside[2:]
    minima = np.flatnonzero((before <= 0) & (after <= 0) & (before + after < 0))
    minima = minima if len(minima) else np.array([0])  # constant height
    minima = minima[np.argsort(heights[minima], kind="stable")[:LOOKS]]
    begins, ends = times[np.maximum(minima - 1, 0)], times[np.minimum(minima + 1, len(times) - 1)]
    keys = clip.key_times
    keys = keys[((keys[:, None] >= begins) & (keys[:, None] <= ends)).any(axis=1)]
    keys = keys[:: max(1, len(keys) // MAX_KEYS)]
    return np.unique(np.concatenate([times[minima], np.linspace(begins, ends, FINE).ravel(), keys]))


def _solid(context: CheckContext) -> list[tuple[str, VertexBlock]]:
    """Return the names of the meshes and the vertices that the floor holds: no cloth, no hidden."""
    model, names = context.model, context.model.skeleton.names
    hidden = PointerValues(model).never_visible
    cloth = np.array([_is_cloth(name) for name in names], bool)
    found = []
    for instance in model.instances:
        mesh = model.meshes[instance.mesh].name
        if not instance.in_scene or instance.joint in hidden or _is_cloth(mesh):
            continue
        for block in instance_blocks(model, instance):
            kept = ~cloth[block.joints[block.weights.argmax(axis=1)]]
            if kept.any():
                found.append((mesh, block if kept.all() else block.subset(kept)))
    return found


def _is_cloth(name: str) -> bool:
    return any(word.lower() in _CLOTH for word in _WORD.findall(name))


def _stands(context: CheckContext, index: int) -> bool:
    """Return whether a foot is near the floor or below it at some time of a clip."""
    near = REACHES * context.scale * REFERENCE_HEIGHT
    motions = context.cached(foot_motions, index)
    return not motions or any(motion.heights.min() < near for motion in motions)


def _outer(context: CheckContext) -> list[VertexBlock]:
    """Return for each block the outermost vertices of each joint."""
    out = []
    for _mesh, block in context.cached(_solid):
        heaviest = block.weights.argmax(axis=1)
        kept = np.zeros(len(block.points), bool)
        for column in np.unique(heaviest).tolist():
            own = np.flatnonzero(heaviest == column)
            kept[own[furthest(block.points[own])]] = True
        out.append(block.subset(kept))
    return out


def _rows(block: VertexBlock, shown: ClipPoses, rows: Index) -> F64:
    """Return the Y rows of the palette matrices [T, S, 4]."""
    return (shown.matrices[rows][:, block.joints, 1:2, :] @ block.bind)[:, :, 0]


def _heights(block: VertexBlock, shown: ClipPoses, rows: Index, most: int = 0) -> F32:
    """Return the heights of vertices [T, V] at some samples, metres, without morph targets.

    `most` is the number of influences used per vertex, by descending weight; 0: all.
    """
    if not len(block.points):
        return np.zeros((len(rows), 0), np.float32)
    points = np.concatenate([block.points, np.ones((len(block.points), 1))], axis=1)
    most = most or int(np.count_nonzero(block.weights, axis=1).max())
    heaviest = np.argsort(-block.weights, axis=1)[:, :most]  # [V, K]
    weights = np.take_along_axis(block.weights, heaviest, axis=1)
    weights = weights / weights.sum(axis=1, keepdims=True)
    weighted_points = (points * weights.T[..., None]).astype(np.float32)  # [K, V, 4]
    up = _rows(block, shown, rows).astype(np.float32)
    out = np.zeros((len(rows), len(points)), np.float32)
    for joints, weighted in zip(heaviest.T, weighted_points, strict=True):
        out += np.einsum("tva,va->tv", up[:, joints], weighted)
    return out


@rule(
    "floor",
    "size",
    "a character with feet penetrates the floor: y = 0, or the lowest point at rest if that is "
    "far from 0; capes and other cloth, hidden meshes, and clips that fly or swim or in which "
    "no foot is near the floor are left out",
    "raise the joint or the hips at that time",
    Limit("mm", 25.0, "mm", "below the floor", scaled=True),
)
@per_clip
def _penetrates(context: CheckContext, limits: Limits, c: int, clip: Clip) -> Iterator[Finding]:
    if len(context.cached(feet)) < 2:
        return  # without feet there is no floor
    found = context.cached(lowest, c)
    depth = (context.cached(floor) - found.height) * 1000
    if flies_by_name(clip.name) or not _stands(context, c):
        return
    if depth > limits["mm"] and np.isfinite(depth):
        name = context.model.skeleton.names[found.joint]
        part = f" of mesh {quoted(found.mesh)}" if found.mesh else ""
        yield Finding(
            f"{quoted(clip.name)} penetrates the floor by {measure(depth, 'mm')} at "
            f"{quoted(name)}{part}",
            depth,
            joint=name,
            time=found.time,
            size=depth / 1000,
        )
