"""Aim (look-at): a chain of joints rotates so that its end points at a target."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..animation import quat
from ..animation.joint_chain import Chain, ChainMatrices, direction_inverse
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F64, Bool
from ..animation.vectors import (
    TINY,
    across,
    angle,
    arc,
    cross,
    dot,
    length,
    reject,
    rotate,
    toward,
    turn,
    unit,
    within,
)

_UP = np.array((0.0, 1.0, 0.0))  # model space
_LEVEL = 1e-6  # sine between line of sight and +Y, below which the roll is undefined
_IDENTITY = np.array((0.0, 0.0, 0.0, 1.0))
_FARTHEST = 2.0 * math.pi  # radians: by way of the middle of a cone


class CatchUp:
    """The greatest angle between an aim and its target, over all directions in the past.

    It grows by what the target moves and shrinks by what the aim may turn. Once it is 0, the aim
    points at the target, and the past has no effect.

    Parameters
    ----------
    speed
        Of the aim, radians per second.

    Attributes
    ----------
    meets
        Whether the angle is 0 now.
    met
        Whether it was 0 at any time since the last `begin` or `allow`.
    """

    def __init__(self, speed: float) -> None:
        self.meets = self.met = False
        self._speed = speed
        self._behind = _FARTHEST
        self._last: tuple[F64, F64] | None = None

    def begin(self) -> None:
        """Forget everything: the aim may point anywhere."""
        self.meets = self.met = False
        self._behind, self._last = _FARTHEST, None

    def allow(self, seconds: float) -> None:
        """Let the aim be off by what it turns in some seconds, and want it to meet again."""
        self.meets = self.met = False
        self._behind, self._last = self._speed * seconds, None

    def follow(self, goal: F64, middle: F64, seconds: ArrayLike) -> None:
        """Note the directions to the target and of the cone's middle [..., 3] after some seconds.

        Without a cone both are that to the target.
        """
        passed = float(np.min(seconds))
        if passed <= 0.0:
            return
        if self._last is not None:
            moved = _most(self._last[0], goal)
            if middle is not goal:
                moved += 2.0 * _most(self._last[1], middle)
            self._behind = max(0.0, self._behind + moved - self._speed * passed)
            self.meets = self._behind == 0.0
            self.met = self.met or self.meets
        self._last = goal, middle


def _most(a: F64, b: F64) -> float:
    return float(np.max(angle(a, b), initial=0.0))


class AimChain:
    """A chain of joints that rotate together to point the last one's axis at a target.

    From the chain's root to its end, each joint rotates by its weight times the remaining angle
    between the end joint's forward axis and the line of sight, both updated after every joint. The
    line of sight starts at the end joint's origin, which the end joint's own rotation does not
    move: with its weight of 1 the target is met exactly. Joints in between keep their local
    rotation.

    Rotations are computed in the space of the joint's parent, so the visible axis, `M @ forward`,
    meets the target under any scale of the ancestors, mirrored or non-uniform.

    With a speed limit the end's direction moves towards the unlimited one, and the joints above it
    follow as a function of the distance covered. The result for a fixed target therefore does not
    depend on the step size; the first pose is the one without the aim, the last one the unlimited
    one.

    Parameters
    ----------
    skeleton
        The skeleton of the joints.
    joints
        [K] in any order; the lowest is the end.
    weights
        [K] 0 to 1, per joint; that of the end is 1.
    forward
        [3] axis of the end joint, in its own space.
    up
        [3] axis of the end joint, in its own space, that is rolled as near to +Y of model space
        as the line of sight allows, each joint by its weight. None: the shortest arc.
    limit
        Radians, half-angle of a cone around the direction of the pose without the aim; targets
        outside are clamped to it. None: any direction.
    speed
        Greatest change of the direction in model space, radians per second. None: unlimited.

    Raises
    ------
    ValueError
        The joints are not on one chain (they are named), or a number is out of range.

    Attributes
    ----------
    catch_up
        With a speed limit, whether the direction still depends on the past.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        joints: Sequence[int],
        weights: ArrayLike,
        forward: ArrayLike = (0.0, 0.0, 1.0),
        *,
        up: ArrayLike | None = None,
        limit: float | None = None,
        speed: float | None = None,
    ) -> None:
        self._chain = Chain(skeleton, joints)
        self.joints = self._chain.joints
        shares = np.asarray(weights, np.float64)
        if shares.shape != (len(joints),) or not ((shares >= 0) & (shares <= 1)).all():
            raise ValueError(f"weights must be [{len(joints)}], 0 to 1, not {weights!r}")
        self.weights: list[float] = shares[self._chain.order].tolist()
        if self.weights[-1] != 1.0:
            end = skeleton.names[self.joints[-1]]
            raise ValueError(f"the end of the chain, {end}, must have weight 1")
        self._forward = _axis(forward, "forward")
        self._up = None if up is None else _axis(up, "up")
        if self._up is not None and np.abs(dot(self._up, self._forward)) > 1.0 - TINY:
            raise ValueError("forward and up must not be parallel")
        if limit is not None and not limit >= 0:
            raise ValueError(f"limit must be an angle >= 0, not {limit}")
        if speed is not None and not speed >= 0:
            raise ValueError(f"speed must be >= 0, not {speed}")
        self._limit = None if limit is None or limit >= np.pi else float(limit)
        self._speed = speed
        self.catch_up = CatchUp(0.0 if speed is None else float(speed))

    def solve(
        self,
        pose: Pose,
        target: ArrayLike,
        direction: F64 | None = None,
        seconds: ArrayLike = 0.0,
    ) -> F64:
        """Rotate the chain's joints of a pose, in place.

        Parameters
        ----------
        pose
            The pose without the aim, any batch [...] in front.
        target
            [..., 3] position in model space.
        direction
            [..., 3] result of the last call; None: start from the direction without the aim.
            Used only with a speed limit.
        seconds
            [...] since the last call.

        Returns
        -------
        F64
            [..., 3] direction of the end joint's forward axis now, model space, length 1.
        """
        chain = self._chain.matrices(pose)
        unaimed = self._unaimed(chain)
        sights, turns = self._sights(chain, target, unaimed, turned=self._speed is None)
        reached = sights[-1]
        if self._speed is not None:
            reached = self._follow(sights[-1], unaimed, direction, seconds)
            late = _late(sights, reached, unaimed)
            turns = self._turns(chain, lambda k, _: late[k])
        for joint, rotation in zip(self.joints, turns, strict=True):
            if rotation is not None:
                own = np.asarray(pose.rotation[..., joint, :], np.float64)
                pose.rotation[..., joint, :] = quat.normalize(quat.multiply(rotation, own))
        return reached

    def direction(
        self, pose: Pose, target: ArrayLike, direction: F64 | None, seconds: ArrayLike
    ) -> F64:
        """Return the direction [..., 3] that `solve` returns; the pose stays as it is."""
        chain = self._chain.matrices(pose)
        unaimed = self._unaimed(chain)
        sights, _ = self._sights(chain, target, unaimed, turned=False)
        return self._follow(sights[-1], unaimed, direction, seconds)

    def _sights(
        self, chain: ChainMatrices, target: ArrayLike, unaimed: F64, *, turned: bool
    ) -> tuple[list[F64], list[F64 | None]]:
        """Return each joint's line of sight, and its rotation; the end's only if `turned`."""
        goal = np.asarray(target, np.float64)  # of all characters, or of each
        sights: list[F64] = []

        def sight(_: int, origin: F64) -> F64:
            aim = unit(goal - origin, unaimed)
            sights.append(aim if self._limit is None else within(aim, unaimed, self._limit, _UP))
            return sights[-1]

        return sights, self._turns(chain, sight, with_end=turned)

    def _follow(self, sight: F64, unaimed: F64, direction: F64 | None, seconds: ArrayLike) -> F64:
        """Return the direction after some seconds of turning towards the end's line of sight."""
        if self._speed is None:
            return sight
        start = unaimed if direction is None else direction
        reached = self._approach(start, sight, unaimed, self._speed * np.asarray(seconds))
        self.catch_up.follow(sight, sight if self._limit is None else unaimed, seconds)
        return reached

    def _unaimed(self, chain: ChainMatrices) -> F64:
        end = chain.above @ chain.own[0] @ chain.below[0]
        return unit(end[..., :3, :3] @ self._forward, self._forward)

    def _turns(
        self, chain: ChainMatrices, sight: Callable[[int, F64], F64], *, with_end: bool = True
    ) -> list[F64 | None]:
        """Return each joint's rotation [..., 4] in its parent's space, None without weight.

        Parameters
        ----------
        chain
            The matrices of the pose without the aim.
        sight
            From a joint's number and the end's current origin to the direction to point in.
        with_end
            Whether the rotation of the end is wanted; no line of sight depends on it.
        """
        out: list[F64 | None] = []
        above = chain.above
        for k, weight in enumerate(self.weights):
            own = chain.own[k]
            end = own @ chain.below[k]
            wanted = sight(k, (above @ end)[..., :3, 3])
            out.append(None)
            if k == len(chain.links) and not with_end:
                break
            if weight > 0.0:
                out[k] = rotation = self._turn(above, end, wanted, weight)
                own = own.copy()
                own[..., :3, :3] = quat.to_matrix(rotation) @ own[..., :3, :3]
            if k < len(chain.links):
                above = above @ own @ chain.links[k]
        return out

    def _approach(self, start: F64, wanted: F64, unaimed: F64, step: F64) -> F64:
        """Return the direction after `step` radians [...], clamped to the cone."""
        via = np.where(self._leaves(start, wanted, unaimed)[..., None], unaimed, wanted)
        reached = toward(start, via, np.minimum(angle(start, via), step), _UP)
        if self._limit is None:
            return reached
        return within(reached, unaimed, self._limit, _UP)  # the input pose may have rotated away

    def _leaves(self, a: F64, b: F64, unaimed: F64) -> Bool:
        """Return whether the arc from a to b leaves the cone; it then goes through the middle.

        This is only possible in cones wider than a half-space: behind the back, from side to side.
        """
        if self._limit is None or self._limit <= np.pi / 2:
            return np.zeros(a.shape[:-1], bool)
        axis = unit(cross(a, b), np.zeros(3))
        farthest = -unit(reject(unaimed, axis), unaimed)
        between = (dot(cross(a, farthest), axis) > 0) & (dot(cross(farthest, b), axis) > 0)
        return between & (angle(farthest, unaimed) > self._limit)

    def _turn(self, above: F64, end: F64, wanted: F64, weight: float) -> F64:
        """Return the rotation [..., 4] of one joint in its parent's space.

        Parameters
        ----------
        above, end
            [..., 4, 4] parent space to model space, and end joint space to parent space.
        wanted
            [..., 3] direction to point in, model space.
        weight
            Fraction of the rotation.
        """
        inside = direction_inverse(above[..., :3, :3])
        up = unit(inside @ _UP, _UP)
        now = unit(end[..., :3, :3] @ self._forward, self._forward)
        goal = unit((inside @ wanted[..., None])[..., 0], now)
        out = arc(now, goal, up)
        if self._up is not None:
            head = rotate(out, unit(end[..., :3, :3] @ self._up, up))
            sine = length(cross(goal, up))
            level, tilted = across(goal, up, up), across(goal, head, up)
            roll = np.arctan2(dot(goal, cross(tilted, level)), dot(tilted, level))
            out = quat.multiply(turn(goal, np.where(sine < _LEVEL, 0.0, roll)), out)
        if weight < 1.0:
            out = quat.slerp(_IDENTITY, out, weight)
        return out


def _late(sights: list[F64], reached: F64, unaimed: F64) -> list[F64]:
    """Return each joint's line of sight while the end has only reached a direction.

    The lines of sight are rotated from that of the end to `reached`. Their differences from that
    of the end, whose origin moves while the joints rotate, are weighted by the fraction reached.
    """
    end = sights[-1]
    behind = arc(end, reached, _UP)
    ahead, done = angle(reached, end), angle(reached, unaimed)
    share = done / np.where(ahead + done > TINY, ahead + done, 1.0)
    return [rotate(behind, toward(end, sight, share * angle(end, sight), _UP)) for sight in sights]


def _axis(v: ArrayLike, name: str) -> F64:
    out = np.asarray(v, np.float64)
    if out.shape != (3,) or not np.isfinite(out).all() or not out.any():
        raise ValueError(f"{name} must be [3], finite and not zero, not {v!r}")
    return out / length(out)
