"""Which clips follow each other without a blend: the end of each compared with every start.

Row a, column b of every table is the difference between the end of clip a and the start of clip b;
on the diagonal the seam of a loop. Clips are compared as stored, including root motion: a clip that
moves away from the origin does not join one that starts there, unless its root is in place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..animation import quat
from ..animation.clip import Clip
from ..animation.model_space import to_model_transforms
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.types import F64, I32, Bool, Index
from ..animation.vectors import length
from .model import Model

METRES = 1e-3  # closer poses are equal
DEGREES = 1.0
STEP = 1 / 480  # seconds between the three samples at an end that give velocities
STILL = 0.05  # of the skeleton's size: clips whose joints move less hold a pose
PART = 16  # clips whose starts are evaluated at once


@dataclass(frozen=True, slots=True, eq=False)
class TransitionDifference:
    """The greatest difference [C, C] between clips over all joints, and its joint [C, C]."""

    amount: F64
    joint: I32


@dataclass(frozen=True, slots=True)
class CorePose:
    """A pose in which several clips start or end."""

    name: str
    begins: tuple[int, ...]  # clips that start in it
    ends: tuple[int, ...]  # clips that end in it


@dataclass(frozen=True, slots=True, eq=False)
class TransitionContinuity:
    """Differences from the ends of C clips to their starts."""

    clips: tuple[int, ...]  # [C] indices of the model's clips
    place: TransitionDifference  # metres between joint positions, model space
    angle: TransitionDifference  # degrees between local joint rotations
    speed: TransitionDifference  # metres per second between joint velocities, model space
    spin: TransitionDifference  # degrees per second between local angular velocities
    metres: float  # limits of a continuous transition
    degrees: float
    poses: tuple[CorePose, ...]

    @property
    def joined(self) -> Bool:
        """[C, C] whether a transition needs no blend (C0 continuity)."""
        return _within(self.place.amount, self.angle.amount, self.metres, self.degrees)


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def transition_continuity(
    model: Model,
    clips: Sequence[int] | None = None,
    *,
    metres: float = METRES,
    degrees: float = DEGREES,
) -> TransitionContinuity:
    """Return the differences between the ends and starts of clips, joint by joint.

    Parameters
    ----------
    model
        The model of the clips; a clip starts at its first key and ends at its last.
    clips
        Indices of the clips to compare; None: all.
    metres, degrees
        Poses closer than both are equal.

    Returns
    -------
    TransitionContinuity
        Includes the core poses: sets of equal starts and ends, directly or through others, of at
        least two clips; each is named after the first clip that holds it.
    """
    chosen = tuple(range(len(model.clips)) if clips is None else clips)
    count = len(chosen)
    ends = _ends(model.skeleton, [model.clips[c] for c in chosen])
    place, angle = distances(ends.places, ends.places), angles(ends.turns, ends.turns)
    same = _within(place.amount, angle.amount, metres, degrees)
    last, first = np.arange(count) + count, np.arange(count)
    return TransitionContinuity(
        chosen,
        _part(place, last, first),
        _part(angle, last, first),
        distances(ends.speeds[last], ends.speeds[first]),
        distances(ends.spins[last], ends.spins[first]),
        metres,
        degrees,
        _poses(model, chosen, same),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Ends:
    """The starts of C clips, then their ends; float64."""

    places: F64  # [2 C, J, 3] metres, model space
    turns: F64  # [2 C, J, 4] local
    speeds: F64  # [2 C, J, 3] metres per second, model space
    spins: F64  # [2 C, J, 3] degrees per second about the parent's axes


def _ends(skeleton: Skeleton, clips: list[Clip]) -> _Ends:
    step = np.array([min(STEP, clip.duration / 4) for clip in clips])
    begin = np.array([clip.start for clip in clips])
    end = np.array([clip.end for clip in clips])
    now, near, far = (
        sampled_joints(skeleton, clips, np.stack([begin + k * step, end - k * step]))
        for k in range(3)
    )
    twice = np.where(step > 0, 2 * step, np.inf)
    pace = np.concatenate([1 / twice, -1 / twice])[:, None, None]  # of a parabola
    speeds = (4 * (near[0] - now[0]) - (far[0] - now[0])) * pace
    back = quat.conjugate(now[1])
    turned = [_vector(quat.multiply(rotation, back)) for rotation in (near[1], far[1])]
    return _Ends(now[0], now[1], speeds, (4 * turned[0] - turned[1]) * pace)


def sampled_joints(skeleton: Skeleton, clips: list[Clip], times: F64) -> tuple[F64, F64]:
    """Return positions [N C, J, 3] and local rotations [N C, J, 4] of C clips at times [N, C]."""
    pose = Pose.like(skeleton.rest, (times.size,))
    for k, time in enumerate(times.ravel().tolist()):
        clips[k % len(clips)].sample(time, Pose.over(pose.data[k], pose.count))
    matrices, _ = to_model_transforms(skeleton, pose)
    return matrices[..., :3, 3], quat.normalize(pose.rotation.astype(np.float64))


def _vector(q: F64) -> F64:
    """Return rotations as axis times angle, degrees."""
    q = np.where(q[..., 3:] < 0, -q, q)
    sine = length(q[..., :3])[..., None]
    angle = np.degrees(2 * np.arctan2(sine, q[..., 3:]))
    return q[..., :3] * angle / np.where(sine > 0, sine, 1)


def distances(a: F64, b: F64) -> TransitionDifference:
    """Return the greatest distance over the joints between every [J, 3] of a and of b."""
    return _greatest(a, b, lambda one, others: length(others - one))


def angles(a: F64, b: F64) -> TransitionDifference:
    """Return the greatest angle over the joints between every [J, 4] of a and of b, degrees."""
    return _greatest(a, b, lambda one, others: np.degrees(quat.angle(one, others)))


def _greatest(a: F64, b: F64, apart: Callable[[F64, F64], F64]) -> TransitionDifference:
    amount, joint = np.zeros((len(a), len(b))), np.zeros((len(a), len(b)), np.int32)
    for row, one in enumerate(a):
        found = apart(one, b)
        if found.size:
            joint[row], amount[row] = found.argmax(axis=1), found.max(axis=1)
    return TransitionDifference(amount, joint)


def _part(miss: TransitionDifference, rows: Index, columns: Index) -> TransitionDifference:
    chosen = np.ix_(rows, columns)
    return TransitionDifference(miss.amount[chosen], miss.joint[chosen])


def _within(place: F64, angle: F64, metres: float, degrees: float) -> Bool:
    return np.asarray((place <= metres) & (angle <= degrees))


def _poses(model: Model, clips: tuple[int, ...], same: Bool) -> tuple[CorePose, ...]:
    """Return the groups of equal ends, by the equality matrix `same` [2 C, 2 C]."""
    count = len(clips)
    group = np.arange(2 * count)
    for _ in range(2 * count):  # the smallest index spreads through each group
        spread = np.where(same, group, 2 * count).min(axis=1, initial=2 * count)
        if np.array_equal(spread, group):
            break
        group = spread
    poses = []
    for number in np.unique(group):
        ends = np.flatnonzero(group == number)
        begins = tuple(clips[k] for k in ends if k < count)
        finishes = tuple(clips[k - count] for k in ends if k >= count)
        if len({*begins, *finishes}) > 1:
            poses.append(CorePose(_name(model, begins, finishes), begins, finishes))
    return tuple(poses)


def _name(model: Model, begins: tuple[int, ...], ends: tuple[int, ...]) -> str:
    """Return the name of the first clip that holds the pose, else that of a start or end."""
    both = [clip for clip in begins if clip in ends]
    for clip in both:
        if _movement(model, model.clips[clip]) <= STILL:
            return model.clips[clip].name
    if begins:
        return f"start of {model.clips[begins[0]].name}"
    return f"end of {model.clips[ends[0]].name}"


def _movement(model: Model, clip: Clip) -> float:
    """Return the greatest distance of a joint from its start, relative to the skeleton's size."""
    pose = Pose.like(model.skeleton.rest, (17,))
    clip.sample(np.linspace(clip.start, clip.end, 17), pose)
    places = to_model_transforms(model.skeleton, pose)[0][..., :3, 3]
    size = float(np.ptp(places[0], axis=0).max(initial=0))
    away = places - places[0]
    furthest = float(length(away).max(initial=0))
    return furthest / max(size, 1e-12)


@dataclass(frozen=True, slots=True)
class Follower:
    """A clip, and the differences of its start from the end of another."""

    clip: int
    metres: float  # greatest distance between positions of a joint, model space
    degrees: float  # greatest angle between local rotations of a joint
    joint: int  # of the greatest distance, -1 without joints

    @property
    def joins(self) -> bool:
        """Whether it follows without a blend."""
        return self.miss <= 1.0

    @property
    def miss(self) -> float:
        """The larger difference, relative to the limits of poses that are equal."""
        return max(self.metres / METRES, self.degrees / DEGREES)


class ClipFollowers:
    """Compares the ends of clips with the starts of all clips of a model, which it evaluates.

    Parameters
    ----------
    report
        Called with the number of clips whose starts are known.
    """

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def __init__(self, model: Model, report: Callable[[int], object] = int) -> None:
        count, joints = len(model.clips), model.skeleton.count
        self.model = model
        self._places = np.zeros((count, joints, 3))
        self._turns = np.zeros((count, joints, 4))
        self._found: tuple[int, list[Follower]] = -1, []  # of the clip asked for last
        for first in range(0, count, PART):
            part = slice(first, min(first + PART, count))
            clips = list(model.clips[part])
            begin = np.array([[clip.start for clip in clips]])
            found = sampled_joints(model.skeleton, clips, begin)
            self._places[part], self._turns[part] = found
            report(part.stop)

    @np.errstate(all="ignore")
    def after(self, clip: int) -> list[Follower]:
        """Return what can follow the end of a clip, the best first."""
        if self._found[0] != clip:
            one = self.model.clips[clip]
            places, turns = sampled_joints(self.model.skeleton, [one], np.array([[one.end]]))
            near, turned = distances(places, self._places), angles(turns, self._turns)
            joints = (
                near.joint[0].tolist()
                if self.model.skeleton.count
                else [-1] * len(self.model.clips)
            )
            amounts = zip(near.amount[0].tolist(), turned.amount[0].tolist(), joints, strict=True)
            followers = [Follower(k, *amount) for k, amount in enumerate(amounts)]
            self._found = clip, sorted(followers, key=lambda each: each.miss)
        return self._found[1]
