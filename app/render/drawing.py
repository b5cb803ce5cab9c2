"""How a part of a picture is drawn into a target: forward, all passes in their order."""

from collections.abc import Sequence

from .frame import Frame, Pass
from .program import Programs
from .render_target import Target


class ForwardDrawing:
    """Runs passes one after the other, for each sample that a target adds up.

    Parameters
    ----------
    passes
        All passes, in their order.
    """

    def __init__(self, programs: Programs, passes: Sequence[Pass]) -> None:
        self._programs = programs
        self._passes = passes

    def draw(self, frame: Frame, target: Target, number: int, block: bytes) -> bool:
        """Draw a frame with a shift of the target; returns whether no other one is needed.

        `block` is the uniform block of the frame.
        """
        del block  # others find by it whether a picture is that of the frame before
        target.begin(frame.clear_color, frame.part, self._programs, number)
        for step in self._passes:
            step.draw(frame, target)
        return target.add(self._programs, number)

    def unload(self) -> None:
        """Free what belongs to models."""

    def release(self) -> None:
        """Free everything but the passes, which have other owners."""
