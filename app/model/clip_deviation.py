"""The deviation of two clips on a model, at every vertex and joint."""

from typing import NamedTuple

import numpy as np

from ..animation import quat
from ..animation.clip import Clip
from ..animation.model_space import to_model_transforms
from ..animation.pose import Pose
from ..animation.types import F32, F64
from ..animation.vectors import length
from .model import Model
from .skinned_vertices import VertexBlock

_BATCH = 256  # least number of times at once
_VALUES = 1 << 16  # joints and vertices of all times at once, of small models: bounds memory
_ROUNDED = 1 + 1e-5  # keeps float32 bounds from being rounded down


class Deviation(NamedTuple):
    """The greatest distance and the greatest angle between two clips, model space."""

    metres: float = 0.0
    joint: int = -1  # the heaviest joint of that vertex; -1: no difference
    time: float = 0.0
    degrees: float = 0.0
    turned: int = -1  # the joint of the greatest angle
    turned_time: float = 0.0


def moments(before: Clip, after: Clip) -> F64:
    """Return all key times of both clips, and the middles between them."""
    keys = np.union1d(before.key_times, after.key_times)
    return np.union1d(keys, (keys[1:] + keys[:-1]) / 2)


def deviation(model: Model, parts: list[VertexBlock], before: Clip, after: Clip) -> Deviation:
    """Return the greatest deviation of two clips, at all their keys and half-way between.

    Every drawn vertex and every joint's origin is compared. Vertices are only evaluated at times
    where the bounding boxes of each joint's vertices allow a distance greater than the current
    maximum.

    Parameters
    ----------
    model
        The model of both clips.
    parts
        From `blocks`.
    before, after
        Clips whose tracks target the model's joints and channels.
    """
    found = Deviation()
    if before.has_motion_of(after):  # as of a clip from which no key can be removed
        return found
    times = moments(before, after)
    size = model.skeleton.count + sum(len(part.weights) for part in parts)
    batch = max(_BATCH, _VALUES // max(size, 1))
    for few in np.split(times, range(batch, len(times), batch)):
        if len(few):
            found = _compare(model, parts, before, after, few, found)
    return found


def _compare(
    model: Model, parts: list[VertexBlock], before: Clip, after: Clip, times: F64, found: Deviation
) -> Deviation:
    poses = [Pose.like(model.skeleton.rest, times.shape) for _ in range(2)]
    before.sample(times, poses[0])
    after.sample(times, poses[1])
    (a, turns_a), (b, turns_b) = (to_model_transforms(model.skeleton, pose) for pose in poses)
    away = length(b[..., :3, 3] - a[..., :3, 3])
    t, j = greatest_entry(away)
    if away[t, j] > found.metres:
        found = found._replace(metres=float(away[t, j]), joint=j, time=float(times[t]))
    angle = np.degrees(quat.angle(turns_a, turns_b))
    t, j = greatest_entry(angle)
    if angle[t, j] > found.degrees:
        found = found._replace(degrees=float(angle[t, j]), turned=j, turned_time=float(times[t]))
    values = poses[0].values, poses[1].values
    for block in parts:
        found = _vertices(block, (a, b), values, times, found)
    return found


def _vertices(
    block: VertexBlock,
    matrices: tuple[F64, F64],
    values: tuple[F32, F32],
    times: F64,
    found: Deviation,
) -> Deviation:
    before, after = block.palette(matrices[0]), block.palette(matrices[1])
    apart = after - before
    bound = _bound(block, apart, after, values)  # [V, T]
    highest = bound.max(axis=0)
    for t in np.argsort(-highest).tolist():
        if highest[t] <= found.metres:
            break
        rows = bound[:, t] > found.metres
        few = block.subset(rows)
        shape = few.morphed(values[0][t])
        away = few.skinned(apart[t], shape)
        if few.deltas is not None:
            turned = after[t].copy()
            turned[..., 3] = 0
            away += few.skinned(turned, few.morphed(values[1][t]) - shape)
        far = length(away)
        v = int(np.argmax(far))
        if far[v] > found.metres:
            joint = int(block.joints[int(np.argmax(few.weights[v]))])
            found = found._replace(metres=float(far[v]), joint=joint, time=float(times[t]))
    return found


def _bound(block: VertexBlock, apart: F64, after: F64, values: tuple[F32, F32]) -> F32:
    """Return upper bounds of each vertex's distance, [V, T].

    A single joint moves no vertex of its box further than a corner of it, and a skinned vertex is
    the weighted mean of its joints' transforms.
    """
    corners = block.boxes @ apart[..., :3].swapaxes(-1, -2) + apart[..., None, :, 3]
    furthest = length(corners).max(axis=2)
    if block.deltas is not None:
        weight = np.abs(values[0][:, block.values].astype(float)) @ block.reach
        change = np.abs((values[1] - values[0])[:, block.values].astype(float)) @ block.reach
        furthest += _norm(apart) * weight[:, None] + _norm(after) * change[:, None]
    bound: F32 = block.weights @ (furthest.T * _ROUNDED).astype(np.float32)
    return bound


def _norm(palette: F64) -> F64:
    """Return upper bounds of each matrix's stretch, [T, S]."""
    rows = palette[..., :3]
    return np.asarray(np.sqrt(np.einsum("tsab,tsab->ts", rows, rows)))


def greatest_entry(table: F64) -> tuple[int, int]:
    """Return row and column of the greatest number of a table."""
    row, column = np.unravel_index(int(np.argmax(table)), table.shape)
    return int(row), int(column)
