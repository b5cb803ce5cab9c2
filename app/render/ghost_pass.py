"""Characters as translucent shapes, in front of the surfaces."""

import moderngl

from .frame import AnyTarget, Frame, OptionalPass

OFFSET = 2.0, 8.0  # polygon offset: surfaces at the same place hide a ghost


class GhostPass(OptionalPass):
    """Draws the nearest surfaces of the ghosts of a frame, blended with what is behind them."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context

    def draws(self, frame: Frame) -> bool:
        """Return whether a frame has ghosts."""
        return bool(frame.ghosts)

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the ghosts of a frame: first their depth, then what has that depth."""
        if not frame.ghost_surfaces:
            return
        framebuffer, context = target.framebuffer, self._context
        context.polygon_offset = OFFSET
        for colored in (False, True):
            framebuffer.color_mask = (colored,) * 4
            for surfaces in frame.ghost_surfaces:
                surfaces.draw_opaque(frame.defines(surfaces, target))
        context.polygon_offset = 0.0, 0.0
