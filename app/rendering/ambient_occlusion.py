"""Ambient occlusion: how much ambient light surfaces and the floor receive, at half the resolution.

It is computed from the depth of the posed surfaces and of the floor below them: of the opaque ones,
and of the blended ones before them, which occlude others by their opacity.
"""

from collections.abc import Sequence

import moderngl
import numpy as np

from ..animation.types import F64
from ..scene.camera import Camera
from .context import SizedObjects, depth_texture
from .frame import Frame
from .frame_block import FrameBlock
from .ground_pass import SIDES, boxes_below, shadow_caster_points, shadow_outline
from .multisampling import MULTISAMPLES
from .program import NO_DEFINES, UNITS, Defines, Programs
from .render_target import Target

NOTHING = 2e30  # distance where there is no surface, metres
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

    def draw(self, frame: Frame, defines: Defines = NO_DEFINES) -> None:
        """Draw the floor that the characters of a frame can occlude."""
        margin = frame.occlusion_radius
        points = boxes_below(shadow_caster_points(frame), frame.floor + margin)
        if not len(points):
            return
        corners = shadow_outline(points, _DOWN, frame.floor, margin).astype(np.float32)
        values = {"floor_corners": corners}
        self._programs.draw(self._name, values, defines, moderngl.TRIANGLE_FAN, SIDES)


class OcclusionMaps(SizedObjects):
    """The textures: depth, distance, and visibility with distance, rough and smoothed.

    Those of a `blended` layer have an opacity in depth and distance.
    """

    purpose = "occlusion"
    depth: moderngl.Texture
    distance: moderngl.Texture
    rough: moderngl.Texture
    smooth: moderngl.Texture

    def __init__(self, context: moderngl.Context, *, blended: bool = False) -> None:
        super().__init__(context)
        self._blended = blended
        self._framebuffers: dict[str, moderngl.Framebuffer] = {}

    def _make(self, size: tuple[int, int], _samples: int) -> None:
        context, add = self._context, self._made.add
        tested = self.depth = add(depth_texture(context, size))
        if self._blended:
            self.depth = add(context.texture(size, 2, dtype="f4"))
        self.distance = add(context.texture(size, 1 + self._blended, dtype="f4"))
        self.rough, self.smooth = (add(context.texture(size, 2, dtype="f4")) for _ in range(2))
        self._framebuffers = {
            "depth": add(context.framebuffer([self.depth] * self._blended, tested)),
            "occlusion_distance": add(context.framebuffer([self.distance])),
            "occlusion": add(context.framebuffer([self.rough], tested)),
            "occlusion_blur": add(context.framebuffer([self.smooth], tested)),
        }

    def begin(self) -> None:
        """Bind and clear the depth for drawing."""
        framebuffer = self._framebuffers["depth"]
        framebuffer.use()
        framebuffer.clear(1.0, 0.0, depth=1.0)
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


class Occlusion:
    """Draws the occlusion of a frame, and binds it for the lit surfaces."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs
        self._block = FrameBlock(context)
        self._maps = OcclusionMaps(context)
        self._blended = OcclusionMaps(context, blended=True)
        self._floor = FloorPolygon(programs, "floor")

    def draw(self, frame: Frame, target: Target) -> bool:
        """Draw the occlusion of a frame; return whether it has any.

        Only lit surfaces have; it is left out of quick pictures.
        """
        lit = frame.look.shading.occlusion and any(each.mode == "lit" for each in frame.surfaces)
        if target.quick or not lit:
            return False
        size = (target.size[0] + 1) // 2, (target.size[1] + 1) // 2
        layers = [self._maps]
        if any(each.mode == "lit" and each.blended for each in frame.surfaces):
            layers.append(self._blended)
        for maps in layers:
            maps.make(size)
        aspect = target.size[0] / target.size[1]
        self._draw_depth(frame, aspect, layers[1:])
        lens = _lens(frame.camera, aspect)
        values = {
            "occlusion_lens": lens,
            "occlusion_across": _across(size, lens),
            "occlusion_ortho": float(frame.camera.ortho),
            "occlusion_radius": frame.occlusion_radius,
        }
        defines = {"FINE": 1} if target.samples > MULTISAMPLES else {}  # for still pictures
        for maps in layers:
            maps.begin_distance()
            self._programs.draw("occlusion_distance", {"occlusion_depth": maps.depth, **values})
        distances = {"occlusion_distance": self._maps.distance}
        if len(layers) > 1:
            distances["occlusion_blended"] = self._blended.distance
            defines["LAYERED"] = 1
        for maps, own in zip(layers, ({}, {"FRONT": 1}), strict=False):
            maps.begin_visibility("occlusion")
            self._programs.draw("occlusion", {**distances, **values}, {**defines, **own})
            maps.begin_visibility("occlusion_blur")
            self._programs.draw("occlusion_blur", {"occlusion_rough": maps.rough, **values})
        for maps, name in zip(layers, ("occlusion_map", "occlusion_map_blended"), strict=False):
            maps.smooth.use(UNITS[name])
        return True

    def release(self) -> None:
        """Free all GPU objects."""
        self._maps.release()
        self._blended.release()
        self._block.release()

    def _draw_depth(self, frame: Frame, aspect: float, before: Sequence[OcclusionMaps]) -> None:
        """Draw the depth of all surfaces and of the floor below them.

        That of blended ones `before` those is drawn with their opacity.
        """
        self._maps.begin()
        camera = frame.camera
        matrix = (camera.projection(aspect) @ camera.view()).astype(np.float32)
        self._block.use_matrix(matrix)
        for surfaces in frame.surfaces:
            surfaces.draw_depth({"OPAQUE_PART": 1})
        if frame.has_floor:
            self._context.disable(moderngl.CULL_FACE)
            self._floor.draw(frame)
        for maps in before:
            self._maps.depth.use(UNITS["surface_depth"])
            maps.begin()
            for surfaces in frame.surfaces:
                surfaces.draw_depth({"LAYER": 1}, blended=True)


def _across(size: tuple[int, int], lens: Sequence[float]) -> tuple[float, float, float, float]:
    """Return scale and offset from a texel to its place across and up at a distance of 1."""
    (x, y), scale = lens[:2], np.array([2.0 / size[0], 2.0 / size[1]])
    return (scale[0] / x, scale[1] / y, (scale[0] / 2 - 1) / x, (scale[1] / 2 - 1) / y)


def _lens(camera: Camera, aspect: float) -> Sequence[float]:
    """Return the scale of a projection across and up, and the two terms of its depth."""
    matrix = camera.projection(aspect)
    return tuple(float(matrix[k]) for k in ((0, 0), (1, 1), (2, 2), (2, 3)))
