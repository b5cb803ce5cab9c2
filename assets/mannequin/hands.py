"""Fields of the mannequin's hand, and the mesh of the practice sword in its right hand."""

import itertools

import numpy as np
from numpy.typing import NDArray

from .bones import ARM, F64, INDEX, REST
from .shapes import AHEAD, Field, at, ellipsoid, limb, union

I64 = NDArray[np.int64]

BACK = at(-ARM[1], ARM[0], 0.0)  # out of the back of the left hand
# Metres: ahead of the middle of the hand, where the finger begins and ends, its radii there.
FINGERS = [
    (0.0265, 0.078, 0.162, 0.0096, 0.0076),
    (0.009, 0.08, 0.174, 0.0099, 0.0078),
    (-0.0085, 0.078, 0.167, 0.0097, 0.0076),
    (-0.025, 0.074, 0.146, 0.009, 0.007),
]
TILT = np.radians(22.0)  # of the sword, from straight ahead up towards the forearm
SWORD = [  # metres along from the grip, radius across the edge, radius along the edge
    (-0.1, 0.0, 0.0),
    (-0.1, 0.012, 0.014),
    (-0.094, 0.0145, 0.0165),
    (-0.086, 0.0115, 0.0135),
    (-0.04, 0.0108, 0.0128),
    (0.04, 0.0112, 0.0134),
    (0.062, 0.0115, 0.0138),
    (0.062, 0.03, 0.03),
    (0.066, 0.033, 0.033),
    (0.072, 0.033, 0.033),
    (0.076, 0.03, 0.03),
    (0.076, 0.0105, 0.0145),
    (0.2, 0.0095, 0.0145),
    (0.36, 0.0085, 0.0135),
    (0.48, 0.0078, 0.0122),
    (0.515, 0.0066, 0.0098),
    (0.532, 0.004, 0.0058),
    (0.538, 0.0, 0.0),
]
TURNS = 14  # sides of the sword


def hand() -> Field:
    """Return the field of the left hand, with its fingers joined as in a mitten."""
    wrist = REST[INDEX["LeftHand"]]
    axes = np.stack((ARM, AHEAD, BACK))

    def place(along: float, ahead: float, back: float = 0.0) -> F64:
        return wrist + ARM * along + AHEAD * ahead + BACK * back

    palm = [
        ellipsoid(place(0.046, 0.0), at(0.05, 0.0385, 0.0165), axes, 2.6),
        ellipsoid(place(0.07, 0.001, 0.001), at(0.026, 0.037, 0.014), axes, 2.4),
        ellipsoid(place(0.036, 0.019, -0.006), at(0.03, 0.018, 0.014), axes),
    ]
    fingers = [
        limb(place(start, 0.92 * ahead), place(end, ahead), (thick, thin))
        for ahead, start, end, thick, thin in FINGERS
    ]
    web = [
        limb(
            place(one[1], 0.5 * (one[0] + two[0])),
            place(min(one[2], two[2]) - 0.004, 0.5 * (one[0] + two[0])),
            (0.0072, 0.0055),
        )
        for one, two in itertools.pairwise(FINGERS)
    ]
    mitten = union([union(fingers, 0.0016), *web], 0.001)
    return union([union(palm, 0.006), mitten, thumb()], 0.0045)


def thumb() -> Field:
    """Return the field of the left thumb."""
    joints = [REST[INDEX[f"LeftHandThumb{i}"]] for i in (1, 2, 3)]
    way = joints[2] - joints[1]
    tip = joints[2] + way * (0.016 / np.linalg.norm(way))
    parts = [
        limb(joints[0], joints[1], (0.0155, 0.0125)),
        limb(joints[1], joints[2], (0.0122, 0.0112)),
        limb(joints[2], tip, (0.011, 0.0088)),
    ]
    return union(parts, 0.004)


def sword() -> tuple[F64, F64, I64]:
    """Return points, smooth normals and triangles of the sword, placed in the right hand."""
    grip = REST[INDEX["Prop"]]
    flip = at(-1.0, 1.0, 1.0)
    ahead = AHEAD * np.cos(TILT) - ARM * flip * np.sin(TILT)
    edge = -(ARM * flip) * np.cos(TILT) - AHEAD * np.sin(TILT)
    flat = np.cross(edge, ahead)
    table = np.array(SWORD)
    # the normal's slope along the sword is that of each stretch; a vertex ring ends each stretch
    rings, slopes = [], []
    for one, two in itertools.pairwise(table):
        slope = (one[1:] - two[1:]).mean() / max(np.hypot(*(two - one)[:2]), 1e-9)
        rings += [one, two]
        slopes += [slope, slope]
    turn = 2.0 * np.pi * np.arange(TURNS) / TURNS
    points, normals = [], []
    for (along, thin, wide), slope in zip(rings, slopes, strict=True):
        way = np.cos(turn)[:, None] * flat + np.sin(turn)[:, None] * edge
        round_ = thin * np.cos(turn)[:, None] * flat + wide * np.sin(turn)[:, None] * edge
        points.append(grip + along * ahead + round_)
        normals.append(way * np.sqrt(max(1.0 - slope**2, 0.0)) + slope * ahead)
    faces = []
    for i in range(0, len(rings), 2):
        for j in range(TURNS):
            a, b = i * TURNS + j, i * TURNS + (j + 1) % TURNS
            faces += [(a, b, b + TURNS), (a, b + TURNS, a + TURNS)]
    where, corners = np.concatenate(points), np.array(faces)
    sides = where[corners]
    area = np.linalg.norm(np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]), axis=1)
    corners = corners[area > 1e-12]
    used = np.unique(corners)
    number = np.full(len(where), -1)
    number[used] = np.arange(len(used))
    facing = np.concatenate(normals)[used]
    return where[used], facing / np.linalg.norm(facing, axis=1, keepdims=True), number[corners]
