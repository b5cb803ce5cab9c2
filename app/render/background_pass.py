"""The background of transmissive surfaces: the picture without them."""

from collections.abc import Sequence

import moderngl

from .frame import AnyTarget, Frame, Pass
from .transmission import TransmissionTarget


class BackgroundPass(Pass):
    """Draws other passes into a texture, if any surface is transmissive.

    Parameters
    ----------
    context
        The OpenGL context.
    passes
        What is visible through transmissive surfaces.
    """

    def __init__(self, context: moderngl.Context, passes: Sequence[Pass]) -> None:
        self._background = TransmissionTarget(context)
        self._passes = passes

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the background of the size of a target."""
        if not any(surfaces.transmits for surfaces in frame.surfaces):
            return
        background = self._background
        size, samples, zoom = target.drawn, target.multisamples, target.zoom
        background.begin(size, samples, frame.clear_color, target.viewport_of(frame.part), zoom)
        for step in self._passes:
            step.draw(frame, background)
        background.finish()
        background.use()

    def release(self) -> None:
        """Free the texture."""
        self._background.release()
