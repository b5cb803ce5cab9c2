"""Retargeting: converts clips of one skeleton to clips of another.

In model space a target joint d rotates from its reference pose as its source joint s does:
G_d = (G_s G_s,ref⁻¹) G_d,ref; converted to local space it becomes a key. Hips and root follow the
source's translation, scaled by the height of the hips, and so do joints that are no descendants of
the hips in both rigs, such as feet in some rigs; other joints keep their rest translation.
Unmatched joints are at rest, and scale is not retargeted.

Keys are at the source's key times. Where these are not sufficient (CUBICSPLINE, leg IK, unmatched
joints in between) gaps are filled to 1/120 s; STEP becomes two keys at neighbouring float32 times.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..animation import quat
from ..animation.clip import Clip
from ..animation.model_space import about_y, joint_matrix, to_local_points, to_model_rotations
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.track import Path, Track
from ..animation.types import F32, F64, I32, Bool
from .body_heading import yaw_of_sides
from .leg_ik import Leg, plant_feet
from .reference_pose import (
    MatchedJoints,
    ReferencePose,
    RetargetSkeleton,
    align_reference_pose,
    descendants,
    quarter,
)

FILL = 1 / 120  # seconds between keys where the source's keys are not sufficient
BLOCK = 2048  # times processed at once: bounds memory
STILL = 1e-6  # tracks that change less are constant, with two keys
LOW = 0.2  # of the hips' height: ankles are lower than this


@dataclass(frozen=True, eq=False)
class JointMapping:
    """The joint mapping: source joint of each target joint, with sides and root."""

    source_of: I32  # [J of the target] -1 none
    sides: dict[int, str]  # joint of the target: "left" or "right"
    mirrored: tuple[tuple[int, int], ...]  # left and right target joints, which determine the front
    root: int = -1  # joint of the target with root translation besides the hips


class Retarget:
    """Retargeting from one skeleton to another; `convert` converts a clip.

    Parameters
    ----------
    align_poses
        Whether to align the reference poses first (such as T and A pose), by bone directions.
    leg_ik
        Whether to move ankles to the scaled positions of the source's, with soles on the ground.
    """

    def __init__(
        self,
        source: RetargetSkeleton,
        target: RetargetSkeleton,
        mapping: JointMapping,
        *,
        align_poses: bool = True,
        leg_ik: bool = False,
    ) -> None:
        self.source = source
        self.mapping = mapping
        self.turn = about_y(self._turn_to_face(target))
        own, theirs = target.reference_pose, source.reference_pose
        self.links = _links(source, target, mapping)
        if align_poses:
            aligned = align_reference_pose(target.skeleton, own, theirs, self.links, self.turn)
            target = replace(target, reference_pose=aligned)
        self.target = target
        both_stand = source.stands and target.stands
        self.scale = target.height / source.height if both_stand else 1.0  # by the hips' heights
        self.legs: tuple[Leg, ...] = ()
        if leg_ik:
            self.legs = find_legs(source, target, own, self.links, self.turn)

    def _turn_to_face(self, target: RetargetSkeleton) -> float:
        """Return the angle about +Y from the source's facing direction to the target's, radians."""
        pairs, led = self.mapping.mirrored, self.mapping.source_of
        ours = yaw_of_sides(target.reference_pose.position, pairs)
        source_pairs = [(int(led[left]), int(led[right])) for left, right in pairs]
        theirs = yaw_of_sides(self.source.reference_pose.position, source_pairs)
        if ours is None or theirs is None:
            return 0.0
        yaw = ours - theirs
        return quarter(float(np.arctan2(np.sin(yaw), np.cos(yaw))))

    def convert(self, clip: Clip) -> Clip:
        """Return a clip of the source retargeted to the target, without values."""
        times = key_times(clip, fill=bool(self.legs) or not self._alike)
        blocks = [times[k : k + BLOCK] for k in range(0, len(times), BLOCK)]
        parts = [self._block(clip, block) for block in blocks]
        led = np.flatnonzero(self.mapping.source_of >= 0)
        rotation = np.concatenate([pose.rotation[:, led] for pose in parts])
        tracks = [
            _track(joint, "rotation", times, quat.align_signs(rotation[:, k]))
            for k, joint in enumerate(led.tolist())
        ]
        for joint in self._travellers:
            path = np.concatenate([pose.translation[:, joint] for pose in parts])
            tracks.append(_track(joint, "translation", times, path))
        return Clip(clip.name, clip.start, clip.end, tuple(tracks), clip.loop)

    @cached_property
    def _alike(self) -> bool:
        """Whether all matched joints have the same matched parent in both skeletons."""
        skeleton, led = self.target.skeleton, self.mapping.source_of
        own = _next_up(skeleton, led >= 0)
        matched = led >= 0
        return bool((own[matched] == self.links.above[matched]).all())

    @property
    def moved_sources(self) -> list[int]:
        """The source joints whose translation is imported."""
        return [self.source.hips, *self.mapping.source_of[self._travellers].tolist()]

    @property
    def _travellers(self) -> list[int]:
        """The target joints with animated translation, parents first."""
        free = [leg.end for leg in self.legs if not leg.attached]
        root = [self.mapping.root] if self.mapping.root >= 0 else []
        return list(dict.fromkeys([*root, self.target.hips, *self._loose, *free]))

    @cached_property
    def _loose(self) -> list[int]:
        """The topmost matched joints that are neither descendants nor ancestors of the hips."""
        led = self.mapping.source_of
        loose = (led >= 0) & _beside(self.target) & _beside(self.source)[led]
        parents = self.target.skeleton.parents
        return np.flatnonzero(loose & ~((parents >= 0) & loose[parents])).tolist()

    def _block(self, clip: Clip, times: F64) -> Pose:
        """Return the poses of the target at times [T]."""
        theirs = Pose.like(self.source.skeleton.rest, times.shape)
        clip.sample(times, theirs)
        source, target, led = self.source, self.target, self.mapping.source_of
        turned = to_model_rotations(source.skeleton, quat.normalize(_wide(theirs.rotation)))
        model = self._turned(turned)
        pose = Pose.like(target.skeleton.rest, times.shape)
        _put(target.skeleton, model, led >= 0, pose)
        if self.mapping.root >= 0:
            root = self.mapping.root
            place = self._placed(joint_matrix(source.skeleton, theirs, int(led[root]))[..., 3])
            _move(target.skeleton, pose, root, place)
        place = self._placed(joint_matrix(source.skeleton, theirs, source.hips)[..., 3])
        place[..., 1] += target.reference_pose.position[target.hips, 1]
        place[..., 1] -= self.scale * source.reference_pose.position[source.hips, 1]
        _move(target.skeleton, pose, target.hips, place)
        for joint in self._loose:
            path = joint_matrix(source.skeleton, theirs, int(led[joint]))[..., 3]
            place = self._placed(path - source.reference_pose.position[led[joint]])
            _move(target.skeleton, pose, joint, place + target.reference_pose.position[joint])
        if self.legs:
            paths = [self._placed(leg.path(source.skeleton, theirs, turned)) for leg in self.legs]
            plant_feet(target.skeleton, pose, self.legs, paths, target.hips)
        return pose

    def _turned(self, theirs: F64) -> F64:
        """Return G_d [..., J, 4] of the matched joints; undefined for others."""
        led = np.maximum(self.mapping.source_of, 0)
        away = quat.multiply(theirs, quat.conjugate(self.source.reference_pose.rotation))
        away = quat.multiply(quat.multiply(self.turn, away), quat.conjugate(self.turn))
        return quat.multiply(away[..., led, :], self.target.reference_pose.rotation)

    def _placed(self, points: F64) -> F64:
        return quat.rotate(self.turn, points) * self.scale


def key_times(clip: Clip, *, fill: bool) -> F64:
    """Return the key times [T] of the retargeted clip, seconds.

    They are the union of the clip's key times; at jumps, also the last float32 before.
    """
    lines = {id(track.times): track.times for track in clip.tracks}.values()
    jumps = [line[1:][np.diff(line) == 0] for line in lines]
    jumps += [track.times[1:] for track in clip.tracks if track.interpolation == "STEP"]
    before = np.nextafter(np.concatenate([np.zeros(0, np.float32), *jumps]), np.float32(-np.inf))
    times = np.union1d(clip.key_times, before[before > clip.start]).astype(np.float64)
    if not times.size:
        return np.array([clip.start])
    if fill or any(track.interpolation == "CUBICSPLINE" for track in clip.tracks):
        times = np.concatenate([times, _between(times)])
    inside = times[(times >= clip.start) & (times <= clip.end)].astype(np.float32)
    return np.unique(np.append(inside, np.array([clip.start, clip.end], np.float32))).astype(
        np.float64
    )


def _between(times: F64) -> F64:
    """Return evenly spaced times within gaps longer than FILL."""
    gaps = np.diff(times)
    parts = np.ceil(gaps / FILL - 1e-6).astype(np.intp).clip(1)
    segment = np.repeat(np.arange(len(gaps)), parts - 1)
    step = np.arange(len(segment)) - np.repeat(np.cumsum(parts - 1) - (parts - 1), parts - 1) + 1
    return times[segment] + gaps[segment] * step / parts[segment]


def _put(skeleton: Skeleton, model: F64, matched: Bool, pose: Pose) -> None:
    """Write the local rotations that give matched joints their model-space rotations."""
    local = _wide(pose.rotation)
    turned = np.array(model)
    for level in skeleton.levels:
        parents = skeleton.parents[level]
        if (parents < 0).all():
            turned[..., level, :] = np.where(
                matched[level, None], model[..., level, :], local[..., level, :]
            )
            local[..., level, :] = turned[..., level, :]
            continue
        above = turned[..., parents, :]
        given = quat.multiply(quat.conjugate(above), model[..., level, :])
        local[..., level, :] = np.where(matched[level, None], given, local[..., level, :])
        turned[..., level, :] = quat.multiply(above, local[..., level, :])
    pose.rotation[...] = quat.normalize(local)


def _move(skeleton: Skeleton, pose: Pose, joint: int, place: F64) -> None:
    """Move a joint to a point [..., 3] of model space, in place."""
    above = joint_matrix(skeleton, pose, int(skeleton.parents[joint]))
    pose.translation[..., joint, :] = to_local_points(above, place)


def _beside(figure: RetargetSkeleton) -> Bool:
    """Return which joints [J] are neither descendants nor ancestors of the hips."""
    beside = ~descendants(figure.skeleton, figure.hips)
    beside[figure.skeleton.upwards(figure.hips)[1:]] = False
    return beside


def _links(
    source: RetargetSkeleton, target: RetargetSkeleton, mapping: JointMapping
) -> MatchedJoints:
    led = mapping.source_of
    matched = np.flatnonzero(led >= 0)
    leader = np.full(source.skeleton.count, -1, np.int32)
    leader[led[matched]] = matched
    up = _next_up(source.skeleton, leader >= 0)
    above = np.full(target.skeleton.count, -1, np.int32)
    theirs = up[led[matched]]
    above[matched] = np.where(theirs >= 0, leader[theirs], -1)
    body = descendants(source.skeleton, source.hips)  # in some rigs feet are no descendants
    limbs = {j for j in matched.tolist() if not mapping.sides or j in mapping.sides}
    limbs -= {target.hips, mapping.root}
    ground = target.reference_pose.position[target.joints, 1].min()
    low = target.reference_pose.position[:, 1] - ground < LOW * target.height
    feet = {j for j in limbs if low[j] and body[led[j]] and (above[j] < 0 or not low[above[j]])}
    limbs -= {j for j in limbs if low[j] and j not in feet}
    return MatchedJoints(target.hips, led, above, frozenset(limbs), frozenset(feet))


def _next_up(skeleton: Skeleton, marked: Bool) -> I32:
    """Return the nearest marked ancestor of each joint [J], -1 for none."""
    up = np.full(skeleton.count, -1, np.int32)
    for level in skeleton.levels[1:]:
        parents = skeleton.parents[level]
        up[level] = np.where(marked[parents], parents, up[parents])
    return up


def find_legs(
    source: RetargetSkeleton,
    target: RetargetSkeleton,
    own: ReferencePose,
    links: MatchedJoints,
    turn: F64,
) -> tuple[Leg, ...]:
    """Return the legs: a foot and its two matched ancestors.

    `own` is the target's reference pose before its alignment.
    """
    legs = []
    for end in sorted(links.feet):
        middle = int(links.above[end])
        upper = int(links.above[middle]) if middle >= 0 else -1
        if upper >= 0 and upper != target.hips and target.skeleton.parents[upper] >= 0:
            legs.append(Leg.of(source, target, own, links.source_of, (upper, middle, end), turn))
    return tuple(legs)


def _wide(array: F32) -> F64:
    return array.astype(np.float64)


def _track(joint: int, path: Path, times: F64, values: F32) -> Track:
    """Return a LINEAR track; a constant one has two keys."""
    seconds = times.astype(np.float32)
    if len(values) > 2 and float(np.abs(values - values[0]).max()) <= STILL:
        seconds, values = seconds[[0, -1]], values[[0, 0]]
    return Track(joint, path, "LINEAR", seconds, np.ascontiguousarray(values))
