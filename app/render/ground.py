"""The ground: a grid of lines that fades outwards, and the shadow that falls on it."""

import moderngl
import numpy as np

from app.animation.types import F32, F64
from app.light import Light
from app.render.program import Programs
from app.render.shadow import ShadowMap
from app.scene import Scene

REACH = 6.0  # radii of the character the grid reaches before it has faded
SHADOW = 0.42  # how dark the ground is where the light does not reach
FLATTEST = 0.05  # sine of the light's height below which no shadow is drawn: it would never end
_SQUARE = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float64)


class Ground:
    """Draws the grid and the shadow over whatever is behind, not over the character."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs
        self._arrays: dict[str, moderngl.VertexArray] = {}

    def draw(self, scene: Scene, shadow: ShadowMap | None, light: Light | None) -> None:
        """Draw it; a shadow where there is a map of what a light reaches."""
        context = self._context
        context.disable(moderngl.CULL_FACE)
        context.front_face = "ccw"
        middle = scene.extent.mean(axis=0)
        program = self._programs.get("grid")
        bright = sum(scene.display.background[:3]) > 1.5
        program["grid_center"] = (float(middle[0]), float(middle[2]))
        program["grid_colors"] = (0.2 if bright else 0.75, 0.4)
        target = context.fbo
        target.depth_mask = False
        self._array("grid").render(moderngl.TRIANGLE_STRIP, vertices=4)
        if shadow is not None and light is not None and light.towards[1] < -FLATTEST:
            corners = reached(shadow.matrix, light.towards, scene.floor)
            self._programs.get("ground")["ground_corners"] = [tuple(c) for c in corners.tolist()]
            self._array("ground").render(moderngl.TRIANGLE_STRIP, vertices=4)
        target.depth_mask = True

    def release(self) -> None:
        """Free what it draws with."""
        for array in self._arrays.values():
            array.release()

    def _array(self, name: str) -> moderngl.VertexArray:
        if name not in self._arrays:
            self._arrays[name] = self._context.vertex_array(self._programs.get(name), [])
        return self._arrays[name]


def radius(scene: Scene) -> float:
    """Return how far from its middle the grid has faded, metres."""
    return max(REACH * scene.size / 2.0, 4.0 * scene.cell)


def reached(matrix: F32, towards: F64, floor: float) -> F64:
    """Return where [4, 3] the corners of a shadow map lie on the floor, a strip's order.

    Parameters
    ----------
    matrix
        [4, 4] world to the map's clip space, parallel.
    towards
        [3] unit, where the light shines; downwards.
    floor
        Height, metres.
    """
    back = np.linalg.inv(matrix.astype(np.float64))
    from_light = _SQUARE @ back[:3, :2].T + back[:3, 3]
    way = (floor - from_light[:, 1]) / towards[1]
    return from_light + way[:, None] * towards
