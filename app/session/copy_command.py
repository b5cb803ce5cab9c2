"""What the window shows as a line for the shell: `rigview render FILE …` that draws the same.

The line says the camera in the text of its exact numbers, and the session's own camera is set from
those numbers by what the command sets its camera by: both then draw the same picture, bit for bit.
"""

import math
import os
import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..animation.playback import Mode
from ..model.lookup import Found, find_camera, find_clip, find_joint
from ..options.table import option, written
from ..scene.camera import OrbitCamera
from ..scene.character import clip_begin
from ..scene.scene import Display
from ..settings import options_path
from . import transport
from .open_character import OpenCharacter
from .screenshot import picture_stem
from .session import Session

COMMAND = "render"
NOTHING = "-"  # of an option given once for each file: nothing for the file at this place
_PER_FILE = ("animation", "time", "motion", "loop", "speed", "pose", "variant")
_NOT_FOR_THE_REST = ("motion", "variant")  # of these the last one given is not for the rest
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
    """Return the present view as a command, quoted for a POSIX shell; "" where nothing is shown.

    Parameters
    ----------
    size
        Width and height of the picture, pixels.
    samples
        Samples a pixel that were asked for.
    """
    paths, values = command_options(session, size, samples)
    return shlex.join(["rigview", COMMAND, *paths, *written(COMMAND, values)]) if paths else ""


def command_options(
    session: Session, size: tuple[int, int], samples: int
) -> tuple[list[str], dict[str, Any]]:
    """Return the files of the present view and the options of `render` that draw it, by name.

    There are none where nothing is shown, or something that is in no file.
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
    """Return what is on screen and no option says."""
    seen = [each for each in session.open_characters if not each.hidden]
    found = {
        "joint axes": session.scene.display.axes,
        "morph sliders held by hand": any(_has_overrides(each) for each in seen),
        "the mask on the mesh": bool(session.scene.display.mask),
        "what is not saved of the motion": any(_has_unsaved_motion(each) for each in seen),
        "which of them are trimmed": len({_trimmed(each) for each in seen} - {None}) > 1,
    }
    return [name for name, there in found.items() if there]


def _has_overrides(open_character: OpenCharacter) -> bool:
    return not bool(np.isnan(open_character.character.override).all())


def _has_unsaved_motion(open_character: OpenCharacter) -> bool:
    editor = open_character.editor
    return open_character.character.directed and (editor.dirty or editor.path is None)


def _trimmed(open_character: OpenCharacter) -> bool | None:
    """Tell whether one is trimmed; None where it makes no difference to the command."""
    character = open_character.character
    return character.trim if character.directed and character.show == "clip" else None


def _per_file(each: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the options of all from those of each: once, or once for each file."""
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
    """Return which of several is worked with, where that is seen, and how they stand."""
    scene, open_characters = session.scene, session.open_characters
    if len(open_characters) == 1:
        return {}
    matters = scene.display.weights_joint >= 0 or scene.through >= 0
    return {
        "active": open_characters.index(session.active) + 1 if session.active and matters else None,
        "hide": [k + 1 for k, each in enumerate(open_characters) if each.hidden],
        "same-size": scene.same_size,
    }


def _playback(open_character: OpenCharacter, *, trim: bool) -> dict[str, Any]:
    """Return clip or motion file, moment, pose and variant of one."""
    character = open_character.character
    variant = None if character.variant < 0 else f"#{character.variant}"
    shown = transport.playable_character(open_character) is not None and character.show == "clip"
    if shown and character.mixer is not None:
        return {**_motion(open_character), "variant": variant}
    clip = {**_clip(open_character, trim=trim), "variant": variant}
    if shown and open_character.scene.crowd is not None:
        return {**clip, **_crowd(open_character)}
    if not shown or character.alone is None:
        return {"no-motion": _has_motion(open_character), **clip}
    return {**clip, **_single_clip(open_character)}


def _crowd(open_character: OpenCharacter) -> dict[str, Any]:
    """Return how many there are, and how far they have run: each is at a place of its own."""
    gathering, character = open_character.scene.gathering, open_character.character
    if gathering is None:
        return {}
    playback, clips = character.playback, gathering.clips
    there_and_back = 2.0 * float(playback.duration)
    x = float(playback.x(open_character.tau))
    shared = {"animation": [f"#{clip}" for clip in clips]} if character.clip in clips[:1] else {}
    return {
        **shared,
        "crowd": gathering.text,
        "time": (x % there_and_back,) if x and there_and_back else None,
        "loop": playback.mode,
        "trim": character.trim,
    }


def _single_clip(open_character: OpenCharacter) -> dict[str, Any]:
    """Return the motion file that has a say in the clip, and how far it has run.

    The command runs forwards from the beginning. What has run beyond that stands in the first pass.
    """
    playback, path = open_character.character.playback, open_character.editor.path
    x = float(playback.x(open_character.tau))
    if x < 0:
        transport.seek(open_character, transport.time(open_character))
        x = float(playback.x(open_character.tau))
    mode, passes = playback.mode, float(playback.passes)
    once = x <= float(playback.duration)  # the end of the first pass is no beginning
    return {
        "motion": None if path is None else os.path.abspath(path),
        "time": (x,) if x else None,
        "loop": "once" if once else _loop(mode, passes),
        "trim": open_character.character.trim,
    }


def _motion(open_character: OpenCharacter) -> dict[str, Any]:
    """Return the motion file, tau, and how its clips run."""
    character, path = open_character.character, open_character.editor.path
    time, run = transport.time(open_character), character.run
    loop = None if run.loop is None else _loop(*run.loop)
    return {
        "motion": None if path is None else os.path.abspath(path),
        "time": (time,) if time else None,
        "speed": run.speed,
        "loop": loop,
        "trim": character.trim,
    }


def _loop(mode: Mode, passes: float) -> str:
    """Return how clips repeat, as the option has it."""
    if math.isinf(passes):
        return mode
    return f"pingpong:{passes:.0f}" if mode == "pingpong" else f"{passes:.0f}"


def _has_motion(open_character: OpenCharacter) -> bool:
    """Tell whether the command would find a motion file beside the character."""
    beside = open_character.editor.default_path()
    return beside is not None and beside.is_file()


def _clip(open_character: OpenCharacter, *, trim: bool) -> dict[str, Any]:
    """Return clip, moment and pose; the clip's own time needs neither speed nor loop.

    `trim` is whether the command trims, for another one's sake: it counts from the first key then.
    """
    model, character = open_character.model, open_character.character
    if transport.playable_character(open_character) is None:
        return {"pose": "rest" if character.show == "clip" and model.clips else character.show}
    if character.show != "clip":
        return {"pose": character.show}
    clip = model.clips[character.clip]
    time = transport.time(open_character) - clip_begin(
        clip, trim=trim
    )  # the command counts from there
    names = (clip.name, f"#{character.clip}", str(character.clip))
    name = _shortest_name(names, character.clip, lambda text: find_clip(model, text))
    return {"animation": name, "time": (time,) if time else None}


def _camera(session: Session) -> dict[str, Any]:
    """Return the camera, and set the session's from what is returned as the command will."""
    scene, camera = session.scene, session.scene.camera
    session.update()
    scene.measure()  # as the command does for the clip or the pose that is shown
    model = session.model
    if model is not None and 0 <= scene.through < len(model.cameras):
        names = (model.cameras[scene.through].name, f"#{scene.through}")
        right = names[0].isprintable() and find_camera(model, names[0]) == scene.through
        return {"camera": names[0] if right else names[1]}
    framed = replace(camera)
    framed.frame(scene.room, session.aspect)  # where all begin, as the command frames them
    camera.radius = framed.radius
    degrees = None
    if camera.fov != OrbitCamera().fov:
        degrees = math.degrees(camera.fov)
        camera.fov = math.radians(degrees)
    position = camera.position()
    camera.look_from(position)
    return {
        "camera-position": tuple(position.tolist()),
        "camera-target": tuple(camera.target.tolist()),
        "camera-fov": degrees,
        "ortho": camera.ortho,
    }


def _display(session: Session) -> dict[str, Any]:
    """Return what is shown; a transparent background comes without the grid."""
    display, model = session.scene.display, session.model
    clear = not any(display.background)
    back = None
    if not clear and display.background != Display().background:
        back = "#" + "".join(f"{round(channel * 255):02x}" for channel in display.background)
    joint, weights = display.weights_joint, None
    if joint >= 0 and model is not None:
        names = (model.skeleton.names[joint], f"#{model.skeleton.nodes[joint]}")
        weights = _shortest_name(names, joint, lambda text: find_joint(model, text))
    return {
        "background": back,
        "no-background": clear,
        "shadow": None if display.shadow else False,
        **_environment(display),
        "grid": display.grid if display.grid == clear else None,
        "weights": weights,
        **{name: getattr(display, name.replace("-", "_")) for name in _SWITCHES},
    }


def _environment(display: Display) -> dict[str, Any]:
    """Return where the light from all around comes from."""
    if display.environment_from is None:
        return {}
    path, turn = display.environment_from
    return {"environment": os.path.abspath(path), "environment-rotation": turn or None}


def _shortest_name(names: tuple[str, ...], index: int, find: Callable[[str], Found]) -> str:
    """Return the first of the names that can be typed and means `index`, else the last."""
    right = (name for name in names[:-1] if name.isprintable() and find(name).index == index)
    return next(right, names[-1])
