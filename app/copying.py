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

from app import transport
from app.animation.playback import Mode
from app.camera import OrbitCamera
from app.character import Character
from app.model import Model
from app.options import written
from app.scene import Display
from app.select import Found, find_camera, find_clip, find_joint
from app.session import Session
from app.snapshot import picture_stem

COMMAND = "render"
_PLAIN = (
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
    model, path = session.model, session.path
    if model is None or path is None:
        return ""
    values = {
        "output": f"{picture_stem(session)}.png",
        **_moving(session, model),
        **_camera(session),
        **_display(session.scene.display, model),
        "resolution": size,
        "samples": samples,
        "root": None if session.root is None else os.path.abspath(session.root),
        "anims": [os.path.abspath(anim) for anim in session.anims] or None,
    }
    return shlex.join(["rigview", COMMAND, os.path.abspath(path), *written(COMMAND, values)])


def unsaid(session: Session) -> list[str]:
    """Return what is on screen and no option says."""
    character = session.character
    held = character is not None and not bool(np.isnan(character.override).all())
    moves = (character is not None and character.directed) and (
        session.editor.dirty or session.editor.path is None
    )
    found = {
        "joint axes": session.scene.display.axes,
        "morph sliders held by hand": held,
        "the mask on the mesh": bool(session.scene.display.mask),
        "what is not saved of the motion": moves,
    }
    return [name for name, there in found.items() if there]


def _moving(session: Session, model: Model) -> dict[str, Any]:
    """Return clip or motion file, moment and pose."""
    character = transport.playing(session)
    if character is not None and character.show == "clip" and character.mixer is not None:
        return _motion(session, character)
    clip = _clip(session, model)
    if character is not None and session.scene.crowd is not None:
        return {**clip, **_crowd(session, character)}
    if character is None or character.show != "clip" or character.alone is None:
        return {"no-motion": _has_motion(session), **clip}
    return {**clip, **_alone(session, character)}


def _crowd(session: Session, character: Character) -> dict[str, Any]:
    """Return how many there are, and how far they have run: each is at a place of its own."""
    gathering, playback = session.scene.gathering, character.playback
    if gathering is None:
        return {}
    there_and_back = 2.0 * float(playback.duration)
    x = float(playback.x(session.tau))
    return {
        "crowd": gathering.text,
        "time": (x % there_and_back,) if x and there_and_back else None,
        "loop": playback.mode,
        "trim": character.trim,
    }


def _alone(session: Session, character: Character) -> dict[str, Any]:
    """Return the motion file that has a say in the clip, and how far it has run.

    The command runs forwards from the beginning. What has run beyond that stands in the first pass.
    """
    playback, path = character.playback, session.editor.path
    x = float(playback.x(session.tau))
    if x < 0:
        transport.seek(session, transport.time(session))
        x = float(playback.x(session.tau))
    mode, passes = playback.mode, float(playback.passes)
    once = x <= float(playback.duration)  # the end of the first pass is no beginning
    return {
        "motion": None if path is None else os.path.abspath(path),
        "time": (x,) if x else None,
        "loop": "once" if once else _loop(mode, passes),
        "trim": character.trim,
    }


def _motion(session: Session, character: Character) -> dict[str, Any]:
    """Return the motion file, tau, and how its clips run."""
    time, path, run = transport.time(session), session.editor.path, character.run
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


def _has_motion(session: Session) -> bool:
    """Tell whether the command would find a motion file beside the character."""
    beside = session.editor.path_beside()
    return beside is not None and beside.is_file()


def _clip(session: Session, model: Model) -> dict[str, Any]:
    """Return clip, moment and pose; the clip's own time needs neither speed, loop nor trim."""
    character = transport.playing(session)
    if character is None:
        still = session.character
        shown = "clip" if still is None else still.show
        return {"pose": "rest" if shown == "clip" and model.clips else shown}
    if character.show != "clip":
        return {"pose": character.show}
    clip = model.clips[character.clip]
    time = transport.time(session) - min(0.0, clip.start)  # the command counts from there
    names = (clip.name, f"#{character.clip}", str(character.clip))
    name = _named(names, character.clip, lambda text: find_clip(model, text))
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
    framed.frame(scene.swept, session.aspect)
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


def _display(display: Display, model: Model) -> dict[str, Any]:
    """Return what is shown; a transparent background comes without the grid."""
    clear = not any(display.background)
    back = None
    if not clear and display.background != Display().background:
        back = "#" + "".join(f"{round(channel * 255):02x}" for channel in display.background)
    joint, weights = display.weights_joint, None
    if joint >= 0:
        names = (model.skeleton.names[joint], f"#{model.skeleton.nodes[joint]}")
        weights = _named(names, joint, lambda text: find_joint(model, text))
    return {
        "background": back,
        "no-background": clear,
        "shadow": None if display.shadow else False,
        **_around(display),
        "grid": display.grid if display.grid == clear else None,
        "weights": weights,
        "variant": None if display.variant < 0 else f"#{display.variant}",
        **{name: getattr(display, name.replace("-", "_")) for name in _PLAIN},
    }


def _around(display: Display) -> dict[str, Any]:
    """Return where the light from all around comes from."""
    if display.environment_from is None:
        return {}
    path, turn = display.environment_from
    return {"environment": os.path.abspath(path), "environment-rotation": turn or None}


def _named(names: tuple[str, ...], index: int, find: Callable[[str], Found]) -> str:
    """Return the first of the names that can be typed and means `index`, else the last."""
    right = (name for name in names[:-1] if name.isprintable() and find(name).index == index)
    return next(right, names[-1])
