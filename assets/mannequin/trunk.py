"""The field of the mannequin's trunk: pelvis, waist, chest and the post of the neck."""

from .joinery import rest
from .shapes import AHEAD, ASIDE, UP, Field, at, ellipsoid, limb, loft, union

STANDING = (UP, ASIDE, AHEAD)

# Metres: height; the least and greatest width; the least and greatest depth.
TRUNK = [
    (0.932, -0.141, 0.141, -0.096, 0.084),
    (0.98, -0.141, 0.141, -0.096, 0.091),
    (1.04, -0.122, 0.122, -0.081, 0.09),
    (1.09, -0.113, 0.113, -0.074, 0.086),
    (1.15, -0.12, 0.12, -0.082, 0.09),
    (1.22, -0.136, 0.136, -0.095, 0.1),
    (1.3, -0.146, 0.146, -0.107, 0.104),
    (1.345, -0.145, 0.145, -0.107, 0.096),
]
NECK = [
    (1.4, -0.048, 0.048, -0.066, 0.016),
    (1.44, -0.0435, 0.0435, -0.057, 0.025),
    (1.48, -0.0405, 0.0405, -0.051, 0.03),
    (1.52, -0.04, 0.04, -0.048, 0.031),
]


def trunk() -> Field:
    """Return the field of the trunk where x >= 0."""
    shoulder = rest("Arm")
    parts = [
        loft(at(0, 0, 0), STANDING, TRUNK, 2.4, (0.55, 1.0)),
        loft(at(0, 0, 0), STANDING, NECK),
    ]
    for flip in (at(1, 1, 1), at(-1, 1, 1)):
        parts += [
            ellipsoid(at(0.067, 1.312, 0.062) * flip, at(0.062, 0.05, 0.042)),
            limb(at(0.022, 1.427, 0.026) * flip, at(0.12, 1.43, -0.004) * flip, (0.0125, 0.012)),
            ellipsoid(at(0.066, 0.948, -0.05) * flip, at(0.06, 0.052, 0.052)),
            limb(at(0.02, 1.455, -0.042) * flip, at(0.12, 1.42, -0.03) * flip, (0.03, 0.03)),
            limb(
                at(0.06, 1.395, -0.012) * flip, (shoulder - at(0.045, 0, 0)) * flip, (0.052, 0.047)
            ),
        ]
    return union(parts, 0.013)
