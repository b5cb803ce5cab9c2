"""Transmissive surfaces that are not blended."""

import moderngl

from .frame import AnyTarget, Frame, Pass


class TransmissivePass(Pass):
    """Draws them instead of the picture behind them, which they show as their background."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the transmissive surfaces of a frame."""
        self._context.disable(moderngl.BLEND)
        for surfaces in frame.surfaces:
            surfaces.draw_transmissive(frame.defines(surfaces, target))
        self._context.enable(moderngl.BLEND)
