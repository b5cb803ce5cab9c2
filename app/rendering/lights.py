"""Lights on the GPU: one uniform block for all shaders."""

from collections.abc import Sequence

import moderngl
import numpy as np

from ..model.model import MAX_LIGHTS
from ..scene.lights import Light
from .program import BLOCKS
from .shadow import SAMPLE_ROUNDS, ShadowMap

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
