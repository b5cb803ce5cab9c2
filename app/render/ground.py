"""The ground: a grid of lines that fades outwards, and the shadow that falls on it."""

import moderngl
import numpy as np

from ..animation.types import F32, F64
from ..scene.lights import Light
from ..scene.scene import Scene
from .program import Defines, Programs
from .shadow import ShadowMap

REACH = 6.0  # radii of the character the grid reaches before it has faded
SHADOW = 0.42  # how dark the ground is where the light does not reach
FLATTEST = 0.05  # sine of the light's height below which no shadow is drawn: it would never end
BEHIND = 4.0, 16.0  # slopes and steps of depth: a floor of the file at the same height hides it
SIDES = 12  # of the outline that a shadow on the ground is drawn in
ROUND = 24  # sides of the disc that the grid is drawn in
_DISC: Defines = frozenset({"SIDES": ROUND}.items())


def _outline() -> tuple[F64, F64]:
    """Return the sides' directions [2, S], and what leads from how far off they are to corners.

    Two neighbours n and m, which lie a and b off, meet where both hold: [S, 2 S] is the inverse.
    """
    step = 2 * np.pi / SIDES
    turn = np.arange(SIDES) * step
    touching = np.stack([np.cos(turn), np.sin(turn)])
    meeting = np.zeros((SIDES, SIDES, 2))
    here = np.arange(SIDES)
    after = (here + 1) % SIDES
    meeting[here, here] = np.stack([np.sin(turn + step), -np.cos(turn + step)], -1) / np.sin(step)
    meeting[after, here] = np.stack([-np.sin(turn), np.cos(turn)], -1) / np.sin(step)
    return touching, meeting.reshape(SIDES, 2 * SIDES)


_TOUCHING, _MEETING = _outline()


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
        program = self._programs.get("grid", _DISC)
        bright = sum(scene.display.background[:3]) > 1.5
        program["grid_center"] = (float(middle[0]), float(middle[2]))
        program["grid_colors"] = (0.2 if bright else 0.75, 0.4)
        target = context.fbo
        target.depth_mask = False
        context.polygon_offset = BEHIND
        self._array("grid", _DISC).render(moderngl.TRIANGLE_FAN, vertices=ROUND)
        if shadow is not None and light is not None and light.direction[1] < -FLATTEST:
            corners = thrown(_casting(scene), light.direction, scene.floor, shadow.margin)
            uniform = self._programs.get("ground")["ground_corners"]
            assert isinstance(uniform, moderngl.Uniform)
            uniform.write(corners.astype(np.float32))
            self._array("ground").render(moderngl.TRIANGLE_FAN, vertices=SIDES)
        context.polygon_offset = 0.0, 0.0
        target.depth_mask = True

    def release(self) -> None:
        """Free what it draws with."""
        for array in self._arrays.values():
            array.release()

    def _array(self, name: str, defines: Defines = frozenset()) -> moderngl.VertexArray:
        if name not in self._arrays:
            program = self._programs.get(name, defines)
            self._arrays[name] = self._context.vertex_array(program, [])
        return self._arrays[name]


def radius(scene: Scene) -> float:
    """Return how far from its middle the grid has faded, metres."""
    return max(REACH * scene.size / 2.0, 4.0 * scene.cell)


def thrown(points: F32, towards: F64, floor: float, margin: float) -> F64:
    """Return corners [SIDES, 3] about where the shadow of points [N, 3] lies on the floor.

    Parameters
    ----------
    points
        World space, metres; what casts lies within their hull.
    towards
        [3] unit, where the light shines; downwards.
    floor
        Height, metres.
    margin
        Half the soft edge across the light, metres.
    """
    down = (floor - points[:, 1]) / towards[1]
    way = points[:, ::2] + down[:, None] * towards[::2]
    far = (way @ _TOUCHING).max(axis=0) + margin / -towards[1]
    corners = np.full((SIDES, 3), floor, np.float64)
    corners[:, ::2] = (far @ _MEETING).reshape(SIDES, 2)
    return corners


def _casting(scene: Scene) -> F32:
    """Return points [N, 3] that hold all that casts a shadow, world space."""
    if len(scene.characters) == 1:
        (instance,) = scene.visible
        character = instance.character
        found = instance.bounds.corners(character.pose, character.matrices)
        if len(found):
            return found @ character.world[:3, :3].T + character.world[:3, 3]
    return np.stack(np.meshgrid(*scene.extent.T), axis=-1).reshape(-1, 3)
