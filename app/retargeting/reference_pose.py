"""Reference poses for retargeting: rest, bind or clip pose, and their alignment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..animation import quat
from ..animation.model_space import (
    about_y,
    arc,
    to_local_rotations,
    to_matrices,
    to_model_rotations,
)
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.skin import Skin
from ..animation.transform import decompose
from ..animation.types import F64, I32, Bool, Index
from ..animation.vectors import dot

SQUARE = np.radians(20.0)  # angles this near to a quarter turn are rounded to it
SAME = np.radians(1.0)  # rotations this near are equal but for rounding in the file
FLAT = 1e-3  # of a skeleton's extent: hips no higher than this are its lowest joint
STANDS = 0.1  # of the hips' height: a lowest joint this near to 0 is on the ground


@dataclass(frozen=True, eq=False)
class ReferencePose:
    """A skeleton in its reference pose, model space."""

    rotation: F64  # [J, 4] products of the local rotations
    position: F64  # [J, 3]


@dataclass(frozen=True, eq=False)
class RetargetSkeleton:
    """A skeleton with its hips, reference pose and skin, for retargeting."""

    skeleton: Skeleton
    joints: I32  # [n] joints used: those of the skins, or all without a skin
    hips: int
    reference_pose: ReferencePose
    skin: Mapping[int, F64] = field(default_factory=dict)  # joint: [n, 3] points of its skin

    @property
    def lowest(self) -> float:
        """Height of the lowest joint, metres."""
        return float(self.reference_pose.position[self.joints, 1].min())

    @property
    def height(self) -> float:
        """Height of the hips above the lowest joint, metres."""
        return float(self.reference_pose.position[self.hips, 1]) - self.lowest

    @property
    def stands(self) -> bool:
        """Whether the hips are above the lowest joint: a single joint has no height."""
        extent = np.ptp(self.reference_pose.position[self.joints], axis=0).max()
        return self.height > FLAT * float(extent)

    @property
    def floor(self) -> float:
        """Height of the ground: 0, or that of the lowest joint if it is far from 0."""
        return 0.0 if abs(self.lowest) <= STANDS * self.height else self.lowest


def reference_pose_of(skeleton: Skeleton, pose: Pose) -> ReferencePose:
    """Return the reference pose of a pose without batch: the rest pose, or one of a clip."""
    rotation = quat.normalize(pose.rotation.astype(np.float64))
    matrices = to_matrices(
        skeleton, pose.translation.astype(np.float64), rotation, pose.scale.astype(np.float64)
    )
    return ReferencePose(to_model_rotations(skeleton, rotation), matrices[:, :, 3])


def bind_reference_pose(skeleton: Skeleton, skins: Sequence[Skin], hips: int) -> ReferencePose:
    """Return the bind pose, rotated about +Y to face in the direction of the rest pose.

    A bind pose has its own space: exporters rotate it, scale it to centimetres or lay it on its
    back. Only its rotations are used, with the bone lengths of the rest pose. If it is the rest
    pose but for a common rotation, the rest pose is returned.
    """
    rest = reference_pose_of(skeleton, skeleton.rest)
    joints, matrices = _bind(skins)
    if not len(joints):
        return rest
    bound = quat.normalize(decompose(matrices)[1].astype(np.float64))
    apart = quat.multiply(rest.rotation[joints], quat.conjugate(bound))
    if np.abs(dot(apart, apart[:1])).min() > np.cos(SAME / 2):
        return rest
    places = matrices[:, :3, 3]
    turned = about_y(quarter(_yaw_between(places, rest.position[joints])))
    rotation = rest.rotation.copy()
    local = to_local_rotations(skeleton, rest.rotation)
    of_skin = np.zeros(skeleton.count, bool)
    of_skin[joints] = True
    rotation[joints] = quat.multiply(turned, bound)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if not of_skin[joint] and parent >= 0:
            rotation[joint] = quat.multiply(rotation[parent], local[joint])
    position = _positions(skeleton, rotation)
    lift = _ground(places, rest.position[joints], position, joints, hips, skeleton)
    position[:, 1] += lift
    return ReferencePose(rotation, position)


def quarter(angle: float) -> float:
    """Return an angle, rounded to a quarter turn if it is near one; radians."""
    near = round(angle / (np.pi / 2)) * (np.pi / 2)
    return near if abs(angle - near) <= SQUARE else angle


def _bind(skins: Sequence[Skin]) -> tuple[Index, F64]:
    """Return the joints [n] of all skins and their first bind matrices [n, 4, 4]."""
    if not skins:
        return np.zeros(0, np.intp), np.zeros((0, 4, 4))
    inverse = np.concatenate([skin.inverse_bind for skin in skins]).astype(np.float64)
    named = np.concatenate([skin.joints for skin in skins])
    regular = np.abs(np.linalg.det(inverse)) > 1e-30
    joints, first = np.unique(named[regular], return_index=True)
    return joints.astype(np.intp), np.linalg.inv(inverse[regular][first])


def _yaw_between(a: F64, b: F64) -> float:
    """Return the angle about +Y that best aligns points a [n, 3] with b, radians."""
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    sine = (a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]).sum()
    cosine = (a[:, 0] * b[:, 0] + a[:, 2] * b[:, 2]).sum()
    return float(np.arctan2(sine, cosine))


def _positions(skeleton: Skeleton, rotation: F64) -> F64:
    rest = skeleton.rest
    local = to_local_rotations(skeleton, rotation)
    translation, scale = rest.translation.astype(np.float64), rest.scale.astype(np.float64)
    return to_matrices(skeleton, translation, local, scale)[:, :, 3]


def _ground(
    bound: F64, rest: F64, position: F64, joints: Index, hips: int, skeleton: Skeleton
) -> float:
    """Return the lift that puts a reference pose at the bind pose's height above the ground.

    If the bind pose is not on the ground, its lowest joint is put at that of the rest pose.
    """
    place = {joint: k for k, joint in enumerate(joints.tolist())}
    pairs = [(k, place[int(skeleton.parents[j])]) for j, k in place.items()
             if int(skeleton.parents[j]) in place]  # fmt: skip
    lowest = float(position[joints, 1].min())
    if not pairs:
        return float(rest[:, 1].min()) - lowest
    below, above = np.array(pairs).T
    lengths = np.linalg.norm(bound[below] - bound[above], axis=1)
    sizes = np.linalg.norm(position[joints][below] - position[joints][above], axis=1)
    stood = float(bound[:, 1].min() * sizes.sum() / max(lengths.sum(), 1e-30))
    high = float(position[hips, 1]) - lowest
    return (stood if abs(stood) <= STANDS * high else float(rest[:, 1].min())) - lowest


@dataclass(frozen=True, eq=False)
class MatchedJoints:
    """The matched joints of two skeletons, for aligning their reference poses."""

    hips: int  # of the target
    source_of: I32  # [J of the target] matched source joint, -1 none
    above: I32  # [J of the target] joint matched to the source's next matched ancestor, -1 none
    limbs: frozenset[int]  # joints of the target to align with the source's directions
    feet: frozenset[int]  # of those, flat feet: only their heading is aligned


def align_reference_pose(
    skeleton: Skeleton,
    target: ReferencePose,
    source: ReferencePose,
    links: MatchedJoints,
    turn: F64,
) -> ReferencePose:
    """Return the target's reference pose with its limbs aligned to the source's directions.

    Each bone is rotated by the shortest arc, from the hips outwards, together with its
    descendants; feet stay flat and are only aligned in heading.

    Parameters
    ----------
    turn
        [4] rotation of the source to the target's facing direction.
    """
    swing = np.tile(np.array([0.0, 0.0, 0.0, 1.0]), (skeleton.count, 1))
    position = target.position.copy()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            swing[joint] = swing[parent]
            reach = target.position[joint] - target.position[parent]
            position[joint] = position[parent] + quat.rotate(swing[parent], reach)
        children = np.flatnonzero(links.above == joint)
        if joint not in links.limbs or not len(children):
            continue
        own = target.position[children].mean(axis=0) - target.position[joint]
        led = links.source_of[joint]
        theirs = source.position[links.source_of[children]].mean(axis=0) - source.position[led]
        theirs = quat.rotate(turn, theirs)
        if joint in links.feet:
            swing[joint] = _heading(own, theirs)
        elif own.any() and theirs.any():
            now = quat.rotate(swing[joint], own)
            swing[joint] = quat.multiply(arc(now, theirs), swing[joint])
    body = descendants(skeleton, links.hips)
    position[:, 1] -= position[body, 1].min() - target.position[body, 1].min()
    return ReferencePose(quat.multiply(swing, target.rotation), position)


def descendants(skeleton: Skeleton, joint: int) -> Bool:
    """Return which joints [J] are `joint` or its descendants; all for -1."""
    inside = np.full(skeleton.count, joint < 0)
    inside[joint] = True
    return skeleton.below(inside)


def _heading(own: F64, theirs: F64) -> F64:
    """Return the rotation about +Y from one direction to another; identity if one is upright."""
    lengths = [np.hypot(v[0], v[2]) / max(float(np.linalg.norm(v)), 1e-30) for v in (own, theirs)]
    if min(lengths) < 0.3:
        return about_y(0.0)
    return about_y(np.arctan2(theirs[0], theirs[2]) - np.arctan2(own[0], own[2]))
