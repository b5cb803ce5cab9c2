"""Procedural wood, as a function of the position in it, and metal pins."""

import numpy as np
from numpy.typing import NDArray

from .bones import ARM, F64, INDEX, REST
from .shapes import length

F32 = NDArray[np.float32]
TABLE = 64  # cells to a side of the noise's table, after which it repeats
UP, AHEAD, ASIDE = np.array((0.0, 1, 0)), np.array((0.0, 0, 1)), np.array((1.0, 0, 0))
PIN = 0.0085  # metres: radius of a hinge's pin
_table = np.random.default_rng(1750).random((TABLE, TABLE, TABLE), dtype=np.float32)


def noise(points: F32) -> F32:
    """Return smooth noise [N] of 0 … 1 at points [N, 3], with cells of length 1."""
    floor = np.floor(points)
    cell = floor.astype(np.int32) % TABLE
    u = points - floor
    u = u * u * (3.0 - 2.0 * u)
    after = (cell + 1) % TABLE
    x, y, z = ((cell[:, k], after[:, k]) for k in range(3))
    flat = _table.reshape(-1)

    def row(i: NDArray[np.int32], j: NDArray[np.int32]) -> F32:
        start = (i * TABLE + j) * TABLE
        low, high = flat[start + z[0]], flat[start + z[1]]
        return low + (high - low) * u[:, 2]

    near, far = row(x[0], y[0]), row(x[0], y[1])
    left = near + (far - near) * u[:, 1]
    near, far = row(x[1], y[0]), row(x[1], y[1])
    right = near + (far - near) * u[:, 1]
    return left + (right - left) * u[:, 0]


def step(value: F64, edge: float, width: float) -> F64:
    """Return 0 below an edge, 1 above it, and a linear ramp between."""
    return np.clip((value - edge) / width + 0.5, 0.0, 1.0)


def blocks(points: F64) -> tuple[F64, NDArray[np.int64]]:
    """Return coordinates [N, 3] in the block of wood of a point, and the block's number [N]."""
    half = np.abs(points[:, 0])
    left = np.column_stack((half, points[:, 1:]))
    shoulder, hip = REST[INDEX["LeftArm"]], REST[INDEX["LeftUpLeg"]]
    along = (left - shoulder) @ ARM
    frame = np.column_stack((points[:, 0], points[:, 2], points[:, 1]))
    block = np.digitize(points[:, 1], (1.096, 1.492)) + 1  # hips, chest, head
    in_arm = (left - shoulder - np.array((-0.026, 0, 0))) @ np.array((0.9724, 0.2334, 0.0)) > 0.0
    in_arm &= (points[:, 1] < 1.47) & ((along > -0.03) & (half > 0.14))
    arm = (in_arm & (along > 0.0)) | (in_arm & (points[:, 1] > 1.3))
    across = np.array((-ARM[1], ARM[0], 0.0))
    limb = np.column_stack((left[:, 2], (left - shoulder) @ across, along))
    frame = np.where(arm[:, None], limb, frame)
    block = np.where(arm, 4 + np.digitize(along, (0.27, 0.51)), block)
    in_leg = ~arm & (half > 0.0)
    in_leg &= (left - np.array((0.04, 0.862, 0))) @ np.array((0.82, -0.57, 0)) > 0.0
    in_leg &= points[:, 1] < hip[1] + 0.08
    block = np.where(in_leg, 8 - np.digitize(points[:, 1], (0.5,)), block)
    foot = points[:, 1] < REST[INDEX["LeftFoot"]][1] + 0.018
    frame = np.where(
        foot[:, None], np.column_stack((left[:, 0], points[:, 1], points[:, 2])), frame
    )
    block = np.where(foot, 9, block)
    return frame, block * 2 + (points[:, 0] < 0.0) * (block > 3)


def grain(points: F64, *, dark: NDArray[np.bool_]) -> tuple[F32, F32]:
    """Return the growth ring position of wood at points [N, 3], 0 … 1, and its fibres, 0 … 1."""
    frame, block = blocks(points)
    place = frame.astype(np.float32)
    number = (block + 40 * dark).astype(np.float32)
    shift = np.column_stack((number * 7.31, number * 3.77, number * 5.19)).astype(np.float32)
    wander = noise(place * np.array((9.0, 9.0, 2.2), np.float32) + shift) - 0.5
    pith = np.column_stack((0.11 + 0.05 * np.sin(number), 0.07 * np.cos(number * 2.3)))
    radius = np.hypot(place[:, 0] + pith[:, 0], place[:, 1] + pith[:, 1]) + 0.045 * wander
    years = radius / np.where(dark, 0.0042, 0.0075)
    part = years - np.floor(years)
    late = part**3 * np.clip((1.0 - part) * 6.0, 0.0, 1.0)
    fibres = noise(place * np.array((420.0, 420.0, 26.0), np.float32) + shift)
    return late.astype(np.float32), fibres


def pins(points: F64) -> F64:
    """Return the distance [N] from the nearest pin's rim, negative on its head, metres."""
    left = np.column_stack((np.abs(points[:, 0]), points[:, 1:]))
    nearest = np.full(len(points), 1.0)
    for joint, axis, reach in (
        ("LeftForeArm", AHEAD, 0.06),
        ("LeftLeg", ASIDE, 0.08),
        ("LeftFoot", ASIDE, 0.055),
        ("LeftHand", AHEAD, 0.04),
    ):
        centre = REST[INDEX[joint]] + (UP * 0.018 if joint == "LeftFoot" else 0.0)
        if joint == "LeftHand":
            axis = np.cross(ARM, AHEAD)
        away = left - centre
        along = away @ axis
        radius = length(away - along[:, None] * axis)
        radius = np.where(np.abs(along) < reach, radius, 1.0)
        nearest = np.minimum(nearest, radius - (PIN if joint != "LeftHand" else 0.0055))
    return nearest
