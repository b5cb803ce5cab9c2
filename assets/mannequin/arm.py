"""The field of the mannequin's left arm, from the shoulder's ball to the palm."""

from .bones import ARM, WRIST
from .hands import palm
from .joinery import rest
from .shapes import AHEAD, Field, at, loft, near, union

ACROSS = at(-ARM[1], ARM[0], 0.0)

# Metres: distance along; the least and greatest width (ahead); the least and greatest depth.
STATIONS = [
    (0.01, -0.03, 0.03, -0.03, 0.03),
    (0.03, -0.041, 0.041, -0.041, 0.041),
    (0.05, -0.0455, 0.0455, -0.045, 0.045),
    (0.13, -0.041, 0.044, -0.041, 0.042),
    (0.2, -0.036, 0.039, -0.036, 0.037),
    (0.265, -0.036, 0.033, -0.034, 0.036),
    (0.31, -0.036, 0.039, -0.04, 0.04),
    (0.36, -0.034, 0.036, -0.038, 0.036),
    (0.43, -0.028, 0.028, -0.028, 0.028),
    (0.49, -0.025, 0.025, -0.021, 0.021),
    (0.515, -0.0255, 0.0255, -0.019, 0.019),
]


def arm() -> Field:
    """Return the field of the left arm with its palm."""
    sleeve = loft(rest("Arm"), (ARM, AHEAD, ACROSS), STATIONS, 2.0, (0.5, 0.7))
    hand = near(palm(), rest("Arm") + ARM * (WRIST + 0.05), 0.16)
    return union([sleeve, hand], 0.005)
