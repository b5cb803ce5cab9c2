"""Ambient occlusion: how much ambient light a surface receives, at half the resolution.

It is computed from the depth of the posed surfaces and of the floor below them.
"""

from collections.abc import Sequence

import moderngl
import numpy as np

from ...scene.camera import Camera
from ..frame import Frame
from ..frame_block import FrameBlock
from ..multisampling import MULTISAMPLES
from ..program import UNITS, Defines, Programs, set_uniforms
from ..render_target import Target
from .floor_polygon import FloorPolygon
from .occlusion_maps import OcclusionMaps

_FINE: Defines = frozenset({"FINE": 1}.items())  # more samples, for still pictures


class Occlusion:
    """Draws the occlusion of a frame, and binds it for the lit surfaces."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs
        self._block = FrameBlock(context)
        self._maps = OcclusionMaps(context)
        self._floor = FloorPolygon(programs, "floor")

    def draw(self, frame: Frame, target: Target) -> bool:
        """Draw the occlusion of a frame; return whether it has any.

        Only lit surfaces have; it is left out of quick pictures.
        """
        lit = frame.look.shading.occlusion and any(each.mode == "lit" for each in frame.surfaces)
        if target.quick or not lit:
            return False
        size = (target.size[0] + 1) // 2, (target.size[1] + 1) // 2
        self._maps.allocate(size)
        aspect = target.size[0] / target.size[1]
        self._draw_depth(frame, aspect)
        lens = _lens(frame.camera, aspect)
        values = {
            "occlusion_lens": lens,
            "occlusion_across": _across(size, lens),
            "occlusion_ortho": float(frame.camera.ortho),
            "occlusion_radius": frame.occlusion_radius,
        }
        fine: Defines = _FINE if target.samples > MULTISAMPLES else frozenset()
        maps = self._maps
        maps.begin_distance()
        self._draw("occlusion_distance", {"occlusion_depth": maps.depth, **values})
        maps.begin_visibility("occlusion")
        self._draw("occlusion", {"occlusion_distance": maps.distance, **values}, fine)
        maps.begin_visibility("occlusion_blur")
        self._draw("occlusion_blur", {"occlusion_rough": maps.rough, **values})
        self._maps.smooth.use(UNITS["occlusion_map"])
        return True

    def release(self) -> None:
        """Free all GPU objects."""
        self._maps.release()
        self._block.release()

    def _draw_depth(self, frame: Frame, aspect: float) -> None:
        """Draw the depth of all surfaces and of the floor below them."""
        self._maps.begin()
        camera = frame.camera
        matrix = (camera.projection(aspect) @ camera.view()).astype(np.float32)
        self._block.use_matrix(matrix)
        for surfaces in frame.surfaces:
            surfaces.draw_depth()
        if frame.look.grid:
            self._context.disable(moderngl.CULL_FACE)
            self._floor.draw(frame)

    def _draw(self, name: str, values: dict[str, object], defines: Defines = frozenset()) -> None:
        """Draw a program over the map that is bound."""
        array = self._programs.array(name, defines)
        set_uniforms(array.program, values)
        array.render(moderngl.TRIANGLES, vertices=3)


def _across(size: tuple[int, int], lens: Sequence[float]) -> tuple[float, float, float, float]:
    """Return scale and offset from a texel to its place across and up at a distance of 1."""
    (x, y), scale = lens[:2], np.array([2.0 / size[0], 2.0 / size[1]])
    return (scale[0] / x, scale[1] / y, (scale[0] / 2 - 1) / x, (scale[1] / 2 - 1) / y)


def _lens(camera: Camera, aspect: float) -> Sequence[float]:
    """Return the scale of a projection across and up, and the two terms of its depth."""
    matrix = camera.projection(aspect)
    return tuple(float(matrix[k]) for k in ((0, 0), (1, 1), (2, 2), (2, 3)))
