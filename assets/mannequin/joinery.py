"""Joints that are seen: ball joints at shoulders and hips, dark bands at hinges, and soles."""

import numpy as np

from .bones import ARM, F64, INDEX, REST
from .shapes import UP, Field, at, ball, length

# Of the left side: the joint that a ball turns about, and its radius in metres.
BALLS = {"Arm": 0.05, "UpLeg": 0.066}
SEAM = 0.0018  # metres from a ball within which its socket is dark
SOLE = 0.015  # metres: how thick the soles are
TREAD = 0.0012  # metres above the floor: where a sole's rim turns under the foot
# The middle, radii and lean of the inlaid shoulder blade, metres and radians.
BLADE = (np.array((0.067, 1.345)), np.array((0.024, 0.046)), np.radians(-16.0))
BAND_PARTS = ("trunk", "arm", "leg")  # what has bands


def rest(joint: str) -> F64:
    """Return the rest position of a joint of the left side."""
    return REST[INDEX["Left" + joint]]


def folded(points: F64) -> F64:
    """Return points [N, 3] with those of the right side mirrored to the left."""
    return points * at(0, 1, 1) + np.abs(points) * at(1, 0, 0)


def from_balls(points: F64) -> F64:
    """Return metres [N] to the nearest ball joint: negative inside."""
    left = folded(points)
    return np.min([ball(rest(joint), radius)(left) for joint, radius in BALLS.items()], axis=0)


def _slice(place: F64, axis: F64, half: float, reach: float) -> Field:
    """Return the field of a slice across a limb: `half` metres to either side of a point."""
    axis = axis / np.linalg.norm(axis)

    def field(points: F64) -> F64:
        away = points - place
        along = np.abs(away @ axis) - half
        return np.where(length(away) < reach, along, 1.0)

    return field


def sockets(points: F64) -> F64:
    """Return metres [N] to the border of the nearest ball's dark socket: negative on it."""
    return from_balls(points) - SEAM


def tread(points: F64) -> F64:
    """Return metres [N] above the rim of the soles."""
    height: F64 = points[:, 1] - TREAD
    return height


BANDS = (
    _slice(at(0, 1.096, 0), UP, 0.03, 0.2),
    _slice(at(0, 1.54, -0.02), at(0, 1, 0.16), 0.066, 0.14),
    _slice(rest("ForeArm"), ARM, 0.03, 0.09),
    _slice(rest("Hand"), ARM, 0.016, 0.07),
    _slice(rest("Leg"), UP, 0.036, 0.12),
    _slice(rest("Foot") + at(0, 0.018, 0), UP, 0.02, 0.09),
    _slice(at(0.1, 0, 0.04), UP, SOLE, 0.2),
)


def _ellipse(points: F64, centre: F64, radii: F64, lean: float) -> F64:
    """Return about metres [N] from an ellipse's outline in x and y, leaning outwards upwards."""
    x, y = (points[:, :2] - centre).T
    u, v = np.cos(lean) * x - np.sin(lean) * y, np.sin(lean) * x + np.cos(lean) * y
    far = np.hypot(u / radii[0], v / radii[1])
    return (far - 1.0) * far / np.maximum(np.hypot(u / radii[0] ** 2, v / radii[1] ** 2), 1e-3)


def inlay(points: F64) -> F64:
    """Return metres [N] to the outline of the back's inlay: its spine and its shoulder blades."""
    left = folded(points)
    x, y, z = left.T
    spine = np.maximum(x - 0.005 - 0.004 * (y - 1.12) / 0.2, np.maximum(1.1 - y, y - 1.5))
    blade = _ellipse(left, *BLADE)
    return np.where(z < -0.03, np.minimum(spine, blade), 1.0)


def bands(points: F64) -> F64:
    """Return metres [N] to the border of the nearest band or sole: negative on it."""
    left = folded(points)
    return np.min([band(left) for band in BANDS], axis=0)
