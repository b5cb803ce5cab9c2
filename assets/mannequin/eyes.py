"""The mannequin's eyes: inlaid beads, lids that shut before them, and brows above."""

import numpy as np

from .bones import F64
from .curves import along_knots, slopes
from .head import EYE_RADIUS, eye_axis
from .shapes import UP, Field, at
from .solids import I64, hoop, rings, tube

OPENING = 34.0  # degrees from the eye's axis to its frame
# Degrees above the horizon seen from the eye's middle: the edges of the lids when open, where they
# meet, and their hidden ends.
UPPER, LOWER, MEET, HIDDEN = 22.0, -38.0, -10.0, 54.0
DROOP = 5.0  # degrees that open and shut edges bend away from a straight line
LID_GAP, LID_THICK, BULGE = 0.0004, 0.0013, 0.0012  # metres; the bulge is that of a shut lid
# The section of an eye's frame: how far it is from the eye's middle along its axis, and its radius,
# as shares of the eye's radius.
FRAME = ((0.907, 0.563), (0.973, 0.57), (1.005, 0.625), (0.965, 0.695), (0.45, 0.86))
# Metres: x, y of points along the left brow; how thick it is there.
BROW = (
    (0.0185, 1.6805, 0.0024),
    (0.0265, 1.6845, 0.0034),
    (0.037, 1.6862, 0.0036),
    (0.0475, 1.684, 0.003),
    (0.055, 1.6795, 0.002),
)
RAISED = ((0.0, 0.003), (0.0, 0.0045), (0.0, 0.0055), (0.0, 0.005), (0.0005, 0.0035))
KNIT = ((-0.0035, -0.0085), (-0.003, -0.0065), (-0.002, -0.003), (-0.001, 0.0), (-0.0005, 0.0015))


def axes(sign: float) -> F64:
    """Return the axes [3, 3] of an eye's frame: to the left, up, ahead; `sign` is 1 on the left."""
    ahead = eye_axis(sign)
    return np.stack((np.cross(UP, ahead), UP, ahead))


def bead(centre: F64, sign: float, tall: int = 9, sides: int = 26) -> tuple[F64, F64, I64]:
    """Return points, normals and triangles of the front of an eye; `sign` is 1 on the left."""
    polar = np.radians(np.linspace(53.0, 0.0, tall + 1))[:-1, None]
    turn = 2.0 * np.pi * np.arange(sides) / sides
    wide, deep = np.sin(polar), np.broadcast_to(np.cos(polar), (tall, sides))
    rows = np.stack((wide * np.cos(turn), wide * np.sin(turn), deep), axis=2)
    points, triangles = rings(rows, at(0, 0, np.cos(polar[0, 0])), at(0, 0, 1))
    points = points @ axes(sign)
    normals = points / np.linalg.norm(points, axis=1, keepdims=True)
    normals[-2] = -eye_axis(sign)  # the middle of its flat back
    return centre + EYE_RADIUS * points, normals, triangles


def edge(aside: F64, upper: bool, *, shut: bool) -> F64:
    """Return the height [N] of a lid's edge at angles aside, all in degrees."""
    bend = 1.0 - (aside / OPENING) ** 2
    if shut:
        return MEET - DROOP * bend - (1.0 if upper else 0.0)  # the upper lid reaches a little over
    return UPPER - DROOP + DROOP * bend if upper else np.full_like(aside, LOWER)


def frame(centre: F64, sign: float) -> tuple[F64, I64]:
    """Return points and triangles of the ring that an eye looks out of."""
    section = [(EYE_RADIUS * along, EYE_RADIUS * radius) for along, radius in FRAME]
    return hoop(centre, eye_axis(sign), UP, section[::-1], 26)


def lid(
    centre: F64, sign: float, upper: bool, wide: int = 13, tall: int = 3
) -> tuple[F64, F64, I64]:
    """Return a lid's points open and shut, and its triangles; `sign` is 1 on the left."""
    degrees = np.linspace(-44.0, 44.0, wide)
    aside = np.radians(degrees)
    way = 1.0 if upper else -1.0
    part = np.linspace(0.0, 1.0, tall + 1)[:, None]
    inner = EYE_RADIUS + LID_GAP - (0.0 if upper else 0.0001)  # the upper lid shuts over the lower

    def shell(margin: F64, radius: F64 | float, lip: float) -> F64:
        turn = np.radians(margin + (way * HIDDEN - margin) * part + lip)
        flat = np.cos(aside)
        rows = (np.sin(aside) + 0.0 * turn, flat * np.sin(turn), flat * np.cos(turn))
        return centre + radius * (np.stack(rows, axis=-1) @ axes(sign))

    layers = []
    for shut in (False, True):
        margin = edge(degrees, upper, shut=shut)
        raised = BULGE * (1.0 - part[..., None]) if shut else 0.0 * part[..., None]
        inside = shell(margin, inner + raised, 0.0)
        outside = shell(margin, inner + LID_THICK + raised, 0.0)
        # the rim is round: between inner and outer shell runs a row a little ahead of both
        rim = shell(margin, inner + 0.5 * LID_THICK + raised, -way * 1.2)[:1]
        layers.append(np.concatenate((inside[::-1], rim, outside)))
    number = np.arange(layers[0][..., 0].size).reshape(-1, wide)
    faces = []
    rows = len(number)
    for i in range(rows):
        k = (i + 1) % rows
        for j in range(wide - 1):
            a, b, c, d = number[i, j], number[i, j + 1], number[k, j + 1], number[k, j]
            faces += [(a, b, c), (a, c, d)]
    for j, turned in ((0, False), (wide - 1, True)):
        ring = number[:, j]
        for i in range(1, rows - 1):
            fan = (ring[0], ring[i], ring[i + 1])
            faces.append(fan[::-1] if turned else fan)
    triangles = np.array(faces)
    if not upper:
        triangles = triangles[:, ::-1]
    return layers[0].reshape(-1, 3), layers[1].reshape(-1, 3), triangles


def brow(field: Field, sign: float, moves: tuple[tuple[float, float], ...]) -> tuple[F64, I64]:
    """Return points and triangles of a brow on the field of the head.

    Parameters
    ----------
    field
        The head.
    sign
        1 for the left brow, -1 for the right one.
    moves
        Metres by which each point of the brow is moved aside and up.
    """
    knots = np.array(BROW)
    knots[:, :2] += np.array(moves)
    places = np.arange(len(BROW), dtype=np.float64)
    u = np.linspace(0.0, len(BROW) - 1.0, 11)
    x, y, radius = [
        along_knots(places, column, slopes(places, column, ends=(0.0, 0.0)), u)
        for column in knots.T
    ]
    path = np.stack((x, y, np.full_like(x, 0.085)), axis=1)
    for _ in range(6):
        path[:, 2] -= field(path) * 0.9
    path[:, 2] += 0.0004
    radius[[0, -1]] = 0.0
    points, triangles = tube(path, radius, at(0, 1, 0), 8)
    if sign < 0.0:
        points, triangles = points * at(-1, 1, 1), triangles[:, ::-1]
    return points, triangles
