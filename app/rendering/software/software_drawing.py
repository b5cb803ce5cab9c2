"""How software renderers draw a part of a picture: as little as possible once for each sample.

The backdrop is drawn once a pixel, or copied from the frame before; dense meshes are shaded once
for each pixel, instead of for each triangle and sample.
"""

from collections.abc import Sequence
from dataclasses import replace

import moderngl

from ...animation.types import F32
from ..forward_drawing import ForwardDrawing
from ..frame import Frame, Pass
from ..multisampling import Multisampling
from ..passes import OpaquePass
from ..picture import CLEAR, Picture, Rectangle
from ..program import Programs
from ..render_target import Target
from .backdrop import Backdrop, has_backdrop, surface_box
from .deferred_shading import DeferredShading, deferred_groups, has_blended

CLEARED = 0.3  # of a picture: a box that is cleared quicker than the whole


class SoftwareDrawing(ForwardDrawing):
    """Draws the same pictures as `ForwardDrawing`, but for single steps of 255 and edges."""

    def __init__(
        self, context: moderngl.Context, programs: Programs, passes: Sequence[Pass]
    ) -> None:
        super().__init__(context, programs, passes)
        self._at_once = passes
        self._deferred = DeferredShading(context, programs)
        self._backdrop = Backdrop(context, passes)
        opaque = _OpaquePass(context, programs, self._deferred)
        self._passes = [opaque if isinstance(step, OpaquePass) else step for step in passes]

    def draw(self, frame: Frame, target: Target, environment: F32) -> None:
        """Draw a frame into its part of a target."""
        sampling, finished = target.sampling, target.finished(frame.part, frame.clear_color)
        if not isinstance(sampling, Multisampling):
            super().draw(frame, target, environment)
            return
        samples = sampling.picture(finished)
        overlaid = any(step.over_surfaces and step.draws(frame) for step in self._passes)
        alone = finished.is_whole and not overlaid and _only_triangles(frame)
        groups = deferred_groups(frame, samples)
        if not (alone or groups or has_backdrop(frame)):
            super().draw(frame, target, environment)
            return
        sampling.box = None
        self._prepare(frame, samples, environment)
        samples = replace(samples, color=CLEAR)  # the rest of them shows the backdrop
        finished.clear()
        self._backdrop.draw(frame, finished, self._block.content)
        has_floor = self._backdrop.has_floor or not frame.look.grid
        if groups and has_floor:
            self._deferred.draw(groups, frame, samples, finished)
            self._backdrop.draw_rests(frame, finished)
            if not (overlaid or has_blended(frame)):
                return
            self._draw_over(frame, samples)
        else:
            sampling.box = surface_box(frame, samples) if alone and has_floor else None
            self._draw_samples(frame, samples, sampling.box)
        sampling.average(self._programs, sampling.box or finished.scissor, over=True)

    def _draw_over(self, frame: Frame, samples: Picture) -> None:
        """Draw what is over shaded surfaces, whose depth stays."""
        samples.framebuffer.depth_mask = False
        samples.clear()
        samples.framebuffer.depth_mask = True
        for step in self._at_once:
            if isinstance(step, OpaquePass):
                draw_rest(frame, samples)
            elif not self._backdrop.draws(step):
                step.draw(frame, samples)

    def _draw_samples(self, frame: Frame, samples: Picture, box: Rectangle | None) -> None:
        """Draw everything but the backdrop, within a box if there is one."""
        framebuffer, (width, height) = samples.framebuffer, samples.size
        if box is not None and box[2] * box[3] < CLEARED * width * height:
            framebuffer.clear(viewport=box)
            framebuffer.use()
            framebuffer.viewport = samples.viewport
        else:
            samples.clear()
        framebuffer.scissor = box or samples.scissor
        for step in self._at_once:
            if not self._backdrop.draw_rest(step, frame, samples):
                step.draw(frame, samples)

    def unload(self) -> None:
        """Free what has the size of a picture."""
        super().unload()
        self._deferred.release()
        self._backdrop.release()


class _OpaquePass(OpaquePass):
    """Draws deferred surfaces later, and the others as on a GPU."""

    def __init__(
        self, context: moderngl.Context, programs: Programs, deferred: DeferredShading
    ) -> None:
        super().__init__(context, programs)
        self._deferred = deferred

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the opaque surfaces of a frame."""
        groups = deferred_groups(frame, target)
        if groups:
            self._deferred.draw(groups, frame, target, target)
            draw_rest(frame, target)
        else:
            super().draw(frame, target)


def draw_rest(frame: Frame, picture: Picture) -> None:
    """Draw the opaque surfaces of a frame that are never deferred."""
    for surfaces in frame.surfaces:
        surfaces.draw_opaque(frame.defines(surfaces, picture), rest=True)


def _only_triangles(frame: Frame) -> bool:
    """Return whether all surfaces are of triangles, rather than lines and points."""
    items = (item for surfaces in frame.surfaces for item in surfaces.items)
    return all(item.geometry.mode == moderngl.TRIANGLES for item in items)
