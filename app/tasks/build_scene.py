"""A scene as the options of a command ask for it: character, camera and display."""

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from ..console import complain
from ..errors import MotionError, UsageError
from ..model.lookup import find_camera, find_joint, find_variant
from ..model.model import Model
from ..scene.camera import OrbitCamera
from ..scene.character import Character, Show
from ..scene.environment import Environment
from ..scene.scene import Display, Scene
from .crowd_setup import gathering
from .input_file import source_name
from .time_options import Timing

if TYPE_CHECKING:
    from ..motion.bind_sources import Loop
    from ..motion.single_clip import Alone
    from .playback_setup import Performance

_PLACES = (  # what --camera says already
    "view",
    "camera_azimuth",
    "camera_elevation",
    "camera_position",
    "camera_target",
    "camera_fov",
    "ortho",
)
_TURNS = ("view", "camera_azimuth", "camera_elevation")  # --camera-position says it all


def stage(args: argparse.Namespace, model: Model) -> Scene:
    """Return a scene with the character in it, displayed as asked; nothing plays yet."""
    scene = Scene(display=display(args, model))
    scene.show(model).variant = variant(args, model)
    if args.camera is not None:
        scene.through = through(args, model)
    return scene


def through(args: argparse.Namespace, model: Model) -> int:
    """Return the camera of the file that --camera names.

    Raises
    ------
    UsageError
        There is none, or another option places the camera too.
    """
    placed = [name for name in _PLACES if getattr(args, name) not in (None, False)]
    if placed:
        flag = placed[0].replace("_", "-")
        raise UsageError(f"--camera and --{flag} exclude each other")
    try:
        return find_camera(model, args.camera)
    except UsageError as error:
        error.file = source_name(args)
        raise


def on_stage(
    args: argparse.Namespace,
    played: "Performance",
    run: Timing,
    aspect: float,
    *,
    join: Callable[[Scene], None] | None = None,
) -> Scene:
    """Return a scene in which a clip, run so, or a motion plays, seen as the options say.

    `join` puts others beside the character, before the camera is pointed.
    """
    scene = stage(args, played.model)
    if join is not None:
        join(scene)
    if played.document is None:
        play(args, scene, played.clip, run, aspect)
    else:
        perform(args, scene, played, aspect)
    return scene


def play(
    args: argparse.Namespace,
    scene: Scene,
    clip: int,
    run: Timing,
    aspect: float,
) -> None:
    """Start a clip (-1: none) at the global time 0, and point the camera at it as asked."""
    if scene.character is None:
        return
    scene.gathering = gathering(args, scene.character.model)
    start(args, scene.character, clip, run)
    look(args, scene, aspect)


def start(
    args: argparse.Namespace,
    character: Character,
    clip: int,
    run: Timing,
    *,
    tau: float = 0.0,
    alone: "Alone | None" = None,
) -> None:
    """Start a clip (-1: none) at the global time `tau`; `alone` is what a motion file says."""
    character.show = cast(Show, args.pose)
    character.play(
        clip,
        tau,
        passes=run.passes,
        mode=run.mode,
        rate=run.rate,
        trim=run.trim,
        alone=alone,
    )


def perform(args: argparse.Namespace, scene: Scene, played: "Performance", aspect: float) -> None:
    """Start what a motion file says at the global time 0, and point the camera at it."""
    if scene.character is None or played.document is None:
        return
    begin(args, scene.character, played)
    scene.follow = args.camera_position is None and args.camera_target is None
    look(args, scene, aspect)


def begin(
    args: argparse.Namespace,
    character: Character,
    played: "Performance",
    *,
    tau: float = 0.0,
    otherwise: "Loop | None" = None,
) -> None:
    """Start what a motion file says at the global time `tau`."""
    if played.document is None:
        return
    character.show = cast(Show, args.pose)
    run = played.running(args)
    try:
        character.perform(
            played.document,
            tau,
            rate=run["speed"],
            loop=run["loop"],
            otherwise=otherwise or run["otherwise"],
            trim=run["trim"],
        )
    except MotionError as error:
        raise played.located(error) from None


def look(args: argparse.Namespace, scene: Scene, aspect: float, tau: float = 0.0) -> None:
    """Point a new camera at all who are on stage, as the options say."""
    for actor in scene.actors:
        actor.character.update(tau)  # a still pose is framed as it stands
    scene.camera = OrbitCamera()
    aim(args, scene, aspect)


def display(args: argparse.Namespace, model: Model) -> Display:
    """Return what to show, from the options of a picture."""
    shown = Display(
        skeleton=args.skeleton,
        joint_names=args.joint_names,
        wireframe=args.wireframe,
        bounds=args.bounds,
        view_mode=args.view_mode,
        tone_mapping=args.tone_mapping,
        exposure=args.exposure,
    )
    shown.environment = surroundings(args)
    if shown.environment is not None:
        shown.environment_from = args.environment, args.environment_rotation or 0.0
    if args.grid is not None:
        shown.grid = args.grid
    if args.shadow is not None:
        shown.shadow = args.shadow
    if args.background is not None:
        shown.background = args.background
    if args.no_background:
        if args.background is not None:
            raise UsageError("--background and --no-background exclude each other")
        shown.background = (0.0, 0.0, 0.0, 0.0)
        shown.grid = bool(args.grid)
    try:
        if args.weights is not None:
            shown.weights_joint = find_joint(model, args.weights).index
    except UsageError as error:
        error.file = source_name(args)
        raise
    return shown


def variant(args: argparse.Namespace, model: Model) -> int:
    """Return the variant of the file that --variant names, -1: the file's own materials."""
    if args.variant is None:
        return -1
    try:
        return find_variant(model, args.variant)
    except UsageError as error:
        error.file = source_name(args)
        raise


def surroundings(args: argparse.Namespace) -> Environment | None:
    """Return the light from all around that --environment asks for, None: the studio's.

    Raises
    ------
    AppError
        Its file cannot be read.
    """
    if args.environment is None:
        if args.environment_rotation is not None:
            raise UsageError("--environment-rotation needs --environment")
        return None
    from ..scene.hdri import prepare, prepared, read  # what reads such files

    path, turn = Path(args.environment), args.environment_rotation or 0.0
    found = prepared(path, turn)
    if found is None:
        light = read(path)
        if not args.quiet:
            complain(f"{path}: being made ready, once; it is kept for the next time")
        found = prepare(path, light, turn)
    return found


def aim(args: argparse.Namespace, scene: Scene, aspect: float) -> None:
    """Frame what plays from the side that was asked for, then place the camera where told."""
    camera = scene.camera
    turned = [name for name in _TURNS if getattr(args, name) is not None]
    if args.camera_position is not None and turned:
        flag = turned[0].replace("_", "-")
        raise UsageError(f"--camera-position and --{flag} exclude each other")
    camera.ortho = args.ortho
    if args.camera_fov is not None:
        camera.fov = math.radians(args.camera_fov)
    if args.view is not None:
        camera.view_from(args.view)
    azimuth, elevation = args.camera_azimuth, args.camera_elevation
    if azimuth is not None:
        camera.azimuth = math.radians(azimuth)
    if elevation is not None:
        camera.elevation = 0.0
        camera.orbit(0.0, math.radians(elevation))  # stops short of the poles
    scene.frame(aspect)
    if args.camera_target is not None:
        camera.target = np.array(args.camera_target, np.float64)
    if args.camera_position is not None:
        camera.look_from(np.array(args.camera_position, np.float64))
