"""`rigview FILE`: the window."""

import argparse
import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli import crowd
from app.cli.moments import Loop
from app.cli.performance import Performance, chosen, motion_file
from app.cli.source import choose_clip, source_path, tell_anims
from app.errors import ContextError, UsageError

if TYPE_CHECKING:
    from app.model import Model
    from app.motion.read import MotionFile
    from app.session import Session


FOREVER: Loop = ("loop", math.inf)  # how clips repeat in the window
ONE_MOMENT = "the window opens at one moment"


def run(args: argparse.Namespace) -> int:
    """Open the window and stay until it is closed; returns the exit code."""
    if not has_display():
        raise ContextError(
            "there is no display to open a window on",
            hint="`rigview render FILE -o OUT.png` draws without one",
        )
    from app.viewer import view  # the window's packages: not before one is opened

    crowd.settle(args)
    motion = motion_file(args)

    def prepare(session: "Session") -> None:
        """Put on stage what the options ask for."""
        set_stage(args, session, motion)
        tell_anims(args, session.fitted)

    view(
        source_path(args.file),
        size=args.resolution,
        samples=args.samples,
        root=None if args.root is None else Path(args.root),
        anims=tuple(map(Path, args.anims or ())),
        frame_rate=args.frame_rate,
        motion=motion,
        beside=not args.no_motion,
        prepare=prepare,
    )
    return 0


def has_display() -> bool:
    """Tell whether a window could be opened here."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY"))


def set_stage(
    args: argparse.Namespace, session: "Session", motion: "MotionFile | None" = None
) -> None:
    """Play, show and look as the options say; a moment that was asked for stands still."""
    from app.cli.stage import display, through

    model = session.model
    if model is None or session.character is None:
        return
    played = chosen(args, model, motion)
    session.scene.display = display(args, model)
    session.scene.through = -1 if args.camera is None else through(args, model)
    if played.layered and played.document is not None:
        _play_layers(args, session, played)
        return
    _play_clip(args, session, model, motion)
    if motion is not None:
        session.editor.take(motion.document, motion)


def _play_clip(
    args: argparse.Namespace, session: "Session", model: "Model", motion: "MotionFile | None"
) -> None:
    from app.cli.moments import running, timing, ways
    from app.cli.stage import play
    from app.motion.alone import alone

    clip = choose_clip(args, model, args.animation)
    one = model.clips[clip] if clip >= 0 else None
    said = None if motion is None else alone(model, motion.document, clip, trim=args.trim)
    forever = FOREVER if said is None else said.loop or FOREVER
    when = timing(args, one, forever, said)
    if len(when.taus) != 1:
        raise UsageError(ONE_MOMENT)
    run = running(args, otherwise=forever)
    play(args, session.scene, clip, run, session.aspect, tau=session.tau, alone=said)
    session.interface.scroll_to_clip = True
    if one is not None and session.character is not None and ways(args):
        playback, then = session.character.playback, when.playback(one, said)
        if said is None or args.phase is not None:
            playback.seek(then.time(when.taus[0]), session.tau)
        else:
            playback.enter(then.x(when.taus[0]), session.tau)  # as far as it has travelled
        playback.pause(session.tau)


def _play_layers(args: argparse.Namespace, session: "Session", played: Performance) -> None:
    from app.cli.moments import motion_taus, ways
    from app.cli.stage import perform

    taus = motion_taus(args, played.mixer(args).length)
    if len(taus) != 1:
        raise UsageError(ONE_MOMENT)
    perform(args, session.scene, played, session.aspect, tau=session.tau)
    assert played.document is not None
    session.begin(played.document, played.file, taus[0] if ways(args) else None)
