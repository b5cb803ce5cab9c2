"""Build a scene from the options of a command: character, camera and look."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..animation.playback import Loop
from ..console import print_message
from ..errors import UsageError
from ..model.joint_branches import find_branches
from ..model.lookup import find_camera, find_joint, find_variant
from ..model.mesh_parts import find_parts
from ..model.model import Model
from ..options.command_options import Options
from ..options.picture_options import CameraOptions
from ..scene.camera import OrbitCamera
from ..scene.character import Character
from ..scene.loaded_environment import LoadedEnvironment
from ..scene.scene import Scene
from ..scene.selected import PART, VERTEX, Selected, find_selected
from .crowd_setup import new_crowd
from .input_file import source_name

if TYPE_CHECKING:
    from .playback_setup import PlaybackSetup

CROWD_ELEVATION = 30.0  # of the default view of a crowd, degrees: its rows do not hide each other


def new_scene(options: Options, model: Model) -> Scene:
    """Return a scene with the character and its look; nothing plays yet."""
    _check_path(options)
    scene = Scene()
    character = scene.show(model)
    show_look(options, scene)
    character.variant = chosen_variant(options, model)
    hide_parts(options, character)
    scene.camera.file_camera = file_camera(options, model)
    return scene


def _check_path(options: Options) -> None:
    """Check that --joint-path has a joint (UsageError)."""
    chosen = options.picture.select
    if options.overlays.joint_path and (chosen is None or chosen.startswith((PART, VERTEX))):
        raise UsageError("--joint-path needs --select JOINT")


def file_camera(options: Options, model: Model) -> int:
    """Return the index of the file camera that --camera names, -1 without.

    Raises
    ------
    UsageError
        The camera does not exist, or another option places the camera too.
    """
    camera = options.camera
    if camera.name is None:
        return -1
    for name in camera.placement:
        raise UsageError(f"--camera and --{name} exclude each other")
    try:
        return find_camera(model, camera.name)
    except UsageError as error:
        error.file = source_name(options)
        raise


def playing_scene(
    options: Options,
    setup: "PlaybackSetup",
    aspect: float,
    *,
    join: Callable[[Scene], None] | None = None,
    shown: float = 0.0,
) -> Scene:
    """Return a scene that plays, with the camera of the options.

    Parameters
    ----------
    join
        Adds other characters before the camera is placed.
    shown
        Global time of the pose that ``--fit pose`` frames, seconds.
    """
    scene = new_scene(options, setup.model)
    if join is not None:
        join(scene)
    start_playback(options, scene, setup, aspect, shown=shown)
    return scene


def start_playback(
    options: Options,
    scene: Scene,
    setup: "PlaybackSetup",
    aspect: float,
    *,
    default_loop: Loop | None = None,
    shown: float = 0.0,
) -> None:
    """Start what plays at the global time 0, and place the camera; `shown` as above."""
    if scene.character is None:
        return
    scene.crowd_layout = new_crowd(options, scene.character.model)
    if scene.instances.active is not None:
        scene.instances.active.given_facing = setup.facing
    start_character(options, scene.character, setup, default_loop=default_loop)
    scene.camera.follow = options.camera.is_framed
    frame_scene(options, scene, aspect, shown if options.camera.fit == "pose" else 0.0)


def start_character(
    options: Options,
    character: Character,
    setup: "PlaybackSetup",
    *,
    tau: float = 0.0,
    default_loop: Loop | None = None,
) -> None:
    """Start what a character plays at the global time `tau`."""
    character.show = options.playback.pose
    character.set_morphs(setup.morphs)
    character.clip, character.trim = setup.clip, options.playback.trim
    character.play(setup.mixer(options, default_loop=default_loop), tau)
    if options.overlays.joint_path and character.mixer.clip >= 0:
        from ..check.clip_contacts import clip_contacts  # imported late: rules

        mixer = character.mixer
        character.foot_contacts = clip_contacts(character.model, mixer.clip, mixer.own_loop)


def frame_scene(options: Options, scene: Scene, aspect: float, tau: float = 0.0) -> None:
    """Give the scene a new camera that frames all its instances, by the options."""
    for instance in scene.instances:
        instance.character.update(tau)  # frame the current pose
    scene.camera.orbit = OrbitCamera()
    versions = scene.instances.versions
    halved = versions is not None and versions.mode == "side-by-side"
    place_camera(options.camera, scene, aspect / 2.0 if halved else aspect)


def show_look(options: Options, scene: Scene) -> None:
    """Give a scene the look of the options, its environment map and what --select names.

    Raises
    ------
    UsageError
        Options exclude each other, or the active model lacks the joint of --weights.
    AppError
        The environment map cannot be read.
    """
    _check_look(options)
    scene.look, scene.frame_rate = options.look, options.playback.frame_rate
    scene.environment = loaded_environment(options)
    character = scene.character
    if character is not None:
        scene.selected = _selected(options, character.model)
        if options.shading.weights is not None:
            _check_joint(options, character.model, options.shading.weights)


def _check_look(options: Options) -> None:
    """Check that the options of environment and background fit together (UsageError)."""
    given, background = options.given, options.background
    if options.lighting.environment is None and "environment-rotation" in given:
        raise UsageError("--environment-rotation needs --environment")
    if options.lighting.environment is None and background.environment:
        raise UsageError("--environment-background needs --environment")
    if "environment-blur" in given and not background.environment:
        raise UsageError("--environment-blur needs --environment-background")
    if background.colours is not None:
        other = "environment-background" if background.environment else "no-background"
        if background.environment or background.transparent:
            raise UsageError(f"--background and --{other} exclude each other")


def _check_joint(options: Options, model: Model, joint: str) -> None:
    """Check that a model has the joint of --weights (UsageError)."""
    try:
        find_joint(model, joint)
    except UsageError as error:
        error.file = source_name(options)
        raise


def _selected(options: Options, model: Model) -> Selected | None:
    """Return what --select names, None without."""
    if options.picture.select is None:
        return None
    try:
        return find_selected(model, options.picture.select)
    except UsageError as error:
        error.file = source_name(options)
        raise


def chosen_variant(options: Options, model: Model) -> int:
    """Return the index of the variant that --variant names, -1: the file's own materials."""
    if options.picture.variant is None:
        return -1
    try:
        return find_variant(model, options.picture.variant)
    except UsageError as error:
        error.file = source_name(options)
        raise


def hide_parts(options: Options, character: Character) -> None:
    """Hide the parts of meshes that --hide-mesh names, and the branches of --hide-joints."""
    picture, model = options.picture, character.model
    try:
        if picture.hide_mesh is not None:
            character.hidden_parts = find_parts(model, picture.hide_mesh)
        if picture.hide_joints is not None:
            character.hidden_joints = find_branches(model, picture.hide_joints)
    except UsageError as error:
        error.file = source_name(options)
        raise


def loaded_environment(options: Options) -> LoadedEnvironment | None:
    """Return the environment map of --environment, None for the studio.

    Raises
    ------
    AppError
        The file cannot be read.
    """
    if options.lighting.environment is None:
        return None
    from ..scene.hdri import background, load_cached, prefilter_and_cache, read  # image readers

    path, turn = Path(options.lighting.environment), options.lighting.rotation
    environment = load_cached(path, turn)
    if environment is None:
        light = read(path)
        if not options.general.quiet:
            print_message(f"{path}: prefiltering the environment map")
        environment, error = prefilter_and_cache(path, light, turn)
        if error is not None and not options.general.quiet:
            print_message(f"{path}: the result cannot be cached: {error}")
    loaded = LoadedEnvironment(options.lighting.environment, turn, environment)
    shown = options.background
    if not shown.environment or shown.transparent:
        return loaded
    return replace(loaded, map=background(path, shown.blur), blur=shown.blur)


def place_camera(options: CameraOptions, scene: Scene, aspect: float) -> None:
    """Frame the scene from the view of the options, then apply camera target and position."""
    camera = scene.camera.orbit
    if options.position is not None:
        for name in options.angles:
            raise UsageError(f"--camera-position and --{name} exclude each other")
    camera.ortho = options.ortho
    if options.fov is not None:
        camera.fov = math.radians(options.fov)
    scene.camera.view_from(options.view)
    if scene.crowd_layout is not None and options.view is None:
        camera.elevation = math.radians(CROWD_ELEVATION)
    if options.azimuth is not None:
        camera.azimuth = math.radians(options.azimuth) + scene.camera.front
    if options.elevation is not None:
        camera.elevation = 0.0
        camera.orbit(0.0, math.radians(options.elevation))  # clamped before the poles
    scene.frame(aspect, fit=options.fit)
    if options.target is not None:
        camera.target = np.array(options.target, np.float64)
    if options.position is not None:
        camera.move_to(np.array(options.position, np.float64))
