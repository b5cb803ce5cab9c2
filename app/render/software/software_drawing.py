"""How software renderers draw a part of a picture: as little as possible once for each sample.

What is behind the surfaces is drawn once a pixel, or copied from the frame before; dense meshes
are shaded once for each pixel, instead of for each triangle and sample.
"""

from collections.abc import Sequence

import moderngl

from ..drawing import ForwardDrawing
from ..frame import AnyTarget, Frame, Pass, StillPass
from ..passes import OpaquePass
from ..program import Programs
from ..render_target import Target
from .behind_samples import BehindSamples, shows_only_surfaces, surface_box
from .deferred_shading import DeferredShading, deferred_groups, has_more


class SoftwareDrawing(ForwardDrawing):
    """Draws the same pictures as `ForwardDrawing`, but for single steps of 255 and edges.

    Parameters
    ----------
    passes
        All passes, in their order.
    background
        Those that are behind all surfaces.
    grid, floor
        Those that are behind surfaces above the floor, if the camera is above it too.
    """

    def __init__(
        self,
        context: moderngl.Context,
        programs: Programs,
        passes: Sequence[Pass],
        *,
        background: Sequence[StillPass],
        grid: StillPass,
        floor: Sequence[Pass],
    ) -> None:
        self._deferred = DeferredShading(context, programs)
        opaque = _OpaquePass(context, self._deferred)
        steps = [opaque if isinstance(step, OpaquePass) else step for step in passes]
        super().__init__(programs, steps)
        self._behind = BehindSamples(context, background, grid, floor)

    def draw(self, frame: Frame, target: Target, number: int, block: bytes) -> bool:
        """Draw a frame with a shift of the target; returns whether no other one is needed."""
        alone = target.multisampled and shows_only_surfaces(frame, target)
        frame.deferred = deferred_groups(frame, target)
        behind = target.multisampled and bool(alone or frame.deferred or frame.has_background)
        box = None
        if behind:
            target.begin_behind(frame.clear_color, frame.part)
            self._behind.draw(frame, target, block)
            has_floor = self._behind.has_floor or not frame.look.grid
            if frame.deferred and has_floor:
                self._draw_deferred(frame, target)
                return True
            box = surface_box(frame, target) if alone and has_floor else None
            frame.deferred = ()  # all surfaces are shaded at once
        target.begin(frame.clear_color, frame.part, self._programs, number, box)
        for step in self._passes:
            if not (behind and self._behind.draw_rest(step, frame, target)):
                step.draw(frame, target)
        return target.add(self._programs, number)

    def _draw_deferred(self, frame: Frame, target: Target) -> None:
        """Draw deferred surfaces over what is behind the samples, and the rest over them."""
        self._deferred.draw(frame, target)
        self._behind.draw_rests(frame, target)
        if has_more(frame):
            frame.shaded = True
            target.begin_over(frame.part)
            for step in self._passes:
                if not self._behind.draws(step):
                    step.draw(frame, target)

    def unload(self) -> None:
        """Free the vertex arrays of models."""
        self._deferred.release()

    def release(self) -> None:
        """Free the picture that is kept."""
        self._behind.release()


class _OpaquePass(OpaquePass):
    """Draws deferred surfaces later, and the others as on a GPU."""

    def __init__(self, context: moderngl.Context, deferred: DeferredShading) -> None:
        super().__init__(context)
        self._deferred = deferred

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the opaque surfaces of a frame."""
        if not frame.deferred or not isinstance(target, Target):
            super().draw(frame, target)
            return
        self._move_behind_wires(frame)
        if not frame.shaded:
            self._deferred.draw(frame, target)
        for surfaces in frame.surfaces:
            surfaces.draw_opaque(frame.defines(surfaces, target), rest=True)
