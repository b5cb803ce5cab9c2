"""Overlay lines: bounding boxes, bones, joints and axes."""

import moderngl
import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F32, I32
from ..scene.billboard_nodes import matrices_facing
from ..scene.character import Character
from ..scene.exact_bounds import ExactBounds
from ..scene.scene import Scene, only_skeleton, shown_joints
from .program import Programs

BONE = (0.98, 0.72, 0.22, 0.95)  # sRGB, straight alpha
JOINT = (1.0, 0.93, 0.70, 1.0)
OUTLINE = (0.05, 0.05, 0.07, 0.75)
SELECTED = (0.25, 0.90, 1.0, 1.0)
WHOLE = (0.95, 0.95, 0.95, 0.9)
PART = (1.0, 0.62, 0.15, 0.9)
AXES = ((0.90, 0.28, 0.30, 1.0), (0.42, 0.78, 0.30, 1.0), (0.30, 0.52, 0.95, 1.0))
BONE_WIDTH, JOINT_WIDTH, AXIS_WIDTH = 2.5, 6.0, 2.0  # pixels at 1000 pixels of height
WHOLE_WIDTH, PART_WIDTH = 1.6, 1.0
AXIS_LENGTH = 0.035  # of the character's size
_LAYOUT = "3f 3f 4f 1f /i"
_NAMES = ("in_from", "in_to", "in_color", "in_width")
_EDGES = np.array([(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit])
_CORNERS = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])  # 0 low, 1 high


class Overlay:
    """Draws bounding boxes and, in front of the mesh, skeletons."""

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context = context
        self._programs = programs
        self._capacity = 0
        self._buffer: moderngl.Buffer | None = None
        self._array: moderngl.VertexArray | None = None
        self._extents: list[ExactBounds] = []  # of the characters of the last frame

    def draw(self, scene: Scene) -> None:
        """Draw the overlays of the display."""
        if scene.character is None:
            return
        context = self._context
        context.disable(moderngl.CULL_FACE)
        if scene.display.bounds:
            self._draw(self._bounds(scene))  # hidden by the mesh in front of them
        context.disable(moderngl.DEPTH_TEST)
        self._draw(skeleton_lines(scene))
        context.enable(moderngl.DEPTH_TEST)

    def _bounds(self, scene: Scene) -> F32:
        self._extents = [
            next((bounds for bounds in self._extents if bounds.model is shown.model), None)
            or ExactBounds(shown.model)
            for shown in scene.characters
        ]
        parts = []
        for extents, shown in zip(self._extents, scene.characters, strict=True):
            values = shown.pose.values
            hidden = shown.pointer_values.hidden(values)
            matrices = matrices_facing(shown, scene.view_camera)
            boxes = extents.boxes(matrices, values, shown.world, hidden)
            parts.append(bounds_lines(boxes))
        return np.concatenate(parts)

    def _draw(self, lines: F32) -> None:
        if not len(lines):
            return
        lines[:, 10] *= max(1.0, self._context.viewport[3] / 1000.0)
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
        self._buffer = self._context.buffer(reserve=self._capacity * 44, dynamic=True)
        program = self._programs.get("line")
        self._array = self._context.vertex_array(program, [(self._buffer, _LAYOUT, *_NAMES)])


def bounds_lines(boxes: F32) -> F32:
    """Return lines [N, 11] of the common box of boxes [M, 2, 3], and of each box if M > 1."""
    if not len(boxes):
        return np.zeros((0, 11), np.float32)
    whole = np.stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
    lines = _box_lines(whole[None], WHOLE, WHOLE_WIDTH)
    if len(boxes) > 1:
        lines = np.concatenate([_box_lines(boxes, PART, PART_WIDTH), lines])
    return lines


def _box_lines(boxes: F32, color: ArrayLike, width: float) -> F32:
    """Return lines for the twelve edges of boxes [N, 2, 3]."""
    corners = boxes[:, _CORNERS, np.arange(3)]  # [N, 8, 3]
    begin, end = (corners[:, _EDGES[:, k]].reshape(-1, 3) for k in (0, 1))
    return _lines(begin, end, color, width)


def skeleton_lines(scene: Scene) -> F32:
    """Return lines [N, 11]: start 3, end 3, colour 4, width 1, in world space.

    The skeleton of a model without meshes is always drawn.
    """
    empty = np.zeros((0, 11), np.float32)
    return np.concatenate([empty, *(_skeleton(scene, character) for character in scene.characters)])


def _skeleton(scene: Scene, character: Character) -> F32:
    display = scene.display
    selected = display.weights_joint if character is scene.character else -1
    skeleton = display.skeleton or only_skeleton(character.model)
    if not (skeleton or display.axes):
        return np.zeros((0, 11), np.float32)
    shown = np.nonzero(shown_joints(character.model))[0].astype(np.int32)
    matrices = character.world @ matrices_facing(character, scene.view_camera)[shown]
    parts: list[F32] = []
    if skeleton:
        parts += _bones(character, shown, matrices, selected)
    if display.axes:
        parts += _axes(matrices, scene.size * AXIS_LENGTH)
    return np.concatenate(parts) if parts else np.zeros((0, 11), np.float32)


def _bones(character: Character, shown: I32, matrices: F32, selected: int) -> list[F32]:
    places = matrices[:, :3, 3]
    row_of = np.full(character.model.skeleton.count, -1)
    row_of[shown] = np.arange(len(shown))
    parents = character.model.skeleton.parents[shown]
    up = np.where(parents >= 0, row_of[parents], -1)
    has_parent = up >= 0
    bones = places[up[has_parent]], places[has_parent]
    colors = np.tile(np.array(JOINT, np.float32), (len(shown), 1))
    colors[shown == selected] = SELECTED
    return [
        _lines(*bones, OUTLINE, BONE_WIDTH + 2.0),
        _lines(places, places, OUTLINE, JOINT_WIDTH + 2.0),
        _lines(*bones, BONE, BONE_WIDTH),
        _lines(places, places, colors, JOINT_WIDTH),
    ]


def _axes(matrices: F32, length: float) -> list[F32]:
    places = matrices[:, :3, 3]
    parts = []
    for axis, color in enumerate(AXES):
        direction = matrices[:, :3, axis]
        norm = np.linalg.norm(direction, axis=-1, keepdims=True)
        step = direction * (length / np.where(norm > 0.0, norm, 1.0))
        parts.append(_lines(places, (places + step).astype(np.float32), color, AXIS_WIDTH))
    return parts


def _lines(start: F32, end: F32, color: ArrayLike, width: float) -> F32:
    lines = np.empty((len(start), 11), np.float32)
    lines[:, :3] = start
    lines[:, 3:6] = end
    lines[:, 6:10] = color
    lines[:, 10] = width
    return lines
