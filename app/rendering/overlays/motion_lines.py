"""Lines of the motion of a clip or of layers: the path of a joint, skeletons around now."""

import numpy as np

from ...animation.types import F32, F64, Bool
from ...scene.character import Character
from ...scene.clip_traces import pass_start
from ...scene.contact_spans import in_contact
from ...scene.origin import relative_to
from ..frame import Frame
from .line_instances import NO_LINES, OUTLINE, line_instances, placed

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
SKIN_WIDTH, DASH = 2.2, 9.0


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
    lines[:, 11] = np.where(offsets < 0, DASH, 0.0)
    dark = lines.copy()
    dark[:, 6:9], dark[:, 9], dark[:, 10] = OUTLINE[:3], 0.5 * colors[:, 3], SKIN_WIDTH + 1.6
    both = np.stack([dark.reshape(-1, len(shown), 14), lines.reshape(-1, len(shown), 14)], axis=1)
    return both.reshape(-1, 14)
