"""The mannequin's mouth: a slit with a pouch behind it, closed at rest.

It is cut along y = MOUTH, and bent to a faint smile when all is done (`bent`).
"""

import itertools

import numpy as np

from .bones import F64
from .head import MOUTH, egg
from .mesh import I64, Mesh, edges_of
from .shapes import Field, at, smooth
from .solids import ball, rings

CORNER = 0.026  # metres from the middle of the mouth to its corner
LIP_DEPTH = 0.05  # metres: nothing behind this belongs to the lips
POUCH = [(0.94, 0.0035, 0.006), (0.9, 0.007, 0.014), (0.8, 0.0095, 0.028), (0.55, 0.007, 0.04)]
# The section of the upper teeth: metres above the mouth, and behind the face.
TEETH = ((-0.0034, 0.0075), (-0.0028, 0.0063), (0.006, 0.0063), (0.006, 0.0105), (-0.002, 0.0098))
TEETH_WIDE = 0.0195  # metres from the middle to the last tooth
TONGUE, TONGUE_RADII = at(0.0, MOUTH - 0.0055, 0.0525), at(0.0125, 0.0038, 0.0145)  # metres
LIFT = 0.0048  # metres that the corners are higher than the middle


def _along(field: Field, points: F64, ways: tuple[int, ...]) -> F64:
    """Move points onto the zero of a field along some of the axes."""
    for _ in range(12):
        slope = np.zeros_like(points)
        for axis in ways:
            step = np.eye(3)[axis] * 1e-4
            slope[:, axis] = (field(points + step) - field(points - step)) / 2e-4
        size = np.maximum((slope**2).sum(axis=1), 0.05)
        points = points - np.clip(field(points) / size, -0.003, 0.003)[:, None] * slope
    return points


def cut_mouth(mesh: Mesh) -> None:
    """Insert a row of fixed edges along the mouth, from the middle to its corner."""
    corner = _along(mesh.field, at(CORNER, MOUTH, 0.08)[None], (2,))[0]
    nearest = int(np.argmin(((mesh.points - corner) ** 2).sum(axis=1)))
    mesh.points[nearest] = corner
    size = mesh.size(mesh.points)
    close = np.abs(mesh.points[:, 1] - MOUTH) < 0.3 * size
    close &= (mesh.points[:, 0] < CORNER - 0.4 * size) & (mesh.points[:, 2] > LIP_DEPTH)
    mesh.points[close, 1] = MOUTH
    while True:
        edges, beside = edges_of(mesh.triangles)
        a, b = mesh.points[edges[:, 0]], mesh.points[edges[:, 1]]
        one, two = a[:, 1] - MOUTH, b[:, 1] - MOUTH
        crosses = (one * two < 0.0) & (a[:, 2] > LIP_DEPTH) & (b[:, 2] > LIP_DEPTH)
        place = a + (one / np.where(crosses, one - two, 1.0))[:, None] * (b - a)
        place[:, 1] = MOUTH
        found = np.flatnonzero(crosses & (place[:, 0] < CORNER - 1e-4))
        if not mesh.divide([(edges[e], beside[e], place[e]) for e in found]):
            break
    for _ in range(4):
        row = lips(mesh.points)
        mesh.fixed[:] = False
        mesh.fixed[row] = True
        even = np.linspace(0.0, CORNER, len(row))
        mesh.points[row, 0] += 0.5 * (even - mesh.points[row, 0])
        mesh.points[row] = np.round(_along(mesh.field, mesh.points[row], (2,)), 6)
        mesh.remesh(1)


def lips(points: F64) -> I64:
    """Return the points along the mouth, from the right corner (the middle) to the left one."""
    on = (np.abs(points[:, 1] - MOUTH) < 1e-9) & (np.abs(points[:, 0]) < CORNER + 1e-6)
    row = np.flatnonzero(on & (points[:, 2] > LIP_DEPTH))
    return row[np.argsort(points[row, 0], kind="stable")]


def open_mouth(points: F64, triangles: I64) -> tuple[F64, I64, I64, I64]:
    """Separate the lips and add a pouch behind them.

    Returns points, triangles, which triangles belong to the pouch, and the points of the lower lip;
    the points of the pouch come last.
    """
    row = lips(points)
    inner = row[1:-1]
    lower = len(points) + np.arange(len(inner))
    number = np.arange(len(points))
    number[inner] = lower
    below = _below(triangles, row)
    triangles = triangles.copy()
    triangles[below] = number[triangles[below]]
    points = np.concatenate((points, points[inner]))

    loop = np.concatenate((row, lower[::-1]))  # right corner, upper lip, left corner, lower lip
    angle = np.pi * (1.0 - points[loop, 0] / CORNER) / 2.0
    angle[len(row) :] *= -1.0
    around = points[loop]
    rings, faces, last = [], [], loop
    count = len(points)
    for wide, high, deep in POUCH:
        ring = around * at(wide, 1, 1) + high * np.sin(angle)[:, None] * at(0, 1, 0)
        rings.append(ring - at(0, 0, deep))
        this = count + np.arange(len(loop))
        count += len(loop)
        faces += _strip(last, this)
        last = this
    rings.append(rings[-1].mean(axis=0, keepdims=True) - at(0, 0, 0.004))
    faces += [(a, b, count) for a, b in zip(last, np.roll(last, -1), strict=True)]
    pouch = np.array(faces)[:, ::-1]
    return np.concatenate((points, *rings)), np.concatenate((triangles, pouch)), pouch, lower


def teeth(count: int = 9) -> tuple[F64, I64]:
    """Return points and triangles of the row of upper teeth, behind the lip."""
    side = TEETH_WIDE * np.linspace(-1.0, 1.0, count)
    front = np.stack((side, np.full(count, MOUTH), np.full(count, 0.08)), axis=1)
    front = _along(egg, front, (2,))
    up, back = np.array(TEETH).T
    rows = front[:, None] + up[:, None] * at(0, 1, 0) - back[:, None] * at(0, 0, 1)
    ends = rows[[0, -1]].mean(axis=1)
    return rings(rows, ends[0], ends[1])


def tongue() -> tuple[F64, I64]:
    """Return points and triangles of the tongue, which the jaw carries."""
    points, triangles = ball(at(0, 0, 0), 1.0, 7, 14)
    points = points * TONGUE_RADII
    points[:, 1] -= 0.0012 * np.exp(-((points[:, 0] / 0.003) ** 2)) * (points[:, 1] > 0.0)
    return TONGUE + points, triangles


def _below(triangles: I64, row: I64) -> I64:
    """Return the connected triangles below a row of edges."""
    inner = set(row[1:-1].tolist())
    sides = {(int(b), int(a)) for a, b in itertools.pairwise(row)}
    touching = np.flatnonzero(np.isin(triangles, row[1:-1]).any(axis=1)).tolist()
    walls = sides | {(b, a) for a, b in sides}
    found: list[int] = []
    while True:
        more = []
        for t in touching:
            a, b, c = triangles[t].tolist()
            turns = [(a, b), (b, c), (c, a)]
            if t not in found and any(turn in sides for turn in turns):
                more.append(t)
        if not more:
            return np.array(sorted(found))
        found += more
        for t in more:
            a, b, c = triangles[t].tolist()
            spokes = {(q, p) for p, q in ((a, b), (b, c), (c, a)) if p in inner or q in inner}
            sides |= spokes - walls


def _strip(one: I64, two: I64) -> list[tuple[int, int, int]]:
    """Return triangles between two rings with equal numbers of points."""
    faces = []
    for i in range(len(one)):
        j = (i + 1) % len(one)
        faces += [(one[i], one[j], two[j]), (one[i], two[j], two[i])]
    return faces


def jaw_share(points: F64, lower: I64) -> F64:
    """Return the jaw weight [V] of each point."""
    beyond, above = np.abs(points[:, 0]) - CORNER, points[:, 1] - MOUTH
    turn = np.arctan2(above, beyond)
    is_lower = np.zeros(len(points), bool)
    is_lower[lower] = True
    turn[is_lower & (np.abs(above) < 1e-9)] = -np.pi
    share = smooth(0.5 - turn / (2.0 * np.pi), 0.12, 0.88)
    near = np.minimum(np.hypot(beyond, above) / CORNER, 1.0)
    share = 0.5 + (share - 0.5) * np.sqrt(near * (2.0 - near))  # so that it opens to an ellipse
    tilted = points[:, 1] + 0.6 * points[:, 2]
    share = share * smooth(points[:, 2], -0.005, 0.05) * smooth(points[:, 1], 1.49, 1.52)
    return share * smooth(tilted, 1.535, 1.572)


def mouth_height(x: F64) -> F64:
    """Return metres [N] that the bent mouth is above `MOUTH`, at metres from the middle."""
    height: F64 = LIFT * np.minimum((x / CORNER) ** 2, 2.0)
    return height


def bent(points: F64) -> F64:
    """Return points [V, 3] with the corners of the mouth raised."""
    near = 1.0 - smooth(np.abs(points[:, 1] - MOUTH), 0.006, 0.03)
    near *= smooth(points[:, 2], 0.0, 0.03) * (1.0 - smooth(np.abs(points[:, 0]), CORNER, 0.06))
    moved = points.copy()
    moved[:, 1] += near * mouth_height(points[:, 0])
    return moved
