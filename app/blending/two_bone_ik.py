"""Two-bone inverse kinematics: a limb bends so that its end reaches a target position."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..animation import quat
from ..animation.joint_chain import Chain, direction_inverse
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F64
from ..animation.vectors import TINY, across, arc, cross, dot, length, reject, rotate, turn, unit

_X, _UP = np.array((1.0, 0.0, 0.0)), np.array((0.0, 1.0, 0.0))
_IDENTITY = np.array((0.0, 0.0, 0.0, 1.0))
_PASSES = 5  # where the limb's own scale is non-uniform
_EVEN = 1e-6
_BENT = 0.01  # sine of the bend below which the pole direction determines the hinge


class TwoBone:
    """Two-bone IK of an upper, a middle and an end joint, such as shoulder, elbow and hand.

    By the law of cosines. The middle joint bends about its hinge axis in the pose; then the upper
    joint rotates the whole limb, so that its end points to the target and its middle to the pole
    direction. A straight limb has no hinge axis and bends towards the pole. For a target out of
    reach the limb is fully stretched, or folded as far as its lengths allow. Joints in between
    are rigid. Lengths are those of the pose.

    The solution is computed in the space of the upper joint's parent, and is exact under any scale
    of the ancestors, mirrored or non-uniform. With non-uniform scale within the limb the lengths
    depend on the rotations; the bend is then iterated.

    Parameters
    ----------
    skeleton
        The skeleton of the joints.
    joints
        (upper, middle, end), each an ancestor of the next.
    pole
        [3] pole direction of the middle joint, in model space.
    keep
        Whether the end joint keeps its model-space rotation; otherwise it rotates with the limb.

    Raises
    ------
    ValueError
        The joints are not on one chain in that order (they are named), or the pole is zero.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        joints: Sequence[int],
        pole: ArrayLike = (0.0, 0.0, 1.0),
        *,
        keep: bool = True,
    ) -> None:
        if len(joints) != 3:
            raise ValueError(f"two-bone IK needs 3 joints, not {len(joints)}")
        self._chain = Chain(skeleton, joints)
        self.joints = self._chain.joints
        if self.joints != list(joints):
            names = ", ".join(skeleton.names[joint] for joint in self.joints)
            raise ValueError(f"the joints must be in order from the root: {names}")
        self._pole = np.asarray(pole, np.float64)
        if self._pole.shape != (3,) or not np.isfinite(self._pole).all() or not self._pole.any():
            raise ValueError(f"pole must be [3], finite and not zero, not {pole!r}")
        self._keep = keep

    def solve(self, pose: Pose, target: ArrayLike, out: Pose | None = None) -> None:
        """Bend the limb.

        Parameters
        ----------
        pose
            The input pose, any batch [...] in front.
        target
            [..., 3] position of the end joint in model space, or [..., 4, 4] its position and axes
            (the third axis of a mirrored joint stays mirrored).
        out
            Receives the whole pose; None: in place.
        """
        if out is None:
            out = pose
        elif out is not pose:
            out.assign(pose)
        goal = np.asarray(target, np.float64)
        scale = out.scale[..., self._chain.limb, :]
        uneven = bool((np.ptp(scale, axis=-1) > _EVEN * np.abs(scale).max(axis=-1)).any())
        for _ in range(_PASSES if uneven else 1):
            self._bend(out, goal)

    def _bend(self, pose: Pose, goal: F64) -> None:
        """Rotate the three joints of a pose in place, with all joints between them rigid."""
        placed = goal.shape[-2:] == (4, 4)
        chain = self._chain.matrices(pose)
        space, inside = chain.above[..., :3, :3], direction_inverse(chain.above[..., :3, :3])
        root, across_upper = (
            chain.own[0],
            chain.own[0] @ chain.links[0],
        )  # to the upper's parent space
        middle = across_upper @ chain.own[1]
        hand = middle @ chain.links[1]
        start, elbow = root[..., :3, 3], middle[..., :3, 3]
        place = np.broadcast_to(goal[..., :3, 3] if placed else goal, start.shape)
        whole, bend = _bend(
            elbow - start,
            (hand @ chain.own[2])[..., :3, 3] - elbow,
            _solve(space, inside, place - chain.above[..., :3, 3]) - start,
            unit(inside @ self._pole, self._pole),
        )
        turned, bent = quat.to_matrix(whole), quat.to_matrix(bend)
        upper_space = across_upper[..., :3, :3]
        turns = [whole, _rotation(direction_inverse(upper_space) @ bent @ upper_space)]
        if self._keep or placed:
            before = hand[..., :3, :3]
            after = turned @ bent @ before
            if placed:
                signs = np.sign(pose.scale[..., self.joints[-1], :])[..., None, :]
                turns.append(
                    _rotation(direction_inverse(space @ after) @ (goal[..., :3, :3] * signs))
                )
            else:
                turns.append(_rotation(direction_inverse(after) @ before))
        for joint, rotation in zip(self.joints, turns, strict=False):
            own = np.asarray(pose.rotation[..., joint, :], np.float64)
            if placed and joint == self.joints[-1]:
                own = np.broadcast_to(_IDENTITY, own.shape)
            pose.rotation[..., joint, :] = quat.normalize(quat.multiply(rotation, own))


def _bend(upper: F64, lower: F64, aim: F64, pole: F64) -> tuple[F64, F64]:
    """Return the quaternions of the whole limb, and of the lower bone, which is applied first.

    Parameters
    ----------
    upper, lower
        [..., 3] the current bones.
    aim
        [..., 3] from the upper joint to the target.
    pole
        [..., 3] pole direction of the middle joint.
    """
    one, two = length(upper), length(lower)
    area = np.maximum(2.0 * one * two, TINY * TINY)
    cosine = (dot(aim, aim) - one**2 - two**2) / area  # above 1: out of reach, below -1: too near
    bend = np.arccos(np.clip(cosine, -1.0, 1.0))
    along = unit(upper, _UP)
    back = unit(lower, along)
    by_pole = cross(across(along, pole, _UP), along)
    hinge = unit(cross(along, back) + _BENT * by_pole, by_pole)
    folded = quat.multiply(turn(hinge, bend), arc(back, along, hinge))
    end = unit(upper + rotate(folded, lower), along)
    goal = unit(aim, end)
    side = unit(reject(pole, goal), across(goal, along, _UP))
    before = np.stack((end, hinge, cross(end, hinge)), axis=-1)
    normal = cross(side, goal)
    after = np.stack((goal, normal, cross(goal, normal)), axis=-1)
    return quat.from_matrix(after @ np.swapaxes(before, -1, -2)), folded


def _solve(linear: F64, inverse: F64, v: F64) -> F64:
    """Return x of `linear @ x = v`, 0 if singular; `inverse` is known up to a positive factor."""
    out = (inverse @ v[..., None])[..., 0]
    back = (linear @ out[..., None])[..., 0]
    size = dot(back, back)
    none = size < TINY * TINY
    return out * np.where(none, 0.0, dot(back, v) / np.where(none, 1.0, size))[..., None]


def _rotation(matrix: F64) -> F64:
    """Return the quaternions [..., 4] of rotation matrices [..., 3, 3] times a positive factor."""
    first = unit(matrix[..., :, 0], _X)
    second = unit(reject(matrix[..., :, 1], first), across(first, _UP, _UP))
    return quat.from_matrix(np.stack((first, second, cross(first, second)), axis=-1))
