"""How far vertices and joints move per unit error of a track: the basis of a track's tolerance."""

from dataclasses import dataclass

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.pose import Pose
from ..animation.types import F64, Bool
from ..animation.vectors import length
from .model import Model
from .skinned_vertices import VertexBlock

MAX_POSES = 24  # in which sensitivities are measured, spread over all clips
MAX_DISTANCES = 1 << 20  # between joints at once: 24 MiB of differences


@dataclass(frozen=True, slots=True, eq=False)
class TrackSensitivities:
    """Greatest displacement of vertices and joints below a joint per unit error of its track."""

    rotation: F64  # [J] metres per radian
    translation: F64  # [J] metres per unit of local translation
    scale: F64  # [J] metres per unit of local scale
    values: F64  # [P] metres per unit; 0 for values that move no vertex


def track_sensitivities(model: Model, parts: list[VertexBlock]) -> TrackSensitivities:
    """Return the sensitivities measured in poses of all clips: estimates, not bounds."""
    skeleton = model.skeleton
    pose = _some_poses(model)
    below = skeleton.below(np.eye(skeleton.count, dtype=bool))  # [J, J] whether first below second
    matrices, _ = to_model_transforms(skeleton, pose)
    origins = matrices[..., :3, 3]
    stretch = np.sqrt(np.einsum("tjab,tjab->tjb", matrices[..., :3, :3], matrices[..., :3, :3]))
    longest = stretch.max(axis=(0, 2))
    per_radian = _reach(origins, below)
    values = np.zeros(pose.values.shape[-1])
    for block in parts:
        weights = block.weights @ below[block.joints].astype(np.float32)  # [V, J]
        moving = np.flatnonzero(weights.any(axis=0))
        for t in range(len(matrices)):
            points = block.skinned(block.palette(matrices[t]), block.morphed(pose.values[t]))
            reach = _distances(points, origins[t, moving]) * weights[:, moving]
            per_radian[moving] = np.maximum(per_radian[moving], reach.max(axis=0))
        if block.deltas is not None:
            displacement = block.reach * longest[block.joints].max(initial=0)
            values[block.values] = np.maximum(values[block.values], displacement)
    per_metre = np.where(skeleton.parents < 0, 1, longest[skeleton.parents])
    min_scale = np.abs(pose.scale).astype(np.float64).max(axis=2).min(axis=0)
    per_scale = per_radian / np.maximum(min_scale, 1e-3)
    return TrackSensitivities(per_radian, per_metre, per_scale, values)


def _reach(origins: F64, below: Bool) -> F64:
    """Return [J] the greatest distance of a joint to one below it, for origins [T, J, 3]."""
    poses, count = origins.shape[:2]
    reach = np.zeros(count)
    size = max(1, MAX_DISTANCES // max(poses * count, 1))
    for start in range(0, count, size):
        part = slice(start, start + size)
        distances = length(origins[:, :, None] - origins[:, None, part])  # [T, J, size]
        reach[part] = (distances * below[:, part]).max(axis=(0, 1))
    return reach


def _distances(a: F64, b: F64) -> F64:
    """Return the distances [n, m] between points [n, 3] and [m, 3]."""
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return np.sqrt(np.maximum(squares, 0))


def _some_poses(model: Model) -> Pose:
    """Return the rest pose and some poses of the clips."""
    moments = [(clip, u) for clip in model.clips for u in (0.0, 0.35, 0.7)]
    few = moments[:: max(1, -(-len(moments) // MAX_POSES))]
    pose = Pose.like(model.skeleton.rest, (len(few) + 1,))
    for k, (clip, u) in enumerate(few, 1):
        clip.sample(clip.start + u * clip.duration, Pose.over(pose.data[k], pose.count))
    return pose
