"""The mannequin's expressions: where the points of its face are in a smile, a frown, a yawn."""

import numpy as np

from .bones import F64, INDEX, REST
from .head import MOUTH, egg
from .mouth import CORNER, mouth_height
from .shapes import gradient, smooth

JAW_OPEN = np.radians(17.0)


def jaw_opened(points: F64, share: F64, angle: float = JAW_OPEN) -> F64:
    """Return the points with the jaw rotated down about its joint."""
    hinge = REST[INDEX["Jaw"]]
    away = (points - hinge)[:, 1:]
    turn = share * angle
    y = away[:, 0] * np.cos(turn) - away[:, 1] * np.sin(turn)
    z = away[:, 0] * np.sin(turn) + away[:, 1] * np.cos(turn)
    moved = np.stack((points[:, 0], hinge[1] + y, hinge[2] + z), axis=1)
    return np.where(share[:, None] > 0.0, moved, points)


def _drawn(points: F64, wide: float, corners: float, middle: float) -> F64:
    """Return the points with the mouth drawn wider, its corners and its middle raised, metres."""
    x, y, z = points.T
    share = np.minimum(np.abs(x) / CORNER, 1.12)
    near = 1.0 - smooth(np.abs(y - MOUTH - mouth_height(x)), 0.004, 0.04)
    near *= smooth(z, 0.0, 0.03) * (1.0 - smooth(np.abs(x), CORNER, 0.066))
    moved = points.copy()
    moved[:, 0] += near * wide * np.sign(x) * share
    moved[:, 1] += near * (middle + (corners - middle) * share**2)
    return moved


def smiled(points: F64) -> F64:
    """Return the points with the corners of the mouth moved up and outwards."""
    return on_egg(points, _drawn(points, 0.006, 0.0085, -0.0025))


def frowned(points: F64) -> F64:
    """Return the points with the corners of the mouth moved down."""
    return on_egg(points, _drawn(points, -0.001, -0.0115, 0.0035))


def on_egg(points: F64, moved: F64) -> F64:
    """Return moved points of the head as far from the bare egg as they were."""
    low, slope = egg(points), gradient(egg, moved)
    size = np.maximum((slope**2).sum(axis=1), 0.05)
    return moved - ((egg(moved) - low) / size)[:, None] * slope
