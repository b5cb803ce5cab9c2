"""Build a scene from the options of a command: character, camera and display."""

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from ..console import print_message
from ..errors import MotionError, UsageError
from ..model.lookup import find_camera, find_joint, find_variant
from ..model.model import Model
from ..scene.camera import OrbitCamera
from ..scene.character import Character, Show
from ..scene.environment import Environment
from ..scene.scene import Display, Scene
from .crowd_setup import new_crowd
from .input_file import source_name
from .time_options import Timing

if TYPE_CHECKING:
    from ..motion.bind_sources import Loop
    from ..motion.single_clip import SingleClip
    from .playback_setup import PlaybackSetup

_CAMERA_OPTIONS = (  # options that --camera excludes
    "view",
    "camera_azimuth",
    "camera_elevation",
    "camera_position",
    "camera_target",
    "camera_fov",
    "ortho",
)
_ANGLE_OPTIONS = (
    "view",
    "camera_azimuth",
    "camera_elevation",
)  # options that --camera-position excludes


def new_scene(args: argparse.Namespace, model: Model) -> Scene:
    """Return a scene with the character and its display options; nothing plays yet."""
    scene = Scene(display=display_settings(args, model))
    scene.show(model).variant = chosen_variant(args, model)
    if args.camera is not None:
        scene.file_camera = file_camera(args, model)
    return scene


def file_camera(args: argparse.Namespace, model: Model) -> int:
    """Return the index of the file camera that --camera names.

    Raises
    ------
    UsageError
        The camera does not exist, or another option places the camera too.
    """
    placed = [name for name in _CAMERA_OPTIONS if getattr(args, name) not in (None, False)]
    if placed:
        flag = placed[0].replace("_", "-")
        raise UsageError(f"--camera and --{flag} exclude each other")
    try:
        return find_camera(model, args.camera)
    except UsageError as error:
        error.file = source_name(args)
        raise


def playing_scene(
    args: argparse.Namespace,
    setup: "PlaybackSetup",
    run: Timing,
    aspect: float,
    *,
    join: Callable[[Scene], None] | None = None,
) -> Scene:
    """Return a scene that plays a clip with `run`, or a motion, with the camera of the options.

    `join` adds other characters before the camera is placed.
    """
    scene = new_scene(args, setup.model)
    if join is not None:
        join(scene)
    if setup.document is None:
        play_clip(args, scene, setup.clip, run, aspect)
    else:
        play_motion(args, scene, setup, aspect)
    return scene


def play_clip(
    args: argparse.Namespace,
    scene: Scene,
    clip: int,
    run: Timing,
    aspect: float,
) -> None:
    """Start a clip (-1: none) at the global time 0, and place the camera."""
    if scene.character is None:
        return
    scene.crowd_layout = new_crowd(args, scene.character.model)
    start_clip(args, scene.character, clip, run)
    frame_scene(args, scene, aspect)


def start_clip(
    args: argparse.Namespace,
    character: Character,
    clip: int,
    run: Timing,
    *,
    tau: float = 0.0,
    clip_settings: "SingleClip | None" = None,
) -> None:
    """Start a clip (-1: none) at the global time `tau`; `clip_settings`: from the motion file."""
    character.show = cast(Show, args.pose)
    character.play(
        clip,
        tau,
        passes=run.passes,
        mode=run.mode,
        rate=run.rate,
        trim=run.trim,
        clip_settings=clip_settings,
    )


def play_motion(
    args: argparse.Namespace, scene: Scene, setup: "PlaybackSetup", aspect: float
) -> None:
    """Start a motion at the global time 0, and place the camera."""
    if scene.character is None or setup.document is None:
        return
    start_motion(args, scene.character, setup)
    scene.follow = args.camera_position is None and args.camera_target is None
    frame_scene(args, scene, aspect)


def start_motion(
    args: argparse.Namespace,
    character: Character,
    setup: "PlaybackSetup",
    *,
    tau: float = 0.0,
    default_loop: "Loop | None" = None,
) -> None:
    """Start a motion at the global time `tau`."""
    if setup.document is None:
        return
    character.show = cast(Show, args.pose)
    run = setup.clip_options(args)
    try:
        character.play_motion(
            setup.document,
            tau,
            rate=run["speed"],
            loop=run["loop"],
            default_loop=default_loop or run["default_loop"],
            trim=run["trim"],
        )
    except MotionError as error:
        raise setup.with_location(error) from None


def frame_scene(args: argparse.Namespace, scene: Scene, aspect: float, tau: float = 0.0) -> None:
    """Give the scene a new camera that frames all its instances, by the options."""
    for instance in scene.instances:
        instance.character.update(tau)  # frame the current pose
    scene.camera = OrbitCamera()
    place_camera(args, scene, aspect)


def display_settings(args: argparse.Namespace, model: Model) -> Display:
    """Return the display settings from the options."""
    shown = Display(
        skeleton=args.skeleton,
        joint_names=args.joint_names,
        wireframe=args.wireframe,
        bounds=args.bounds,
        view_mode=args.view_mode,
        tone_mapping=args.tone_mapping,
        exposure=args.exposure,
    )
    shown.environment = chosen_environment(args)
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


def chosen_variant(args: argparse.Namespace, model: Model) -> int:
    """Return the index of the variant that --variant names, -1: the file's own materials."""
    if args.variant is None:
        return -1
    try:
        return find_variant(model, args.variant)
    except UsageError as error:
        error.file = source_name(args)
        raise


def chosen_environment(args: argparse.Namespace) -> Environment | None:
    """Return the environment map of --environment, None for the studio.

    Raises
    ------
    AppError
        The file cannot be read.
    """
    if args.environment is None:
        if args.environment_rotation is not None:
            raise UsageError("--environment-rotation needs --environment")
        return None
    from ..scene.hdri import load_cached, prefilter_and_cache, read  # imported late: image readers

    path, turn = Path(args.environment), args.environment_rotation or 0.0
    found = load_cached(path, turn)
    if found is None:
        light = read(path)
        if not args.quiet:
            print_message(f"{path}: prefiltering the environment map; the result is cached")
        found = prefilter_and_cache(path, light, turn)
    return found


def place_camera(args: argparse.Namespace, scene: Scene, aspect: float) -> None:
    """Frame the scene from the view of the options, then apply camera target and position."""
    camera = scene.camera
    turned = [name for name in _ANGLE_OPTIONS if getattr(args, name) is not None]
    if args.camera_position is not None and turned:
        flag = turned[0].replace("_", "-")
        raise UsageError(f"--camera-position and --{flag} exclude each other")
    camera.ortho = args.ortho
    if args.camera_fov is not None:
        camera.fov = math.radians(args.camera_fov)
    if args.view is not None:
        camera.use_preset(args.view)
    azimuth, elevation = args.camera_azimuth, args.camera_elevation
    if azimuth is not None:
        camera.azimuth = math.radians(azimuth)
    if elevation is not None:
        camera.elevation = 0.0
        camera.orbit(0.0, math.radians(elevation))  # clamped before the poles
    scene.frame(aspect)
    if args.camera_target is not None:
        camera.target = np.array(args.camera_target, np.float64)
    if args.camera_position is not None:
        camera.move_to(np.array(args.camera_position, np.float64))
