"""Lines of overlays: bounding boxes, bones, joints and axes."""

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F32, I32
from ..model.model import Model
from ..scene.billboard_nodes import matrices_facing
from ..scene.character import Character
from ..scene.shown_joints import shown_joints
from .frame import Frame

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
_EDGES = np.array([(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit])
_CORNERS = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])  # 0 low, 1 high


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


def skeleton_lines(frame: Frame) -> F32:
    """Return lines [N, 11]: start 3, end 3, colour 4, width 1, in world space.

    The skeleton of a model without meshes is always drawn.
    """
    empty = np.zeros((0, 11), np.float32)
    return np.concatenate([empty, *(_skeleton(frame, character) for character in frame.characters)])


def _skeleton(frame: Frame, character: Character) -> F32:
    display = frame.display
    selected = display.weights_joint if frame.is_active(character) else -1
    skeleton = display.skeleton or _only_skeleton(character.model)
    if not (skeleton or display.axes):
        return np.zeros((0, 11), np.float32)
    shown = np.nonzero(shown_joints(character.model))[0].astype(np.int32)
    matrices = character.world @ matrices_facing(character, frame.camera)[shown]
    parts: list[F32] = []
    if skeleton:
        parts += _bones(character, shown, matrices, selected)
    if display.axes:
        parts += _axes(matrices, frame.size * AXIS_LENGTH)
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


def _only_skeleton(model: Model) -> bool:
    """Return whether a model has no meshes in its scene."""
    return not any(
        model.meshes[instance.mesh].primitives for instance in model.instances if instance.in_scene
    )
