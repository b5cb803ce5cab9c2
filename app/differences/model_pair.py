"""Two models with their matching joints, meshes and vertices, and their distances in any poses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..animation.clip import Clip
from ..animation.model_space import to_model_transforms
from ..animation.pose import Pose
from ..animation.types import F64, I32, Floats, Index
from ..animation.vectors import length
from ..model.clip_deviation import greatest_entry
from ..model.model import Channel, Model, Primitive
from ..model.skinned_vertices import BLOCK_SIZE, VertexBlock, vertex_block
from .difference import Deviation
from .joints import match_joints
from .objects import Matching
from .vertices import PrimitivePair, match_instances, match_meshes, match_primitives

METRES = 1e-4  # thresholds
DEGREES = 0.05
WEIGHT = 1e-3  # tolerance of morph weights and other animated values
BATCH = 24  # poses evaluated at once, which bounds the memory
MAX_TIMES = 3000  # times of one clip at which vertices are compared
_ENDLESS = 1e30  # metres, for infinite numbers of a file
_NEARLY = 0.9999  # of the greatest angle: joints that rotate together with it
_FURTHEST = 100  # additional times: those with the greatest joint distances


@dataclass(frozen=True, slots=True, eq=False)
class BlockPair:
    """Matching vertices of two versions."""

    a: VertexBlock
    b: VertexBlock
    same: bool  # whether mesh and skin are identical: only joints can move them apart
    instance: int  # of B
    primitive: int  # of its mesh
    rows: Index  # [V] its vertices


@dataclass(frozen=True, slots=True, eq=False)
class ModelPair:
    """Two models with their matching joints, meshes, vertices and channels."""

    a: Model
    b: Model
    joints: Matching
    scale: float  # size of B relative to A; lengths of B are divided by it
    meshes: Matching
    parts: Mapping[int, tuple[PrimitivePair, ...]]  # matching primitives, by mesh of A
    instances: Matching
    channels: dict[int, int]  # matching channels of B by those of A
    blocks: tuple[BlockPair, ...]
    unmatched: tuple[str, ...]  # meshes with unmatched vertices
    metres: float  # thresholds: smaller differences count as equal
    degrees: float

    def within(self, deviation: Deviation) -> bool:
        """Return whether a deviation is within the thresholds."""
        return (
            deviation.metres <= self.metres
            and deviation.degrees <= self.degrees
            and deviation.weight <= WEIGHT
        )

    def lost_and_new(self, one: I32, two: I32) -> tuple[list[str], list[str]]:
        """Return the names of those joints of A and of B that lack a match among the others."""
        matches, others = self.joints.to[one].tolist(), set(two.tolist())
        lost = [j for j, match in zip(one.tolist(), matches, strict=True) if match not in others]
        known = set(matches)
        new = [j for j in two.tolist() if j not in known]
        names = self.joints.names
        return [names[0][j] for j in lost], [names[1][j] for j in new]

    def poses(self, clips: tuple[Clip | None, Clip | None], times: F64) -> tuple[Pose, Pose]:
        """Return the poses [T] of both models; without a clip the rest pose."""
        found = []
        for model, clip in zip((self.a, self.b), clips, strict=True):
            pose = Pose.like(model.skeleton.rest, times.shape)
            if clip is not None:
                clip.sample(times, pose)
            found.append(pose)
        return found[0], found[1]

    def compare(self, clips: tuple[Clip | None, Clip | None], times: F64) -> Deviation:
        """Return the deviation of two clips at ascending times [T], seconds.

        With too many times, vertices are compared at some of them: evenly spaced ones, and those
        with the greatest joint distances.
        """
        found, distances = Deviation(), np.zeros(len(times))
        means = np.zeros(len(times))
        for few in _batches(len(times), np.arange(len(times))):
            found, far = self._joints(clips, times[few], found)
            distances[few] = far.max(axis=1, initial=0)
            means[few] = far.mean(axis=1) if far.size else 0
        chosen = _chosen(distances)
        if not self.blocks:
            return _with_mean(found, means, times)
        means = np.zeros(len(chosen))
        at = 0
        for few in _batches(len(chosen), chosen):
            found, mean = self._vertices(clips, times[few], found)
            means[at : at + len(few)] = mean
            at += len(few)
        return _with_mean(found, means, times[chosen])

    def _joints(
        self, clips: tuple[Clip | None, Clip | None], times: F64, found: Deviation
    ) -> tuple[Deviation, F64]:
        """Return the greatest deviation so far, and the joint distances [T, joints]."""
        poses = self.poses(clips, times)
        (a, turns_a), (b, turns_b) = (
            to_model_transforms(model.skeleton, pose)
            for model, pose in zip((self.a, self.b), poses, strict=True)
        )
        own, other = self.joints.pairs
        names = self.b.skeleton.names
        far = _length(b[..., :3, 3][:, other] / self.scale - a[..., :3, 3][:, own])
        if far.size:
            t, j = greatest_entry(far)
            if far[t, j] > found.metres:
                found = replace(
                    found, metres=float(far[t, j]), joint=names[other[j]], time=float(times[t])
                )
            angle = angles(turns_a[:, own], turns_b[:, other])
            t, j = greatest_entry(angle)
            if angle[t, j] > found.degrees:  # the first joint of a rigid chain
                j = int(np.argmax(angle[t] >= _NEARLY * angle[t, j]))
                found = replace(
                    found,
                    degrees=float(angle[t, j]),
                    turned=names[other[j]],
                    turned_time=float(times[t]),
                )
        for mine, theirs in self.channels.items():
            one, two = self.a.channels[mine], self.b.channels[theirs]
            name = names[two.joint] if two.joint >= 0 else two.pointer
            after = poses[1].values[:, two.slice].astype(float)
            apart = np.abs(after - poses[0].values[:, one.slice])
            apart = np.nan_to_num(apart, nan=0.0, posinf=_ENDLESS)
            t, _ = greatest_entry(apart)
            if apart[t].max() > found.weight:
                found = replace(
                    found, weight=float(apart[t].max()), value=name, value_time=float(times[t])
                )
        return found, far

    def _vertices(
        self, clips: tuple[Clip | None, Clip | None], times: F64, found: Deviation
    ) -> tuple[Deviation, F64]:
        """Return the greatest deviation so far, and the mean vertex distance at each time [T]."""
        sums, count = np.zeros(len(times)), 0
        for pair, far in self.distances(self.poses(clips, times)):
            v, t = greatest_entry(far)
            if far[v, t] > found.metres:
                joint = int(pair.b.joints[int(np.argmax(pair.b.weights[v]))])
                name = self.b.skeleton.names[joint]
                found = replace(found, metres=float(far[v, t]), joint=name, time=float(times[t]))
            sums += far.sum(axis=0)
            count += len(far)
        return found, sums / count

    def distances(self, poses: tuple[Pose, Pose]) -> Iterator[tuple[BlockPair, F64]]:
        """Yield the matching vertices with their distances [V, T]."""
        models = self.a, self.b
        a, b = (to_model_transforms(m.skeleton, p)[0] for m, p in zip(models, poses, strict=True))
        for pair in self.blocks:
            before, after = pair.a.palette(a), pair.b.palette(b) / self.scale
            if pair.same and not (_morphs(pair.a, poses[0]) or _morphs(pair.b, poses[1])):
                apart = _placed(pair.b, (after - before).astype(np.float32), poses[1])
                yield pair, _length(apart.astype(float))
                continue
            one, two = _placed(pair.a, before, poses[0]), _placed(pair.b, after, poses[1])
            yield pair, _length(two - one)


def pair_models(a: Model, b: Model, metres: float = METRES, degrees: float = DEGREES) -> ModelPair:
    """Return two models, the older and the newer version, with what matches in them."""
    joints, scale = match_joints(a, b)
    meshes = match_meshes(a, b, joints)
    parts = {k: match_primitives(a.meshes[k], b.meshes[n], scale) for k, n in meshes}
    instances = match_instances(a, b, joints, meshes)
    channels = _channels(a, b, joints)
    blocks, unmatched = _block_pairs(a, b, joints, scale, parts, instances)
    return ModelPair(
        a, b, joints, scale, meshes, parts, instances, channels, blocks, unmatched, metres, degrees
    )


def _channels(a: Model, b: Model, joints: Matching) -> dict[int, int]:
    """Return the channels of B by those of A with the same property and width."""
    numbers = {_property(channel, channel.joint): n for n, channel in enumerate(b.channels)}
    found = {
        k: numbers.get(_property(channel, joints.match_of(channel.joint)))
        for k, channel in enumerate(a.channels)
    }
    return {k: n for k, n in found.items() if n is not None}


def _property(channel: Channel, joint: int) -> tuple[int, str, int]:
    """Return what a channel animates: the property of the node that is `joint` in B, or of none."""
    if not channel.pointer.startswith("/nodes/"):
        return -1, channel.pointer, channel.width
    return joint, node_property(channel.pointer), channel.width


def node_property(pointer: str) -> str:
    """Return the property in a JSON pointer of a node: "weights" of "/nodes/3/weights"."""
    return "/".join(pointer.split("/")[3:])


def _block_pairs(
    a: Model,
    b: Model,
    joints: Matching,
    scale: float,
    parts: Mapping[int, tuple[PrimitivePair, ...]],
    instances: Matching,
) -> tuple[tuple[BlockPair, ...], tuple[str, ...]]:
    """Return the matching vertices, and the names of meshes with unmatched vertices."""
    found: list[BlockPair] = []
    unmatched: dict[str, None] = {}
    for number, instance in enumerate(b.instances):
        mesh = b.meshes[instance.mesh]
        k, done = int(instances.back[number]), 0
        for part in parts[a.instances[k].mesh] if k >= 0 else ():
            if part.rows is None:
                continue
            done += 1
            two = mesh.primitives[part.numbers[1]]
            for batch in _vertex_batches(part.a, two, part.rows):
                first = vertex_block(a, a.instances[k], part.a, part.rows[batch])
                second = vertex_block(b, instance, two, batch)
                same = _same(first, second, joints, scale)
                found.append(BlockPair(first, second, same, number, part.numbers[1], batch))
        if done < len(mesh.primitives):
            unmatched[mesh.name] = None
    for k in np.flatnonzero(instances.to < 0).tolist():
        unmatched[a.meshes[a.instances[k].mesh].name] = None
    return tuple(found), tuple(unmatched)


def _vertex_batches(one: Primitive, two: Primitive, rows: Index) -> list[Index]:
    """Return the vertices of B in batches, those with morph targets separate from the others."""
    morphs = np.zeros(len(rows), bool)
    if one.morph is not None:
        morphs |= (one.morph.positions != 0).any(axis=(0, 2))[rows]
    if two.morph is not None:
        morphs |= (two.morph.positions != 0).any(axis=(0, 2))
    groups = np.flatnonzero(~morphs), np.flatnonzero(morphs)
    lots = [
        batch
        for group in groups
        for batch in np.split(group, range(BLOCK_SIZE, len(group), BLOCK_SIZE))
    ]
    return [batch for batch in lots if len(batch)]


def _same(a: VertexBlock, b: VertexBlock, joints: Matching, scale: float) -> bool:
    return (
        scale == 1.0
        and np.array_equal(joints.to[a.joints], b.joints)
        and np.array_equal(a.weights, b.weights)
        and np.array_equal(a.points, b.points)
        and np.array_equal(a.bind, b.bind)
        and (a.deltas is None) == (b.deltas is None)
        and (a.deltas is None or b.deltas is None or np.array_equal(a.deltas, b.deltas))
    )


def _placed(block: VertexBlock, palette: Floats, pose: Pose) -> Floats:
    """Return the positions [V, T, 3] of the vertices, skinned by palettes [T, S, 3, 4].

    Linear blend skinning is one matrix product for all vertices and times. Only vertices with
    active morph targets have different points at each time.
    """
    moments, joints = palette.shape[:2]
    kind = palette.dtype
    weights = block.weights.astype(kind)
    if block.deltas is None or not _morphs(block, pose):
        points = np.concatenate([block.points, np.ones((len(block.points), 1))], axis=1)
        weighted_points = weights[:, :, None] * points.astype(kind)[:, None, :]  # [V, S, 4]
        rows = palette.transpose(1, 3, 0, 2).reshape(joints * 4, moments * 3)
        product: Any = weighted_points.reshape(len(points), -1) @ rows
        return product.reshape(-1, moments, 3)
    values = pose.values[:, block.values].astype(float)
    shapes = (block.points + np.tensordot(values, block.deltas, 1)).astype(kind)
    blended: Any = weights @ palette.transpose(1, 0, 2, 3).reshape(joints, -1)
    blended = blended.reshape(-1, moments, 3, 4)
    morphed: Any = np.einsum("vtab,tvb->vta", blended[..., :3], shapes) + blended[..., 3]
    return morphed.astype(kind, copy=False)


def _morphs(block: VertexBlock, pose: Pose) -> bool:
    """Return whether a morph target has a weight other than 0."""
    return block.deltas is not None and bool(pose.values[:, block.values].any())


def _batches(count: int, moments: Index) -> list[Index]:
    return [batch for batch in np.split(moments, range(BATCH, count, BATCH)) if len(batch)]


def _chosen(distances: F64) -> Index:
    """Return the times at which vertices are compared, by the joint distances [T]."""
    if len(distances) <= MAX_TIMES:
        return np.arange(len(distances))
    even = np.linspace(0, len(distances) - 1, MAX_TIMES).round().astype(np.intp)
    return np.union1d(even, np.argsort(-distances)[:_FURTHEST])


def _with_mean(found: Deviation, means: F64, times: F64) -> Deviation:
    """Return the deviation with the mean over time; of a single time, its mean."""
    length = float(times[-1] - times[0]) if len(times) else 0.0
    if length <= 0:
        mean = float(means.mean()) if len(means) else 0.0
    else:
        mean = float(((means[1:] + means[:-1]) / 2 * np.diff(times)).sum() / length)
    return replace(found, mean=mean)


def angles(p: Floats, q: Floats) -> F64:
    """Return the angles [...] between rotations [..., 4], degrees."""
    one, two = p.astype(float), q.astype(float)
    chord = np.minimum(length(two - one), length(two + one))
    return np.nan_to_num(np.degrees(4 * np.arcsin(np.minimum(chord / 2, 1))), nan=0.0)


def _length(v: F64) -> F64:
    """Return lengths [...] of vectors [..., C]; NaN becomes 0, infinity 1e30."""
    return np.nan_to_num(length(v), nan=0.0, posinf=_ENDLESS)
