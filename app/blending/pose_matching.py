"""Pose matching: the time in a looping clip whose pose is nearest to a given pose."""

import numpy as np

from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F64
from .sources import ClipSource

COUNT = 128  # phases compared


def nearest_time(source: ClipSource, pose: Pose, skeleton: Skeleton) -> float:
    """Return the local time x, seconds, at which a clip is nearest to a pose.

    Poses are compared by joint positions in model space, relative to their mean.

    Parameters
    ----------
    source
        A looping clip.
    pose
        Without a batch.
    """
    length = float(np.max(source.playback.duration))  # the same for all characters
    if length <= 0:
        return 0.0
    local = np.arange(COUNT, dtype=np.float64) * (length / COUNT)
    poses = poses_at(source, local, skeleton.rest)
    difference = _positions(skeleton, poses) - _positions(skeleton, pose)
    distance = np.einsum("tji,tji->t", difference, difference)  # squared, of all joints
    best = int(np.argmin(distance))
    before, here, after = distance[best - 1], distance[best], distance[(best + 1) % COUNT]
    curve = before - 2.0 * here + after  # of a parabola through three samples
    offset = (before - after) / (2.0 * curve) if curve > 0 else 0.0
    return float(np.mod(local[best] + offset * (length / COUNT), length))


def poses_at(source: ClipSource, local: F64, rest: Pose) -> Pose:
    """Return the poses [...] of a clip at local times x [...], independent of its playback."""
    out = Pose.like(rest, local.shape)
    times = local + source.playback.start
    source.clip.sample(times, out)
    if source.root is not None:
        source.root.remove_root_motion(out, times)
    return out


def _positions(skeleton: Skeleton, pose: Pose) -> F64:
    """Return joint positions [..., J, 3] relative to their mean."""
    positions = skeleton.to_model(pose)[..., :3, 3].astype(np.float64)
    return positions - positions.mean(axis=-2, keepdims=True)
