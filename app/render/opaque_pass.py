"""Opaque and masked surfaces, and the opaque parts of blended ones."""

import moderngl

from .frame import AnyTarget, Frame, Pass


class OpaquePass(Pass):
    """Draws them behind the wireframe, if there is one."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the opaque surfaces of a frame."""
        if frame.display.wireframe and frame.crowd is None:
            self._context.polygon_offset = 1.0, 1.0
        for surfaces in frame.surfaces:
            surfaces.draw_opaque(frame.defines(surfaces, target))
