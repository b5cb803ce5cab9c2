"""The floor where the characters occlude it: darker below their soles."""

import moderngl

from ..frame import AnyTarget, Frame, Pass
from ..ground_pass import DEPTH_OFFSET
from ..program import Programs
from .floor_polygon import FloorPolygon


class ContactPass(Pass):
    """Draws the occlusion of the floor, if the frame has occlusion and a ground."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._floor = FloorPolygon(context, programs, "contact")

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the occlusion of the floor of a frame."""
        if not (frame.display.grid and frame.lighting.occlusion):
            return
        self._context.disable(moderngl.CULL_FACE)
        target.framebuffer.depth_mask = False
        self._context.polygon_offset = DEPTH_OFFSET
        self._floor.draw(frame, frozenset(target.defines.items()))
        self._context.polygon_offset = 0.0, 0.0
        target.framebuffer.depth_mask = True

    def release(self) -> None:
        """Free the vertex arrays."""
        self._floor.release()
