"""The mannequin's mouth, eyes and lids, and its five facial morph targets.

The mouth is a slit along y = MOUTH, closed at rest, with a pouch behind it. The eyes are separate
balls, each between two lids: shells that rotate about the line through the corners of the eye.
"""

import itertools

import numpy as np

from .bones import F64, INDEX, REST
from .figure import EYE_RADIUS, MOUTH
from .mesh import I64, Mesh, edges_of
from .shapes import Field, at, smooth

CORNER = 0.0235  # metres from the middle of the mouth to its corner
LIP_DEPTH = 0.05  # metres: nothing behind this belongs to the lips
JAW_OPEN = np.radians(17.0)
POUCH = [(0.94, 0.0035, 0.006), (0.9, 0.007, 0.014), (0.8, 0.0095, 0.028), (0.55, 0.007, 0.04)]
# Degrees above the horizon seen from the eye: margins at rest, where they meet, the hidden ends.
UPPER, LOWER, MEET, HIDDEN = 21.0, -19.0, -9.0, 100.0
EYE_CORNER = 62.0  # degrees aside, where the margins meet
LID_GAP, LID_THICK = 0.0008, 0.0013  # metres


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


def jaw_opened(points: F64, share: F64, angle: float = JAW_OPEN) -> F64:
    """Return the points with the jaw rotated down about its joint."""
    hinge = REST[INDEX["Jaw"]]
    away = (points - hinge)[:, 1:]
    turn = share * angle
    y = away[:, 0] * np.cos(turn) - away[:, 1] * np.sin(turn)
    z = away[:, 0] * np.sin(turn) + away[:, 1] * np.cos(turn)
    moved = np.stack((points[:, 0], hinge[1] + y, hinge[2] + z), axis=1)
    return np.where(share[:, None] > 0.0, moved, points)


def _bump(points: F64, centre: F64, reach: float) -> F64:
    """Return weights [V]: 1 at a point on the left and its mirror image, 0 beyond `reach`."""
    folded = points * at(0, 1, 1) + np.abs(points) * at(1, 0, 0)
    return (1.0 - np.minimum(np.linalg.norm(folded - centre, axis=1) / reach, 1.0) ** 2) ** 3


def _pulled(points: F64, pulls: list[tuple[F64, float, F64]]) -> F64:
    """Return points moved by bumps: centre, radius and displacement, given for the left side."""
    side = np.clip(points[:, 0] / 0.004, -1.0, 1.0)
    moved = points.copy()
    for centre, reach, way in pulls:
        share = _bump(points, centre, reach)
        moved += share[:, None] * (way * at(0, 1, 1))
        moved[:, 0] += share * side * way[0]
    return moved


def smiled(points: F64) -> F64:
    """Return the points with the corners of the mouth moved up and outwards."""
    corner = at(CORNER, MOUTH, 0.079)
    return _pulled(
        points,
        [
            (corner + at(0.003, 0, 0), 0.03, at(0.0055, 0.0085, -0.003)),
            (at(0.042, 1.607, 0.07), 0.03, at(0.001, 0.0035, 0.0025)),
            (at(0, MOUTH - 0.003, 0.09), 0.016, at(0, -0.0025, -0.0005)),
        ],
    )


def frowned(points: F64) -> F64:
    """Return the points with the corners of the mouth moved down and the brows together."""
    corner = at(CORNER, MOUTH, 0.079)
    return _pulled(
        points,
        [
            (corner + at(0.002, -0.001, 0), 0.026, at(0.0015, -0.0085, -0.0015)),
            (at(0, MOUTH - 0.002, 0.09), 0.018, at(0, 0.003, 0.001)),
            (at(0.014, 1.668, 0.09), 0.022, at(-0.0035, -0.0045, 0.0015)),
            (at(0.046, 1.67, 0.07), 0.02, at(0.0, 0.002, 0.0)),
        ],
    )


def globe(centre: F64, radius: float, rings: int = 10) -> tuple[F64, I64]:
    """Return a ball's points and triangles, its poles along z."""
    across = 2 * rings
    polar = np.pi * np.arange(1, rings) / rings
    turn = 2.0 * np.pi * np.arange(across) / across
    ring = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    rows = np.sin(polar)[:, None, None] * ring
    deep = np.broadcast_to(np.cos(polar)[:, None, None], (*rows.shape[:2], 1))
    points = np.concatenate((rows, deep), axis=2).reshape(-1, 3)
    points = np.concatenate((points, [[0, 0, 1], [0, 0, -1]]))
    front, back = len(points) - 2, len(points) - 1
    faces = []
    for j in range(across):
        k = (j + 1) % across
        faces.append((front, j, k))
        for i in range(rings - 2):
            a, b = i * across, (i + 1) * across
            faces += [(a + j, b + j, b + k), (a + j, b + k, a + k)]
        last = (rings - 2) * across
        faces.append((last + j, back, last + k))
    return centre + radius * points, np.array(faces)


def lid(centre: F64, upper: bool, wide: int = 15, tall: int = 4) -> tuple[F64, F64, F64, I64]:
    """Return a lid's points open and shut, its normals open, and its triangles."""
    aside = np.radians(np.linspace(-88.0, 88.0, wide))
    almond = np.maximum(1.0 - (np.degrees(aside) / EYE_CORNER) ** 2, 0.0)
    sign = 1.0 if upper else -1.0
    shut = MEET - (1.0 if upper else 0.0)  # the upper lid reaches a little over the lower
    margin = shut + ((UPPER if upper else LOWER) - shut) * almond
    part = np.linspace(0.0, 1.0, tall + 1)[:, None] ** 1.3
    inner = EYE_RADIUS + LID_GAP
    outer = inner + LID_THICK + (0.0003 if upper else 0.0)

    def shell(edge: F64, radius: float, lip: float) -> F64:
        turn = np.radians(edge + (sign * HIDDEN - edge) * part + lip)
        flat = np.cos(aside)
        rows = (np.sin(aside) + 0.0 * turn, flat * np.sin(turn), flat * np.cos(turn))
        return centre + radius * np.stack(rows, axis=-1)

    # the rim is round: between inner and outer shell runs a row a little ahead of both
    layers = []
    for edge in (margin, np.full(wide, shut)):
        rim = shell(edge, 0.5 * (inner + outer), -sign * 2.0)[:1]
        inside, outside = shell(edge, inner, 0.0)[::-1], shell(edge, outer, 0.0)
        layers.append(np.concatenate((inside, rim, outside)))
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
    points = layers[0].reshape(-1, 3)
    corners = points[triangles]
    around = points.mean(axis=0)
    volume = np.einsum(
        "ij,ij->", corners[:, 0] - around, np.cross(corners[:, 1] - around, corners[:, 2] - around)
    )
    if volume < 0.0:
        triangles = triangles[:, ::-1]
    return points, layers[1].reshape(-1, 3), facing(points, triangles), triangles


def facing(points: F64, triangles: I64) -> F64:
    """Return unit normals of points: area-weighted means of their triangles' normals."""
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    total = np.zeros_like(points)
    for i in range(3):
        np.add.at(total, triangles[:, i], across)
    return total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-15)
