"""The floor where the characters occlude it: darker below their soles."""

import moderngl

from ..frame import AnyTarget, Frame, Pass
from ..ground_pass import on_floor
from ..program import Programs
from .floor_polygon import FloorPolygon


class ContactPass(Pass):
    """Draws the occlusion of the floor, if the frame has occlusion and a ground."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._floor = FloorPolygon(context, programs, "contact")

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the occlusion of the floor of a frame."""
        if not (frame.look.grid and frame.lighting.occlusion):
            return
        with on_floor(self._context, target):
            self._floor.draw(frame, frozenset(target.defines.items()))

    def release(self) -> None:
        """Free the vertex arrays."""
        self._floor.release()
