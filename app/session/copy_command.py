"""The current view as a shell command: `rigview render FILE …` draws the same picture.

The command contains the exact numbers of the camera, and the session's camera is set from the same
numbers in the same way as the command does it: both draw the same picture, bit for bit.
"""

import math
import os
import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..animation.playback import Mode
from ..model.lookup import LookupResult, find_camera, find_clip, find_joint
from ..options.table import as_arguments, option
from ..resources import options_path
from ..scene.camera import OrbitCamera
from ..scene.character import clip_begin
from ..scene.scene import Display
from . import transport
from .open_character import OpenCharacter
from .screenshot import picture_stem
from .session import Session

COMMAND = "render"
NOTHING = "-"  # of an option given once for each file: this file has no value
_PER_FILE = ("animation", "time", "motion", "loop", "speed", "pose", "variant")
_NOT_FOR_THE_REST = ("motion", "variant")  # their last value does not apply to further files
_SWITCHES = (
    "skeleton",
    "joint-names",
    "wireframe",
    "bounds",
    "view-mode",
    "tone-mapping",
    "exposure",
)


def copy_command(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return the current view as a command, quoted for a POSIX shell; "" if the scene is empty.

    Parameters
    ----------
    size
        Width and height of the picture, pixels.
    samples
        Requested samples per pixel.
    """
    paths, values = command_options(session, size, samples)
    return shlex.join(["rigview", COMMAND, *paths, *as_arguments(COMMAND, values)]) if paths else ""


def command_options(
    session: Session, size: tuple[int, int], samples: int
) -> tuple[list[str], dict[str, Any]]:
    """Return the files of the current view and the `render` options that draw it, by name.

    Both are empty if the scene is empty or contains a model that was not read from a file.
    """
    open_characters = session.open_characters
    paths = [os.path.abspath(each.path) for each in open_characters if each.path is not None]
    if not open_characters or len(paths) < len(open_characters):
        return [], {}
    trim = any(_trimmed(each) for each in open_characters)
    return paths, {
        "output": f"{picture_stem(session)}.png",
        **_per_file([_playback(each, trim=trim) for each in open_characters]),
        **_several(session),
        **_camera(session),
        **_display(session),
        "resolution": size,
        "samples": samples,
        "root": None if session.root is None else os.path.abspath(session.root),
        "anims": [os.path.abspath(anim) for anim in session.anims] or None,
        "no-config": options_path().is_file(),
    }


def not_in_command(session: Session) -> list[str]:
    """Return the parts of the current view that no command option can express."""
    seen = [each for each in session.open_characters if not each.hidden]
    found = {
        "joint axes": session.scene.display.axes,
        "morph weights set by hand": any(_has_overrides(each) for each in seen),
        "the mask shown on the mesh": bool(session.scene.display.mask),
        "unsaved changes of the motion": any(_has_unsaved_motion(each) for each in seen),
        "trim settings that differ": len({_trimmed(each) for each in seen} - {None}) > 1,
    }
    return [name for name, there in found.items() if there]


def _has_overrides(open_character: OpenCharacter) -> bool:
    return not bool(np.isnan(open_character.character.override).all())


def _has_unsaved_motion(open_character: OpenCharacter) -> bool:
    editor = open_character.editor
    return open_character.character.uses_motion_file and (editor.dirty or editor.path is None)


def _trimmed(open_character: OpenCharacter) -> bool | None:
    """Return whether a character is trimmed; None if this does not matter to the command."""
    character = open_character.character
    return character.trim if character.uses_motion_file and character.show == "clip" else None


def _per_file(each: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the options of all characters: given once, or once for each file."""
    if len(each) == 1:
        return each[0]
    values = {name: [one.get(name) for one in each] for name in _PER_FILE}
    found: dict[str, Any] = {}
    for name, given in values.items():
        default = option(name).default_for(COMMAND)
        full = [default if one is None else one for one in given]
        if any(one != default for one in full):
            alike = name not in _NOT_FOR_THE_REST and all(one == full[0] for one in full)
            found[name] = [NOTHING if one is None else one for one in (full[:1] if alike else full)]
    return {
        **found,
        "no-motion": "motion" not in found and any(one.get("no-motion") for one in each),
        "trim": any(one.get("trim") for one in each),
    }


def _several(session: Session) -> dict[str, Any]:
    """Return the options of several characters: active (if it matters), hidden, same size."""
    scene, open_characters = session.scene, session.open_characters
    if len(open_characters) == 1:
        return {}
    matters = scene.display.weights_joint >= 0 or scene.file_camera >= 0
    return {
        "active": open_characters.index(session.active) + 1 if session.active and matters else None,
        "hide": [k + 1 for k, each in enumerate(open_characters) if each.hidden],
        "same-size": scene.same_size,
    }


def _playback(open_character: OpenCharacter, *, trim: bool) -> dict[str, Any]:
    """Return the options of one character: clip or motion file, time, pose and variant."""
    character = open_character.character
    variant = None if character.variant < 0 else f"#{character.variant}"
    shown = transport.playable_character(open_character) is not None and character.show == "clip"
    if shown and character.mixer is not None:
        return {**_motion(open_character), "variant": variant}
    clip = {**_clip(open_character, trim=trim), "variant": variant}
    if shown and open_character.scene.crowd is not None:
        return {**clip, **_crowd(open_character)}
    if not shown or character.clip_settings is None:
        return {"no-motion": _has_motion(open_character), **clip}
    return {**clip, **_single_clip(open_character)}


def _crowd(open_character: OpenCharacter) -> dict[str, Any]:
    """Return the options of a crowd: grid, clips and elapsed time."""
    gathering, character = open_character.scene.crowd_layout, open_character.character
    if gathering is None:
        return {}
    playback, clips = character.playback, gathering.clips
    period = 2.0 * float(playback.duration)  # of ping-pong
    x = float(playback.x(open_character.tau))
    shared = {"animation": [f"#{clip}" for clip in clips]} if character.clip in clips[:1] else {}
    return {
        **shared,
        "crowd": gathering.text,
        "time": (x % period,) if x and period else None,
        "loop": playback.mode,
        "trim": character.trim,
    }


def _single_clip(open_character: OpenCharacter) -> dict[str, Any]:
    """Return the options of a single clip with settings of a motion file.

    The command plays forwards from the start; a session that played backwards beyond the start is
    moved to the same clip time in the first pass.
    """
    playback, path = open_character.character.playback, open_character.editor.path
    x = float(playback.x(open_character.tau))
    if x < 0:
        transport.seek(open_character, transport.time(open_character))
        x = float(playback.x(open_character.tau))
    mode, passes = playback.mode, float(playback.passes)
    once = x <= float(playback.duration)  # the end of the first pass is not a start
    return {
        "motion": None if path is None else os.path.abspath(path),
        "time": (x,) if x else None,
        "loop": "once" if once else _loop(mode, passes),
        "trim": open_character.character.trim,
    }


def _motion(open_character: OpenCharacter) -> dict[str, Any]:
    """Return the options of a motion with layers: file, tau, speed, loop and trim."""
    character, path = open_character.character, open_character.editor.path
    time, settings = transport.time(open_character), character.settings
    loop = None if settings.loop is None else _loop(*settings.loop)
    return {
        "motion": None if path is None else os.path.abspath(path),
        "time": (time,) if time else None,
        "speed": settings.speed,
        "loop": loop,
        "trim": character.trim,
    }


def _loop(mode: Mode, passes: float) -> str:
    """Return the loop mode as the option spells it."""
    if math.isinf(passes):
        return mode
    return f"pingpong:{passes:.0f}" if mode == "pingpong" else f"{passes:.0f}"


def _has_motion(open_character: OpenCharacter) -> bool:
    """Return whether the command would find a motion file beside the character."""
    beside = open_character.editor.default_path()
    return beside is not None and beside.is_file()


def _clip(open_character: OpenCharacter, *, trim: bool) -> dict[str, Any]:
    """Return clip, time and pose; a time within the clip needs neither speed nor loop.

    `trim` is whether the command trims because of any character: times then start at the first key.
    """
    model, character = open_character.model, open_character.character
    if transport.playable_character(open_character) is None:
        return {"pose": "rest" if character.show == "clip" and model.clips else character.show}
    if character.show != "clip":
        return {"pose": character.show}
    clip = model.clips[character.clip]
    time = transport.time(open_character) - clip_begin(clip, trim=trim)  # the command's time 0
    names = (clip.name, f"#{character.clip}", str(character.clip))
    name = _shortest_name(names, character.clip, lambda text: find_clip(model, text))
    return {"animation": name, "time": (time,) if time else None}


def _camera(session: Session) -> dict[str, Any]:
    """Return the camera, and set the session's camera from these values as the command does."""
    scene, camera = session.scene, session.scene.camera
    session.update()
    scene.measure()  # as the command does for the clip or pose shown
    model = session.model
    if model is not None and 0 <= scene.file_camera < len(model.cameras):
        names = (model.cameras[scene.file_camera].name, f"#{scene.file_camera}")
        right = names[0].isprintable() and find_camera(model, names[0]) == scene.file_camera
        return {"camera": names[0] if right else names[1]}
    framed = replace(camera)
    framed.frame(scene.swept_in_place, session.aspect)  # without root motion, as the command
    camera.radius = framed.radius
    degrees = None
    if camera.fov != OrbitCamera().fov:
        degrees = math.degrees(camera.fov)
        camera.fov = math.radians(degrees)
    position = camera.position()
    camera.move_to(position)
    return {
        "camera-position": tuple(position.tolist()),
        "camera-target": tuple(camera.target.tolist()),
        "camera-fov": degrees,
        "ortho": camera.ortho,
    }


def _display(session: Session) -> dict[str, Any]:
    """Return the display options; a transparent background is drawn without the grid."""
    display, model = session.scene.display, session.model
    transparent = not any(display.background)
    background = None
    if not transparent and display.background != Display().background:
        background = "#" + "".join(f"{round(channel * 255):02x}" for channel in display.background)
    joint, weights = display.weights_joint, None
    if joint >= 0 and model is not None:
        names = (model.skeleton.names[joint], f"#{model.skeleton.nodes[joint]}")
        weights = _shortest_name(names, joint, lambda text: find_joint(model, text))
    return {
        "background": background,
        "no-background": transparent,
        "shadow": None if display.shadow else False,
        **_environment(display),
        "grid": display.grid if display.grid == transparent else None,
        "weights": weights,
        **{name: getattr(display, name.replace("-", "_")) for name in _SWITCHES},
    }


def _environment(display: Display) -> dict[str, Any]:
    """Return the options of the environment map."""
    if display.environment_from is None:
        return {}
    path, turn = display.environment_from
    return {"environment": os.path.abspath(path), "environment-rotation": turn or None}


def _shortest_name(names: tuple[str, ...], index: int, find: Callable[[str], LookupResult]) -> str:
    """Return the first printable name that is found as `index`, else the last name."""
    right = (name for name in names[:-1] if name.isprintable() and find(name).index == index)
    return next(right, names[-1])
