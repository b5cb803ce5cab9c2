"""The shadow map of one directional light."""

from collections.abc import Sequence

import moderngl
import numpy as np

from ..animation.types import F32, F64
from ..model.model import MAX_LIGHTS
from ..scene.lights import Light
from .program import BLOCKS, UNITS

MOST = 1024  # texels of a map's longer side
SIDE_STEP = 32  # texels: sides are multiples of it, so that small changes reuse the map
SOFT = 0.012  # half the width of the soft edge, of a character's size
TEXELS = 3.0  # per half edge: finer ones would be blurred, coarser ones visible
NORMAL_OFFSET = 0.0035  # offset along the normal against self-shadowing, of a character's size
SAMPLE_ROUNDS = 3  # of three samples each; later rounds only if the first samples differ
_MARGIN = 1.06  # of the depth range
_BORDER = 1  # empty texels around the map: outside of it is no shadow
_LEAST_SOFT = 2.0  # texels


class ShadowMap:
    """A depth texture and its matrices."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made: tuple[moderngl.Texture, moderngl.Framebuffer] | None = None
        self._fitted: tuple[bytes, bytes, float] | None = None
        self._sides = SIDE_STEP, SIDE_STEP  # texels
        self.matrix: F32 = np.eye(4, dtype=np.float32)  # world to clip space
        # world to texture coordinates and depth, 0 to 1
        self.texture_matrix: F32 = np.eye(4, dtype=np.float32)
        self.softness = 0.0, 0.0  # sampling radius, in texture coordinates
        self.normal_offset = 0.0  # metres
        self.margin = 0.0  # width of the soft edge around a shadow, metres

    def fit(self, light: Light, extent: F32, size: float) -> None:
        """Fit the map to a box [2, 3] of world space, seen along a light.

        Parameters
        ----------
        light
            A directional light.
        extent
            Low and high corner of the lit scene, metres.
        size
            Of one character, metres.
        """
        fitted = light.direction.tobytes(), extent.tobytes(), size
        if fitted == self._fitted:
            return
        self._fitted = fitted
        corners = np.stack(np.meshgrid(*extent.T.astype(np.float64)), -1).reshape(-1, 3)
        axes = _axes(light.direction)
        seen = corners @ axes.T
        low, high = seen.min(axis=0), seen.max(axis=0)
        middle, spans = (high + low) / 2, np.maximum(high - low, 1e-9)
        texel = max(SOFT * size / TEXELS, float(spans[:2].max()) / (MOST - 2 * _BORDER))
        steps = np.ceil((spans[:2] / texel + 2 * _BORDER) / SIDE_STEP)
        sides = np.minimum(steps * SIDE_STEP, MOST)
        half = np.array([*(sides * (texel / 2)), spans[2] / 2 * _MARGIN])
        inner = half - [_BORDER * texel, _BORDER * texel, 0.0]
        self.matrix = _box_to_clip(axes, middle, inner)
        self.texture_matrix = _box_to_clip(axes, middle, 2 * half)
        self.texture_matrix[:3, 3] += 0.5
        radius = max(SOFT * size, _LEAST_SOFT * texel)
        across, up = (radius / (2 * half[:2])).tolist()
        self.softness = across, up
        self.margin = radius + texel
        self.normal_offset = max(NORMAL_OFFSET * size, texel)
        self._sides = int(sides[0]), int(sides[1])

    def begin(self) -> None:
        """Bind and clear the map for drawing."""
        context = self._context
        (width, height), framebuffer = self._sides, self._map()[1]
        framebuffer.use()
        context.viewport = (_BORDER, _BORDER, width - 2 * _BORDER, height - 2 * _BORDER)
        framebuffer.clear(depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="

    def use(self) -> None:
        """Bind the map as a texture."""
        self._map()[0].use(UNITS["shadow_map"])

    def release(self) -> None:
        """Free the map."""
        if self._made is not None:
            depth, framebuffer = self._made
            framebuffer.release()
            depth.release()
            self._made = None

    def _map(self) -> tuple[moderngl.Texture, moderngl.Framebuffer]:
        """Return texture and framebuffer of the current size, created on first use."""
        if self._made is None or self._made[0].size != self._sides:
            self.release()
            depth = self._context.depth_texture(self._sides)
            depth.compare_func = "<="
            depth.filter = (moderngl.LINEAR, moderngl.LINEAR)
            depth.repeat_x = depth.repeat_y = False
            self._made = depth, self._context.framebuffer(depth_attachment=depth)
        return self._made


def _box_to_clip(axes: F64, middle: F64, half: F64) -> F32:
    """Return the matrix [4, 4] from a box (centre, half sides, axes) to -1..1."""
    matrix = np.eye(4, dtype=np.float32)
    matrix[:3, :3] = axes / half[:, None]
    matrix[:3, 3] = -middle / half
    return matrix


def _axes(direction: F64) -> F64:
    """Return the light's right, up and forward axes as rows [3, 3]; depth grows along the light."""
    up = np.array([0.0, 1.0, 0.0]) if abs(direction[1]) < 0.99 else np.array([0.0, 0.0, 1.0])
    right = np.cross(direction, up)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(right, direction), direction])


_ROWS = 1 + 4 + 4 * MAX_LIGHTS  # vec4s of the block in lib/lights.glsl
_BRIGHTEST = 1e9  # candela: limit that cannot overflow in shaders
_KINDS = {"directional": 0.0, "point": 1.0, "spot": 2.0}


class GpuLights:
    """The uniform block of lib/lights.glsl."""

    def __init__(self, context: moderngl.Context) -> None:
        self._block = np.zeros((_ROWS, 4), np.float32)
        self._buffer = context.buffer(reserve=self._block.nbytes, dynamic=True)
        self._uploaded: tuple[object, ...] | None = None  # key of the uploaded lights

    def write(self, lights: Sequence[Light], shadow: ShadowMap | None) -> None:
        """Upload the lights of a frame, and the shadow of the first one if there is a map."""
        block, shown = self._block, lights[:MAX_LIGHTS]
        shadow_key = (
            None
            if shadow is None
            else (shadow.texture_matrix.tobytes(), shadow.softness, shadow.normal_offset)
        )
        key = shadow_key, *[_light_key(light) for light in shown]
        if key == self._uploaded:
            return
        self._uploaded = key
        block[:] = 0
        if shadow is not None:
            block[0] = SAMPLE_ROUNDS, *shadow.softness, shadow.normal_offset
            block[1:5] = shadow.texture_matrix
        groups = block[5:].reshape(4, MAX_LIGHTS, 4)
        for k, light in enumerate(shown):
            color = np.nan_to_num(np.maximum(light.color, 0.0), posinf=_BRIGHTEST)
            groups[0, k] = *np.minimum(color, _BRIGHTEST), _KINDS[light.kind]
            groups[1, k] = *light.position, 1 / light.range if light.range > 0 else 0.0
            groups[2, k, :3] = -light.direction
            groups[3, k, :2] = _cone(light)
        self._buffer.write(block)

    def use(self) -> None:
        """Bind the block."""
        self._buffer.bind_to_uniform_block(BLOCKS["Lights"])

    def release(self) -> None:
        """Free the block."""
        self._buffer.release()


def _light_key(light: Light) -> tuple[object, ...]:
    """Return a hashable key of all values of a light."""
    arrays = light.color.tobytes(), light.position.tobytes(), light.direction.tobytes()
    return (light.kind, *arrays, light.range, light.inner, light.outer)


def _cone(light: Light) -> tuple[float, float]:
    """Return scale and offset of the cone's angular attenuation (KHR_lights_punctual, appendix)."""
    scale = 1 / max(1e-3, np.cos(light.inner) - np.cos(light.outer))
    return float(scale), float(-np.cos(light.outer) * scale)
