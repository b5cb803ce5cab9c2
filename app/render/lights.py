"""Lights on the GPU: one block that a picture's shaders share."""

from collections.abc import Sequence

import moderngl
import numpy as np

from ..model.model import MOST_LIGHTS as MOST
from ..scene.lights import Light
from .program import BLOCKS
from .shadow import ROUNDS, ShadowMap

_ROWS = 1 + 4 + 4 * MOST  # vec4s of the block in lib/lights.glsl
_BRIGHTEST = 1e9  # candela: what a shader can multiply without running over
_KINDS = {"directional": 0.0, "point": 1.0, "spot": 2.0}


class GpuLights:
    """The block of lib/lights.glsl."""

    def __init__(self, context: moderngl.Context) -> None:
        self._block = np.zeros((_ROWS, 4), np.float32)
        self._buffer = context.buffer(reserve=self._block.nbytes, dynamic=True)
        self._said: tuple[object, ...] | None = None  # what the buffer holds

    def write(self, lights: Sequence[Light], shadow: ShadowMap | None) -> None:
        """Send up the lights of a picture, and the shadow of the first one where it casts any."""
        block, shown = self._block, lights[:MOST]
        cast = None if shadow is None else (shadow.place.tobytes(), shadow.softness, shadow.lift)
        said = cast, *[_said(light) for light in shown]
        if said == self._said:
            return
        self._said = said
        block[:] = 0
        if shadow is not None:
            block[0] = ROUNDS, *shadow.softness, shadow.lift
            block[1:5] = shadow.place
        groups = block[5:].reshape(4, MOST, 4)
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
        """Free it."""
        self._buffer.release()


def _said(light: Light) -> tuple[object, ...]:
    """Return what can be compared of a light: every number of it."""
    arrays = light.color.tobytes(), light.position.tobytes(), light.direction.tobytes()
    return (light.kind, *arrays, light.range, light.inner, light.outer)


def _cone(light: Light) -> tuple[float, float]:
    """Return scale and offset of the cosine's fall-off (KHR_lights_punctual, appendix)."""
    scale = 1 / max(1e-3, np.cos(light.inner) - np.cos(light.outer))
    return float(scale), float(-np.cos(light.outer) * scale)
