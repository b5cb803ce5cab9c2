"""The field of the mannequin's left leg, from the hip's ball to the sole."""

from .shapes import AHEAD, ASIDE, UP, Field, at, carved, ellipsoid, loft, union

# Metres: height or distance along; the least and greatest width; the least and greatest depth.
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
    (0.76, 0.024, 0.17, -0.081, 0.079),
    (0.81, 0.025, 0.167, -0.077, 0.074),
    (0.845, 0.034, 0.156, -0.063, 0.062),
    (0.868, 0.048, 0.142, -0.047, 0.047),
    (0.885, 0.06, 0.13, -0.034, 0.034),
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


def whole() -> Field:
    """Return the field of the left leg with its foot, which is round below."""
    return union(
        [
            loft(at(0, 0, 0), (UP, ASIDE, AHEAD), LEG, 2.1, (0.7, 0.4)),
            ellipsoid(at(0.101, 0.505, 0.028), at(0.04, 0.048, 0.036)),
            loft(at(0, 0, 0), (AHEAD, ASIDE, UP), FOOT, 2.2, (0.95, 1.2)),
        ],
        0.009,
    )


def leg() -> Field:
    """Return the field of the left leg with its foot, which stands on the floor."""
    return carved(whole(), lambda points: points[:, 1], 0.003)
