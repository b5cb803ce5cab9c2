"""The mannequin's head: an egg with holes for the eyes, and the knobs of its ears."""

import numpy as np

from .bones import F64, INDEX, REST
from .shapes import AHEAD, ASIDE, Field, at, ball, carved, length, rounded, union
from .solids import I64, turned

EYE_RADIUS = 0.0275  # metres, about the joints LeftEye and RightEye
LOOK_OUT = np.radians(18.0)  # by which the frames of the eyes are turned outwards
HOLE = 0.017  # metres: radius of the hole behind the frame of an eye
HOLLOW = 0.008  # metres ahead of the eye's middle that its hole begins
MOUTH = 1.575  # metres above the floor

MIDDLE, RADII = at(0.0, 1.6365, -0.003), at(0.0865, 0.1135, 0.0965)  # metres
CHIN = 0.11  # share by which the egg is narrower at its lower end, and wider at the upper one
NOSE = at(0.0, 1.6035, 0.0905)
EAR = [(0.0, 0.021), (0.006, 0.021), (0.009, 0.019), (0.0105, 0.0155), (0.0105, 0.0)]
EAR_PLACE = at(0.0795, 1.63, -0.006)


def egg(points: F64) -> F64:
    """Return the field of the bare head."""
    away = (points - MIDDLE).T
    high = np.clip(away[1] / RADII[1], -1.1, 1.1)
    wide = 1.0 + CHIN * high - 0.3 * CHIN * high**2
    radii = np.stack((RADII[0] * wide, np.full(len(points), RADII[1]), RADII[2] * wide))
    return rounded(away / radii, radii, 2.3)


def eye_axis(sign: float) -> F64:
    """Return the direction in which an eye's frame faces; `sign` is 1 on the left."""
    return sign * np.sin(LOOK_OUT) * ASIDE + np.cos(LOOK_OUT) * AHEAD


def head() -> Field:
    """Return the field of the head where x >= 0."""
    nose = ball(NOSE, 0.0105)
    eye, axis = REST[INDEX["LeftEye"]], eye_axis(1.0)

    def hole(points: F64) -> F64:
        away = points - eye
        along = away @ axis
        return np.maximum(length(away - along[:, None] * axis) - HOLE, HOLLOW - along)

    return carved(union([egg, nose], 0.0045), hole, 0.001)


def ear() -> tuple[F64, I64]:
    """Return points and triangles of the knob at the left side of the head."""
    return turned(EAR_PLACE, ASIDE, AHEAD, EAR, 20)
