"""Procedural wood, as a function of the position in it, and metal pins."""

import numpy as np
from numpy.typing import NDArray

from .body import PARTS
from .bones import ARM, F64, INDEX, REST
from .head import EAR_PLACE
from .joinery import folded, rest
from .shapes import length

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
TABLE = 64  # cells to a side of the noise's table, after which it repeats
UP, AHEAD, ASIDE = np.array((0.0, 1, 0)), np.array((0.0, 0, 1)), np.array((1.0, 0, 0))
DISC = np.array((0.0, 1.335, -0.1))  # the middle of the maker's disc on the back
DISC_RADIUS = 0.027  # metres
PIN = 0.0085  # metres: radius of a hinge's pin
# The middle of a pin, its direction, how far its heads may be from there, and their radius.
PINS = (
    (rest("ForeArm"), AHEAD, 0.06, PIN),
    (rest("Leg"), ASIDE, 0.08, PIN),
    (rest("Foot") + UP * 0.018, ASIDE, 0.055, PIN),
    (rest("Hand"), np.cross(ARM, AHEAD), 0.04, 0.0055),
    (EAR_PLACE, ASIDE, 0.02, PIN),
    (DISC, AHEAD, 0.06, DISC_RADIUS),
)
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


def blocks(points: F64, part: I64) -> tuple[F64, I64]:
    """Return coordinates [N, 3] in the block of wood of a point, and the block's number [N]."""
    left = folded(points)
    shoulder = REST[INDEX["LeftArm"]]
    along = (left - shoulder) @ ARM
    upright = np.column_stack((points[:, 0], points[:, 2], points[:, 1]))
    across = np.array((-ARM[1], ARM[0], 0.0))
    limb = np.column_stack((left[:, 2], (left - shoulder) @ across, along))
    names = [
        (part == PARTS.index("arm")) | (part == PARTS.index("finger")),
        part == PARTS.index("leg"),
        part == PARTS.index("trunk"),
    ]
    arm, leg, trunk = names
    frame = np.where(arm[:, None], limb, upright)
    foot = leg & (points[:, 1] < REST[INDEX["LeftFoot"]][1] + 0.018)
    frame = np.where(foot[:, None], left, frame)
    block = np.select(
        [arm, foot, leg, trunk],
        [
            4 + np.digitize(along, (0.27, 0.51)),
            np.full(len(points), 9),
            8 - np.digitize(points[:, 1], (0.5,)),
            1 + np.digitize(points[:, 1], (1.096,)),
        ],
        3,
    )
    return frame, block * 2 + (points[:, 0] < 0.0) * (block > 3)


def grain(points: F64, part: I64, *, dark: NDArray[np.bool_]) -> tuple[F32, F32]:
    """Return the growth ring position of wood at points [N, 3], 0 … 1, and its fibres, 0 … 1."""
    frame, block = blocks(points, part)
    place = frame.astype(np.float32)
    number = (block + 40 * dark).astype(np.float32)
    shift = np.column_stack((number * 7.31, number * 3.77, number * 5.19)).astype(np.float32)
    wander = noise(place * np.array((9.0, 9.0, 2.2), np.float32) + shift) - 0.5
    pith = np.column_stack((0.11 + 0.05 * np.sin(number), 0.07 * np.cos(number * 2.3)))
    # the head is cut from calm wood: its rings run straight up, far from the pith
    calm = np.isin(part, [PARTS.index(name) for name in ("head", "lid", "frame")])
    pith[calm] = (0.9, 0.35)
    wander = np.where(calm, 0.2 * wander, wander)
    radius = np.hypot(place[:, 0] + pith[:, 0], place[:, 1] + pith[:, 1]) + 0.045 * wander
    years = radius / np.where(dark, 0.0042, 0.0075)
    ring = years - np.floor(years)
    late = ring**3 * np.clip((1.0 - ring) * 6.0, 0.0, 1.0)
    late = np.where(calm, 0.45 * late, late)
    fibres = noise(place * np.array((420.0, 420.0, 26.0), np.float32) + shift)
    return late.astype(np.float32), fibres


def pins(points: F64) -> F64:
    """Return the distance [N] from the nearest pin's rim, negative on its head, metres."""
    left = folded(points)
    nearest = np.full(len(points), 1.0)
    for centre, axis, reach, head in PINS:
        away = left - centre
        along = away @ axis
        radius = length(away - along[:, None] * axis)
        radius = np.where(np.abs(along) < reach, radius, 1.0)
        nearest = np.minimum(nearest, radius - head)
    return nearest
