"""The edges of all triangles, over the surfaces."""

import moderngl

from .frame import AnyTarget, Frame, OptionalPass


class WireframePass(OptionalPass):
    """Draws them if the look has a wireframe."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context

    def draws(self, frame: Frame) -> bool:
        """Return whether a frame has a wireframe."""
        return frame.look.overlays.wireframe

    def draw(self, frame: Frame, _: AnyTarget) -> None:
        """Draw the wireframe of a frame."""
        if self.draws(frame):
            self._context.polygon_offset = 0.0, 0.0
            for surfaces in frame.surfaces:
                surfaces.draw_wires()
