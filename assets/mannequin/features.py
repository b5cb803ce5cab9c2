"""Masks of painted features on face, lids and sword: weights 0 … 1 at points [N, 3]."""

import numpy as np

from .bones import ARM, F64, INDEX, REST
from .face import CORNER, EYE_CORNER, LOWER, MEET, UPPER
from .figure import MOUTH
from .hands import TILT
from .shapes import length
from .wood import step

BORDER = 0.0008  # metres: how wide the ramp at a feature's border is
FRONT = 0.03  # metres: what is behind this is not the face


def _front(points: F64) -> F64:
    return step(points[:, 2], FRONT, 0.01) * (points[:, 1] > 1.5)


def brows(points: F64) -> F64:
    """Return the mask of the brows: arcs that taper outwards."""
    x, y = np.abs(points[:, 0]), points[:, 1]
    u = np.clip((x - 0.0125) / 0.0415, 0.0, 1.0)
    middle = 1.6645 + 0.0058 * np.sin(0.78 * np.pi * u) - 0.003 * u**3
    thick = 0.0027 * (1.0 - 0.75 * u) + 0.0004
    ends = np.maximum(np.maximum(0.0148 - x, x - 0.054), 0.0)
    away = np.hypot(y - middle, ends) - thick
    return (1.0 - step(away, 0.0, BORDER)) * _front(points)


def lips(points: F64) -> F64:
    """Return the mask of both lips."""
    x, y = np.abs(points[:, 0]), points[:, 1] - MOUTH
    arch = np.maximum(1.0 - (x / (CORNER + 0.001)) ** 2, 0.0)
    upper = 0.0064 * arch**0.8 * (1.0 - 0.3 * np.exp(-((x / 0.0035) ** 2)))
    lower = 0.0078 * arch**0.7
    away = np.where(y > 0.0, y - upper, -y - lower)
    return (1.0 - step(away, 0.0, 2.0 * BORDER)) * (x < CORNER + 0.001) * _front(points)


def mouth_line(points: F64) -> F64:
    """Return the mask of the line between the lips."""
    x, y = np.abs(points[:, 0]), np.abs(points[:, 1] - MOUTH)
    return (1.0 - step(y, 0.0005, BORDER)) * (x < CORNER + 0.0005) * _front(points)


def cheeks(points: F64) -> F64:
    """Return the mask of the blush, strongest in its middle."""
    left = np.column_stack((np.abs(points[:, 0]), points[:, 1:]))
    away = length(left - (0.044, 1.603, 0.07)) / 0.024
    return np.clip(1.0 - away**2, 0.0, 1.0) ** 2


def lid_edge(points: F64) -> F64:
    """Return degrees [N] above the edge of the upper lid; far below 0 on the lower lid."""
    side = np.where(points[:, :1] > 0.0, REST[INDEX["LeftEye"]], REST[INDEX["RightEye"]])
    away = points - side
    aside = np.degrees(np.arctan2(away[:, 0], np.hypot(away[:, 1], away[:, 2])))
    turn = np.degrees(np.arctan2(away[:, 1], away[:, 2]))
    almond = np.maximum(1.0 - (aside / EYE_CORNER) ** 2, 0.0)
    upper = MEET - 1.0 + (UPPER - MEET + 1.0) * almond
    lower = MEET + (LOWER - MEET) * almond
    return np.where(turn > 0.5 * (upper + lower), turn - upper, -90.0)


def lashes(points: F64) -> F64:
    """Return the mask of the lashes along the upper lid."""
    edge = lid_edge(points)
    return (1.0 - step(edge, 6.5, 3.0)) * (edge > -30.0)


def sword_frame(points: F64) -> F64:
    """Return points [N, 3] in the sword's axes: across its edge, along it, along the blade."""
    arm = ARM * (-1.0, 1.0, 1.0)
    front = np.array((0.0, 0.0, 1.0))
    ahead = front * np.cos(TILT) - arm * np.sin(TILT)
    edge = -arm * np.cos(TILT) - front * np.sin(TILT)
    return (points - REST[INDEX["Prop"]]) @ np.stack((np.cross(edge, ahead), edge, ahead), axis=1)


def cord(frame: F64) -> F64:
    """Return the height [N] of the cord wound around the hilt, 0 … 1."""
    turn = np.arctan2(frame[:, 1], frame[:, 0]) / np.pi
    along = frame[:, 2] / 0.017
    one, two = (np.abs((along + way * turn) % 1.0 - 0.5) * 2.0 for way in (1.0, -1.0))
    return np.clip((np.maximum(one, two) - 0.42) / 0.2, 0.0, 1.0)
