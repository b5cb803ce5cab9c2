"""`rigview FILE...`: open the window."""

import math
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..errors import ContextError, UsageError
from ..options.command_options import Options
from ..tasks import crowd_setup
from ..tasks.input_file import choose_clip, print_anims_report
from ..tasks.playback_setup import PlaybackSetup, choose_playback, motion_file
from ..tasks.several_characters import hide_and_scale
from ..tasks.time_options import Loop

if TYPE_CHECKING:
    from ..motion.read import MotionFile
    from ..session.open_character import OpenCharacter
    from ..session.session import Session


Pause = Callable[[], None]
CONTINUOUS: Loop = ("loop", math.inf)  # default loop mode in the window
SINGLE_TIME = "the window takes a single time"


def run(options: Options) -> int:
    """Open the window and run until it is closed; returns the exit code."""
    if not has_display():
        raise ContextError(
            "no display to open a window",
            hint="`rigview render FILE -o OUT.png` needs no display",
        )
    from ..window.viewer import view  # window packages: imported late

    options = crowd_setup.crowd_options(options)
    motions = [motion_file(each) for each in options.per_file]

    def prepare(session: "Session") -> None:
        """Set up the scene from the options."""
        set_up_scene(options, session, motions)
        for each, open_character in zip(options.per_file, session.open_characters, strict=True):
            print_anims_report(each, open_character.imports)

    view(options, motions, prepare)
    return 0


def has_display() -> bool:
    """Return whether there is a display."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY"))


def set_up_scene(
    options: Options, session: "Session", motions: "Sequence[MotionFile | None]" = ()
) -> None:
    """Apply the options to the session; playback is paused at a requested time."""
    from ..tasks.build_scene import display_settings, file_camera, frame_scene

    scene, open_characters = session.scene, session.open_characters
    pauses: list[Pause] = []
    for k, (own, open_character) in enumerate(zip(options.per_file, open_characters, strict=True)):
        pauses.append(_start(own, open_character, motions[k] if motions else None))
    hide_and_scale(options, scene)
    if len(open_characters) == 1:
        scene.crowd_layout = crowd_setup.new_crowd(options, open_characters[0].model)
    active = open_characters[options.side_by_side.active - 1]
    session.activate(active)
    scene.display = display_settings(options, active.model)
    scene.file_camera = file_camera(options, active.model)
    frame_scene(options, scene, session.aspect, session.tau)
    for pause in pauses:
        pause()
    session.interface.scroll_to_clip = True
    session.interface.mixer_panels.shown |= any(each.editor.shown for each in open_characters)


def _start(
    options: Options, open_character: "OpenCharacter", motion: "MotionFile | None"
) -> "Pause":
    """Start one character by the options; returns a function that pauses it at their time."""
    from ..tasks.build_scene import chosen_variant

    open_character.character.variant = chosen_variant(options, open_character.model)
    setup = choose_playback(options, open_character.model, motion)
    if setup.layered and setup.document is not None:
        return _start_layers(options, open_character, setup)
    return _start_clip(options, open_character, motion)


def _start_clip(
    options: Options, open_character: "OpenCharacter", motion: "MotionFile | None"
) -> "Pause":
    from ..motion.single_clip import single_clip
    from ..tasks.build_scene import start_clip
    from ..tasks.time_options import given_times, playback_timing, timing

    model, character, tau = open_character.model, open_character.character, open_character.tau
    clip = choose_clip(options, model, options.clips.animation)
    one = model.clips[clip] if clip >= 0 else None
    settings = (
        None
        if motion is None
        else single_clip(model, motion.document, clip, trim=options.playback.trim)
    )
    default_loop = CONTINUOUS if settings is None else settings.loop or CONTINUOUS
    when = timing(options, one, default_loop, settings)
    if len(when.taus) != 1:
        raise UsageError(SINGLE_TIME)
    start_clip(
        options,
        character,
        clip,
        playback_timing(options, default_loop=default_loop),
        tau=tau,
        clip_settings=settings,
    )
    if motion is not None:
        open_character.editor.set_document(motion.document, motion)

    def pause() -> None:
        if one is None or not given_times(options):
            return
        playback, then = character.playback, when.playback(one, settings)
        if settings is None or options.times.phase is not None:
            playback.seek(then.time(when.taus[0]), tau)
        else:
            playback.enter(then.x(when.taus[0]), tau)  # with accumulated root motion
        playback.pause(tau)

    return pause


def _start_layers(
    options: Options, open_character: "OpenCharacter", setup: PlaybackSetup
) -> "Pause":
    from ..tasks.build_scene import start_motion
    from ..tasks.time_options import given_times, motion_taus

    taus = motion_taus(options, setup.mixer(options).length)
    if len(taus) != 1:
        raise UsageError(SINGLE_TIME)
    start_motion(options, open_character.character, setup, tau=open_character.tau)

    def pause() -> None:
        assert setup.document is not None
        open_character.begin(setup.document, setup.file, taus[0] if given_times(options) else None)

    return pause
