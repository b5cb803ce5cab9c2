"""`rigview FILE`: the window."""

import argparse
import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.moments import Loop
from app.cli.source import choose_clip, source_path, tell_anims
from app.errors import ContextError, UsageError

if TYPE_CHECKING:
    from app.session import Session


FOREVER: Loop = ("loop", math.inf)  # how clips repeat in the window


def run(args: argparse.Namespace) -> int:
    """Open the window and stay until it is closed; returns the exit code."""
    if not has_display():
        raise ContextError(
            "there is no display to open a window on",
            hint="`rigview render FILE -o OUT.png` draws without one",
        )
    from app.viewer import view  # the window's packages: not before one is opened

    def prepare(session: "Session") -> None:
        """Put on stage what the options ask for."""
        set_stage(args, session)
        tell_anims(args, session.fitted)

    view(
        source_path(args.file),
        size=args.resolution,
        samples=args.samples,
        root=None if args.root is None else Path(args.root),
        anims=tuple(map(Path, args.anims or ())),
        frame_rate=args.frame_rate,
        prepare=prepare,
    )
    return 0


def has_display() -> bool:
    """Tell whether a window could be opened here."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY"))


def set_stage(args: argparse.Namespace, session: "Session") -> None:
    """Play, show and look as the options say; a moment that was asked for stands still."""
    from app.cli.moments import running, timing, ways
    from app.cli.stage import display, play

    model, character = session.model, session.character
    if model is None or character is None:
        return
    clip = choose_clip(args, model, args.animation)
    chosen = model.clips[clip] if clip >= 0 else None
    when = timing(args, chosen, FOREVER)
    if len(when.taus) != 1:
        raise UsageError("the window opens at one moment")
    session.scene.display = display(args, model)
    play(
        args,
        session.scene,
        clip,
        running(args, otherwise=FOREVER),
        session.aspect,
        tau=session.tau,
    )
    if chosen is not None and ways(args):
        character.playback.seek(when.playback(chosen).time(when.taus[0]), session.tau)
        character.playback.pause(session.tau)
