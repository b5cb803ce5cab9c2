"""`rigview FILE...`: open the window."""

import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..animation.playback import Loop
from ..console import print_message
from ..errors import ContextError, UsageError
from ..options.command_options import Options, TimeOptions
from ..tasks import crowd_setup
from ..tasks.input_file import print_anims_report
from ..tasks.playback_setup import choose_playback, load_playback, motion_file
from ..tasks.time_options import at_times
from . import message_box
from .crash_report import crashes_reported, new_reports

if TYPE_CHECKING:
    from ..motion.read import MotionFile
    from ..session.opened_character import OpenedCharacter
    from ..session.session import Session


Pause = Callable[[], None]
CONTINUOUS: Loop = ("loop", math.inf)  # default loop mode in the window


def run(options: Options) -> int:
    """Open the window and run until it is closed; returns the exit code.

    If no window can be opened, what is wrong with the files or the options is reported first.
    A folder in place of a file is shown as a wall, over the bundled character.
    """
    folder = None
    if len(options.files) == 1 and os.path.isdir(options.files[0]):
        folder = Path(options.files[0])
        options = replace(options, files=()).with_shown(file=None)
    if options.window.reuse_window and options.files:
        from ..window.one_window import hand_over

        if hand_over(options.files):
            return 0
    options = crowd_setup.crowd_options(options)
    try:
        with crashes_reported():
            _open(options, folder)
    except ContextError as error:
        for own in options.per_file:
            load_playback(own)
        message_box.show(
            f"Rigview needs a graphics driver with OpenGL 3.3 and cannot open its window here: "
            f"{error.message}."
        )
        raise
    return 0


def _open(options: Options, folder: Path | None) -> None:
    if not has_display():
        raise ContextError(
            "no display to open a window",
            hint="`rigview render FILE -o OUT.png` needs no display",
        )
    from ..window.view_files import view  # window packages: imported late
    from .main import run_beside_window

    def motions() -> "list[MotionFile | None]":
        return [motion_file(own) for own in options.per_file]

    def prepare(session: "Session", motions: "Sequence[MotionFile | None]") -> None:
        """Set up the scene from the options."""
        set_up_scene(options, session, motions)
        for own, opened_character in zip(options.per_file, session.open_characters, strict=True):
            print_anims_report(own, opened_character.imports)
        if reports := new_reports():
            message = f"Rigview crashed when it ran last; what happened is in {reports[-1]}"
            print_message(message)
            session.notify(message)

    view(options, motions, prepare, run_beside_window, folder)


def has_display() -> bool:
    """Return whether there is a display."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY"))


def set_up_scene(
    options: Options, session: "Session", motions: "Sequence[MotionFile | None]" = ()
) -> None:
    """Apply the options to the session; playback is paused at a requested time."""
    from ..scene.loaded import Loaded
    from ..scene.resolve import resolve
    from ..tasks.build_scene import bind, frame_scene

    scene, open_characters = session.scene, session.open_characters
    pauses: list[Pause] = []
    for k, (own, opened_character) in enumerate(
        zip(options.per_file, open_characters, strict=True)
    ):
        pauses.append(_start(own, opened_character, motions[k] if motions else None))
    active = open_characters[options.scene.active - 1]
    session.activate(active)
    bind(options, scene, [each.model for each in open_characters])
    if len(open_characters) == 1:
        scene.crowd_layout = crowd_setup.new_crowd(options, open_characters[0].model)
    if scene.selected is not None:
        session.selections.select(active, scene.selected)
    frame_scene(options, scene, session.aspect, session.tau)
    models = tuple(each.model for each in open_characters)
    scene.bind(resolve(options.scene, scene), Loaded(models, scene.environment))
    for pause in pauses:
        pause()
    session.interface.scroll_to_clip = True
    if not session.interface.start.shown:
        session.interface.mixer_panels.shown |= any(
            opened_character.editor.shown for opened_character in open_characters
        )


def _start(
    options: Options, opened_character: "OpenedCharacter", motion: "MotionFile | None"
) -> "Pause":
    """Start one character by the options; returns a function that pauses it at their time."""
    from ..tasks.build_scene import pause_at_given_time, start_character

    model, character = opened_character.model, opened_character.character
    tau = opened_character.session.tau
    setup = choose_playback(options, model, motion)
    if len(setup.taus(options)) != 1:
        raise UsageError("the window takes a single time")
    running = at_times(options, TimeOptions())
    start_character(running, character, setup, tau=tau, default_loop=CONTINUOUS)
    if setup.layered and setup.document is not None:
        given = {each.name: each.value for each in options.shown.motion.parameters}
        opened_character.begin(setup.document, setup.file, given)
    elif motion is not None:
        opened_character.editor.set_document(motion.document, motion)
    return partial(pause_at_given_time, options, character, setup, tau, CONTINUOUS)
