"""`rigview render`: one picture, or a numbered sequence."""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from app.cli.moments import Timing, at_frames, motion_taus, timing
from app.cli.output import STANDARD, check_ending, check_target, write
from app.cli.performance import Performance, performance, tell_held
from app.cli.source import warn_of
from app.cli.words import Progress, tell
from app.errors import UsageError
from app.gltf.images import decode_ahead

_VIDEOS = (".mp4", ".webm", ".gif", ".webp")
_NUMBER = re.compile(r"\{frame(?::0?(\d+))?\}|%0(\d+)d")  # {frame:04}, and %04d as in ffmpeg
_DIGITS = 4


def run(args: argparse.Namespace) -> int:
    """Draw and write; returns the exit code."""
    targets = _targets(args)
    played = performance(args)
    model = played.model
    taus = _taus(args, played)
    if len(taus) != len(targets):
        raise UsageError("render takes one moment", hint="--frames A..B makes a sequence")

    decode_ahead(model.images)
    from app.cli.stage import perform, play, stage  # the GPU's packages: not before all is checked
    from app.picture import Painter
    from app.png import as_png

    painter = Painter(args.resolution, args.samples)
    tell(f"drawn by {painter.context.info['GL_RENDERER']}", verbose=args.verbose)
    try:
        scene = stage(args, model)
        if played.document is None:
            play(args, scene, played.clip, _timing(args, played), painter.aspect)
        else:
            perform(args, scene, played, painter.aspect)
        steps = list(zip(targets, taus, strict=True))
        with Progress(len(steps), "frame", quiet=args.quiet) as bar:
            for target, tau in steps:
                bar.step()
                scene.update(tau)
                write(target, as_png(painter.paint(scene)))
        if scene.character is not None:
            tell_held(args, model, scene.character.mixer)
    finally:
        painter.release()
    warn_of(args, model)
    return 0


def _timing(args: argparse.Namespace, played: Performance) -> Timing:
    clip = played.model.clips[played.clip] if played.clip >= 0 else None
    return at_frames(args, args.frames) if args.frames is not None else timing(args, clip)


def _taus(args: argparse.Namespace, played: Performance) -> tuple[float, ...]:
    """Return the global times of the pictures."""
    if played.document is None or args.frames is not None:
        return _timing(args, played).taus
    return motion_taus(args, played.mixer(args).length)


def _targets(args: argparse.Namespace) -> Sequence[str]:
    """Return the file of every picture, checked for being writable."""
    if args.output == STANDARD:
        if args.frames is not None:
            raise UsageError("a sequence cannot go to standard output", hint="name files with -o")
        return [STANDARD]
    ending = Path(args.output).suffix.lower()
    if ending in _VIDEOS:
        raise UsageError(
            f"{ending} is a video, which this version does not write yet",
            hint="-o NAME.png --frames A..B writes the pictures",
        )
    check_ending(args.output, (".png",))
    targets = [args.output]
    if args.frames is not None:
        targets = [numbered(args.output, frame) for frame in args.frames]
    check_target(targets[0])
    return targets


def numbered(pattern: str, frame: int) -> str:
    """Return the name of a frame's file.

    The number stands where ``{frame}``, ``{frame:04}`` or ``%04d`` is, else before the ending:
    ``walk.png`` becomes ``walk_0007.png``.
    """
    found = _NUMBER.search(Path(pattern).name)
    if found is None:
        path = Path(pattern)
        return str(path.with_name(f"{path.stem}_{frame:0{_DIGITS}}{path.suffix}"))
    digits = int(found[1] or found[2] or 1)
    path = Path(pattern)
    return str(path.with_name(_NUMBER.sub(f"{frame:0{digits}}", path.name, count=1)))
