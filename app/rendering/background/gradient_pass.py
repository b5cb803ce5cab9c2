"""The background where it is not uniform: a vertical gradient."""

from typing import Any

import moderngl
import numpy as np

from ..frame import Frame, StillPass
from ..picture import Picture
from ..program import Defines, Programs, set_uniforms

COLOURS = 3  # of a gradient, at most
BANDS = 32  # of one change of colour each
_STRIP: Defines = frozenset({"BANDS": BANDS}.items())


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

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs

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
        displayed = {("DISPLAYED", 1)} if target.displayed is not None else set()
        array = self._programs.array("gradient", _STRIP | displayed)
        set_uniforms(array.program, values)
        target.unlit.use()
        self._context.disable(moderngl.CULL_FACE | moderngl.DEPTH_TEST | moderngl.BLEND)
        array.render(moderngl.TRIANGLE_STRIP, vertices=2 * BANDS + 2)
        self._context.enable(moderngl.DEPTH_TEST | moderngl.BLEND)
        target.framebuffer.use()
