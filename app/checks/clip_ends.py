"""Comparison of the last pose of a clip with its first: root displacement and remaining difference.

The motion that all joints have in common (a displacement and a turn about +Y) is root motion or
root drift. The difference of single joints that remains after removing it is a loop seam.
"""

from dataclasses import dataclass

import numpy as np

from ..animation import quat
from ..animation.root_transform import rotate_about_y
from ..animation.types import F64, I32
from ..animation.vectors import length
from .check_context import REFERENCE_HEIGHT, CheckContext, ClipPoses

STRETCH = 0.08  # share of a clip at each end over which its velocity is measured
TRAVELS = 0.15  # of the height: a clip with a larger displacement travels on purpose
BETTER = 0.7  # of the remaining difference without a turn: a turn must reduce it to less


@dataclass(frozen=True, slots=True, eq=False)
class EndComparison:
    """The first and the last pose of a clip; n joints that move drawn vertices."""

    joints: I32  # [n]
    displacement: F64  # [3] metres, displacement of the hips by the common motion
    turn: float  # radians about +Y
    travels: bool  # whether the displacement is large enough to be intended
    position_gaps: F64  # [n] metres between the joint positions, without the common motion
    rotation_gaps: F64  # [n] radians between the local rotations
    start_velocity: F64  # [n, 3] metres per second, mean velocity at the start, model space
    end_velocity: F64  # [n, 3] the same at the end, in the axes of the start
    pose_distance: float  # metres between the poses, root mean square over the joints
    motion_range: float  # the same between the first pose and the pose furthest from it
    speed: float  # root mean square speed over the whole clip, metres per second

    @property
    def ground_distance(self) -> float:
        """Length of the displacement along the ground, metres."""
        return float(np.hypot(self.displacement[0], self.displacement[2]))


def moved_joints(context: CheckContext) -> I32:
    """Return the joints that move drawn vertices, sorted; without any, the joints of the skins."""
    found = [block.joints for block in context.blocks]
    if not found:
        return context.skin_joints
    return np.unique(np.concatenate(found)).astype(np.int32)


@np.errstate(all="ignore")  # NaN and infinity in files propagate
def compare_ends(context: CheckContext, index: int) -> EndComparison:
    """Return the comparison of a clip's last pose with its first; call it by `context.cached`."""
    shown = context.sampled(index)
    joints = context.cached(moved_joints)
    positions = shown.positions[:, joints]
    move, turn = _common(context, shown, joints)
    end = rotate_about_y(positions[-1] - move, -turn)
    hips = context.hips
    first = shown.positions[0, hips] if hips >= 0 else np.zeros(3)
    displacement = move + rotate_about_y(first, turn) - first
    ahead = min(max(1, round(STRETCH * len(positions))), len(positions) - 1)
    seconds = ahead * shown.step or np.inf
    start_velocity = (positions[ahead] - positions[0]) / seconds
    end_velocity = rotate_about_y(positions[-1] - positions[-1 - ahead], -turn) / seconds
    distances = mean_length(
        positions - positions[0] - (positions - positions[0]).mean(axis=1, keepdims=True)
    )
    velocities = np.diff(positions, axis=0) / (shown.step or np.inf)
    return EndComparison(
        joints,
        displacement,
        turn,
        float(np.hypot(displacement[0], displacement[2]))
        > TRAVELS * context.scale * REFERENCE_HEIGHT,
        length(end - positions[0]),
        _angles(context, shown, joints, turn),
        start_velocity,
        end_velocity,
        float(mean_length(end - positions[0])),
        float(distances.max(initial=0)),
        float(np.sqrt(np.mean(mean_length(velocities) ** 2))) if len(velocities) else 0.0,
    )


def _common(context: CheckContext, shown: ClipPoses, joints: I32) -> tuple[F64, float]:
    """Return the displacement [3] and turn that map most joints of the first pose to the last."""
    begin, end = shown.positions[0, joints], shown.positions[-1, joints]
    translation: F64 = np.median(end - begin, axis=0)
    if context.hips < 0:
        return translation, 0.0
    rotations = shown.rotations[[0, -1], context.hips]
    twist = quat.multiply(rotations[1], quat.conjugate(rotations[0]))
    turn = float(2 * np.arctan2(twist[1] * np.copysign(1, twist[3]), abs(twist[3])))
    rotated = rotate_about_y(begin, turn)
    move: F64 = np.median(end - rotated, axis=0)
    left = [
        float(np.median(length(end - begin - translation))),
        float(np.median(length(end - rotated - move))),
    ]
    return (move, turn) if left[1] < BETTER * left[0] else (translation, 0.0)


def _angles(context: CheckContext, shown: ClipPoses, joints: I32, turn: float) -> F64:
    """Return the angles [n] between local rotations, without the common turn."""
    begin, end = local_rotations(context, shown.rotations[[0, -1]], joints)
    angle = angle_between(begin, end)
    if not turn:
        return angle
    settled = shown.rotations[-1, joints]
    about = np.array([0, np.sin(-turn / 2), 0, np.cos(turn / 2)])
    settled = quat.multiply(np.broadcast_to(about, settled.shape), settled)
    above = context.model.skeleton.parents[joints]
    parents = np.where((above >= 0)[:, None], shown.rotations[-1, above], [0.0, 0, 0, 1])
    return np.minimum(angle, angle_between(begin, quat.multiply(quat.conjugate(parents), settled)))


def local_rotations(context: CheckContext, rotations: F64, joints: I32) -> F64:
    """Return local rotations [T, n, 4] of joints from model-space rotations [T, J, 4]."""
    above = context.model.skeleton.parents[joints]
    parents = np.where((above >= 0)[:, None], rotations[:, above], [0.0, 0, 0, 1])
    return quat.multiply(quat.conjugate(parents), rotations[:, joints])


def angle_between(a: F64, b: F64) -> F64:
    """Return the angles [...] between rotations [..., 4], radians; exact near 0."""
    chord = np.minimum(length(a - b), length(a + b))
    return 4 * np.arcsin(np.minimum(chord / 2, 1))


def mean_length(v: F64) -> F64:
    """Return the root mean square length [...] of vectors [..., n, 3]."""
    return np.sqrt(np.mean(np.einsum("...nc,...nc->...n", v, v), axis=-1))


def worst(values: F64) -> int:
    """Return the index of the greatest finite value."""
    return int(np.argmax(np.where(np.isfinite(values), values, -np.inf)))
