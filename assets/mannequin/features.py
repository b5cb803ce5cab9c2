"""Masks of painted features on face, hands and sword: weights 0 … 1 at points [N, 3]."""

import numpy as np

from .bones import ARM, F64, INDEX, REST
from .eyes import edge
from .hands import grooves
from .head import LOOK_OUT, MOUTH
from .mouth import CORNER, mouth_height
from .shapes import at, length
from .sword import TILT
from .wood import DISC, step

BORDER = 0.0008  # metres: how wide the ramp at a feature's border is
FRONT = 0.03  # metres: what is behind this is not the face
LINE = 0.0013  # metres: half the width of the line of the mouth
SPARKLE = (9.0, 8.0, 5.2)  # degrees to the left and up of an eye's axis, and its radius
PUPIL, IRIS = 15.5, 22.5  # degrees from an eye's axis
PUPILS_OUT = np.radians(5.0)  # by which the pupils are painted outwards of straight ahead


def mouth_line(points: F64) -> F64:
    """Return the mask of the line between the lips, round at its ends."""
    x = np.abs(points[:, 0])
    away = np.hypot(points[:, 1] - MOUTH - mouth_height(x), np.maximum(x - CORNER, 0.0))
    return (1.0 - step(away, LINE, BORDER)) * step(points[:, 2], FRONT, 0.01)


def cheeks(points: F64) -> F64:
    """Return the mask of the blush, strongest in its middle."""
    left = np.column_stack((np.abs(points[:, 0]), points[:, 1:]))
    away = length((left - (0.052, 1.6, 0.07)) * at(1.0, 1.15, 0.6)) / 0.021
    return np.clip(1.0 - away**2, 0.0, 1.0)


def from_eye(points: F64, out: float) -> tuple[F64, F64, F64]:
    """Return degrees [N] to the left, above and away from the axis of the nearer eye.

    `out` is by how many radians the axis is turned outwards.
    """
    left = points[:, 0] > 0.0
    away = points - np.where(left[:, None], REST[INDEX["LeftEye"]], REST[INDEX["RightEye"]])
    sine, cosine = np.where(left, 1.0, -1.0) * np.sin(out), np.cos(out)
    x, y, z = away[:, 0] * cosine - away[:, 2] * sine, away[:, 1], away[:, 2] * cosine
    z = z + away[:, 0] * sine
    aside = np.degrees(np.arctan2(x, np.hypot(y, z)))
    return aside, np.degrees(np.arctan2(y, z)), np.degrees(np.arctan2(np.hypot(x, y), z))


def sparkle(points: F64) -> F64:
    """Return the mask of the painted highlight on the eyes."""
    aside, above, _ = from_eye(points, PUPILS_OUT)
    left, up, radius = SPARKLE
    return 1.0 - step(np.hypot(aside - left, above - up), radius, 1.2)


def lid_line(points: F64) -> F64:
    """Return the mask of the dark edge of the upper lids."""
    aside, above, _ = from_eye(points, LOOK_OUT)
    rise = above - edge(aside, True, shut=False)
    return (1.0 - step(rise, 2.6, 1.2)) * step(above, -10.0, 2.0)


def finger_grooves(points: F64) -> F64:
    """Return the mask of the grooves at the joints of the fingers."""
    left = np.column_stack((np.abs(points[:, 0]), points[:, 1:]))
    along = (left - REST[INDEX["LeftHand"]]) @ ARM
    first, second, third = (REST[INDEX[f"LeftHandThumb{i}"]] for i in (1, 2, 3))
    thumb = np.minimum(*(np.abs((left - p) @ _way(first, third)) for p in (second, third)))
    on_thumb = left[:, 2] > 0.0365
    away = np.where(on_thumb, thumb, grooves(along, left[:, 2] - REST[INDEX["LeftHand"]][2]))
    return 1.0 - step(away, 0.0005, BORDER)


def _way(a: F64, b: F64) -> F64:
    way: F64 = (b - a) / np.linalg.norm(b - a)
    return way


def engraving(points: F64) -> F64:
    """Return the mask of what is cut into the maker's disc: a ring, rays, and a key's square."""
    x, y = (points - DISC)[:, :2].T
    far, turn = np.hypot(x, y), np.arctan2(x, y) * 12.0 / (2.0 * np.pi)
    ring = 1.0 - step(np.abs(far - 0.0205), 0.0006, BORDER)
    aside = np.abs(turn - np.rint(turn)) * 2.0 * np.pi / 12.0 * far
    ray = (1.0 - step(aside, 0.0005, BORDER)) * step(far, 0.0125, BORDER)
    ray *= 1.0 - step(far, 0.018, BORDER)
    square = 1.0 - step(np.maximum(np.abs(x), np.abs(y)), 0.0052, BORDER)
    return np.maximum(np.maximum(ring, ray), square) * (points[:, 2] < -0.04)


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
