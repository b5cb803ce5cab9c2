"""Ambient occlusion: how much ambient light surfaces and the floor receive, at half the resolution.

It is computed from the depth of the posed surfaces and of the floor below them.
"""

from collections.abc import Sequence

import moderngl
import numpy as np

from ..animation.types import F64
from ..errors import ContextError
from ..scene.camera import Camera
from .context import GpuObjects
from .frame import Frame
from .frame_block import FrameBlock
from .ground_pass import SIDES, boxes_below, shadow_caster_points, shadow_outline
from .multisampling import MULTISAMPLES
from .program import UNITS, Defines, Programs, set_uniforms
from .render_target import Target, depth_texture

NOTHING = 2e30  # distance where there is no surface, metres
_FINE: Defines = frozenset({"FINE": 1}.items())  # more samples, for still pictures
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
        points = boxes_below(shadow_caster_points(frame), frame.floor + margin)
        if not len(points):
            return
        uniform = array.program["floor_corners"]
        assert isinstance(uniform, moderngl.Uniform)
        uniform.write(shadow_outline(points, _DOWN, frame.floor, margin).astype(np.float32))
        array.render(moderngl.TRIANGLE_FAN, vertices=SIDES)


class OcclusionMaps:
    """The textures: depth, distance, and visibility with distance, rough and smoothed."""

    depth: moderngl.Texture
    distance: moderngl.Texture
    rough: moderngl.Texture
    smooth: moderngl.Texture

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._size = 0, 0
        self._made = GpuObjects()
        self._framebuffers: dict[str, moderngl.Framebuffer] = {}

    def allocate(self, size: tuple[int, int]) -> None:
        """Create the textures of a size, unless they have it.

        Raises
        ------
        ContextError
            The driver cannot allocate them.
        """
        if size == self._size:
            return
        self.release()
        context, add = self._context, self._made.add
        try:
            self.depth = add(depth_texture(context, size))
            self.distance = add(context.texture(size, 1, dtype="f4"))
            self.rough, self.smooth = (add(context.texture(size, 2, dtype="f4")) for _ in range(2))
            self._framebuffers = {
                "depth": add(context.framebuffer(depth_attachment=self.depth)),
                "occlusion_distance": add(context.framebuffer([self.distance])),
                "occlusion": add(context.framebuffer([self.rough], self.depth)),
                "occlusion_blur": add(context.framebuffer([self.smooth], self.depth)),
            }
        except moderngl.Error as error:
            self.release()
            sides = f"{size[0]} x {size[1]} pixels"
            raise ContextError(f"not enough GPU memory for occlusion, {sides}") from error
        self._size = size

    def begin(self) -> None:
        """Bind and clear the depth for drawing."""
        framebuffer = self._framebuffers["depth"]
        framebuffer.use()
        framebuffer.clear(depth=1.0)
        self._context.enable_only(moderngl.DEPTH_TEST)
        self._context.depth_func = "<="

    def begin_distance(self) -> None:
        """Bind the distance for drawing, of all texels."""
        self._framebuffers["occlusion_distance"].use()
        self._context.enable_only(moderngl.NOTHING)

    def begin_visibility(self, name: str) -> None:
        """Bind and clear the map that a program draws, of texels nearer than the far plane."""
        framebuffer = self._framebuffers[name]
        framebuffer.use()
        framebuffer.depth_mask = False
        framebuffer.clear(1.0, NOTHING)
        self._context.enable_only(moderngl.DEPTH_TEST)
        self._context.depth_func = ">"

    def release(self) -> None:
        """Free all GPU objects; bound framebuffers cannot be freed."""
        if self._framebuffers:
            self._context.detect_framebuffer(0).use()
        self._made.close()
        self._framebuffers.clear()
        self._size = 0, 0


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
        if frame.has_floor:
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
