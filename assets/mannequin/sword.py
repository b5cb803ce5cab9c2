"""The mesh of the practice sword in the mannequin's right hand."""

import itertools

import numpy as np
from numpy.typing import NDArray

from .bones import ARM, F64, INDEX, REST
from .shapes import AHEAD, at

I64 = NDArray[np.int64]

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
