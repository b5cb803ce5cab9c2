"""Lights of a scene as they stand at a moment: the studio's key light, or those of the file."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.animation.types import F64

LightKind = Literal["directional", "point", "spot"]


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """One light in world space."""

    kind: LightKind
    color: F64  # [3] linear, times its intensity: lux, or candela
    place: F64  # [3] metres; of no use to a directional one
    towards: F64  # [3] unit: where it shines
    range: float = 0.0  # metres; 0: endless
    inner: float = 0.0  # radians, half angles of a spot
    outer: float = np.pi / 4


def key_light() -> Light:
    """Return the light that is there where a file has none: from the front, above, on one side."""
    towards = np.array([0.45, -0.75, -0.62])
    return Light("directional", np.full(3, 1.9), np.zeros(3), towards / np.linalg.norm(towards))
