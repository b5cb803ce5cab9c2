"""Leg IK: two-bone IK that moves ankles to those of the source, with soles on the ground."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ..animation import quat
from ..animation.model_space import arc, joint_matrix, to_local_points, to_model_rotations, unit
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F64, I32
from ..animation.vectors import length
from .ground_contact import Sole
from .reference_pose import ReferencePose, RetargetSkeleton, descendants

STRETCH = 0.9998  # of a leg's length: its greatest reach
SINK = 0.15  # of the hips' height: greatest lowering of the hips for a planted foot
WIDER = 0.1  # of the hips' height: greatest difference of leg spacing without a correction
PLANTED = 0.1  # of the hips' height: feet above it do not lower the hips


@dataclass(frozen=True, eq=False)
class Leg:
    """Upper, middle and end joint of the target, and both soles."""

    upper: int
    middle: int
    end: int
    attached: bool  # whether the foot is a descendant of the shin; in some rigs it is not
    shin: F64  # [3] from middle to end, in the axes of the middle joint
    source_end: int  # end joint of the source
    theirs: Sole
    own: Sole
    their_floor: float
    floor: float
    height: float  # of the target's hips
    aside: F64  # [3] outward offset of its steps, where the legs are much wider apart
    facing: F64  # [4] rotation of the target's hips in its reference pose

    @classmethod
    def of(
        cls,
        source: RetargetSkeleton,
        target: RetargetSkeleton,
        own: ReferencePose,
        source_of: I32,
        chain: tuple[int, int, int],
        turn: F64,
    ) -> Self:
        """Return the leg of three joints; `own` is the reference pose before its alignment."""
        upper, middle, end = chain
        led = int(source_of[end])
        shin = own.position[end] - own.position[middle]
        return cls(
            *chain,
            attached=bool(descendants(target.skeleton, middle)[end]),
            shin=quat.rotate(quat.conjugate(own.rotation[middle]), shin),
            source_end=led,
            theirs=Sole.of(source, led),
            own=Sole.of(target, end),
            their_floor=source.floor,
            floor=target.floor,
            height=target.height,
            aside=_aside(source, target, int(source_of[upper]), upper, turn),
            facing=target.reference_pose.rotation[target.hips],
        )

    def path(self, skeleton: Skeleton, pose: Pose, rotation: F64) -> F64:
        """Return the path of the source's ankle [..., 3], with the sole's height above the floor.

        Parameters
        ----------
        pose, rotation
            Of the source: local, and the rotations [..., J, 4] in model space.
        """
        places = skeleton.to_model(pose)[..., :3, 3].astype(np.float64)
        path = places[..., self.source_end, :].copy()
        path[..., 1] = self.theirs.lowest(places, rotation) - self.their_floor
        return path


def plant_feet(
    skeleton: Skeleton, pose: Pose, legs: Sequence[Leg], paths: Sequence[F64], hips: int
) -> None:
    """Bend the legs of poses, in place, to scaled ankle paths [..., 3] from `Leg.path`.

    Knees keep their bend direction, and feet their rotation. If a leg is too short for a planted
    foot, the hips are lowered.
    """
    rotation = to_model_rotations(skeleton, pose.rotation.astype(np.float64))
    places = skeleton.to_model(pose)[..., :3, 3].astype(np.float64)
    goals = []
    for leg, path in zip(legs, paths, strict=True):
        goal = path.copy()
        under = leg.own.lowest(places, rotation) - places[..., leg.end, 1]
        goal[..., 1] += leg.floor - under
        goal += quat.rotate(_heading(rotation[..., hips, :], leg.facing), leg.aside)
        goals.append(goal)
    knees = zip(legs, goals, paths, strict=True)
    sink = np.max([_missing(places, rotation, *knee) for knee in knees], axis=0)
    above = joint_matrix(skeleton, pose, int(skeleton.parents[hips]))
    lower = places[..., hips, :].copy()
    lower[..., 1] -= sink
    pose.translation[..., hips, :] = to_local_points(above, lower)
    places[..., descendants(skeleton, hips), 1] -= sink[..., None]
    for leg, goal in zip(legs, goals, strict=True):
        _bend(skeleton, pose, leg, goal, rotation, places)


def _aside(
    source: RetargetSkeleton, target: RetargetSkeleton, led: int, upper: int, turn: F64
) -> F64:
    """Return the outward offset [3] of a thigh from the scaled source's, beyond WIDER."""
    theirs = source.reference_pose.position[led] - source.reference_pose.position[source.hips]
    theirs = quat.rotate(turn, theirs) * (target.height / source.height)
    apart = (
        target.reference_pose.position[upper] - target.reference_pose.position[target.hips] - theirs
    )
    apart[1] = 0.0
    far = float(np.hypot(apart[0], apart[2]))
    scaled: F64 = apart * max(0.0, 1 - WIDER * target.height / max(far, 1e-12))
    return scaled


def _heading(rotation: F64, facing: F64) -> F64:
    """Return the rotation about +Y [..., 4] of the hips since the reference pose."""
    away = quat.multiply(rotation, quat.conjugate(facing))
    return quat.normalize(away * np.array([0.0, 1.0, 0.0, 1.0]))


def _missing(places: F64, rotation: F64, leg: Leg, goal: F64, path: F64) -> F64:
    """Return how far [...] the hips must be lowered for a leg to reach its goal."""
    a, b, c = _points(places, rotation, leg)
    reach = STRETCH * (length(b - a) + length(c - b))
    aside = np.hypot(goal[..., 0] - a[..., 0], goal[..., 2] - a[..., 2])
    drop = a[..., 1] - goal[..., 1] - np.sqrt(np.maximum(reach**2 - aside**2, 0))
    planted = np.clip(1 - path[..., 1] / (PLANTED * leg.height), 0, 1)
    return np.clip(drop, 0, SINK * leg.height) * planted


def _bend(skeleton: Skeleton, pose: Pose, leg: Leg, goal: F64, rotation: F64, places: F64) -> None:
    """Rotate thigh and shin, in place, so that the end reaches `goal` as nearly as possible."""
    a, b, c = _points(places, rotation, leg)
    thigh, shin = length(b - a), length(c - b)
    swing = arc(c - a, goal - a)
    direction = unit(goal - a)
    knee = quat.rotate(swing, b - a)
    far = np.clip(length(goal - a), np.abs(thigh - shin) * 1.0002, (thigh + shin) * STRETCH)
    along = (thigh**2 - shin**2 + far**2) / np.maximum(2 * far, 1e-12)
    aside = np.sqrt(np.maximum(thigh**2 - along**2, 0))
    side = unit(knee - np.einsum("...i,...i->...", knee, direction)[..., None] * direction)
    bent = along[..., None] * direction + aside[..., None] * side
    upper = quat.multiply(arc(knee, bent), swing)
    lower = quat.multiply(arc(quat.rotate(swing, c - b), far[..., None] * direction - bent), swing)
    parents = skeleton.parents
    over = rotation[..., parents[leg.upper], :]
    _write(pose, leg.upper, over, quat.multiply(upper, rotation[..., leg.upper, :]))
    over = quat.multiply(upper, rotation[..., parents[leg.middle], :])
    _write(pose, leg.middle, over, quat.multiply(lower, rotation[..., leg.middle, :]))
    if leg.attached:
        over = quat.multiply(lower, rotation[..., parents[leg.end], :])
        _write(pose, leg.end, over, rotation[..., leg.end, :])
    else:
        above = joint_matrix(skeleton, pose, int(parents[leg.end]))
        pose.translation[..., leg.end, :] = to_local_points(above, a + far[..., None] * direction)


def _write(pose: Pose, joint: int, above: F64, model: F64) -> None:
    pose.rotation[..., joint, :] = quat.normalize(quat.multiply(quat.conjugate(above), model))


def _points(places: F64, rotation: F64, leg: Leg) -> tuple[F64, F64, F64]:
    """Return hip, knee and ankle [..., 3]; the ankle is the end of the shin."""
    knee = places[..., leg.middle, :]
    ankle = knee + quat.rotate(rotation[..., leg.middle, :], leg.shin)
    return places[..., leg.upper, :], knee, ankle
