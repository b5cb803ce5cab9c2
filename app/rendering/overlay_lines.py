"""What overlays draw: bounding boxes, bones, joints and axes, as lines and octahedra."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F32, Bool, Index
from ..scene.billboard_nodes import matrices_facing
from ..scene.bone_shapes import BoneShapes, bone_shapes
from ..scene.character import Character
from ..scene.drawn_joints import DrawnJoints, only_skeleton
from ..scene.selected import vertex_positions
from ..scenedoc.look import BoneStyle
from .frame import Frame
from .overlays.line_instances import LINE, NO_LINES, OUTLINE, line_instances, placed
from .overlays.motion_lines import onion_lines, path_lines

OCTAHEDRON = 17  # numbers of an instance
_COLORS = (0.98, 0.72, 0.22), (0.38, 0.60, 1.0), (0.97, 0.38, 0.36)  # middle, left, right; sRGB
SIDES = np.array([(*color, 1.0) for color in _COLORS], np.float32)  # by side: 0, 1, -1
DOTS = np.array([(*(0.4 + 0.6 * c for c in color), 1.0) for color in _COLORS], np.float32)
SHAPES = np.array([0.0, 2.0, 1.0], np.float32)  # round, diamond, square
BEHIND, BEHIND_DOT = 0.62, 0.8  # opacity behind surfaces
BEHIND_SELECTED, BEHIND_ABOVE = 0.95, 0.8
SELECTED = (0.25, 0.90, 1.0, 1.0)
ABOVE_SELECTED = (0.16, 0.64, 0.74, 1.0)
WHOLE = (0.95, 0.95, 0.95, 0.9)
PART = (1.0, 0.62, 0.15, 0.9)
AXES = ((0.90, 0.28, 0.30, 1.0), (0.42, 0.78, 0.30, 1.0), (0.30, 0.52, 0.95, 1.0))
GHOST = (0.66, 0.72, 1.0, 0.95)
JOINT_WIDTH, CORE_WIDTH, AXIS_WIDTH = 6.0, 1.4, 2.5  # pixels at 1000 pixels of height
THIN = 5.0  # pixels at 1000 pixels of height: thickness of octahedra that need an outline
GHOST_WIDTH, GHOST_JOINT_WIDTH, DASH = 2.0, 4.0, 11.0
WHOLE_WIDTH, PART_WIDTH = 1.6, 1.0
_NO_OCTAHEDRA: F32 = np.zeros((0, OCTAHEDRON), np.float32)
_EDGES = np.array([(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit])
_CORNERS = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])  # 0 low, 1 high


def bounds_lines(boxes: F32) -> F32:
    """Return lines [N, 14] of the common box of boxes [M, 2, 3], and of each box if M > 1."""
    if not len(boxes):
        return NO_LINES
    whole = np.stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
    lines = _box_lines(whole[None], WHOLE, WHOLE_WIDTH)
    if len(boxes) > 1:
        lines = np.concatenate([_box_lines(boxes, PART, PART_WIDTH), lines])
    return lines


def _box_lines(boxes: F32, color: ArrayLike, width: float) -> F32:
    """Return lines for the twelve edges of boxes [N, 2, 3]."""
    corners = boxes[:, _CORNERS, np.arange(3)]  # [N, 8, 3]
    begin, end = (corners[:, _EDGES[:, k]].reshape(-1, 3) for k in (0, 1))
    return line_instances(begin, end, color, width)


class Overlay(NamedTuple):
    """What is drawn of skeletons, in the space of the frame.

    Attributes
    ----------
    ghosts, lines
        [N, 14] lines below and above the bones: start 3, end 3, colour 4, width 1, length 1 of a
        dash and its gap (0: solid), shape 1 of the ends, opacity 1 behind surfaces.
    octahedra
        [B, 17] bones: head 3, tail 3, two corners of the waist from the axis 6, colour 4, opacity
        1 behind surfaces; those of a character from back to front.
    cores
        [N, 14] lines along the octahedra, which are seen where those are too thin.
    bones
        [N, 14] bones as lines, and the dots of joints.
    """

    ghosts: F32
    octahedra: F32
    cores: F32
    bones: F32
    lines: F32


@np.errstate(all="ignore")  # extreme values of a file may overflow
def skeleton_overlay(frame: Frame, size: tuple[float, float]) -> Overlay:
    """Return the skeletons of all characters in a picture of a size as it is shown, pixels.

    The skeleton of a model without meshes is always drawn. Widths are pixels at a height of 1000,
    but of bones those of the picture.
    """
    found = [_skeleton(frame, character, size) for character in frame.characters]
    empty = np.zeros((0, LINE), np.float32), np.zeros((0, OCTAHEDRON), np.float32)
    none = Overlay(empty[0], empty[1], empty[0], empty[0], empty[0])
    drawn = Overlay(*(np.concatenate(parts) for parts in zip(none, *found, strict=True)))
    compared = [_ghost_skeleton(frame, character) for character in frame.ghosts]
    return drawn._replace(lines=np.concatenate([drawn.lines, *compared]))


def _skeleton(frame: Frame, character: Character, size: tuple[float, float]) -> Overlay:
    overlays, chosen = frame.look.overlays, frame.selected
    selected = _selected_joint(frame, character)
    matrices = matrices_facing(character, frame.camera, frame.origin)
    world = character.world_from(frame.origin)
    ghosts, lines = [NO_LINES], [NO_LINES]
    octahedra, cores, bones = _NO_OCTAHEDRA, NO_LINES, NO_LINES
    if overlays.ghost is not None:
        ghosts += _dashed(character, world, character.ghost(overlays.ghost, matrices))
    ghosts.append(onion_lines(frame, character))
    visible = character.drawn_joints.visible(character.hidden_joints)
    if not (overlays.skeleton or only_skeleton(character.model)):
        visible = _chain_of(character, selected if chosen is not None else -1)
    if len(visible[0]):
        drawn, scale = character.drawn_joints, max(1.0, size[1] / 1000.0)
        shapes = bone_shapes(drawn, visible, matrices, world, frame.camera, size)
        order = np.argsort(-((shapes.heads + shapes.tails) @ frame.view_axis), kind="stable")
        octahedra, cores, bones = _bones(drawn, shapes, order, selected, overlays.bones, scale)
    if overlays.joint_path and chosen is not None and chosen.primitive < 0:
        lines.append(path_lines(frame, character, selected))
    if frame.is_active(character):
        lines += _vertex(frame, character)
    if overlays.axes:
        lines.append(_axes(character, world, matrices, frame))
    return Overlay(np.concatenate(ghosts), octahedra, cores, bones, np.concatenate(lines))


def _selected_joint(frame: Frame, character: Character) -> int:
    """Return the joint of a character that is selected or whose weights are shown, -1: none.

    Of the other one of compared versions it is the joint of the same name.
    """
    chosen = frame.selected
    if chosen is not None and chosen.primitive < 0:
        return frame.joint_of(character, chosen.joint)
    return frame.joint_of(character, frame.weights_joint)


def _chain_of(character: Character, selected: int) -> tuple[Index, Index]:
    """Return the rows of a selected joint, if it is visible, and of its chain of bones."""
    drawn = character.drawn_joints
    rows, shown = drawn.visible(character.hidden_joints)
    if selected < 0:
        return rows[:0], shown[:0]
    chain = np.concatenate(drawn.chain(selected))
    return rows[drawn.joints[rows] == selected], np.intersect1d(chain, shown)


def _bones(
    drawn: DrawnJoints,
    shapes: BoneShapes,
    order: Index,
    selected: int,
    style: BoneStyle,
    scale: float,
) -> tuple[F32, F32, F32]:
    """Return the octahedra with their cores, and the lines and dots, of bones and joints.

    Parameters
    ----------
    order
        [B] rows of the bones of `shapes`, from back to front.
    scale
        Pixels for one of a picture with a height of 1000.
    """
    own, above = drawn.chain(selected)
    colors = SIDES[drawn.sides[drawn.bones[:, 0]]]
    colors[above], colors[own] = ABOVE_SELECTED, SELECTED
    dimmed = np.full(len(drawn.bones), BEHIND, np.float32)
    dimmed[above], dimmed[own] = BEHIND_ABOVE, BEHIND_SELECTED
    color, behind = colors[shapes.bones[order]], dimmed[shapes.bones[order]]
    ends = shapes.heads[order], shapes.tails[order]
    dots = _dots(drawn, shapes, drawn.joints[shapes.rows] == selected, scale)
    if style == "lines":
        widths = shapes.widths[order]
        wide = line_instances(*ends, OUTLINE, widths + 2.0, behind=behind)
        lines = np.stack([wide, line_instances(*ends, color, widths, behind=behind)], axis=1)
        return _NO_OCTAHEDRA, NO_LINES, np.concatenate([lines.reshape(-1, LINE), dots])
    octahedra = np.empty((len(order), OCTAHEDRON), np.float32)
    octahedra[:, :3], octahedra[:, 3:6] = ends
    octahedra[:, 6:12] = shapes.across[order].reshape(-1, 6)
    octahedra[:, 12:16], octahedra[:, 16] = color, behind
    cores = line_instances(*ends, color, CORE_WIDTH * scale, behind=behind)
    outlined = cores[shapes.thickness[order] < THIN * scale]
    outlined[:, 6:10], outlined[:, 10] = OUTLINE, CORE_WIDTH * scale + 2.0
    return octahedra, np.concatenate([outlined, cores]), dots


def _dots(drawn: DrawnJoints, shapes: BoneShapes, chosen: Bool, scale: float) -> F32:
    """Return the outlined dots of joints: round in the middle, diamonds left, squares right."""
    sides = drawn.sides[shapes.rows]
    colors = DOTS[sides]
    colors[chosen] = SELECTED
    widths = np.where(chosen, JOINT_WIDTH * scale + 1.0, shapes.dots)
    places, ends = shapes.places, SHAPES[sides]
    return np.concatenate(
        [
            line_instances(places, places, OUTLINE, widths + 2.0, shape=ends, behind=BEHIND_DOT),
            line_instances(places, places, colors, widths, shape=ends, behind=BEHIND_DOT),
        ]
    )


def _vertex(frame: Frame, character: Character) -> list[F32]:
    """Return the dot of a selected vertex."""
    chosen = frame.selected
    if chosen is None or chosen.vertex < 0:
        return []
    point = vertex_positions(character, chosen, np.array([chosen.vertex])) - frame.origin
    dot = point.astype(np.float32)
    return [
        line_instances(dot, dot, OUTLINE, JOINT_WIDTH + 4.0),
        line_instances(dot, dot, SELECTED, JOINT_WIDTH + 2.0),
    ]


def _ghost_skeleton(frame: Frame, character: Character) -> F32:
    """Return dashed lines of the skeleton of a ghost, if skeletons are drawn."""
    if not (frame.look.overlays.skeleton or only_skeleton(character.model)):
        return NO_LINES
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
    places = placed(world, points)
    bones = places[bones_of[:, 0]], places[bones_of[:, 1]]
    places = places[rows]
    return [
        line_instances(*bones, OUTLINE, GHOST_WIDTH + 2.0, DASH),
        line_instances(places, places, OUTLINE, GHOST_JOINT_WIDTH + 2.0),
        line_instances(*bones, GHOST, GHOST_WIDTH, DASH),
        line_instances(places, places, GHOST, GHOST_JOINT_WIDTH),
    ]


def _axes(character: Character, world: F32, matrices: F32, frame: Frame) -> F32:
    """Return outlined lines of the axes of joints, from back to front."""
    drawn = character.drawn_joints
    rows, _ = drawn.visible(character.hidden_joints)
    matrices = matrices[drawn.joints[rows]]
    lengths = drawn.axis_lengths[rows] * np.cbrt(abs(np.linalg.det(world[:3, :3])))
    begin = placed(world, matrices[:, :3, 3])
    directions = np.swapaxes(world[:3, :3] @ matrices[:, :3, :3], 1, 2)  # [D, axis, 3]
    norms = np.linalg.norm(directions, axis=-1, keepdims=True)
    steps = directions * (lengths[:, None, None] / np.where(norms > 0.0, norms, 1.0))
    starts = np.repeat(begin, 3, axis=0)
    ends = starts + steps.reshape(-1, 3)
    order = np.argsort(-((starts + ends) @ frame.view_axis), kind="stable")
    colors = np.tile(np.array(AXES, np.float32), (len(begin), 1))
    outline = line_instances(starts[order], ends[order], OUTLINE, AXIS_WIDTH + 2.0)
    lines = line_instances(starts[order], ends[order], colors[order], AXIS_WIDTH)
    return np.stack([outline, lines], axis=1).reshape(-1, LINE)
