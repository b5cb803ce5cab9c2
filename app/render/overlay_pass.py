"""Overlay lines: bounding boxes, skeletons, ghosts and axes."""

import moderngl
import numpy as np

from ..animation.types import F32
from ..scene.billboard_nodes import matrices_facing
from ..scene.exact_bounds import ExactBounds
from .frame import AnyTarget, Frame, Pass
from .overlay_lines import bounds_lines, skeleton_lines
from .program import Programs

_LAYOUT = "3f 3f 4f 1f 1f /i"
_NAMES = ("in_from", "in_to", "in_color", "in_width", "in_dash")
_BYTES = 48  # of a line


class OverlayPass(Pass):
    """Draws the overlays of all characters; a crowd has none."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs
        self._capacity = 0
        self._buffer: moderngl.Buffer | None = None
        self._array: moderngl.VertexArray | None = None
        self._extents: list[ExactBounds] = []  # of the characters of the last frame

    def draw(self, frame: Frame, target: AnyTarget) -> None:
        """Draw the overlays of a frame: skeletons in front of the mesh, or hidden by it."""
        if frame.active is None or frame.crowd is not None:
            return
        context = self._context
        context.disable(moderngl.CULL_FACE)
        target.framebuffer.depth_mask = False  # lines do not hide each other
        if frame.display.bounds:
            self._draw(self._bounds(frame), target)  # hidden by the mesh in front of them
        if not frame.display.overlay_depth:
            context.disable(moderngl.DEPTH_TEST)
        self._draw(skeleton_lines(frame), target)
        context.enable(moderngl.DEPTH_TEST)
        target.framebuffer.depth_mask = True

    def _bounds(self, frame: Frame) -> F32:
        self._extents = [
            next((bounds for bounds in self._extents if bounds.model is shown.model), None)
            or ExactBounds(shown.model)
            for shown in frame.characters
        ]
        parts = [bounds_lines(np.zeros((0, 2, 3), np.float32))]
        for extents, shown in zip(self._extents, frame.characters, strict=True):
            values = shown.pose.values
            hidden = shown.pointer_values.hidden(values)
            matrices = matrices_facing(shown, frame.camera, frame.origin)
            world = shown.world_from(frame.origin)
            boxes = extents.boxes(matrices, values, world, hidden)
            parts.append(bounds_lines(boxes))
        return np.concatenate(parts)

    def _draw(self, lines: F32, target: AnyTarget) -> None:
        if not len(lines):
            return
        height = target.size[1] * target.divisor  # of the picture as it is shown
        lines[:, 10:] *= max(1.0, height / 1000.0) / target.divisor
        self._reserve(len(lines))
        if self._buffer is None or self._array is None:
            return
        self._buffer.write(lines)
        self._array.render(moderngl.TRIANGLES, vertices=6, instances=len(lines))

    def release(self) -> None:
        """Free the buffers."""
        if self._array is not None:
            self._array.release()
        if self._buffer is not None:
            self._buffer.release()

    def _reserve(self, count: int) -> None:
        if count <= self._capacity:
            return
        self.release()
        self._capacity = 2 * count
        self._buffer = self._context.buffer(reserve=self._capacity * _BYTES, dynamic=True)
        program = self._programs.get("line")
        self._array = self._context.vertex_array(program, [(self._buffer, _LAYOUT, *_NAMES)])
