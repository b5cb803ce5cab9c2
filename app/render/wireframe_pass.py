"""The edges of all triangles, over the surfaces."""

import moderngl

from .frame import AnyTarget, Frame, Pass


class WireframePass(Pass):
    """Draws them if the display has a wireframe."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context

    def draw(self, frame: Frame, _: AnyTarget) -> None:
        """Draw the wireframe of a frame."""
        if frame.look.overlays.wireframe:
            self._context.polygon_offset = 0.0, 0.0
            for surfaces in frame.surfaces:
                surfaces.draw_wires()
