"""The mannequin's left hand: the field of its palm, and the fingers as turned pieces."""

import itertools

import numpy as np

from .bones import ARM, F64, INDEX, REST
from .shapes import AHEAD, Field, at, ellipsoid, limb, smooth, union
from .solids import I64, tube

BACK = at(-ARM[1], ARM[0], 0.0)  # out of the back of the left hand
ROOT = 0.076  # metres from the wrist: where the fingers begin, inside the palm
KNUCKLES = (0.088, 0.126, 0.156)  # metres from the wrist: the joints HandMiddle1 to 3
# Metres: ahead of the middle of the hand at the knuckle and at the tip; how far the tip is from
# the wrist; the radii at both.
FINGERS = (
    (0.0262, 0.0325, 0.163, 0.0087, 0.0071),
    (0.0088, 0.011, 0.174, 0.0089, 0.0072),
    (-0.0087, -0.0108, 0.166, 0.0087, 0.0071),
    (-0.0255, -0.032, 0.148, 0.0079, 0.0063),
)
ROUND = 0.0006  # metres by which a knuckle's ball is wider than the finger that turns in it
WAIST = 0.1  # share of its radius by which a finger is thinner at a joint
SIDES = 8
OFFS = (-0.008, -0.004, 0.0, 0.004, 0.008)  # metres of a finger's rings from its joints
BEND = 0.0085  # metres on either side of a finger's joint over which it bends


def place(along: float, ahead: float, back: float = 0.0) -> F64:
    """Return a point of the left hand, metres from its wrist."""
    return REST[INDEX["LeftHand"]] + ARM * along + AHEAD * ahead + BACK * back


def palm() -> Field:
    """Return the field of the left palm with the mound of its thumb."""
    axes = np.stack((ARM, AHEAD, BACK))
    joint = REST[INDEX["LeftHandThumb1"]]
    parts = [
        ellipsoid(place(0.043, 0.0), at(0.039, 0.036, 0.0158), axes, 2.7),
        limb(place(0.07, 0.027), place(0.068, -0.0255), (0.012, 0.0112)),
        limb(place(0.018, 0.006, -0.004), joint + ARM * 0.012 - BACK * 0.003, (0.013, 0.0145)),
    ]
    knuckles = [
        limb(place(0.06, root), place(KNUCKLES[0], root), (thick, thick + ROUND))
        for root, _, _, thick, _ in FINGERS
    ]
    return union([union(parts, 0.005), union(knuckles, 0.0018)], 0.0025)


def _bead(along: F64, joints: F64, ends: tuple[float, float], radii: tuple[float, float]) -> F64:
    """Return the radii [R] of a finger: thinner at its joints, round at its tip."""
    first, last = ends
    radius = radii[0] + (radii[1] - radii[0]) * (along - first) / (last - first)
    near = np.abs(along[:, None] - joints).min(axis=1)
    radius = radius * (1.0 - WAIST * np.exp(-((near / 0.0042) ** 2)))
    tip = np.clip((along - last + radii[1]) / radii[1], 0.0, 1.0)
    return radius * np.sqrt(np.maximum(1.0 - tip**2, 0.0))


def _stations(joints: tuple[float, ...], first: float, last: float, tip: float) -> F64:
    """Return where the rings of a finger are, from its root to its tip."""
    at_joints = [joint + off for joint in joints for off in OFFS]
    between = [0.5 * (a + b) for a, b in zip(joints, (*joints[1:], last), strict=True)]
    round_ = [last - tip * (1.0 - s) for s in (0.0, 0.5, 0.8, 0.96, 1.0)]
    inner = [s for s in (*at_joints, *between) if first + 0.002 < s < last - tip - 0.002]
    return np.unique(np.round((first, first + 1e-4, *inner, *round_), 6))


def finger(number: int) -> tuple[F64, I64, F64]:
    """Return points, triangles, and metres from the wrist [V] of a finger; 0 is the first one."""
    root, tip, end, thick, thin = FINGERS[number]
    joints = np.array([joint for joint in KNUCKLES if joint < end - 0.012])
    along = _stations(KNUCKLES, ROOT, end, thin)
    aside = root + (tip - root) * (along - KNUCKLES[0]) / (end - KNUCKLES[0])
    path = place(0.0, 0.0) + along[:, None] * ARM + aside[:, None] * AHEAD
    points, triangles = tube(path, _bead(along, joints, (ROOT, end), (thick, thin)), BACK, SIDES)
    return points, triangles, (points - place(0.0, 0.0)) @ ARM


def thumb() -> tuple[F64, I64, F64]:
    """Return points, triangles, and metres from its joint [V] of the thumb."""
    joints = [REST[INDEX[f"LeftHandThumb{i}"]] for i in (1, 2, 3)]
    steps = [np.linalg.norm(b - a) for a, b in itertools.pairwise(joints)]
    lengths = [0.0, float(steps[0]), float(steps[0] + steps[1])]
    end = lengths[2] + 0.03
    along = _stations((lengths[1], lengths[2]), -0.004, end, 0.0085)
    knots = [joints[0], joints[1], joints[2], joints[2] + _way(joints[1], joints[2]) * 0.03]
    places = np.array([*lengths, end])
    path = np.stack([np.interp(along, places, np.array(knots)[:, k]) for k in range(3)], axis=1)
    path[0] -= 0.004 * _way(joints[0], joints[1])
    bead = _bead(along, np.array(lengths[1:]), (0.0, end), (0.0125, 0.0085))
    points, triangles = tube(path, bead, BACK, SIDES)
    return points, triangles, (points - joints[0]) @ _way(joints[0], joints[2])


def _way(a: F64, b: F64) -> F64:
    """Return the direction from one point to another."""
    way: F64 = (b - a) / np.linalg.norm(b - a)
    return way


def mound(points: F64) -> F64:
    """Return how much [N] points of the palm belong to the thumb, 0 … 1."""
    start = REST[INDEX["LeftHandThumb1"]]
    end = REST[INDEX["LeftHandThumb2"]]
    return 0.8 * smooth(-limb(start, end, (0.006, 0.006))(points), -0.022, -0.002)


def grooves(along: F64) -> F64:
    """Return metres [N] to the nearest joint of a finger, from metres along the hand."""
    away: F64 = np.abs(along[:, None] - np.array(KNUCKLES)).min(axis=1)
    return away
