"""The floor below the characters, as far as they occlude it."""

import moderngl
import numpy as np

from ...animation.types import F32, F64
from ..frame import Frame
from ..ground_pass import SIDES, shadow_caster_points, shadow_outline
from ..program import Defines, Programs

CORNERS = 8  # of a box
_DOWN: F64 = np.array([0.0, -1.0, 0.0])


class FloorPolygon:
    """Draws a polygon on the floor with a program.

    Parameters
    ----------
    name
        Of the program.
    """

    def __init__(self, programs: Programs, name: str) -> None:
        self._programs = programs
        self._name = name

    def draw(self, frame: Frame, defines: Defines = frozenset()) -> None:
        """Draw the floor that the characters of a frame can occlude."""
        array = self._programs.array(self._name, defines)
        margin = frame.occlusion_radius
        points = _near_floor(shadow_caster_points(frame), frame.floor + margin)
        if not len(points):
            return
        uniform = array.program["floor_corners"]
        assert isinstance(uniform, moderngl.Uniform)
        uniform.write(shadow_outline(points, _DOWN, frame.floor, margin).astype(np.float32))
        array.render(moderngl.TRIANGLE_FAN, vertices=SIDES)


def _near_floor(points: F32, height: float) -> F32:
    """Return the corners [N, 3] of boxes, without those of boxes above a height, metres."""
    if len(points) % CORNERS:  # single points: the file has no boxes
        return points
    boxes = points.reshape(-1, CORNERS, 3)
    out: F32 = boxes[boxes[..., 1].min(axis=1) < height].reshape(-1, 3)
    return out
