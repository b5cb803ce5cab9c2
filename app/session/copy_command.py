"""The current view as a shell command: `rigview render FILE …` draws the same picture.

The command contains the exact numbers of the camera, and the session's camera is set from the same
numbers in the same way as the command does it: both draw the same picture, bit for bit.
"""

import math
import os
import shlex
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..animation.playback import Mode
from ..animation.types import F32, F64
from ..blending.mixer import clip_begin
from ..model.joint_branches import branches_reference
from ..model.lookup import LookupResult, find_camera, find_clip
from ..model.mesh_parts import parts_reference
from ..model.morph_weights import no_weights_set, weights_by_name
from ..motion.bind_names import set_morphs
from ..motion.set_and_at import GivenValue, given_morph
from ..motion.single_clip import concerns_all_clips
from ..options.command_options import Options
from ..options.motion_options import ClipOptions, MotionOptions, PlaybackOptions, TimeOptions
from ..options.output_options import OutputOptions
from ..options.picture_options import (
    CameraOptions,
    GeneralOptions,
    PictureOptions,
)
from ..options.several_character_options import SideBySideOptions
from ..options.write_options import as_arguments
from ..resources import options_path
from ..scene.camera import OrbitCamera
from ..scene.character import Show
from ..scene.selected import reference
from ..scene.versions import Versions
from ..scenedoc.look import GRADIENTS, Background, Lighting, Look, Overlays
from . import transport
from .clip_import.file_roots import common_root
from .open_character import OpenCharacter
from .saving import plays_unsaved_motion
from .screenshot import picture_stem
from .session import Session

COMMAND = "render"


def copy_command(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return the current view as a command, quoted for a POSIX shell; "" if the scene is empty.

    Parameters
    ----------
    size
        Width and height of the picture, pixels.
    samples
        Requested samples per pixel.
    """
    options = command_options(session, size, samples)
    if options is None:
        return ""
    return shlex.join(["rigview", COMMAND, *options.files, *as_arguments(COMMAND, options)])


def command_options(session: Session, size: tuple[int, int], samples: int) -> Options | None:
    """Return the options of the `render` command that draws the current view.

    None if the scene is empty or contains a model that was not read from a file.
    """
    open_characters = session.open_characters
    paths = tuple(own.source for own in open_characters if own.path is not None)
    if not open_characters or len(paths) < len(open_characters):
        return None
    trim = any(_trimmed(own) for own in open_characters)
    each_file = tuple(_playback(own, trim=trim) for own in open_characters)
    options = _with_common_playback(each_file, session)
    look = _look(session)
    active, root = session.active, common_root(open_characters, session.root)
    return replace(
        options,
        motion=replace(options.motion, set=() if active is None else _morph_sets(active)),
        files=paths,
        output=OutputOptions(file=f"{picture_stem(session)}.png"),
        clips=replace(
            options.clips,
            anims=tuple(map(os.path.abspath, session.anims)),
            force=session.force,
        ),
        side_by_side=_side_by_side(session),
        camera=_camera(session),
        picture=replace(
            options.picture, resolution=size, samples=samples, select=_selected(session)
        ),
        overlays=look.overlays,
        shading=look.shading,
        lighting=look.lighting,
        background=look.background,
        general=GeneralOptions(
            root=None if root is None else os.path.abspath(root),
            max_memory=session.max_memory,
            no_config=options_path().is_file(),
        ),
    )


def not_in_command(session: Session) -> list[str]:
    """Return the parts of the current view that no command option can express."""
    seen = [each for each in session.open_characters if not each.hidden]
    found = {
        "morph weights of several characters": any(
            _morph_sets(each) for each in seen if each is not session.active
        ),
        "morph weights that were reset": any(_has_reset_morphs(each) for each in seen),
        "the mask shown on the mesh": bool(session.scene.mask),
        "unsaved changes of the motion": any(plays_unsaved_motion(each) for each in seen),
        "the comparison": session.comparison.mode is not None and _compared(session) is None,
        "trim settings that differ": len({_trimmed(each) for each in seen} - {None}) > 1,
    }
    return [name for name, there in found.items() if there]


def _morphs_in_file(open_character: OpenCharacter) -> F32:
    """Return the values [P] set by the motion file that the command reads; NaN: not set."""
    character, editor = open_character.character, open_character.editor
    plays = character.mixer.from_motion and character.show == "clip"
    if not plays or editor.path is None or open_character.scene.crowd is not None:
        return no_weights_set(character.model)
    return set_morphs(character.model, editor.saved_document)


def _morph_sets(open_character: OpenCharacter) -> tuple[GivenValue, ...]:
    """Return the values of --set for the morph weights that the motion file does not set."""
    values = open_character.character.override.copy()
    values[values == _morphs_in_file(open_character)] = np.nan
    named = weights_by_name(open_character.model, values)
    return tuple(given_morph(name, weight) for name, weight in named.items())


def _has_reset_morphs(open_character: OpenCharacter) -> bool:
    """Return whether a morph weight of the motion file was reset to the clip by hand."""
    released = np.isnan(open_character.character.override)
    return bool((released & ~np.isnan(_morphs_in_file(open_character))).any())


def _trimmed(open_character: OpenCharacter) -> bool | None:
    """Return whether a character is trimmed; None if this does not matter to the command."""
    character = open_character.character
    return character.trim if character.mixer.from_motion and character.show == "clip" else None


def _with_common_playback(each_file: tuple[Options, ...], session: Session) -> Options:
    """Return the options of the first character, with those that are given once for all of them."""
    first, overlays = each_file[0], session.scene.look.overlays
    trim = any(own.playback.trim for own in each_file)
    playback = replace(first.playback, trim=trim, key_rotation=session.key_rotation)
    if overlays.joint_path or overlays.onion_skins:
        playback = replace(playback, frame_rate=session.frame_rate)
    return replace(first, each_file=each_file if len(each_file) > 1 else (), playback=playback)


def _side_by_side(session: Session) -> SideBySideOptions:
    """Return the options of several characters: active (if it matters), hidden, same size."""
    scene, open_characters = session.scene, session.open_characters
    if len(open_characters) == 1:
        return SideBySideOptions()
    versions = _compared(session)
    matters = bool(session.active and _morph_sets(session.active))
    matters = matters or session.selected is not None
    matters = matters or scene.weights_joint >= 0 or scene.camera.file_camera >= 0
    return SideBySideOptions(
        active=open_characters.index(session.active) + 1 if session.active and matters else 1,
        hide=tuple(k + 1 for k, each in enumerate(open_characters) if each.hidden),
        same_size=scene.instances.same_size,
        compare=None if versions is None else versions.mode,
        wipe=versions.edge if versions is not None and versions.mode == "wipe" else 0.5,
    )


def _compared(session: Session) -> Versions | None:
    """Return the compared versions, if they are the first two characters."""
    versions = session.comparison.versions
    first = versions is not None and versions.instances == session.open_characters[:2]
    return versions if first else None


def _playback(open_character: OpenCharacter, *, trim: bool) -> Options:
    """Return the options of one character: clip or motion file, time, pose and variant."""
    character = open_character.character
    shown = transport.playable_character(open_character) is not None and character.show == "clip"
    if shown and character.mixer.layered:
        options = _motion(open_character)
    else:
        options = _clip(open_character, trim=trim)
        if shown and open_character.scene.crowd is not None:
            options = _crowd(open_character, options)
        elif not shown or not character.mixer.from_motion:
            options = replace(options, motion=_motion_of_clip(open_character))
        else:
            options = _single_clip(open_character, options)
    variant = None if character.variant < 0 else f"#{character.variant}"
    hidden = parts_reference(character.model, character.hidden_parts) or None
    joints = branches_reference(character.model, character.hidden_joints) or None
    picture = replace(options.picture, variant=variant, hide_mesh=hidden, hide_joints=joints)
    return replace(options, picture=picture)


def _crowd(open_character: OpenCharacter, options: Options) -> Options:
    """Return the options of a crowd: grid, clips and elapsed time."""
    layout, character = open_character.scene.crowd_layout, open_character.character
    if layout is None:
        return options
    size = layout.rows, layout.columns, layout.count
    if layout.in_step:
        return replace(options, picture=PictureOptions(crowd=size, in_step=True))
    playback, clips = character.playback, layout.clips
    period = 2.0 * float(playback.duration)  # of ping-pong
    x = float(playback.x(open_character.tau))
    return replace(
        options,
        crowd_clips=tuple(f"#{clip}" for clip in clips) if character.clip in clips[:1] else (),
        times=TimeOptions(time=(x % period,) if x and period else None),
        playback=PlaybackOptions(loop=(playback.mode, math.inf), trim=character.trim),
        picture=PictureOptions(crowd=size),
    )


def _single_clip(open_character: OpenCharacter, options: Options) -> Options:
    """Return the options of a single clip with settings of a motion file.

    The command plays forwards from the start; a session that played backwards beyond the start is
    moved to the same clip time in the first pass.
    """
    playback, path = open_character.character.playback, open_character.editor.path
    x = float(playback.x(open_character.tau))
    if x < 0:
        transport.seek(open_character, transport.mixer_time(open_character))
        x = float(playback.x(open_character.tau))
    is_first_pass = x <= float(playback.duration)  # the end of the first pass is not a start
    loop: tuple[Mode, float] = ("loop", 1.0)
    if not is_first_pass:
        loop = playback.mode, float(playback.passes)
    return replace(
        options,
        motion=MotionOptions(file=None if path is None else os.path.abspath(path)),
        times=TimeOptions(time=(x,) if x else None),
        playback=PlaybackOptions(loop=loop, trim=open_character.character.trim),
    )


def _motion(open_character: OpenCharacter) -> Options:
    """Return the options of a motion with layers: file, tau, speed, loop and trim."""
    character, path = open_character.character, open_character.editor.path
    time, settings = transport.mixer_time(open_character), character.mixer.settings
    return Options(
        motion=MotionOptions(file=None if path is None else os.path.abspath(path)),
        times=TimeOptions(time=(time,) if time else None),
        playback=PlaybackOptions(speed=settings.speed, loop=settings.loop, trim=character.trim),
    )


def _motion_of_clip(open_character: OpenCharacter) -> MotionOptions:
    """Return the motion options of a pose or of a clip without settings."""
    path = open_character.editor.path
    if path is not None and concerns_all_clips(open_character.document):
        return MotionOptions(file=os.path.abspath(path))
    return MotionOptions(no_motion=_has_motion(open_character))


def _has_motion(open_character: OpenCharacter) -> bool:
    """Return whether the command would find a motion file beside the character."""
    beside = open_character.editor.default_path()
    return beside is not None and beside.is_file()


def _clip(open_character: OpenCharacter, *, trim: bool) -> Options:
    """Return clip, time and pose; a time within the clip needs neither speed nor loop.

    `trim` is whether the command trims because of any character: times then start at the first key.
    """
    model, character = open_character.model, open_character.character
    if transport.playable_character(open_character) is None:
        pose: Show = "rest" if character.show == "clip" and model.clips else character.show
        return Options(playback=PlaybackOptions(pose=pose))
    if character.show != "clip":
        return Options(playback=PlaybackOptions(pose=character.show))
    clip = model.clips[character.clip]
    time = transport.mixer_time(open_character) - clip_begin(
        clip, trim=trim
    )  # the command's time 0
    names = (clip.name, f"#{character.clip}", str(character.clip))
    name = _shortest_name(names, character.clip, lambda text: find_clip(model, text))
    return Options(
        clips=ClipOptions(animation=name), times=TimeOptions(time=(time,) if time else None)
    )


def _camera(session: Session) -> CameraOptions:
    """Return the camera, and set the session's camera from these values as the command does."""
    scene, camera = session.scene, session.scene.camera.orbit
    session.update()
    scene.measure()  # as the command does for the clip or pose shown
    scene.camera.rebase()
    model, number = session.model, scene.camera.file_camera
    if model is not None and 0 <= number < len(model.cameras):
        names = (model.cameras[number].name, f"#{number}")
        right = names[0].isprintable() and find_camera(model, names[0]) == number
        return CameraOptions(name=names[0] if right else names[1], fit="pose")
    degrees = None
    if camera.fov != OrbitCamera().fov:
        degrees = math.degrees(camera.fov)
        camera.fov = math.radians(degrees)
    position = camera.position()
    camera.move_to(position)
    return CameraOptions(
        position=_vector(position),
        target=_vector(camera.target),
        fov=degrees,
        ortho=camera.ortho,
        fit="pose",
    )


def _vector(array: F64) -> tuple[float, float, float]:
    x, y, z = array.tolist()
    return x, y, z


def _selected(session: Session) -> str | None:
    """Return the text of --select, None without."""
    chosen, model = session.selected, session.model
    named = chosen is not None and model is not None and not chosen.member
    return reference(model, chosen) if named and model and chosen else None


def _look(session: Session) -> Look:
    """Return the look that is shown, as the command takes it: the colours of a light theme."""
    look, chosen = session.scene.shown_look, session.selected
    joint = chosen is not None and chosen.primitive < 0 and _selected(session) is not None
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


def _shortest_name(names: tuple[str, ...], index: int, find: Callable[[str], LookupResult]) -> str:
    """Return the first printable name that is found as `index`, else the last name."""
    right = (name for name in names[:-1] if name.isprintable() and find(name).index == index)
    return next(right, names[-1])
