"""The mannequin's left hand: the field of its palm, and the fingers as turned pieces."""

import itertools

import numpy as np

from .bones import ARM, F64, FINGERS, INDEX, REST, finger_place
from .shapes import AHEAD, Field, at, ellipsoid, limb, smooth, union
from .solids import I64, tube

BACK = at(-ARM[1], ARM[0], 0.0)  # out of the back of the left hand
ROOT = 0.012  # metres before its first joint: where a finger begins, inside the palm
# Metres: the radii of a finger at its first joint and at its tip.
RADII = {
    "Index": (0.0089, 0.0071),
    "Middle": (0.0091, 0.0072),
    "Ring": (0.0089, 0.0071),
    "Pinky": (0.0081, 0.0063),
}
ROUND = 0.0005  # metres by which a knuckle's ball is wider than the finger that turns in it
WAIST = 0.1  # share of its radius by which a finger is thinner at a joint
SIDES = 8
OFFS = (-0.008, -0.004, 0.0, 0.004, 0.008)  # metres of a finger's rings from its joints
HANDLE = 0.0125  # metres: the radius of the grip that a hand closes round
FURTHEST = (95.0, 110.0, 80.0)  # degrees that the joints of a finger bend, at most
CURLED = 55.0  # degrees that its last joint bends, at least
BEND = 0.0085  # metres on either side of a finger's joint over which it bends


def place(along: float, ahead: float, back: float = 0.0) -> F64:
    """Return a point of the left hand, metres from its wrist."""
    return REST[INDEX["LeftHand"]] + ARM * along + AHEAD * ahead + BACK * back


def palm() -> Field:
    """Return the field of the left palm with the mound of its thumb."""
    axes = np.stack((ARM, AHEAD, BACK))
    joint = REST[INDEX["LeftHandThumb1"]]
    parts = [
        ellipsoid(place(0.04, 0.0), at(0.038, 0.036, 0.0158), axes, 2.5),
        limb(place(0.066, 0.026), place(0.062, -0.025), (0.0118, 0.011)),
        limb(place(0.018, 0.006, -0.004), joint + ARM * 0.012 - BACK * 0.003, (0.013, 0.0145)),
    ]
    knuckles = []  # they grow out of the palm, and are no wider than what turns in them
    for name, (along, _, (root, _)) in FINGERS.items():
        thick = RADII[name][0]
        ends = place(along[0] - 0.036, 0.9 * root), place(along[0], root)
        knuckles.append(limb(*ends, (thick + 0.0026, thick + ROUND)))
    return union([union(parts, 0.005), union(knuckles, 0.0016)], 0.004)


def wrap(name: str, tilt: F64) -> list[F64]:
    """Return how far [K] each joint of a finger bends round a grip, degrees.

    Each bone of the finger touches the grip, which is `tilt` [K] degrees from straight across the
    palm, towards the fingers in front of the hand.
    """
    joints, _, (ahead, _) = FINGERS[name]
    away = REST[INDEX["LeftHandLocator"]] - place(0.0, 0.0)
    across = float(away @ ARM) + ahead * np.tan(np.radians(tilt)) - joints[0]
    deep = float(-away @ BACK)
    around = HANDLE + float(np.mean(RADII[name]))
    far = np.hypot(across, deep)
    bends = [np.degrees(np.arctan2(deep, across) - np.arcsin(np.minimum(around / far, 1.0)))]
    beyond = -np.sqrt(np.maximum(far**2 - around**2, 0.0))  # of a bone, where it touches
    for bone in np.diff(joints):
        beyond = bone - np.abs(beyond)
        bends.append(np.degrees(2.0 * np.arctan2(np.maximum(beyond, 0.0), around)))
    bends[-1] = np.maximum(bends[-1], CURLED)
    return [np.minimum(bend, most) for bend, most in zip(bends, FURTHEST, strict=False)]


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


def finger(name: str) -> tuple[F64, I64, F64]:
    """Return points, triangles, and metres from the wrist [V] of a finger."""
    joints, end, _ = FINGERS[name]
    radii, first = RADII[name], joints[0] - ROOT
    along = _stations(joints, first, end, radii[1])
    path = place(0.0, 0.0) + along[:, None] * ARM + finger_place(name, along)[:, None] * AHEAD
    points, triangles = tube(path, _bead(along, np.array(joints), (first, end), radii), BACK, SIDES)
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
    return 0.6 * smooth(-limb(start, end, (0.006, 0.006))(points), -0.022, -0.002)


def grooves(along: F64, ahead: F64) -> F64:
    """Return metres [N] to the nearest joint of a finger, from metres along and across the hand."""
    asides, nearest = [], []
    for name, (joints, _, _) in FINGERS.items():
        asides.append(np.abs(ahead - finger_place(name, along)))
        nearest.append(np.abs(along[:, None] - np.array(joints)).min(axis=1))
    own = np.argmin(asides, axis=0)
    away: F64 = np.take_along_axis(np.stack(nearest), own[None], axis=0)[0]
    return away
