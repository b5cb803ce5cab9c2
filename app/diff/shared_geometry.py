"""The vertices and joints that two versions share, and how far they are apart in any poses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.quat import Floats
from ..animation.types import F64, Index
from ..model.model import Model, Primitive
from ..model.skinned_vertices import PIECE, Piece, model_space, piece
from .difference import Off
from .joints import JointMatch
from .meshes import InstancePair, PrimitivePair

MOMENTS = 24  # at once, which bounds the memory
MOST = 3000  # moments of one clip at which the vertices are looked at
_ENDLESS = 1e30  # metres: absurd numbers of a file
_NEARLY = 0.9999  # of the greatest angle
_FURTHEST = 100  # of these, those at which joints are furthest apart


@dataclass(frozen=True, slots=True, eq=False)
class PiecePair:
    """The same vertices in both versions."""

    a: Piece
    b: Piece
    same: bool  # in the mesh and in the skin: only the joints can move them apart
    instance: int  # of B
    primitive: int  # of its mesh
    rows: Index  # [V] which of its vertices


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Two models and what they share."""

    a: Model
    b: Model
    match: JointMatch
    scale: float  # lengths of B are divided by it
    pieces: tuple[PiecePair, ...]
    unmatched: tuple[str, ...]  # meshes that have other vertices, too
    channels: dict[int, int]  # which of B each of A is, where it is one

    def poses(self, clips: tuple[Clip | None, Clip | None], times: F64) -> tuple[Pose, Pose]:
        """Return the poses [T] of both; without a clip the rest pose."""
        found = []
        for model, clip in zip((self.a, self.b), clips, strict=True):
            pose = Pose.like(model.skeleton.rest, times.shape)
            if clip is not None:
                clip.sample(times, pose)
            found.append(pose)
        return found[0], found[1]

    def compare(self, clips: tuple[Clip | None, Clip | None], times: F64) -> Off:
        """Compare two motions at moments [T] in ascending order, seconds.

        Where there are too many moments, vertices are looked at in some of them: even ones, and
        those at which the joints are furthest apart.
        """
        found, away = Off(), np.zeros(len(times))
        means = np.zeros(len(times))
        for few in _lots(len(times), np.arange(len(times))):
            found, far = self._joints(clips, times[few], found)
            away[few], means[few] = far.max(axis=1, initial=0), far.mean(axis=1) if far.size else 0
        chosen = _chosen(away)
        if not self.pieces:
            return _with_mean(found, means, times)
        means = np.zeros(len(chosen))
        at = 0
        for few in _lots(len(chosen), chosen):
            found, mean = self._vertices(clips, times[few], found)
            means[at : at + len(few)] = mean
            at += len(few)
        return _with_mean(found, means, times[chosen])

    def _joints(
        self, clips: tuple[Clip | None, Clip | None], times: F64, found: Off
    ) -> tuple[Off, F64]:
        """Return what is greatest by now, and the distances [T, joints]."""
        poses = self.poses(clips, times)
        (a, turns_a), (b, turns_b) = (
            model_space(model.skeleton, pose)
            for model, pose in zip((self.a, self.b), poses, strict=True)
        )
        own, other = self.match.pairs
        names = self.b.skeleton.names
        far = _length(b[..., :3, 3][:, other] / self.scale - a[..., :3, 3][:, own])
        if far.size:
            t, j = _greatest(far)
            if far[t, j] > found.metres:
                found = replace(
                    found, metres=float(far[t, j]), joint=names[other[j]], time=float(times[t])
                )
            p, q = turns_a[:, own], turns_b[:, other]
            chord = np.minimum(_length(q - p), _length(q + p))
            angle = np.degrees(4 * np.arcsin(np.minimum(chord / 2, 1)))
            t, j = _greatest(angle)
            if angle[t, j] > found.degrees:  # of a limb that turns as one, its first joint
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
            t, _ = _greatest(apart)
            if apart[t].max() > found.weight:
                found = replace(
                    found, weight=float(apart[t].max()), value=name, value_time=float(times[t])
                )
        return found, far

    def _vertices(
        self, clips: tuple[Clip | None, Clip | None], times: F64, found: Off
    ) -> tuple[Off, F64]:
        """Return what is greatest by now, and the mean distance at each moment [T]."""
        sums, count = np.zeros(len(times)), 0
        for pair, far in self.distances(self.poses(clips, times)):
            v, t = _greatest(far)
            if far[v, t] > found.metres:
                joint = int(pair.b.joints[int(np.argmax(pair.b.weights[v]))])
                name = self.b.skeleton.names[joint]
                found = replace(found, metres=float(far[v, t]), joint=name, time=float(times[t]))
            sums += far.sum(axis=0)
            count += len(far)
        return found, sums / count

    def distances(self, poses: tuple[Pose, Pose]) -> Iterator[tuple[PiecePair, F64]]:
        """Yield the vertices of B that have a partner, and how far from it [V, T] they are."""
        models = self.a, self.b
        a, b = (model_space(m.skeleton, p)[0] for m, p in zip(models, poses, strict=True))
        for pair in self.pieces:
            before, after = pair.a.palette(a), pair.b.palette(b) / self.scale
            if pair.same and not (_morphs(pair.a, poses[0]) or _morphs(pair.b, poses[1])):
                apart = _placed(pair.b, (after - before).astype(np.float32), poses[1])
                yield pair, _length(apart.astype(float))
                continue
            one, two = _placed(pair.a, before, poses[0]), _placed(pair.b, after, poses[1])
            yield pair, _length(two - one)


def piece_pairs(
    a: Model, b: Model, match: JointMatch, instances: Sequence[InstancePair], scale: float
) -> tuple[tuple[PiecePair, ...], tuple[str, ...]]:
    """Return the vertices that correspond, and the names of meshes of B that have others, too."""
    found: list[PiecePair] = []
    open_ends: dict[str, None] = {}
    known = {id(pair.b): pair for pair in instances}
    for number, instance in enumerate(b.instances):
        mesh = b.meshes[instance.mesh]
        pair = known.get(id(instance))
        done = 0
        for (p, q), both in zip(*_primitives(pair), strict=True):
            if pair is None or both.rows is None:
                continue
            done += 1
            one, two = a.meshes[pair.mesh.a].primitives[p], mesh.primitives[q]
            for lot in _lots_of(one, two, both.rows):
                first = piece(a, pair.a, one, both.rows[lot])
                second = piece(b, pair.b, two, lot)
                same = _same(first, second, match, scale)
                found.append(PiecePair(first, second, same, number, q, lot))
        if done < len(mesh.primitives):
            open_ends[mesh.name] = None
    matched = {id(pair.a) for pair in instances}
    for instance in a.instances:
        if id(instance) not in matched:
            open_ends[a.meshes[instance.mesh].name] = None
    return tuple(found), tuple(open_ends)


def _lots_of(one: Primitive, two: Primitive, rows: Index) -> list[Index]:
    """Split the vertices of B: those that morph from the others, and into small lots."""
    morphs = np.zeros(len(rows), bool)
    if one.morph is not None:
        morphs |= (one.morph.positions != 0).any(axis=(0, 2))[rows]
    if two.morph is not None:
        morphs |= (two.morph.positions != 0).any(axis=(0, 2))
    groups = np.flatnonzero(~morphs), np.flatnonzero(morphs)
    lots = [lot for group in groups for lot in np.split(group, range(PIECE, len(group), PIECE))]
    return [lot for lot in lots if len(lot)]


def _primitives(
    pair: InstancePair | None,
) -> tuple[tuple[tuple[int, int], ...], tuple[PrimitivePair, ...]]:
    return ((), ()) if pair is None else (pair.mesh.numbers, pair.mesh.primitives)


def _same(a: Piece, b: Piece, match: JointMatch, scale: float) -> bool:
    return (
        scale == 1.0
        and np.array_equal(match.to[a.joints], b.joints)
        and np.array_equal(a.weights, b.weights)
        and np.array_equal(a.points, b.points)
        and np.array_equal(a.bind, b.bind)
        and (a.deltas is None) == (b.deltas is None)
        and (a.deltas is None or b.deltas is None or np.array_equal(a.deltas, b.deltas))
    )


def _placed(piece: Piece, palette: Floats, pose: Pose) -> Floats:
    """Return where palettes [T, S, 3, 4] take the vertices, [V, T, 3].

    A vertex is the sum of what each joint makes of it, times its share: one matrix product for
    all vertices and moments. Only those that morph have other points at each moment.
    """
    moments, joints = palette.shape[:2]
    kind = palette.dtype
    weights = piece.weights.astype(kind)
    if piece.deltas is None or not _morphs(piece, pose):
        points = np.concatenate([piece.points, np.ones((len(piece.points), 1))], axis=1)
        shares = weights[:, :, None] * points.astype(kind)[:, None, :]  # [V, S, 4]
        rows = palette.transpose(1, 3, 0, 2).reshape(joints * 4, moments * 3)
        product: Any = shares.reshape(len(points), -1) @ rows
        placed: Floats = product.reshape(-1, moments, 3)
        return placed
    values = pose.values[:, piece.values].astype(float)
    shapes = (piece.points + np.tensordot(values, piece.deltas, 1)).astype(kind)
    blended: Any = weights @ palette.transpose(1, 0, 2, 3).reshape(joints, -1)
    blended = blended.reshape(-1, moments, 3, 4)
    morphed: Any = np.einsum("vtab,tvb->vta", blended[..., :3], shapes) + blended[..., 3]
    out: Floats = morphed.astype(kind, copy=False)
    return out


def _morphs(piece: Piece, pose: Pose) -> bool:
    """Tell whether a morph target has a say in how the vertices lie."""
    return piece.deltas is not None and bool(pose.values[:, piece.values].any())


def _lots(count: int, moments: Index) -> list[Index]:
    return [lot for lot in np.split(moments, range(MOMENTS, count, MOMENTS)) if len(lot)]


def _chosen(away: F64) -> Index:
    """Return the moments at which vertices are looked at, by how far joints are apart [T]."""
    if len(away) <= MOST:
        return np.arange(len(away))
    even = np.linspace(0, len(away) - 1, MOST).round().astype(np.intp)
    return np.union1d(even, np.argsort(-away)[:_FURTHEST])


def _with_mean(found: Off, means: F64, times: F64) -> Off:
    """Add the mean over the time; of a single moment, that moment's."""
    length = float(times[-1] - times[0]) if len(times) else 0.0
    if length <= 0:
        mean = float(means.mean()) if len(means) else 0.0
    else:
        mean = float(((means[1:] + means[:-1]) / 2 * np.diff(times)).sum() / length)
    return replace(found, mean=mean)


def _length(v: F64) -> F64:
    """Return lengths [...] of vectors [..., C]; what is no number is 0, and nothing is infinite."""
    return np.nan_to_num(np.sqrt(np.einsum("...c,...c->...", v, v)), nan=0.0, posinf=_ENDLESS)


def _greatest(table: F64) -> tuple[int, int]:
    row, column = np.unravel_index(int(np.argmax(table)), table.shape)
    return int(row), int(column)
