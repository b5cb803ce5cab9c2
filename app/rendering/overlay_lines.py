"""What overlays draw: bounding boxes, bones, joints, axes and motion, as lines and octahedra.

Lines of the motion are the path of a joint, and skeletons around now.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F32, F64, Bool, Index
from ..scene.billboard_nodes import matrices_facing
from ..scene.bone_shapes import BoneShapes, bone_shapes
from ..scene.character import Character
from ..scene.clip_traces import pass_start
from ..scene.contact_spans import in_contact
from ..scene.drawn_joints import DrawnJoints, only_skeleton
from ..scene.origin import relative_to
from ..scene.selected import vertex_positions
from ..scenedoc.look import BoneStyle
from .frame import Frame

LINE = 14  # numbers of an instance
OUTLINE = (0.05, 0.05, 0.07, 0.75)
NO_LINES: F32 = np.zeros((0, LINE), np.float32)


def line_instances(
    start: F32 | F64,
    end: F32 | F64,
    color: ArrayLike,
    width: ArrayLike,
    dash: float = 0.0,
    *,
    shape: ArrayLike = 0.0,
    behind: ArrayLike = 1.0,
) -> F32:
    """Return lines [N, 14] from `start` [N, 3] to `end` [N, 3]; equal ends are dots.

    Parameters
    ----------
    color, width
        [4] or [N, 4] sRGB with straight alpha, and pixels at 1000 pixels of height.
    dash
        Length of a dash and its gap, pixels; 0: solid.
    shape
        Of the ends: 0 round, 1 square, 2 diamond.
    behind
        Opacity behind surfaces.
    """
    lines = np.empty((len(start), LINE), np.float32)
    lines[:, :3] = start
    lines[:, 3:6] = end
    lines[:, 6:10] = color
    lines[:, 10] = width
    lines[:, 11] = dash
    lines[:, 12] = shape
    lines[:, 13] = behind
    return lines


def placed(world: F32, points: F32) -> F32:
    """Return model-space points [N, 3] placed by a matrix [4, 4]."""
    return points @ world[:3, :3].T + world[:3, 3]


# sRGB, without alpha: overlapping ends of segments would show
PATH_FAR, PATH_NEAR = np.array([0.50, 0.36, 0.66]), np.array([0.95, 0.78, 1.0])
CONTACT_FAR, CONTACT_NEAR = np.array([0.16, 0.56, 0.26]), np.array([0.45, 1.0, 0.5])
FRAME, KEY, PRESENT = (0.96, 0.93, 1.0, 1.0), (1.0, 0.86, 0.30, 1.0), (0.25, 0.90, 1.0, 1.0)
DARK = (*OUTLINE[:3], 1.0)
NEAR = 0.15  # seconds from the present time in which the path is bright
WIDTH, BRIGHT, ON_GROUND = 2.0, 1.4, 2.2  # pixels at 1000 of height: width, and what is added
FRAME_DOT, KEY_DOT, PRESENT_DOT = 2.4, 3.6, 7.0
BAKED, BAKED_DOT = 0.6, 2.2  # keys for each frame: with more they are smaller; their size
ROUND, DIAMOND = 0.0, 2.0  # shapes of dots
EARLIER, LATER = (1.0, 0.66, 0.36), (0.50, 0.92, 0.62)
STRONG, WEAK = 0.85, 0.18  # opacity of the nearest and the farthest skeleton
SKIN_WIDTH, SKIN_DASH = 2.2, 9.0


@np.errstate(all="ignore")  # extreme values of a file may overflow
def path_lines(frame: Frame, character: Character, joint: int) -> F32:
    """Return lines [N, 14] of the path of a joint over what plays, bright near the present time.

    Frames are dots, keys diamonds; where the foot of the joint is on the ground it is wide.
    """
    mixer = character.mixer
    if character.show != "clip":
        return NO_LINES
    traces = character.layer_traces if mixer.layered else character.traces
    path = traces.joint_path(mixer, joint, frame.frame_rate)
    if path is None or len(path.times) < 2:
        return NO_LINES
    now, world = _now(character), relative_to(_start(character), frame.origin)
    points, middle = placed(world, path.points), (path.times[1:] + path.times[:-1]) / 2.0
    ends = points[:-1], points[1:]
    near = np.exp(-(((middle - now) / NEAR) ** 2))[:, None]
    grounded = _grounded(character, joint, middle)[:, None]
    colors = np.where(
        grounded, _mix(CONTACT_FAR, CONTACT_NEAR, near), _mix(PATH_FAR, PATH_NEAR, near)
    )
    widths = (WIDTH + BRIGHT * near + np.where(grounded, ON_GROUND, 0.0))[:, 0]
    frames, keys = points[path.frames], points[path.keys]
    baked = len(keys) > BAKED * len(frames) > 0
    edge, key_dot = (0.0, BAKED_DOT) if baked else (1.4, KEY_DOT)
    own = placed(character.world_from(frame.origin), character.matrices[[joint], :3, 3])
    return np.concatenate(
        [
            line_instances(*ends, DARK, widths + 2.0),
            line_instances(*ends, np.insert(colors, 3, 1.0, axis=1), widths),
            line_instances(frames, frames, FRAME, FRAME_DOT),
            line_instances(keys, keys, DARK, key_dot + edge, shape=DIAMOND),
            line_instances(keys, keys, KEY, key_dot, shape=DIAMOND),
            line_instances(own, own, DARK, PRESENT_DOT + 2.0, shape=ROUND),
            line_instances(own, own, PRESENT, PRESENT_DOT, shape=ROUND),
        ]
    )


def _grounded(character: Character, joint: int, times: F64) -> Bool:
    """Return at which times [T] the foot that a joint is part of is on the ground."""
    found, model = character.foot_contacts, character.model
    clip = character.mixer.clip
    if found is None or clip < 0 or found.clip is not model.clips[clip]:
        return np.zeros(len(times), bool)
    return in_contact(found.of(joint, model.skeleton.parents), times)


def _now(character: Character) -> float:
    """Return the present time on paths, seconds."""
    mixer = character.mixer
    return character.layer_traces.shown_time(mixer) if mixer.layered else mixer.shown_time


def _start(character: Character) -> F64:
    """Return the matrix [4, 4] from the space of traces to world space."""
    if character.mixer.layered:
        return character.layer_traces.start(character.placement)
    return pass_start(character.mixer, character.world)


def _mix(far: F64, near: F64, share: F64) -> F64:
    """Return colours [N, 3] between two, by shares [N, 1]."""
    return far + (near - far) * share


@np.errstate(all="ignore")  # extreme values of a file may overflow
def onion_lines(frame: Frame, character: Character) -> F32:
    """Return lines [N, 14] of skeletons before and after the present one, the farthest first.

    Earlier ones are dashed.
    """
    overlays, rate = frame.look.overlays, frame.frame_rate
    mixer, drawn = character.mixer, character.drawn_joints
    if not overlays.onion_skins or character.show != "clip" or mixer.still:
        return NO_LINES
    _, shown = drawn.visible(character.hidden_joints)
    count, step = overlays.onion_skins, overlays.onion_step / rate
    if mixer.layered:
        skins = character.layer_traces.onion_skins(mixer, drawn.joints, count, step, rate)
    else:
        skins = character.traces.onion_skins(mixer, drawn.joints, count, step)
    if not len(skins.offsets) or not len(shown):
        return NO_LINES
    order = np.argsort(-np.abs(skins.offsets), kind="stable")
    world = relative_to(_start(character), frame.origin)
    points = placed(world, skins.points[order])  # [S, D, 3]
    ends = points[:, drawn.bones[shown]]  # [S, B, 2, 3]
    offsets = np.repeat(skins.offsets[order], len(shown))
    far = (np.abs(offsets) - 1) / max(count - 1, 1)
    colors = np.empty((len(offsets), 4))
    colors[:, :3] = np.where(offsets[:, None] < 0, EARLIER, LATER)
    colors[:, 3] = STRONG + (WEAK - STRONG) * far
    start, end = ends[:, :, 0].reshape(-1, 3), ends[:, :, 1].reshape(-1, 3)
    lines = line_instances(start, end, colors, SKIN_WIDTH)
    lines[:, 11] = np.where(offsets < 0, SKIN_DASH, 0.0)
    dark = lines.copy()
    dark[:, 6:9], dark[:, 9], dark[:, 10] = OUTLINE[:3], 0.5 * colors[:, 3], SKIN_WIDTH + 1.6
    both = np.stack([dark.reshape(-1, len(shown), 14), lines.reshape(-1, len(shown), 14)], axis=1)
    return both.reshape(-1, 14)


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
GHOST_WIDTH, GHOST_JOINT_WIDTH, GHOST_DASH = 2.0, 4.0, 11.0
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
        line_instances(*bones, OUTLINE, GHOST_WIDTH + 2.0, GHOST_DASH),
        line_instances(places, places, OUTLINE, GHOST_JOINT_WIDTH + 2.0),
        line_instances(*bones, GHOST, GHOST_WIDTH, GHOST_DASH),
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
