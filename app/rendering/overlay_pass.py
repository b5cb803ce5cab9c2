"""Overlays: bounding boxes, skeletons, ghosts and axes."""

from collections.abc import Iterator
from contextlib import contextmanager

import moderngl
import numpy as np

from ..animation.types import F32
from ..scene.billboard_nodes import matrices_facing
from ..scene.bone_shapes import WAIST
from ..scene.bounds import ExactBounds
from ..scene.drawn_joints import only_skeleton
from .frame import Frame, Pass
from .overlay_lines import Overlay, bounds_lines, skeleton_overlay
from .picture import Picture
from .program import Programs

_LINES = "line", "3f 3f 4f 1f 1f 1f 1f /i", 6
_LINE_NAMES = "in_from", "in_to", "in_color", "in_width", "in_dash", "in_shape", "in_behind"
_OCTAHEDRA = "bone", "3f 3f 3f 3f 4f 1f /i", 24
_BONE_NAMES = "in_head", "in_tail", "in_across", "in_beside", "in_color", "in_behind"
EDGE, BONE_OUTLINE = 0.6, 1.0  # half width and width, pixels at 1000 pixels of height


class Instances:
    """Instances of a shape in a buffer that grows.

    Parameters
    ----------
    shape
        Name of the program, layout of an instance, and number of vertices.
    names
        Attributes of the program.
    """

    def __init__(
        self,
        context: moderngl.Context,
        programs: Programs,
        shape: tuple[str, str, int],
        names: tuple[str, ...],
    ) -> None:
        self._context, self._programs = context, programs
        self._name, self._layout, self._vertices = shape
        self._names = names
        self._capacity = 0
        self._buffer: moderngl.Buffer | None = None
        self._array: moderngl.VertexArray | None = None

    @property
    def program(self) -> moderngl.Program:
        """The program that draws them."""
        return self._programs.get(self._name)

    def write(self, instances: F32) -> None:
        """Upload instances [N, numbers]."""
        if len(instances) > self._capacity:
            self.release()
            self._capacity = 2 * len(instances)
            reserve = self._capacity * instances.strides[0]
            self._buffer = self._context.buffer(reserve=reserve, dynamic=True)
            content = [(self._buffer, self._layout, *self._names)]
            self._array = self._context.vertex_array(self.program, content)
        if self._buffer is not None and len(instances):
            self._buffer.write(instances)

    def draw(self, count: int, **uniforms: float) -> None:
        """Draw the first ones that were written."""
        if self._array is not None and count:
            for name, value in uniforms.items():
                self.program[name] = value
            self._array.render(moderngl.TRIANGLES, vertices=self._vertices, instances=count)

    def release(self) -> None:
        """Free the buffer."""
        if self._array is not None and self._buffer is not None:
            self._array.release()
            self._buffer.release()
        self._array, self._buffer, self._capacity = None, None, 0


class Lines(Instances):
    """Lines and dots of a constant width in the picture."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        super().__init__(context, programs, _LINES, _LINE_NAMES)

    def draw_all(self, lines: F32, target: Picture) -> None:
        """Draw lines [N, 14] as of `line_instances`, whose widths and dashes are scaled."""
        lines[:, 10:12] *= _scale(target)
        self.write(lines)
        self.draw(len(lines), behind=0.0)


@contextmanager
def over_surfaces(context: moderngl.Context, target: Picture) -> Iterator[None]:
    """Draw over surfaces: from both sides, hiding nothing."""
    context.disable(moderngl.CULL_FACE)
    target.framebuffer.depth_mask = False
    yield
    target.framebuffer.depth_mask = True


class OverlayPass(Pass):
    """Draws the overlays of all characters; a crowd has none."""

    over_surfaces = True

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        super().__init__(context, programs)
        self._lines = Lines(context, programs)
        self._dots = Lines(context, programs)
        self._cores = Lines(context, programs)
        self._octahedra = Instances(context, programs, _OCTAHEDRA, _BONE_NAMES)
        self._extents: list[ExactBounds] = []  # of the characters of the last frame

    def draws(self, frame: Frame) -> bool:
        """Return whether a frame may have lines or bones."""
        overlays = frame.look.overlays
        return bool(
            frame.ghosts
            or overlays.skeleton
            or overlays.axes
            or overlays.bounds
            or overlays.onion_skins > 0
            or overlays.ghost is not None
            or frame.selected is not None
            or any(only_skeleton(character.model) for character in frame.characters)
        )

    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw the overlays of a frame: skeletons in front of the mesh, or hidden by it."""
        if frame.active is None or frame.crowd is not None or not self.draws(frame):
            return
        width, height = (round(each / target.line_scale) for each in target.drawn)
        overlay = skeleton_overlay(frame, (width, height))
        with over_surfaces(self._context, target):
            if frame.look.overlays.bounds:  # hidden by the mesh in front of them
                self._lines.draw_all(self._bounds(frame), target)
            self._draw_over(overlay.ghosts, frame, target)
            self._draw_bones(overlay, frame, target)
            self._draw_over(overlay.lines, frame, target)

    def _draw_bones(self, overlay: Overlay, frame: Frame, target: Picture) -> None:
        """Draw bones and joints: dimmed where they are behind the mesh, or hidden by it."""
        for instances, lines in ((self._dots, overlay.bones), (self._cores, overlay.cores)):
            lines[:, 10:12] *= target.line_scale
            instances.write(lines)
        self._octahedra.write(overlay.octahedra)
        if not frame.look.overlays.overlay_depth:
            self._context.depth_func = ">"
            self._draw_octahedra(overlay, target, behind=1.0)
            self._dots.draw(len(overlay.bones), behind=1.0)
            self._context.depth_func = "<="
        self._draw_octahedra(overlay, target, behind=0.0)
        self._dots.draw(len(overlay.bones), behind=0.0)

    def _draw_octahedra(self, overlay: Overlay, target: Picture, *, behind: float) -> None:
        count, scale = len(overlay.octahedra), _scale(target)
        self._cores.draw(len(overlay.cores), behind=behind)
        target.framebuffer.depth_mask = not behind  # they hide each other
        look = {"waist": WAIST, "edge": EDGE * scale, "behind": behind}
        self._context.enable(moderngl.CULL_FACE)
        self._context.front_face = "ccw"
        if not behind:
            self._context.cull_face = "front"  # the far facets, enlarged, are the outline
            self._octahedra.draw(count, outline=BONE_OUTLINE * scale, **look)
        self._context.cull_face = "back"
        self._octahedra.draw(count, outline=0.0, **look)
        self._context.disable(moderngl.CULL_FACE)
        target.framebuffer.depth_mask = False

    def _draw_over(self, lines: F32, frame: Frame, target: Picture) -> None:
        """Draw lines through the mesh, or hidden by it."""
        if not frame.look.overlays.overlay_depth:
            self._context.disable(moderngl.DEPTH_TEST)
        self._lines.draw_all(lines, target)
        self._context.enable(moderngl.DEPTH_TEST)

    def _bounds(self, frame: Frame) -> F32:
        self._extents = [
            next((bounds for bounds in self._extents if bounds.model is shown.model), None)
            or ExactBounds(shown.model)
            for shown in frame.characters
        ]
        parts = [bounds_lines(np.zeros((0, 2, 3), np.float32))]
        for extents, shown in zip(self._extents, frame.characters, strict=True):
            values = shown.pose.values
            hidden = shown.pointer_values.hidden(values) | shown.hidden_joints
            matrices = matrices_facing(shown, frame.camera, frame.origin)
            world = shown.world_from(frame.origin)
            boxes = extents.boxes(matrices, values, world, hidden)
            parts.append(bounds_lines(boxes))
        return np.concatenate(parts)

    def release(self) -> None:
        """Free the buffers."""
        for instances in (self._lines, self._dots, self._cores, self._octahedra):
            instances.release()


def _scale(target: Picture) -> float:
    """Return the pixels of a target for one of a picture with a height of 1000."""
    height = target.drawn[1] / target.line_scale  # of the picture as it is shown
    return max(1.0, height / 1000.0) * target.line_scale
