"""What is drawn behind the characters where it is not uniform: a gradient, or the environment."""

import math
from typing import Any

import moderngl
import numpy as np

from ..animation.types import F16, F32
from ..scene.camera import Camera, OrbitCamera
from ..scene.environment_background import MARGIN, fitted
from .frame import Frame, StillPass
from .picture import Picture
from .program import UNITS, Programs

COLOURS = 3  # of a gradient, at most
BANDS = 32  # of one change of colour each


def _uniforms(frame: Frame) -> dict[str, Any] | None:
    """Return the uniforms of the program, None if a frame shows no gradient."""
    colours = frame.background
    if len(colours) < 2 or frame.environment_map is not None:
        return None
    stops = np.array(colours, np.float32)
    stops[:, :3] *= stops[:, 3:]
    if len(stops) == 2:
        stops = np.stack([stops[0], stops.mean(axis=0), stops[1]])
    return {"gradient_colours": stops.tolist(), "gradient_smooth": float(len(colours) > 2)}


class GradientPass(StillPass):
    """Draws the gradient before everything else."""

    def look(self, frame: Frame) -> tuple[Any, ...]:
        """Return the colours of the gradient, and whether the environment is shown instead."""
        return frame.background, frame.environment_map is not None

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the gradient of a frame, if it shows one."""
        values = _uniforms(frame)
        if values is None:
            return
        if target.tiles is not None:
            self._context.disable(moderngl.CULL_FACE | moderngl.BLEND)
            target.tiles.draw("gradient", values, {"TILED": 1})
            self._context.enable(moderngl.BLEND)
            return
        defines = {"BANDS": BANDS} | ({} if target.displayed is None else {"DISPLAYED": 1})
        target.unlit.use()
        self._context.disable(moderngl.CULL_FACE | moderngl.DEPTH_TEST | moderngl.BLEND)
        self._programs.draw("gradient", values, defines, moderngl.TRIANGLE_STRIP, 2 * BANDS + 2)
        self._context.enable(moderngl.DEPTH_TEST | moderngl.BLEND)
        target.framebuffer.use()


class EnvironmentPass(StillPass):
    """Draws the environment in all directions, before everything else, if a frame shows it."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        super().__init__(context, programs)
        self._map: F16 | None = None  # that of the textures
        self._textures: dict[int, moderngl.Texture] = {}  # by octave of the width of a pixel

    def look(self, frame: Frame) -> tuple[Any, ...]:
        """Return the identity of the map, its rotation, and the tone mapping."""
        shown = frame.environment_map
        if shown is None:
            return ()
        # the map of the frame before is still referred to: no other one has its identity
        rotation = frame.look.lighting.rotation
        return id(shown), rotation, frame.lighting.defines["TONE"]

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the background of a frame; into a transmission target as radiance."""
        shown = frame.environment_map
        if shown is None:
            self._release_textures()
            return
        width, height = target.drawn
        lens = _half_picture(frame.camera, width / height)
        self._upload(shown, 2.0 * lens[1] * target.zoom / height)
        rays = frame.camera.view()[:3, :3].T * (*lens, -1.0)
        values = {
            "picture_rays": np.ascontiguousarray(rays.T, np.float32),  # column by column
            "rotation": frame.look.lighting.rotation / 360.0,
        }
        tone = frame.lighting.defines["TONE"]
        defines = {"TONE": tone, "MARGIN": MARGIN, **target.defines}
        # at the depth of the cleared buffer: pixels that need no more samples are hidden
        self._context.disable(moderngl.CULL_FACE | moderngl.BLEND)
        self._programs.draw("environment", values, defines)
        self._context.enable(moderngl.BLEND)

    def release(self) -> None:
        """Free the textures."""
        self._release_textures()

    def _upload(self, light: F16, pixel: float) -> None:
        """Bind the texture of a map for pixels of an angle, radians."""
        if self._map is not light:
            self._release_textures()
        octave = math.floor(math.log2(pixel))
        if octave not in self._textures:
            texels = fitted(light, 2.0**octave, self._context.info["GL_MAX_TEXTURE_SIZE"])
            size = texels.shape[1], texels.shape[0]
            texture = self._context.texture(size, 3, texels, alignment=1, dtype="f2")
            texture.filter = moderngl.LINEAR, moderngl.LINEAR
            texture.repeat_y = False
            self._map, self._textures[octave] = light, texture
        self._textures[octave].use(UNITS["environment_map"])

    def _release_textures(self) -> None:
        for texture in self._textures.values():
            texture.release()
        self._textures.clear()
        self._map = None


def _half_picture(camera: Camera, aspect: float) -> F32:
    """Return half the width and height [2] of the picture one metre before the eye.

    An orthographic camera sees the environment as in perspective: in parallel, it would see one
    direction of it.
    """
    if camera.ortho:
        slope = math.tan((camera.fov if isinstance(camera, OrbitCamera) else OrbitCamera.fov) / 2)
        return np.array([slope * aspect, slope], np.float32)
    projection = camera.projection(aspect)
    return np.array([1.0 / projection[0, 0], 1.0 / projection[1, 1]], np.float32)
