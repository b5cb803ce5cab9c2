"""How a part of a picture is drawn into a target: forward, all passes in their order."""

from collections.abc import Sequence

import moderngl

from ..animation.types import F32
from .context import set_surface_state, widen_lines
from .frame import Frame, Pass
from .frame_block import FrameBlock
from .passes import TransmissivePass
from .picture import Picture
from .program import Programs
from .render_target import Target
from .transmission import TransmissionTarget


class ForwardDrawing:
    """Runs passes one after the other, for each picture that a target averages.

    Parameters
    ----------
    passes
        All passes, in their order.
    """

    def __init__(
        self, context: moderngl.Context, programs: Programs, passes: Sequence[Pass]
    ) -> None:
        self._context = context
        self._programs = programs
        self._passes = passes
        self._block = FrameBlock(context)
        self._refracted = TransmissionTarget(context)
        self._behind = [  # what is seen through transmissive surfaces
            step
            for step in passes
            if not (step.over_surfaces or isinstance(step, TransmissivePass))
        ]

    def draw(self, frame: Frame, target: Target, environment: F32) -> None:
        """Draw a frame into its part of a target.

        `environment` are the irradiance coefficients (see `GpuEnvironment.rows`).
        """
        for picture in target.pictures(self._programs, frame.part, frame.clear_color):
            self._prepare(frame, picture, environment)
            picture.clear()
            for step in self._passes:
                step.draw(frame, picture)

    def _prepare(self, frame: Frame, picture: Picture, environment: F32) -> None:
        """Set what surfaces need in a picture, and draw what they refract in it."""
        widen_lines(self._context, picture.size[1], picture.zoom)
        self._block.use(frame, picture.size, environment, picture.shift, picture.zoom)
        set_surface_state(self._context)
        if any(surfaces.transmits for surfaces in frame.surfaces):
            seen = self._refracted.begin(picture)
            for step in self._behind:
                step.draw(frame, seen)
            self._refracted.finish()

    def unload(self) -> None:
        """Free what has the size of a picture."""
        self._refracted.release()

    def release(self) -> None:
        """Free all GPU objects, and those of the passes."""
        self.unload()
        self._block.release()
        for step in self._passes:
            step.release()
