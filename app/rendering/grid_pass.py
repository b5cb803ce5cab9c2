"""The grid on the floor, fading outwards."""

from typing import Any

import moderngl
import numpy as np

from ..scene.environment import harmonics
from .frame import Frame, StillPass
from .ground_pass import on_floor
from .picture import Picture
from .program import Defines, set_uniforms

MIDDLE_GREY = 0.21  # linear: sRGB 0.5
DISC_SIDES = 24  # sides of the grid's disc


class GridPass(StillPass):
    """Draws the grid below the characters."""

    def look(self, frame: Frame) -> tuple[Any, ...]:
        """Return the uniforms of the grid, () if there is none."""
        return tuple(_uniforms(frame).values()) if frame.look.grid else ()

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the grid of a frame."""
        if not frame.look.grid:
            return
        defines: Defines = frozenset(target.defines.items()) | {("SIDES", DISC_SIDES)}
        array = self._programs.array("grid", defines)
        set_uniforms(array.program, _uniforms(frame))
        with on_floor(self._context, target):
            array.render(moderngl.TRIANGLE_FAN, vertices=DISC_SIDES)


def _uniforms(frame: Frame) -> dict[str, Any]:
    """Return the uniforms of the program."""
    middle = (frame.extent[0] + frame.extent[1]) / 2.0
    return {
        "grid_center": (float(middle[0]), float(middle[2])),
        "grid_colors": (0.2 if _is_bright(frame) else 0.75, 0.4),
    }


def _is_bright(frame: Frame) -> bool:
    """Return whether the background behind the floor is brighter than a middle grey."""
    if frame.environment_map is None or frame.environment is None:
        return sum(frame.background[-1][:3]) > 1.5
    below = harmonics(np.array([0.0, -1.0, 0.0])) @ frame.environment.irradiance
    return float(below.mean()) * 2.0**frame.look.shading.exposure > MIDDLE_GREY
