"""`rigview FILE...`: open the window."""

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ContextError, UsageError
from ..options.per_file import arguments_per_file
from ..tasks import crowd_setup
from ..tasks.input_file import choose_clip, source_path, tell_anims
from ..tasks.playback_setup import Performance, chosen, motion_file
from ..tasks.several_characters import arrange
from ..tasks.time_options import Loop

if TYPE_CHECKING:
    from ..motion.read import MotionFile
    from ..session.open_character import OpenCharacter
    from ..session.session import Session


Hold = Callable[[], None]
FOREVER: Loop = ("loop", math.inf)  # default loop mode in the window
ONE_MOMENT = "the window takes a single time"


def run(args: argparse.Namespace) -> int:
    """Open the window and run until it is closed; returns the exit code."""
    if not has_display():
        raise ContextError(
            "no display to open a window",
            hint="`rigview render FILE -o OUT.png` needs no display",
        )
    from ..window.viewer import view  # window packages: imported late

    crowd_setup.settle(args)
    each = arguments_per_file(args)
    motions = [motion_file(own) for own in each]

    def prepare(session: "Session") -> None:
        """Set up the scene from the options."""
        set_stage(args, session, motions)
        for own, open_character in zip(each, session.open_characters, strict=True):
            tell_anims(own, open_character.fitted)

    view(
        [source_path(own.file) for own in each],
        size=args.resolution,
        samples=args.samples,
        root=None if args.root is None else Path(args.root),
        anims=tuple(map(Path, args.anims or ())),
        frame_rate=args.frame_rate,
        motions=motions,
        read_motions=not args.no_motion,
        prepare=prepare,
    )
    return 0


def has_display() -> bool:
    """Return whether there is a display."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY"))


def set_stage(
    args: argparse.Namespace, session: "Session", motions: "Sequence[MotionFile | None]" = ()
) -> None:
    """Apply the options to the session; playback is paused at a requested time."""
    from ..tasks.build_scene import display, look, through

    scene, open_characters = session.scene, session.open_characters
    held: list[Hold] = []
    for k, (own, open_character) in enumerate(
        zip(arguments_per_file(args), open_characters, strict=True)
    ):
        held.append(_start(own, open_character, motions[k] if motions else None))
    arrange(args, scene)
    if len(open_characters) == 1:
        scene.crowd_layout = crowd_setup.gathering(args, open_characters[0].model)
    active = open_characters[args.number]
    session.activate(active)
    scene.display = display(args, active.model)
    scene.file_camera = -1 if args.camera is None else through(args, active.model)
    look(args, scene, session.aspect, session.tau)
    for hold in held:
        hold()
    session.interface.scroll_to_clip = True
    session.interface.mixer_panels.shown |= any(each.editor.shown for each in open_characters)


def _start(
    args: argparse.Namespace, open_character: "OpenCharacter", motion: "MotionFile | None"
) -> "Hold":
    """Start one character by the options; returns a function that pauses it at their time."""
    from ..tasks.build_scene import variant

    open_character.character.variant = variant(args, open_character.model)
    played = chosen(args, open_character.model, motion)
    if played.layered and played.document is not None:
        return _start_layers(args, open_character, played)
    return _start_clip(args, open_character, motion)


def _start_clip(
    args: argparse.Namespace, open_character: "OpenCharacter", motion: "MotionFile | None"
) -> "Hold":
    from ..motion.single_clip import single_clip
    from ..tasks.build_scene import start
    from ..tasks.time_options import running, timing, ways

    model, character, tau = open_character.model, open_character.character, open_character.tau
    clip = choose_clip(args, model, args.animation)
    one = model.clips[clip] if clip >= 0 else None
    said = None if motion is None else single_clip(model, motion.document, clip, trim=args.trim)
    forever = FOREVER if said is None else said.loop or FOREVER
    when = timing(args, one, forever, said)
    if len(when.taus) != 1:
        raise UsageError(ONE_MOMENT)
    start(args, character, clip, running(args, otherwise=forever), tau=tau, alone=said)
    if motion is not None:
        open_character.editor.set_document(motion.document, motion)

    def hold() -> None:
        if one is None or not ways(args):
            return
        playback, then = character.playback, when.playback(one, said)
        if said is None or args.phase is not None:
            playback.seek(then.time(when.taus[0]), tau)
        else:
            playback.enter(then.x(when.taus[0]), tau)  # with accumulated root motion
        playback.pause(tau)

    return hold


def _start_layers(
    args: argparse.Namespace, open_character: "OpenCharacter", played: Performance
) -> "Hold":
    from ..tasks.build_scene import begin
    from ..tasks.time_options import motion_taus, ways

    taus = motion_taus(args, played.mixer(args).length)
    if len(taus) != 1:
        raise UsageError(ONE_MOMENT)
    begin(args, open_character.character, played, tau=open_character.tau)

    def hold() -> None:
        assert played.document is not None
        open_character.begin(played.document, played.file, taus[0] if ways(args) else None)

    return hold
