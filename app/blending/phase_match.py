"""Pose matching: the time in a looping clip whose pose is nearest to a given pose."""

import numpy as np

from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F64
from .sources import ClipSource

COUNT = 128  # phases compared


def entry(source: ClipSource, pose: Pose, skeleton: Skeleton) -> float:
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
    tried = read(source, local, skeleton.rest)
    apart = _places(skeleton, tried) - _places(skeleton, pose)
    miss = np.einsum("tji,tji->t", apart, apart)
    best = int(np.argmin(miss))
    before, here, after = miss[best - 1], miss[best], miss[(best + 1) % COUNT]
    curve = before - 2.0 * here + after  # of a parabola through three samples
    offset = (before - after) / (2.0 * curve) if curve > 0 else 0.0
    return float(np.mod(local[best] + offset * (length / COUNT), length))


def read(source: ClipSource, local: F64, rest: Pose) -> Pose:
    """Return the poses [...] of a clip at local times x [...], independent of its playback."""
    out = Pose.like(rest, local.shape)
    times = local + source.playback.start
    source.clip.sample(times, out)
    if source.root is not None:
        source.root.remove_root_motion(out, times)
    return out


def _places(skeleton: Skeleton, pose: Pose) -> F64:
    """Return joint positions [..., J, 3] relative to their mean."""
    places = skeleton.to_model(pose)[..., :3, 3].astype(np.float64)
    return places - places.mean(axis=-2, keepdims=True)
