"""Lines of overlays: bounding boxes, bones, joints and axes."""

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F32
from ..scene.billboard_nodes import matrices_facing
from ..scene.character import Character
from ..scene.drawn_joints import only_skeleton
from ..scene.selected import vertex_positions
from .frame import Frame

BONE = (0.98, 0.72, 0.22, 0.95)  # sRGB, straight alpha
JOINT = (1.0, 0.93, 0.70, 1.0)
OUTLINE = (0.05, 0.05, 0.07, 0.75)
SELECTED = (0.25, 0.90, 1.0, 1.0)
ABOVE_SELECTED = (0.25, 0.90, 1.0, 0.5)
WHOLE = (0.95, 0.95, 0.95, 0.9)
PART = (1.0, 0.62, 0.15, 0.9)
AXES = ((0.90, 0.28, 0.30, 1.0), (0.42, 0.78, 0.30, 1.0), (0.30, 0.52, 0.95, 1.0))
GHOST = (0.66, 0.72, 1.0, 0.95)
BONE_WIDTH, JOINT_WIDTH, AXIS_WIDTH = 2.5, 6.0, 2.5  # pixels at 1000 pixels of height
GHOST_WIDTH, GHOST_JOINT_WIDTH, DASH = 2.0, 4.0, 11.0
WHOLE_WIDTH, PART_WIDTH = 1.6, 1.0
_EDGES = np.array([(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit])
_CORNERS = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])  # 0 low, 1 high


def bounds_lines(boxes: F32) -> F32:
    """Return lines [N, 12] of the common box of boxes [M, 2, 3], and of each box if M > 1."""
    if not len(boxes):
        return np.zeros((0, 12), np.float32)
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
    """Return lines [N, 12]: start 3, end 3, colour 4, width 1, dash 1, in the space of the frame.

    The skeleton of a model without meshes is always drawn. The dash is the length of a dash and
    its gap, pixels; 0: a solid line.
    """
    empty = np.zeros((0, 12), np.float32)
    skeletons = [_skeleton(frame, character) for character in frame.characters]
    ghosts = [_ghost_skeleton(frame, character) for character in frame.ghosts]
    return np.concatenate([empty, *skeletons, *ghosts])


def _skeleton(frame: Frame, character: Character) -> F32:
    display = frame.display
    selected = _selected_joint(frame, character)
    matrices = matrices_facing(character, frame.camera, frame.origin)
    world = character.world_from(frame.origin)
    parts: list[F32] = []
    if display.ghost is not None:
        parts += _dashed(character, world, character.ghost(display.ghost, matrices))
    if display.skeleton or only_skeleton(character.model):
        parts += _bones(character, world, matrices, selected)
    elif display.selected is not None and selected >= 0:
        parts += _chain(character, world, matrices, selected)
    if frame.is_active(character):
        parts += _vertex(frame, character)
    if display.axes:
        parts.append(_axes(character, world, matrices, frame))
    return np.concatenate([np.zeros((0, 12), np.float32), *parts])


def _selected_joint(frame: Frame, character: Character) -> int:
    """Return the joint of a character that is selected or whose weights are shown, -1: none.

    Of the other one of compared versions it is the joint of the same name.
    """
    chosen = frame.display.selected
    if chosen is not None and chosen.primitive < 0:
        return frame.joint_of(character, chosen.joint)
    return frame.joint_of(character, frame.display.weights_joint)


def _bones(character: Character, world: F32, matrices: F32, selected: int) -> list[F32]:
    """Return the lines of bones and joints with model matrices [J, 4, 4]."""
    drawn = character.drawn_joints
    places = _placed(world, matrices[drawn.joints, :3, 3])
    rows, shown = drawn.visible(character.hidden_joints)
    bones = places[drawn.bones[shown, 0]], places[drawn.bones[shown, 1]]
    colors = np.tile(np.array(JOINT, np.float32), (len(places), 1))
    colors[drawn.joints == selected] = SELECTED
    bone_colors = np.tile(np.array(BONE, np.float32), (len(drawn.bones), 1))
    own, above = drawn.chain(selected)
    bone_colors[above], bone_colors[own] = ABOVE_SELECTED, SELECTED
    places, colors, bone_colors = places[rows], colors[rows], bone_colors[shown]
    return [
        _lines(*bones, OUTLINE, BONE_WIDTH + 2.0),
        _lines(places, places, OUTLINE, JOINT_WIDTH + 2.0),
        _lines(*bones, bone_colors, BONE_WIDTH),
        _lines(places, places, colors, JOINT_WIDTH),
    ]


def _chain(character: Character, world: F32, matrices: F32, selected: int) -> list[F32]:
    """Return the lines of a selected joint, of its bones and of those above it."""
    drawn = character.drawn_joints
    places = _placed(world, matrices[drawn.joints, :3, 3])
    parts: list[F32] = []
    for bones, color in zip(drawn.chain(selected)[::-1], (ABOVE_SELECTED, SELECTED), strict=True):
        ends = places[drawn.bones[bones, 0]], places[drawn.bones[bones, 1]]
        parts += [_lines(*ends, OUTLINE, BONE_WIDTH + 2.0), _lines(*ends, color, BONE_WIDTH)]
    place = _placed(world, matrices[selected, :3, 3][None])
    parts += [
        _lines(place, place, OUTLINE, JOINT_WIDTH + 4.0),
        _lines(place, place, SELECTED, JOINT_WIDTH + 2.0),
    ]
    return parts


def _vertex(frame: Frame, character: Character) -> list[F32]:
    """Return the dot of a selected vertex."""
    chosen = frame.display.selected
    if chosen is None or chosen.vertex < 0:
        return []
    point = vertex_positions(character, chosen, np.array([chosen.vertex])) - frame.origin
    dot = point.astype(np.float32)
    return [
        _lines(dot, dot, OUTLINE, JOINT_WIDTH + 4.0),
        _lines(dot, dot, SELECTED, JOINT_WIDTH + 2.0),
    ]


def _ghost_skeleton(frame: Frame, character: Character) -> F32:
    """Return dashed lines of the skeleton of a ghost, if skeletons are drawn."""
    if not (frame.display.skeleton or only_skeleton(character.model)):
        return np.zeros((0, 12), np.float32)
    matrices = matrices_facing(character, frame.camera, frame.origin)
    points = matrices[character.drawn_joints.joints, :3, 3]
    return np.concatenate(_dashed(character, character.world_from(frame.origin), points))


def _dashed(character: Character, world: F32, points: F32) -> list[F32]:
    """Return dashed lines of the visible bones of a skeleton, and its joints.

    Parameters
    ----------
    points
        [D, 3] positions of the drawn joints, model space.
    """
    rows, shown = character.drawn_joints.visible(character.hidden_joints)
    bones_of = character.drawn_joints.bones[shown]
    places = _placed(world, points)
    bones = places[bones_of[:, 0]], places[bones_of[:, 1]]
    places = places[rows]
    return [
        _lines(*bones, OUTLINE, GHOST_WIDTH + 2.0, DASH),
        _lines(places, places, OUTLINE, GHOST_JOINT_WIDTH + 2.0),
        _lines(*bones, GHOST, GHOST_WIDTH, DASH),
        _lines(places, places, GHOST, GHOST_JOINT_WIDTH),
    ]


def _axes(character: Character, world: F32, matrices: F32, frame: Frame) -> F32:
    """Return outlined lines of the axes of joints, from back to front."""
    drawn = character.drawn_joints
    rows, _ = drawn.visible(character.hidden_joints)
    matrices = matrices[drawn.joints[rows]]
    lengths = drawn.axis_lengths[rows] * np.cbrt(abs(np.linalg.det(world[:3, :3])))
    begin = _placed(world, matrices[:, :3, 3])
    directions = np.swapaxes(world[:3, :3] @ matrices[:, :3, :3], 1, 2)  # [D, axis, 3]
    norms = np.linalg.norm(directions, axis=-1, keepdims=True)
    steps = directions * (lengths[:, None, None] / np.where(norms > 0.0, norms, 1.0))
    starts = np.repeat(begin, 3, axis=0)
    ends = starts + steps.reshape(-1, 3)
    order = np.argsort(-((starts + ends) @ frame.view_axis), kind="stable")
    colors = np.tile(np.array(AXES, np.float32), (len(begin), 1))
    outline = _lines(starts[order], ends[order], OUTLINE, AXIS_WIDTH + 2.0)
    lines = _lines(starts[order], ends[order], colors[order], AXIS_WIDTH)
    return np.stack([outline, lines], axis=1).reshape(-1, 12)


def _placed(world: F32, points: F32) -> F32:
    """Return model-space points [N, 3] relative to the origin of the frame."""
    return points @ world[:3, :3].T + world[:3, 3]


def _lines(start: F32, end: F32, color: ArrayLike, width: float, dash: float = 0.0) -> F32:
    lines = np.empty((len(start), 12), np.float32)
    lines[:, :3] = start
    lines[:, 3:6] = end
    lines[:, 6:10] = color
    lines[:, 10] = width
    lines[:, 11] = dash
    return lines
