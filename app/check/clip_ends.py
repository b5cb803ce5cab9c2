"""How the end of a clip meets its beginning: what the whole body is moved by, and what is left.

A walk that walks away ends elsewhere than it began, and a walk on the spot may creep: what all
joints have in common, a way and a turn about the vertical, is told apart from the joints that miss
their place in the body. The first is root motion, or root drift; the second a seam.
"""

from dataclasses import dataclass

import numpy as np

from ..animation import ground_motion, quat
from ..animation.types import F64, I32
from .subject import TALL, Sampled, Subject

STRETCH = 0.08  # of a clip, at each end: what tells which way it moves there
TRAVELS = 0.15  # of the height: a clip that ends so far away means to go there
BETTER = 0.7  # of what is left without: a turn has to explain so much to be one


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The beginning and the end of a clip; n joints that move something that is drawn."""

    joints: I32  # [n]
    way: F64  # [3] metres that the hips are brought by the common move
    turn: float  # radians about +Y
    travels: bool  # whether that is the way of a clip that means to go somewhere
    places: F64  # [n] metres between the joints, once the common move is taken away
    angles: F64  # [n] radians between their rotations from their parents
    begins: F64  # [n, 3] metres a second, mean over a stretch at the beginning, model space
    finishes: F64  # [n, 3] at the end, as seen from the beginning
    apart: float  # metres between the poses, the root of the mean square over the joints
    reach: float  # the same, of the pose that is furthest from the first
    pace: float  # the same of the speeds, over the whole clip

    @property
    def ground(self) -> float:
        """Metres along the ground."""
        return float(np.hypot(self.way[0], self.way[2]))


def moved_joints(subject: Subject, _: int = -1) -> I32:
    """Return the joints that move something drawn, sorted; those of the skin where none does."""
    found = [piece.joints for piece in subject.pieces]
    if not found:
        return subject.skin_joints
    return np.unique(np.concatenate(found)).astype(np.int32)


@np.errstate(all="ignore")  # absurd numbers of a file show as they are
def ends(subject: Subject, index: int) -> Ends:
    """Compare the last pose of a clip with its first; use it by `Subject.once`."""
    shown = subject.sampled(index)
    joints = subject.once(moved_joints)
    places = shown.places[:, joints]
    way, turn = _common(subject, shown, joints)
    back = turned(places[-1] - way, -turn)
    hips = subject.hips
    first = shown.places[0, hips] if hips >= 0 else np.zeros(3)
    hips_way = way + turned(first, turn) - first
    ahead = min(max(1, round(STRETCH * len(places))), len(places) - 1)
    seconds = ahead * shown.step or np.inf
    begins = (places[ahead] - places[0]) / seconds
    finishes = turned(places[-1] - places[-1 - ahead], -turn) / seconds
    away = mean_length(places - places[0] - (places - places[0]).mean(axis=1, keepdims=True))
    still = np.diff(places, axis=0) / (shown.step or np.inf)
    return Ends(
        joints,
        hips_way,
        turn,
        float(np.hypot(hips_way[0], hips_way[2])) > TRAVELS * subject.scale * TALL,
        length(back - places[0]),
        _angles(subject, shown, joints, turn),
        begins,
        finishes,
        float(mean_length(back - places[0])),
        float(away.max(initial=0)),
        float(np.sqrt(np.mean(mean_length(still) ** 2))) if len(still) else 0.0,
    )


def _common(subject: Subject, shown: Sampled, joints: I32) -> tuple[F64, float]:
    """Return the way [3] and the turn that bring most joints from the first pose to the last."""
    begin, end = shown.places[0, joints], shown.places[-1, joints]
    plain: F64 = np.median(end - begin, axis=0)
    if subject.hips < 0:
        return plain, 0.0
    turns = shown.turns[[0, -1], subject.hips]
    twist = quat.multiply(turns[1], quat.conjugate(turns[0]))
    turn = float(2 * np.arctan2(twist[1] * np.copysign(1, twist[3]), abs(twist[3])))
    from_there = turned(begin, turn)
    way: F64 = np.median(end - from_there, axis=0)
    left = [
        float(np.median(length(end - begin - plain))),
        float(np.median(length(end - from_there - way))),
    ]
    return (way, turn) if left[1] < BETTER * left[0] else (plain, 0.0)


def _angles(subject: Subject, shown: Sampled, joints: I32, turn: float) -> F64:
    """Return the angles [n] between rotations from the parent; the common turn is none of them."""
    begin, end = local_turns(subject, shown.turns[[0, -1]], joints)
    angle = angle_between(begin, end)
    if not turn:
        return angle
    settled = shown.turns[-1, joints]
    about = np.array([0, np.sin(-turn / 2), 0, np.cos(turn / 2)])
    settled = quat.multiply(np.broadcast_to(about, settled.shape), settled)
    above = subject.model.skeleton.parents[joints]
    parents = np.where((above >= 0)[:, None], shown.turns[-1, above], [0.0, 0, 0, 1])
    return np.minimum(angle, angle_between(begin, quat.multiply(quat.conjugate(parents), settled)))


def local_turns(subject: Subject, turns: F64, joints: I32) -> F64:
    """Return the rotations [T, n, 4] of joints from their parents, of turns [T, J, 4]."""
    above = subject.model.skeleton.parents[joints]
    parents = np.where((above >= 0)[:, None], turns[:, above], [0.0, 0, 0, 1])
    return quat.multiply(quat.conjugate(parents), turns[:, joints])


def turned(v: F64, angle: float) -> F64:
    """Turn vectors [..., 3] about +Y, radians: +Z goes to +X."""
    return ground_motion.turned(v, np.asarray(angle))


def angle_between(a: F64, b: F64) -> F64:
    """Return the angles [...] between rotations [..., 4], radians; exact near 0."""
    chord = np.minimum(length(a - b), length(a + b))
    return 4 * np.arcsin(np.minimum(chord / 2, 1))


def length(v: F64) -> F64:
    """Return the lengths [...] of vectors [..., C]."""
    return np.sqrt(np.einsum("...c,...c->...", v, v))


def mean_length(v: F64) -> F64:
    """Return the root of the mean square [...] of vectors [..., n, 3]."""
    return np.sqrt(np.mean(np.einsum("...nc,...nc->...n", v, v), axis=-1))


def worst(values: F64) -> int:
    """Return where the greatest value is; what is no number does not count."""
    return int(np.argmax(np.where(np.isfinite(values), values, -np.inf)))
