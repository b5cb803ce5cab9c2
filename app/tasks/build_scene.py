"""Build the scene of a command: bind its record, start what plays, and place the camera."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..animation.playback import Loop
from ..console import print_message
from ..errors import UsageError
from ..model.model import Model
from ..options.command_options import Options
from ..scene.camera import OrbitCamera
from ..scene.character import Character
from ..scene.loaded import Loaded, LoadedEnvironment
from ..scene.scene import Scene
from ..scene.selected import PART, VERTEX
from ..scenedoc.camera import Camera
from .crowd_setup import new_crowd
from .time_options import given_times

if TYPE_CHECKING:
    from .playback_setup import PlaybackSetup


def playing_scene(
    options: Options,
    setups: "Sequence[PlaybackSetup]",
    aspect: float,
    *,
    loop: Loop | None = None,
    other_loop: Loop | None = None,
    shown: float = 0.0,
) -> Scene:
    """Return a scene in which all characters play, with the camera of the options.

    Parameters
    ----------
    setups
        What each character plays, in the order of the record.
    loop, other_loop
        Default loop mode of the active character, and of the others.
    shown
        Global time of the pose that ``--fit pose`` frames, seconds.
    """
    scene = bound_scene(options, [setup.model for setup in setups])
    start_playback(options, scene, setups, aspect, loop=loop, other_loop=other_loop, shown=shown)
    return scene


def bound_scene(options: Options, models: Sequence[Model]) -> Scene:
    """Return a scene that shows models by the record of the options; nothing plays yet.

    Raises
    ------
    UsageError
        Options exclude each other, or a model lacks something that they name.
    AppError
        The environment map cannot be read.
    """
    scene = Scene()
    bind(options, scene, models)
    return scene


def bind(options: Options, scene: Scene, models: Sequence[Model]) -> None:
    """Show models in a scene by the record of the options; errors as of `bound_scene`."""
    _check_look(options)
    scene.bind(options.scene, Loaded(tuple(models), loaded_environment(options)))


def _check_look(options: Options) -> None:
    """Check that the options of overlays, environment and background fit (UsageError)."""
    given, look, chosen = options.given, options.scene.look, options.scene.selected
    background, lit = look.background, look.lighting.environment is not None
    if look.overlays.joint_path and (chosen is None or chosen.startswith((PART, VERTEX))):
        raise UsageError("--joint-path needs --select JOINT")
    if not lit and "environment-rotation" in given:
        raise UsageError("--environment-rotation needs --environment")
    if not lit and background.environment:
        raise UsageError("--environment-background needs --environment")
    if "environment-blur" in given and not background.environment:
        raise UsageError("--environment-blur needs --environment-background")
    camera = options.scene.camera
    for name in camera.placement if camera.name is not None else ():
        raise UsageError(f"--camera and --{name} exclude each other")
    if background.colours is not None:
        other = "environment-background" if background.environment else "no-background"
        if background.environment or background.transparent:
            raise UsageError(f"--background and --{other} exclude each other")


def start_playback(
    options: Options,
    scene: Scene,
    setups: "Sequence[PlaybackSetup]",
    aspect: float,
    *,
    loop: Loop | None = None,
    other_loop: Loop | None = None,
    shown: float = 0.0,
) -> None:
    """Start what plays at the global time 0, and place the camera; parameters as above."""
    if scene.character is None:
        return
    scene.crowd_layout = new_crowd(options, scene.character.model)
    for own, instance, setup in zip(options.per_file, scene.instances, setups, strict=True):
        instance.given_facing = setup.facing
        active = instance is scene.instances.active
        character, default = instance.character, loop if active else other_loop
        start_character(own, character, setup, default_loop=default, exact=True)
        if options.scene.look.overlays.joint_path and character.mixer.clip >= 0:
            from ..checks.foot_contacts import clip_contacts  # imported late: rules

            mixer = character.mixer
            character.foot_contacts = clip_contacts(character.model, mixer.clip, mixer.own_loop)
        if setup.still_time is not None and not active:
            character.playback.enter(character.playback.x(setup.still_time), 0.0)
            character.playback.pause(0.0)
    if scene.instances.versions is not None:
        from .version_errors import prepare

        prepare(scene.instances.versions)
    frame_scene(options, scene, aspect, shown if options.scene.camera.fit == "pose" else 0.0)


def start_character(
    options: Options,
    character: Character,
    setup: "PlaybackSetup",
    *,
    tau: float = 0.0,
    default_loop: Loop | None = None,
    exact: bool = False,
) -> None:
    """Start what a character plays at the global time `tau`; parameters as of `setup.mixer`."""
    character.show = options.shown.pose
    character.set_morphs(setup.morphs)
    character.clip, character.trim = setup.clip, options.shown.trim
    mixer = setup.mixer(options, default_loop=default_loop, exact=exact)
    character.play(mixer, tau - options.shown.offset)


def pause_at_given_time(
    options: Options,
    character: Character,
    setup: "PlaybackSetup",
    tau: float,
    default_loop: Loop | None = None,
) -> None:
    """Pause a started character where the command of the options shows it, if they have a time."""
    if character.mixer.still or not given_times(options):
        return
    playback, (time,) = character.playback, setup.taus(options)
    time += options.shown.offset
    if setup.layered:
        playback.seek(time, tau)
    else:
        then = setup.mixer(options, default_loop=default_loop, exact=False).playback
        if character.mixer.from_motion and options.times.phase is None:
            playback.enter(then.x(time), tau)  # with accumulated root motion
        else:
            playback.seek(then.time(time), tau)
    playback.pause(tau)


def frame_scene(options: Options, scene: Scene, aspect: float, tau: float = 0.0) -> None:
    """Give the scene a new camera that frames all its instances, by the options."""
    for instance in scene.instances:
        instance.character.update(tau)  # frame the current pose
    scene.camera.orbit = OrbitCamera()
    versions = scene.instances.versions
    halved = versions is not None and versions.mode == "side-by-side"
    place_camera(options.scene.camera, scene, aspect / 2.0 if halved else aspect)


def loaded_environment(options: Options) -> LoadedEnvironment | None:
    """Return the environment map of --environment, None for the studio.

    Raises
    ------
    AppError
        The file cannot be read.
    """
    if options.scene.look.lighting.environment is None:
        return None
    from ..scene.hdri import background, load_cached, prefilter_and_cache, read  # image readers

    path, turn = Path(options.scene.look.lighting.environment), options.scene.look.lighting.rotation
    environment = load_cached(path, turn)
    if environment is None:
        light = read(path)
        if not options.general.quiet:
            print_message(f"{path}: prefiltering the environment map")
        environment, error = prefilter_and_cache(path, light, turn)
        if error is not None and not options.general.quiet:
            print_message(f"{path}: the result cannot be cached: {error}")
    loaded = LoadedEnvironment(options.scene.look.lighting.environment, turn, environment)
    shown = options.scene.look.background
    if not shown.environment or shown.transparent:
        return loaded
    return replace(loaded, map=background(path, shown.blur), blur=shown.blur)


def place_camera(options: Camera, scene: Scene, aspect: float) -> None:
    """Frame the scene from the view of the options, then apply camera target and position."""
    camera = scene.camera.orbit
    if options.position is not None:
        for name in options.angles:
            raise UsageError(f"--camera-position and --{name} exclude each other")
        if options.position == options.target:
            raise UsageError("--camera-position and --camera-target must differ")
    camera.ortho = options.ortho
    if options.fov is not None:
        camera.fov = math.radians(options.fov)
    if options.view is None:
        scene.view_by_default()
    else:
        scene.camera.view_from(options.view)
    if options.azimuth is not None:
        camera.azimuth = math.radians(options.azimuth) + scene.camera.front
    if options.elevation is not None:
        camera.elevation = 0.0
        camera.orbit(0.0, math.radians(options.elevation))  # clamped before the poles
    scene.frame(aspect, fit=options.fit)
    camera.place(options)
