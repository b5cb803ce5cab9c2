"""Environments on the GPU: a 3D texture with one slice per roughness; grey ones of one channel."""

import math
from functools import lru_cache

import moderngl
import numpy as np

from ..animation.types import F32
from ..resources import asset_path
from ..scene.environment import Environment, load, rotated_irradiance, scaled
from ..scene.lights import studio_share
from .frame import Frame
from .program import UNITS

# factors of `rigview.scene.environment.harmonics`
_CONSTANTS = np.array([0.282095, *[0.488603] * 3, *[1.092548] * 2, 0.946176, 1.092548, 0.546274])


class GpuEnvironment:
    """An environment's texture, its coefficients for the frame's uniform block, and definitions."""

    def __init__(self, context: moderngl.Context, light: Environment) -> None:
        self.light = light
        self._turn = math.nan
        self._rows: F32 = np.zeros((0, 4), np.float32)  # at that rotation
        grey = is_grey(light.levels) and is_grey(light.irradiance)
        self.defines: dict[str, int] = {"GREY_ENVIRONMENT": 1} if grey else {}
        count, height, width = light.levels.shape[:3]
        size = width, height, count
        if grey:  # software renderers look up floats much faster than halves
            data = np.ascontiguousarray(light.levels[..., 0])
            self._levels = context.texture3d(size, 1, data, alignment=1, dtype="f4")
        else:
            halves = np.ascontiguousarray(light.levels.astype(np.float16))
            self._levels = context.texture3d(size, 3, halves, alignment=1, dtype="f2")
        self._levels.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._levels.repeat_x = self._levels.repeat_y = self._levels.repeat_z = False

    def rows(self, turn: float) -> F32:
        """Return the rows [N, 4] of the frame's uniform block: coefficients, layout of the levels.

        The environment is rotated by `turn` about +Y, radians.
        """
        if turn != self._turn:
            grey = bool(self.defines)
            self._turn, self._rows = turn, environment_rows(self.light, turn, grey=grey)
        return self._rows

    def use(self) -> None:
        """Bind the texture."""
        self._levels.use(UNITS["environment_levels"])

    def release(self) -> None:
        """Free the texture."""
        self._levels.release()


class Environments:
    """The environment of the current frame on the GPU; the built-in studio is loaded once."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._uploaded: GpuEnvironment | None = None

    def current(self, frame: Frame) -> GpuEnvironment:
        """Return the uploaded environment: that of the frame, or the built-in studio."""
        wanted = current_environment(frame)
        if self._uploaded is None or self._uploaded.light is not wanted:
            self.release()
            self._uploaded = GpuEnvironment(self._context, wanted)
        return self._uploaded

    def release(self) -> None:
        """Free the texture."""
        if self._uploaded is not None:
            self._uploaded.release()
            self._uploaded = None


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
