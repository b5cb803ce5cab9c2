"""Closed meshes that are described exactly: turned pieces, balls and tubes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .bones import F64

I64 = NDArray[np.int64]


def rings(rows: F64, first: F64, last: F64) -> tuple[F64, I64]:
    """Return points and triangles of rings [R, S, 3] closed by a point at either end.

    Seen from the last end, the rings run counter-clockwise.
    """
    count, sides = rows.shape[:2]
    points = np.concatenate((rows.reshape(-1, 3), (first, last)))
    number = np.arange(count * sides).reshape(count, sides)
    after = np.roll(number, -1, axis=1)
    a, b, c, d = (part.ravel() for part in (number[:-1], after[:-1], after[1:], number[1:]))
    start, end = np.full(sides, count * sides), np.full(sides, count * sides + 1)
    faces = [(a, b, c), (a, c, d), (start, after[0], number[0]), (end, number[-1], after[-1])]
    return points, np.concatenate([np.stack(face, axis=1) for face in faces])


def tube(path: F64, radii: F64, across: F64, sides: int) -> tuple[F64, I64]:
    """Return a round tube along a path [R, 3] with radii [R]; its ends are points.

    `across` is a direction that the path is never parallel to.
    """
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    one = across - (along @ across)[:, None] * along
    one /= np.linalg.norm(one, axis=1, keepdims=True)
    two = np.cross(along, one)
    turn = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.cos(turn)[:, None] * one[:, None] + np.sin(turn)[:, None] * two[:, None]
    rows = path[1:-1, None] + radii[1:-1, None, None] * ring[1:-1]
    return rings(rows, path[0], path[-1])


def turned(
    place: F64, axis: F64, across: F64, profile: Sequence[tuple[float, float]], sides: int
) -> tuple[F64, I64]:
    """Return a piece turned on a lathe: `profile` is (distance along the axis, radius)."""
    table = np.array([(profile[0][0], 0.0), *profile])
    path = place + table[:, :1] * axis
    turn = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * np.cross(axis, across)
    rows = path[1:-1, None] + table[1:-1, 1, None, None] * ring
    return rings(rows, path[0], path[-1])


def hoop(
    place: F64, axis: F64, across: F64, profile: Sequence[tuple[float, float]], sides: int
) -> tuple[F64, I64]:
    """Return a ring about an axis; `profile` is (distance along it, radius), all around.

    Seen along the axis upwards and the radius to the right, the profile runs counter-clockwise.
    """
    table = np.array(profile)
    turn = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * np.cross(axis, across)
    rows = place + table[:, :1, None] * axis + table[:, 1, None, None] * ring
    number = np.arange(rows[..., 0].size).reshape(len(table), sides)
    above, after = np.roll(number, -1, axis=0), np.roll(number, -1, axis=1)
    beyond = np.roll(above, -1, axis=1)
    a, b, c, d = (part.ravel() for part in (number, after, beyond, above))
    faces = np.concatenate((np.stack((a, b, c), axis=1), np.stack((a, c, d), axis=1)))
    return rows.reshape(-1, 3), faces


def ball(centre: F64, radius: float, tall: int, sides: int) -> tuple[F64, I64]:
    """Return a ball's points and triangles; its poles lie along y."""
    polar = np.pi * np.arange(1, tall) / tall
    turn = 2.0 * np.pi * np.arange(sides) / sides
    flat = np.sin(polar)[:, None]
    rows = np.stack(
        (
            flat * np.sin(turn),
            np.broadcast_to(-np.cos(polar)[:, None], (tall - 1, sides)),
            flat * np.cos(turn),
        ),
        axis=2,
    )
    up = np.array((0.0, 1.0, 0.0))
    return rings(centre + radius * rows, centre - radius * up, centre + radius * up)


def facing(points: F64, triangles: I64) -> F64:
    """Return unit normals of points: area-weighted means of their triangles' normals."""
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    total = np.zeros_like(points)
    for i in range(3):
        np.add.at(total, triangles[:, i], across)
    return total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-15)
