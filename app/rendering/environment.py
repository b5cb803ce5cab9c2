"""Environments on the GPU: a 3D texture with one slice per roughness; grey ones of one channel."""

from functools import lru_cache

import moderngl
import numpy as np

from ..animation.types import F32
from ..memo import Memo
from ..resources import asset_path
from ..scene.environment import Environment, load, rotated_irradiance, scaled
from ..scene.lights import studio_share
from .frame import Frame
from .program import UNITS

# factors of `rigview.scene.environment.harmonics`
_CONSTANTS = np.array([0.282095, *[0.488603] * 3, *[1.092548] * 2, 0.946176, 1.092548, 0.546274])


class Environments:
    """The environment of the current frame on the GPU: the texture, rows, and definitions."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._light: Environment | None = None
        self._levels: moderngl.Texture3D | None = None  # of that environment
        self._is_grey = False
        self._rows = Memo(environment_rows)

    def use(self, frame: Frame) -> F32:
        """Bind the environment of a frame and add its definitions; see `environment_rows`."""
        light = current_environment(frame)
        if self._levels is None or light is not self._light:
            self.release()
            self._light, self._levels = light, self._upload(light)
        self._levels.use(UNITS["environment_levels"])
        if self._is_grey:
            frame.lighting.defines["GREY_ENVIRONMENT"] = 1
        return self._rows(light, environment_turn(frame), grey=self._is_grey)

    def _upload(self, light: Environment) -> moderngl.Texture3D:
        self._is_grey = is_grey(light.levels) and is_grey(light.irradiance)
        count, height, width = light.levels.shape[:3]
        # software renderers look up floats much faster than halves
        channels, dtype = (1, "f4") if self._is_grey else (3, "f2")
        data = np.ascontiguousarray(light.levels[..., :channels], dtype)
        size = width, height, count
        levels = self._context.texture3d(size, channels, data, alignment=1, dtype=dtype)
        levels.filter = (moderngl.LINEAR, moderngl.LINEAR)
        levels.repeat_x = levels.repeat_y = levels.repeat_z = False
        return levels

    def release(self) -> None:
        """Free the texture."""
        if self._levels is not None:
            self._levels.release()
            self._levels = None


def current_environment(frame: Frame) -> Environment:
    """Return the environment of a frame: its map, or the built-in studio, which is loaded once."""
    if frame.environment is not None:
        return frame.environment
    shown = (instance.character for instance in frame.instances)
    return _studio(studio_share(shown, frame.look.lighting))


@lru_cache(maxsize=4)
def _studio(share: float) -> Environment:
    """Return the studio with a share of its light."""
    return scaled(load(asset_path("studio.npz")), share)


def environment_turn(frame: Frame) -> float:
    """Return the rotation of the environment about +Y, radians: the studio follows the front."""
    return 0.0 if frame.environment else frame.front


def is_grey(light: F32) -> bool:
    """Return whether the three channels [..., 3] are equal."""
    return bool((light[..., :1] == light[..., 1:]).all())


def environment_rows(light: Environment, turn: float, *, grey: bool) -> F32:
    """Return the rows [N, 4] of the frame's uniform block, rotated by `turn` about +Y, radians.

    They are irradiance coefficients, times the constants, and the layout of the levels.
    """
    rows = np.zeros((9, 4), np.float32)
    rows[:, :3] = rotated_irradiance(light.irradiance, turn) * _CONSTANTS[:, None]
    rows[3:5, 3] = np.cos(turn), np.sin(turn)
    rows[0, :3] -= rows[6, :3] / 3  # of 3 z z - 1
    count, side = light.levels.shape[:2]
    rows[0, 3] = (side - 2) / (2 * side)  # from -1..1 to the map without its border
    rows[1:3, 3] = (count - 1) / count, 0.5 / count
    if not grey:
        return rows
    return np.array([*rows[:, 0], *rows[:5, 3], 0.0, 0.0], np.float32).reshape(4, 4)
