"""The light from all around on the GPU: a slice of a texture for each roughness."""

import moderngl
import numpy as np

from app.environment import Environment
from app.render.program import UNITS


class GpuEnvironment:
    """An environment's pictures, ready to be bound; its coefficients go into the frame's block."""

    def __init__(self, context: moderngl.Context, light: Environment) -> None:
        self.light = light
        count, height, width = light.levels.shape[:3]
        data = np.ascontiguousarray(light.levels.astype(np.float16))
        self._levels = context.texture3d((width, height, count), 3, data, dtype="f2")
        self._levels.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._levels.repeat_x = self._levels.repeat_y = self._levels.repeat_z = False

    def use(self) -> None:
        """Bind the pictures."""
        self._levels.use(UNITS["environment_levels"])

    def release(self) -> None:
        """Free them."""
        self._levels.release()
