"""The poses in which the surface of a character is measured.

They are chosen from all clips, each the one that differs most from those chosen before: at most
`MOST`, fewer for characters with many vertices. Joints that no clip moves are turned in
`TURNED_POSES` more, which are no pose of a clip.
"""

from typing import NamedTuple

import numpy as np

from ..animation import quat
from ..animation.model_space import to_model_transforms
from ..animation.pose import Pose
from ..animation.types import F64, Bool
from .check_context import CheckContext

MOST, FEWEST = 48, 8  # poses of clips
VERTICES = 600_000  # of all poses of clips together, above which they are fewer
SAMPLES = 1200  # poses of all clips to choose from
TURNED_POSES = 12
TURN = 40.0  # degrees that an unmoved joint is turned by
_STILL = 1e-3  # radians, and metres per metre of height: a joint that moves less is not moved
_DIRECTIONS = 32  # numbers by which poses are compared


class MeasuredPoses(NamedTuple):
    """Matrices in model space: poses of clips, and poses of no clip."""

    clips: F64  # [T, J, 4, 4]
    turned: F64  # [t, J, 4, 4]


def measured_poses(context: CheckContext) -> MeasuredPoses:
    """Return the poses in which the surface is measured; call it by `context.cached`."""
    unmoved = np.zeros(context.model.skeleton.count, bool)
    unmoved[context.skin_joints] = True
    unmoved &= ~_moved(context)
    return MeasuredPoses(_of_clips(context), _turned(context, unmoved))


def _of_clips(context: CheckContext) -> F64:
    """Return the poses [T, J, 4, 4] of all clips that differ most from each other."""
    sampled = [context.sampled(c).matrices for c in context.clips]
    step = max(1, sum(map(len, sampled)) // SAMPLES)
    ends = [np.zeros((0, context.model.skeleton.count, 4, 4))]
    matrices = np.concatenate([*ends, *(poses[::step] for poses in sampled)])
    matrices = matrices[np.isfinite(matrices).all(axis=(1, 2, 3))]
    vertices = sum(len(block.points) for block in context.blocks)
    most = int(np.clip(VERTICES // max(vertices, 1), FEWEST, MOST))
    return matrices[_furthest(_described(context, matrices), most)]


def _described(context: CheckContext, matrices: F64) -> F64:
    """Return [T, n] numbers of poses whose distances are those of what the joints move.

    A motion of the whole character does not count.
    """
    rest, joints = context.rest[0], context.skin_joints
    regular = np.linalg.det(rest[joints]) != 0
    if not regular.any():
        return np.zeros((len(matrices), 1))
    moves = matrices[:, joints[regular]] @ np.linalg.inv(rest[joints[regular]])
    points = rest[joints[regular], :3, 3]
    middle, reach = points.mean(axis=0), max(context.height, 1e-30) / 4
    moves[..., :3, 3] += moves[..., :3, :3] @ middle
    moves[..., :3, :3] *= reach
    moves -= moves.mean(axis=1, keepdims=True)
    flat = moves[..., :3, :].reshape(len(moves), 12 * moves.shape[1])
    directions = np.random.default_rng(0).normal(size=(flat.shape[1], _DIRECTIONS))
    return flat @ directions


def _furthest(points: F64, most: int) -> list[int]:
    """Return rows of points [T, n], each the furthest from those before it; no two alike."""
    if not len(points):
        return []
    chosen, distances = [0], np.full(len(points), np.inf)
    least = 1e-6 * np.abs(points).max()
    while len(chosen) < most:
        off = points - points[chosen[-1]]
        distances = np.minimum(distances, np.sqrt((off**2).sum(axis=1)))
        furthest = int(distances.argmax())
        if not distances[furthest] > least:
            break
        chosen.append(furthest)
    return chosen


def _moved(context: CheckContext) -> Bool:
    """Return [J] whether a clip turns, moves or scales a joint."""
    moved = np.zeros(context.model.skeleton.count, bool)
    for c in context.clips:
        for track in context.clip(c).tracks:
            if track.path in ("translation", "rotation", "scale") and len(track.values):
                still = np.ptp(track.values.reshape(len(track.times), -1), axis=0).max() < _STILL
                moved[track.target] |= not still
    return moved


def _turned(context: CheckContext, joints: Bool) -> F64:
    """Return matrices [t, J, 4, 4] of poses that turn some joints [J] at rest, about any axis."""
    skeleton = context.model.skeleton
    if not joints.any():
        return np.zeros((0, skeleton.count, 4, 4))
    random = np.random.default_rng(2)
    axes = random.normal(size=(TURNED_POSES, skeleton.count, 3))
    axes /= np.sqrt((axes**2).sum(axis=-1, keepdims=True))
    half = np.radians(TURN) / 2
    turns = np.concatenate(
        [axes * np.sin(half), np.full((*axes.shape[:2], 1), np.cos(half))], axis=-1
    )
    pose = Pose.like(skeleton.rest, (TURNED_POSES,))
    pose.assign(skeleton.rest)
    turned = quat.multiply(pose.rotation.astype(np.float64), turns)
    pose.rotation[:, joints] = turned[:, joints]
    return to_model_transforms(skeleton, pose)[0]
