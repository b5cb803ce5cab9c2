"""The record of the current view, and the options of the command that draws the same picture."""

import math
import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..animation.playback import Mode
from ..animation.types import F32
from ..blending.mixer import clip_begin
from ..conversion.conversion_settings import present
from ..model.lookup import clip_reference
from ..model.morph_weights import no_weights_set, weights_by_name
from ..motion.bind_names import set_morphs
from ..motion.document import MotionDoc
from ..motion.set_and_at import GivenValue, given_morph
from ..motion.single_clip import concerns_all_clips
from ..options.command_options import GeneralOptions, Options, OutputOptions, TimeOptions
from ..options.config_file import config_files
from ..scene.versions import Versions
from ..scenedoc.look import GRADIENTS, Background, Lighting, Look, Overlays
from ..scenedoc.scene_doc import Comparison, Crowd, SceneDoc
from ..scenedoc.shown import Motion, Shown
from .morph_overrides import with_morphs_of
from .motion_saving import plays_unsaved_motion
from .opened_character import OpenedCharacter
from .play_range import frames_of
from .player import PlayRange
from .screenshot import picture_stem
from .session import Session


def view_options(session: Session, size: tuple[int, int], samples: int) -> Options | None:
    """Return the options of the `render` command that draws the current view.

    None if the scene is empty or contains a model that was not read from a file.

    Parameters
    ----------
    size
        Width and height of the picture, pixels.
    samples
        Requested samples per pixel.
    """
    scene = view_record(session, size, samples)
    if scene is None:
        return None
    overlays = scene.look.overlays
    if not (overlays.joint_path or overlays.onion_skins):  # else it has no frames
        scene = replace(scene, frame_rate=SceneDoc().frame_rate)
    named = scene.selected, scene.look.shading.weights, scene.camera.name
    if all(each is None for each in named) and not scene.character.motion.set:
        scene = replace(scene, active=1)  # nothing refers to the active character
    root = session.files.common_root(session.open_characters)
    first = scene.characters[0].file
    return Options(
        files=tuple(each.file for each in scene.characters if each.file is not None),
        scene=scene,
        output=OutputOptions(file=f"{picture_stem(session)}.png"),
        general=GeneralOptions(
            root=None if root is None else os.path.abspath(root),
            max_memory=session.files.max_memory,
            blender=present().blender,
            convert_timeout=present().seconds,
            no_config=bool(config_files(first, GeneralOptions())),
        ),
    )


def view_record(session: Session, size: tuple[int, int], samples: int) -> SceneDoc | None:
    """Return what the current view shows; None as of `view_options`."""
    open_characters = session.open_characters
    if not open_characters or any(each.path is None for each in open_characters):
        return None
    trim = any(_trimmed(each) for each in open_characters if not each.hidden)
    characters = _with_no_motion([_shown(each, trim=trim) for each in open_characters])
    doc = session.doc
    return replace(
        doc,
        characters=characters,
        anims=tuple(map(os.path.abspath, doc.anims)),
        same_size=len(open_characters) > 1 and doc.same_size,
        size=size,
        samples=samples,
        comparison=doc.comparison if _compared(session) is not None else Comparison(),
        crowd=_crowd(open_characters[0], doc.crowd),
        camera=doc.camera if doc.camera.name is not None else session.scene.camera.record,
        look=_look(session),
    )


def _with_no_motion(characters: Sequence[Shown]) -> tuple[Shown, ...]:
    """Return characters of which those without a motion file say so, if others have one."""
    motions = [each.motion for each in characters]
    if not any(each.none or each.file is not None for each in motions):
        return tuple(characters)
    return tuple(
        replace(each, motion=replace(each.motion, none=True))
        if each.motion.file is None and each.motion.document is None
        else each
        for each in characters
    )


def left_out_of_record(session: Session) -> list[str]:
    """Return the parts of the current view that its record lacks, in words."""
    found = {
        "the mask shown on the mesh": bool(session.scene.mask),
        "edits of the model": not all(each.changes.in_file for each in session.open_characters),
        "the comparison": session.comparison.mode is not None and _compared(session) is None,
    }
    return [name for name, there in found.items() if there]


def range_options(
    session: Session, options: Options, span: PlayRange, frame_rate: float
) -> Options:
    """Return the options of `view_options` for a video of a range, frames per second.

    The frames are in the first pass.
    """
    begin = session.transport.span[0]
    frames = frames_of(PlayRange(span.begin - begin, span.end - begin), frame_rate)
    characters = tuple(
        replace(each, time=None, loop=None if each.loop is None else ("loop", 1.0))
        for each in options.scene.characters
    )
    options = options.with_scene(characters=characters, frame_rate=frame_rate)
    return replace(options, times=TimeOptions(frames=frames))


def _shown(opened_character: OpenedCharacter, *, trim: bool) -> Shown:
    """Return what the view shows of a character.

    `trim` is whether the command trims because of any character: times then start at the first key.
    """
    character = opened_character.character
    plays = opened_character.transport.playable is not None and character.show == "clip"
    if plays and character.mixer.layered:
        shown = _layers(opened_character)
    elif plays and opened_character.session.scene.crowd is not None:
        shown = _clip_of_crowd(opened_character)
    elif plays and character.mixer.from_motion:
        shown = _clip_with_settings(opened_character)
    else:
        shown = _clip_or_pose(opened_character, trim=trim)
    own_trim = _trimmed(opened_character)
    return replace(
        shown,
        file=opened_character.source,
        trim=shown.trim or (trim if own_trim is None else own_trim),
        motion=_with_changes(opened_character, shown.motion),
        hidden=opened_character.hidden,
        variant=opened_character.shown.variant,
        hidden_meshes=opened_character.shown.hidden_meshes,
        hidden_joints=opened_character.shown.hidden_joints,
    )


def _with_changes(opened_character: OpenedCharacter, motion: Motion) -> Motion:
    """Return what plays with its unsaved changes, and the morph weights that are set by hand."""
    document, editor = None, opened_character.editor
    changed = plays_unsaved_motion(opened_character) or _has_reset_morphs(opened_character)
    changed |= editor.differs and concerns_all_clips(editor.document)
    if changed and opened_character.session.scene.crowd is None:
        document = with_morphs_of(editor.document, opened_character.character)
        motion = replace(motion, file=_motion_path(opened_character), none=False)
    return replace(motion, document=document, set=_morph_sets(opened_character, document))


def _motion_path(opened_character: OpenedCharacter) -> str | None:
    """Return the absolute path of the motion file, None without."""
    path = opened_character.editor.path
    return None if path is None else os.path.abspath(path)


def _morphs_in_file(opened_character: OpenedCharacter, document: MotionDoc | None) -> F32:
    """Return the values [P] set by the document, or the motion file; NaN: not set."""
    character, editor = opened_character.character, opened_character.editor
    plays = character.mixer.from_motion and character.show == "clip"
    if not plays or opened_character.session.scene.crowd is not None:
        return no_weights_set(character.model)
    if document is None and editor.path is None:
        return no_weights_set(character.model)
    return set_morphs(character.model, document or editor.saved_document)


def _morph_sets(
    opened_character: OpenedCharacter, document: MotionDoc | None
) -> tuple[GivenValue, ...]:
    """Return the values of --set for the morph weights that the document does not set."""
    values = opened_character.character.override.copy()
    values[values == _morphs_in_file(opened_character, document)] = np.nan
    named = weights_by_name(opened_character.model, values)
    return tuple(given_morph(name, weight) for name, weight in named.items())


def _has_reset_morphs(opened_character: OpenedCharacter) -> bool:
    """Return whether a morph weight of the motion file was reset to the clip by hand."""
    released = np.isnan(opened_character.character.override)
    return bool((released & ~np.isnan(_morphs_in_file(opened_character, None))).any())


def _trimmed(opened_character: OpenedCharacter) -> bool | None:
    """Return whether a character is trimmed; None if this does not matter to the command."""
    character = opened_character.character
    return character.trim if character.mixer.from_motion and character.show == "clip" else None


def _compared(session: Session) -> Versions | None:
    """Return the compared versions, if they are the first two characters."""
    versions = session.comparison.versions
    first = versions is not None and versions.instances == session.open_characters[:2]
    return versions if first else None


def _crowd(opened_character: OpenedCharacter, crowd: Crowd) -> Crowd:
    """Return the crowd that is shown, with its clips only if the character plays the first one."""
    layout = opened_character.session.scene.crowd_layout
    played = layout is not None and opened_character.character.clip in layout.clips[:1]
    return crowd if played else replace(crowd, clips=())


def _clip_of_crowd(opened_character: OpenedCharacter) -> Shown:
    """Return the clip of a crowd, and the elapsed time within its period."""
    layout, character = opened_character.session.scene.crowd_layout, opened_character.character
    clip = _clip_name(opened_character)
    if layout is None or layout.in_step:
        return Shown(clip=clip, time=_clip_time(opened_character, trim=False))
    playback = character.playback
    period = 2.0 * float(playback.duration)  # of ping-pong
    x = float(playback.x(opened_character.session.tau))
    return Shown(
        clip=clip,
        time=(x % period,) if x and period else None,
        loop=(playback.mode, math.inf),
        trim=character.trim,
    )


def _clip_with_settings(opened_character: OpenedCharacter) -> Shown:
    """Return a single clip with settings of a motion file.

    The command plays from the start of the first pass; a time before it is that of a clip which
    was played backwards.
    """
    playback = opened_character.character.playback
    x = float(playback.x(opened_character.session.tau))
    loop: tuple[Mode, float] = ("loop", 1.0)
    if not 0.0 <= x <= float(playback.duration):  # the end of the first pass is not a start
        loop = playback.mode, float(playback.passes)
    return Shown(
        clip=_clip_name(opened_character),
        time=(x,) if x else None,
        loop=loop,
        motion=Motion(file=_motion_path(opened_character)),
    )


def _layers(opened_character: OpenedCharacter) -> Shown:
    """Return a motion with layers: its file, tau, speed and loop mode."""
    character = opened_character.character
    time, settings = opened_character.transport.mixer_time, character.mixer.settings
    return Shown(
        time=(time,) if time else None,
        speed=settings.speed,
        loop=settings.loop,
        motion=Motion(file=_motion_path(opened_character)),
    )


def _clip_or_pose(opened_character: OpenedCharacter, *, trim: bool) -> Shown:
    """Return a still pose, or clip and time; within the clip it needs neither speed nor loop."""
    model, character = opened_character.model, opened_character.character
    motion = _motion_of_clip(opened_character)
    if opened_character.transport.playable is None:
        pose = "rest" if character.show == "clip" and model.clips else character.show
        return Shown(pose=pose, motion=motion)
    if character.show != "clip":
        return Shown(pose=character.show, motion=motion)
    time = _clip_time(opened_character, trim=trim)
    return Shown(clip=_clip_name(opened_character), time=time, motion=motion)


def _clip_time(opened_character: OpenedCharacter, *, trim: bool) -> tuple[float] | None:
    """Return the time of a clip from the command's time 0, None at 0."""
    clip = opened_character.model.clips[opened_character.character.clip]
    time = opened_character.transport.mixer_time - clip_begin(clip, trim=trim)
    return (time,) if time else None


def _clip_name(opened_character: OpenedCharacter) -> str:
    """Return the text by which a command finds the clip."""
    return clip_reference(opened_character.model, opened_character.character.clip)


def _motion_of_clip(opened_character: OpenedCharacter) -> Motion:
    """Return the motion file of a pose or of a clip without settings."""
    path = _motion_path(opened_character)
    if path is not None and concerns_all_clips(opened_character.document):
        return Motion(file=path)
    beside = opened_character.editor.default_path()  # which the command would find
    return Motion(none=beside is not None and beside.is_file())


def _look(session: Session) -> Look:
    """Return the look that is shown, as the command takes it: the colours of a light theme."""
    look = session.scene.shown_look
    joint = session.selected_joint >= 0 and session.doc.selected is not None
    overlays, background = look.overlays, look.background
    overlays = replace(
        overlays,
        joint_path=overlays.joint_path and joint,
        onion_step=overlays.onion_step if overlays.onion_skins else Overlays().onion_step,
        grid=None if look.grid == replace(look, overlays=Overlays()).grid else look.grid,
    )
    shown_colours = background.shown(session.scene.theme)
    default = background.transparent or shown_colours == GRADIENTS["dark"]
    colours = None if default else shown_colours
    environment = look.lighting.environment
    shown = look.changed(Background, colours=colours).changed(
        Lighting, environment=None if environment is None else os.path.abspath(environment)
    )
    return replace(shown, overlays=overlays)
