"""Smooth curves through knots, and rotations, for writing the mannequin's clips.

Angles are in degrees; a single number is used for all K times.
"""

import numpy as np

from rigview.animation import quat

from .bones import F64

Values = F64 | float


def unit(vector: F64) -> F64:
    """Return vectors [..., 3] of length 1."""
    return vector / np.linalg.norm(vector, axis=-1, keepdims=True)


def about(axis: str | F64, degrees: Values, count: int) -> F64:
    """Return rotations [count, 3, 3] about an axis; about x, forwards is down and up is back."""
    along = np.eye(3)["xyz".index(axis)] if isinstance(axis, str) else unit(axis)
    half = np.broadcast_to(np.radians(degrees) / 2.0, (count,))
    return quat.to_matrix(
        np.concatenate((np.sin(half)[:, None] * along, np.cos(half)[:, None]), axis=1)
    )


def ease(u: Values) -> F64:
    """Return the smooth step from 0 to 1 with zero velocity and acceleration at its ends."""
    v: F64 = np.asarray(u, np.float64).clip(0.0, 1.0)
    return v * v * v * (10.0 - 15.0 * v + 6.0 * v * v)


def hermite(a: F64, da: F64, b: F64, db: F64, v: F64) -> F64:
    """Return the cubic from a to b with derivatives da and db (per unit of v)."""
    w = 1.0 - v
    return w * w * ((1.0 + 2.0 * v) * a + v * da) + v * v * ((1.0 + 2.0 * w) * b - w * db)


def slopes(
    times: F64, values: F64, *, loop: bool = False, ends: tuple[Values, Values] = (0.0, 0.0)
) -> F64:
    """Return the derivatives [K, ...] at the knots of the C2 cubic spline through them.

    With `loop` the last knot equals the first one; otherwise the end derivatives are `ends`.
    """
    steps = np.diff(times)
    flat = values.reshape(len(times), -1)
    chords = np.diff(flat, axis=0) / steps[:, None]
    count = len(times)
    matrix, right = np.zeros((count, count)), np.zeros((count, flat.shape[1]))
    for k in range(1, count - 1):
        before, after = steps[k - 1], steps[k]
        matrix[k, k - 1 : k + 2] = after, 2.0 * (before + after), before
        right[k] = 3.0 * (after * chords[k - 1] + before * chords[k])
    matrix[0, 0] = matrix[-1, -1] = 1.0
    right[0], right[-1] = np.asarray(ends[0]).ravel(), np.asarray(ends[1]).ravel()
    if loop:
        before, after = steps[-1], steps[0]
        matrix[0, [-2, 0, 1]] = after, 2.0 * (before + after), before
        right[0] = 3.0 * (after * chords[-1] + before * chords[0])
        matrix[-1, 0], right[-1] = -1.0, 0.0
    solved = np.linalg.solve(matrix, right).astype(np.float64)
    return solved.reshape(values.shape)


def cycle(u: F64, *knots: tuple[float, float]) -> F64:
    """Return the smooth periodic curve through (phase 0 … 1, value), at phases u [K]."""
    first = knots[0]
    times, values = np.array([*knots, (first[0] + 1.0, first[1])]).T
    return along_knots(
        times, values, slopes(times, values, loop=True), times[0] + (u - times[0]) % 1.0
    )


def path(u: F64, *knots: tuple[float, float], ends: tuple[float, float] = (0.0, 0.0)) -> F64:
    """Return the smooth curve through (time, value) at times u [K]; `ends`: slopes there."""
    times, values = np.array(knots, np.float64).T
    return along_knots(times, values, slopes(times, values, ends=ends), u.clip(times[0], times[-1]))


def along_knots(times: F64, values: F64, slope: F64, at: F64) -> F64:
    """Return the piecewise cubic with these values and slopes at its knots, at times [K]."""
    k = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    long = times[k + 1] - times[k]
    v = (at - times[k]) / long
    return hermite(values[k], slope[k] * long, values[k + 1], slope[k + 1] * long, v)


def twist_of(rotation: F64, axis: F64) -> F64:
    """Return the twist [K] of rotations [K, 3, 3] about an axis, degrees, continuous."""
    q = quat.from_matrix(rotation)
    return np.degrees(np.unwrap(2.0 * np.arctan2(q[:, :3] @ unit(axis), q[:, 3])))


def shared(rotation: F64, *shares: float) -> list[F64]:
    """Return fractions of rotations [K, 3, 3] about their own axes; a sum of 1 composes to them."""
    q = quat.from_matrix(rotation)
    q = q * np.where(q[:, 3:] < 0.0, -1.0, 1.0)
    sine = np.linalg.norm(q[:, :3], axis=1, keepdims=True)
    half = np.arctan2(sine, q[:, 3:])
    axis = q[:, :3] / np.maximum(sine, 1e-12)
    return [
        quat.to_matrix(np.concatenate((axis * np.sin(half * f), np.cos(half * f)), axis=1))
        for f in shares
    ]
