"""Signed distance fields of the mannequin's trunk, head and limbs, and of its joinery.

Only the left half is described; parts that cross the middle are symmetric.
"""

import numpy as np

from .bones import ARM, F64, INDEX, REST
from .hands import hand
from .shapes import (
    AHEAD,
    ASIDE,
    UP,
    Field,
    at,
    ball,
    carved,
    ellipsoid,
    length,
    limb,
    loft,
    near,
    union,
)

ACROSS_ARM = at(-ARM[1], ARM[0], 0.0)
EYE_RADIUS = 0.0155  # metres, about the joints LeftEye and RightEye
SOCKET = 0.0007  # metres of air between eye and skin, filled by the lids
MOUTH = 1.575  # metres above the floor
STANDING = (UP, ASIDE, AHEAD)

# Metres: height or distance along; the least and greatest width; the least and greatest depth.
TRUNK = [
    (0.875, -0.105, 0.105, -0.082, 0.066),
    (0.93, -0.148, 0.148, -0.1, 0.086),
    (0.98, -0.143, 0.143, -0.096, 0.092),
    (1.04, -0.122, 0.122, -0.08, 0.09),
    (1.09, -0.113, 0.113, -0.074, 0.086),
    (1.15, -0.12, 0.12, -0.082, 0.09),
    (1.22, -0.137, 0.137, -0.095, 0.1),
    (1.3, -0.15, 0.15, -0.107, 0.104),
    (1.345, -0.151, 0.151, -0.108, 0.097),
]
NECK = [
    (1.4, -0.06, 0.06, -0.08, 0.02),
    (1.45, -0.055, 0.055, -0.074, 0.03),
    (1.5, -0.051, 0.051, -0.064, 0.038),
    (1.56, -0.052, 0.052, -0.06, 0.04),
]
FACE = [
    (1.558, -0.046, 0.046, -0.012, 0.088),
    (1.575, -0.053, 0.053, -0.03, 0.0875),
    (1.6, -0.061, 0.061, -0.05, 0.088),
    (1.625, -0.065, 0.065, -0.06, 0.088),
    (1.645, -0.067, 0.067, -0.07, 0.087),
    (1.668, -0.068, 0.068, -0.08, 0.0875),
    (1.682, -0.067, 0.067, -0.08, 0.0865),
]
ARM_STATIONS = [
    (0.0, -0.05, 0.048, -0.05, 0.05),
    (0.06, -0.05, 0.047, -0.047, 0.049),
    (0.13, -0.042, 0.045, -0.041, 0.043),
    (0.2, -0.036, 0.039, -0.036, 0.037),
    (0.265, -0.036, 0.033, -0.034, 0.036),
    (0.31, -0.036, 0.039, -0.04, 0.04),
    (0.36, -0.034, 0.036, -0.038, 0.036),
    (0.43, -0.028, 0.028, -0.028, 0.028),
    (0.49, -0.026, 0.026, -0.0205, 0.0205),
    (0.515, -0.027, 0.027, -0.019, 0.019),
]
LEG = [
    (0.075, 0.076, 0.13, -0.05, 0.022),
    (0.11, 0.074, 0.13, -0.052, 0.019),
    (0.18, 0.069, 0.135, -0.064, 0.024),
    (0.27, 0.057, 0.15, -0.081, 0.034),
    (0.34, 0.051, 0.155, -0.085, 0.041),
    (0.42, 0.054, 0.149, -0.065, 0.047),
    (0.5, 0.052, 0.148, -0.05, 0.057),
    (0.56, 0.049, 0.152, -0.056, 0.063),
    (0.66, 0.036, 0.164, -0.073, 0.075),
    (0.78, 0.023, 0.173, -0.086, 0.082),
    (0.86, 0.02, 0.175, -0.088, 0.08),
    (0.93, 0.032, 0.166, -0.084, 0.068),
]
FOOT = [
    (-0.043, 0.0715, 0.134, -0.022, 0.07),
    (-0.02, 0.069, 0.136, -0.024, 0.086),
    (0.0, 0.068, 0.138, -0.025, 0.094),
    (0.04, 0.067, 0.145, -0.025, 0.082),
    (0.08, 0.065, 0.154, -0.025, 0.061),
    (0.11, 0.065, 0.157, -0.02, 0.049),
    (0.14, 0.067, 0.155, -0.016, 0.041),
    (0.155, 0.069, 0.153, -0.013, 0.0375),
]


def mirrored(place: F64) -> F64:
    """Return the mirror image of a point on the right."""
    return place * at(-1.0, 1.0, 1.0)


def trunk() -> Field:
    """Return the field of hips, waist, chest, shoulders and neck."""
    parts = [
        loft(at(0, 0, 0), STANDING, TRUNK, 2.4, (0.5, 1.0)),
        loft(at(0, 0, 0), STANDING, NECK),
    ]
    for flip in (at(1, 1, 1), at(-1, 1, 1)):
        parts += [
            ellipsoid(at(0.069, 1.316, 0.064) * flip, at(0.062, 0.047, 0.042)),
            limb(at(0.022, 1.427, 0.03) * flip, at(0.13, 1.424, -0.004) * flip, (0.0125, 0.012)),
            ellipsoid(at(0.072, 0.912, -0.052) * flip, at(0.066, 0.075, 0.054)),
            limb(at(0.02, 1.46, -0.042) * flip, at(0.14, 1.412, -0.026) * flip, (0.032, 0.032)),
        ]
    return union(parts, 0.013)


def head() -> Field:
    """Return the field of the head, with a hollow for the eye."""
    soft = [
        ellipsoid(at(0, 1.66, -0.012), at(0.0765, 0.088, 0.0955)),
        loft(at(0, 0, 0), STANDING, FACE, 2.2, (0.52, 0.62)),
        ball(at(0, 1.5515, 0.071), 0.0165),
    ]
    sharp = [limb(at(0, 1.655, 0.083), at(0, 1.61, 0.1), (0.0056, 0.0084))]
    for flip in (at(1, 1, 1), at(-1, 1, 1)):
        soft += [
            limb(at(0.012, 1.6635, 0.081) * flip, at(0.046, 1.667, 0.065) * flip, (0.0105, 0.0105)),
            limb(at(0.031, 1.6155, 0.0625) * flip, at(0.053, 1.626, 0.049) * flip, (0.0155, 0.014)),
            limb(at(0.053, 1.664, 0.059) * flip, at(0.0555, 1.632, 0.056) * flip, (0.011, 0.011)),
        ]
        sharp += [
            ball(at(0.0085, 1.6055, 0.091) * flip, 0.0073),
            limb(at(0, 1.581, 0.0855) * flip, at(0.021, 1.5765, 0.0775) * flip, (0.0064, 0.0038)),
            limb(at(0, 1.5672, 0.0838) * flip, at(0.018, 1.572, 0.0775) * flip, (0.0082, 0.0045)),
        ]
    face = union([union(soft, 0.009), *sharp], 0.0035)
    eye = REST[INDEX["LeftEye"]]
    face = carved(face, ball(eye, EYE_RADIUS + SOCKET), 0.004)
    place = at(0.0775, 1.634, -0.012)
    way = np.stack((at(0.9, -0.1, -0.42), UP, at(0.42, 0, 0.9)))
    ear = ellipsoid(place, at(0.0085, 0.029, 0.0175), way)
    shell = ellipsoid(place + at(0.0085, 0.002, 0.001), at(0.0065, 0.0175, 0.0095), way)
    return union([face, carved(ear, shell, 0.0025)], 0.0035)


def arm() -> Field:
    """Return the field of the left arm with its hand."""
    shoulder = REST[INDEX["LeftArm"]]
    frame = (ARM, AHEAD, ACROSS_ARM)
    wrist = REST[INDEX["LeftHand"]]
    upper = union(
        [
            loft(shoulder, frame, ARM_STATIONS),
            ellipsoid(shoulder + ARM * 0.028, at(0.078, 0.053, 0.055), np.stack(frame)),
        ],
        0.006,
    )
    return union([upper, near(hand(), wrist + ARM * 0.09, 0.22)], 0.005)


def leg() -> Field:
    """Return the field of the left leg with its foot; it extends below the floor."""
    return union(
        [
            loft(at(0, 0, 0), STANDING, LEG, 2.1),
            ellipsoid(at(0.101, 0.505, 0.028), at(0.04, 0.048, 0.036)),
            loft(at(0, 0, 0), (AHEAD, ASIDE, UP), FOOT, 2.2, (0.95, 1.2)),
        ],
        0.009,
    )


def figure() -> Field:
    """Return the field of the body where x >= 0."""
    left = leg()
    whole = union(
        [
            union([trunk(), near(head(), at(0, 1.62, 0), 0.28)], 0.014),
            near(arm(), at(0.34, 1.2, 0), 0.6),
            left,
            lambda points: left(mirrored(points)),
        ],
        0.0125,
    )
    return carved(whole, lambda points: points[:, 1], 0.003)


def _slice(place: F64, axis: F64, half: float, reach: float) -> Field:
    """Return the field of a slice across a limb: `half` metres to either side of a point."""
    axis = axis / np.linalg.norm(axis)

    def field(points: F64) -> F64:
        away = points - place
        along = np.abs(away @ axis) - half
        return np.where(length(away) < reach, along, 1.0)

    return field


def _wedge(place: F64, reach: float, *cuts: tuple[F64, F64]) -> Field:
    """Return the field beyond all cuts, given by a point and an inward direction."""

    def field(points: F64) -> F64:
        sides = [(start - points) @ (way / np.linalg.norm(way)) for start, way in cuts]
        inside = length(points - place) < reach
        return np.where(inside, np.max(sides, axis=0), 1.0)

    return field


def joinery(points: F64) -> F64:
    """Return metres to the border of the nearest ball joint or band: negative inside."""
    points = np.abs(points * at(1, 0, 0)) + points * at(0, 1, 1)
    shoulder, elbow, wrist, hip, knee, ankle = (
        REST[INDEX["Left" + name]] for name in ("Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot")
    )
    places = [
        _slice(at(0, 1.096, 0), UP, 0.03, 0.2),
        _slice(at(0, 1.492, 0), at(0, 1, 0.25), 0.022, 0.14),
        _wedge(
            shoulder,
            0.13,
            (shoulder + at(-0.026, 0, 0), at(1, 0.24, 0)),
            (shoulder + ARM * 0.055, -ARM),
        ),
        _slice(elbow, ARM, 0.03, 0.09),
        _slice(wrist, ARM, 0.016, 0.07),
        _wedge(
            hip,
            0.17,
            (at(0.04, 0.862, 0), at(0.82, -0.57, 0)),
            (hip + at(0, -0.07, 0), UP),
        ),
        _slice(knee, UP, 0.036, 0.12),
        _slice(ankle + at(0, 0.018, 0), UP, 0.02, 0.09),
    ]
    return np.min([place(points) for place in places], axis=0)
