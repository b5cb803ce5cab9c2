"""`rigview sheet`: one picture of all clips, a row a clip, a column a phase."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.animation.types import U8
from app.cli.moments import Timing, timing
from app.cli.output import STANDARD, check_ending, check_target, write
from app.cli.report import Progress, tell
from app.cli.source import choose_clip, load_source, source_name, warn_of
from app.errors import UsageError
from app.model import Model
from app.options import option

if TYPE_CHECKING:
    from app.sheet import Layout

COLUMNS = 6  # phases where none are asked for: from the start to the end
LARGEST = 16384  # pixels, of either side of a sheet: what most programs still open
SMALLEST = 64  # pixels, of a cell that shrinks


def run(args: argparse.Namespace) -> int:
    """Draw and write; returns the exit code."""
    if args.output != STANDARD:
        check_ending(args.output, (".png",))
    check_target(args.output)
    model = load_source(args)
    clips = _clips(args, model)
    if all(getattr(args, way) is None for way in ("time", "phase", "frame")):
        args.phase = tuple(column / (COLUMNS - 1) for column in range(COLUMNS))
    if clips == [-1]:  # nothing moves: one picture
        args.time, args.phase, args.frame = None, None, None
    picture = _draw(args, model, clips)
    write(args.output, picture)
    warn_of(args, model)
    return 0


def _clips(args: argparse.Namespace, model: Model) -> list[int]:
    """Return the clip of every row; -1 for a still pose."""
    if args.pose != "clip" or not model.clips:
        return [-1]
    if args.animation is None:
        return list(range(len(model.clips)))
    chosen = [choose_clip(args, model, text) for text in args.animation]
    return list(dict.fromkeys(chosen))


def _draw(args: argparse.Namespace, model: Model, clips: list[int]) -> bytes:
    whens = [timing(args, model.clips[clip] if clip >= 0 else None) for clip in clips]
    columns = len(whens[0].taus)

    from app.cli.stage import play, stage  # the GPU's packages: not before all is checked
    from app.picture import Painter
    from app.png import as_png
    from app.sheet import Row, contact_sheet

    layout = _layout(args, len(clips), columns)
    painter = Painter(layout.cell, args.samples)
    tell(f"drawn by {painter.context.info['GL_RENDERER']}", verbose=args.verbose)
    try:
        scene = stage(args, model)
        with Progress(len(clips) * columns, "picture", quiet=args.quiet) as bar:

            def cells(clip: int, when: Timing) -> Iterator[U8]:
                play(args, scene, clip, when, painter.aspect)
                for tau in when.taus:
                    bar.step()
                    scene.update(tau)
                    yield painter.paint(scene)

            rows = []
            for clip, when in zip(clips, whens, strict=True):
                title, note = _words(args, model, clip)
                captions = _captions(args, model, clip, when)
                rows.append(Row(title, note, cells(clip, when), captions))
            return as_png(contact_sheet(_title(args, model, clips), rows, layout))
    finally:
        painter.release()


def _layout(args: argparse.Namespace, rows: int, columns: int) -> "Layout":
    """Return the layout; where no size was asked for, cells shrink until the sheet is small."""
    from app.sheet import Layout

    width, height = args.resolution
    free = args.resolution == option("resolution").default_for("sheet")
    layout = Layout((width, height), rows, columns)
    while max(layout.width, layout.height) > LARGEST and free and width > SMALLEST:
        width, height = width - 8, height - 8
        layout = Layout((width, height), rows, columns)
    if max(layout.width, layout.height) > LARGEST:
        raise UsageError(
            f"the sheet would be {layout.width} x {layout.height} pixels, at most {LARGEST}",
            hint="ask for a smaller --resolution, or name fewer clips with --animation",
        )
    return layout


def _title(args: argparse.Namespace, model: Model, clips: list[int]) -> str:
    shown = f"{len(clips)} of {len(model.clips)}" if len(clips) != len(model.clips) else len(clips)
    name = source_name(args).replace("\\", "/").rpartition("/")[2]
    if clips == [-1]:
        return name
    return f"{name}: {shown} animation{'s' * (len(model.clips) != 1)}"


def _words(args: argparse.Namespace, model: Model, clip: int) -> tuple[str, str]:
    """Return the title of a row and the note beside it."""
    if clip < 0:
        return ("bind pose" if args.pose == "bind" else "rest pose"), ""
    chosen = model.clips[clip]
    begin = f"{chosen.start:.4g} to " if chosen.start > 0 else ""
    return chosen.name, f"#{clip}   {begin}{chosen.end:.4g} s"


def _captions(args: argparse.Namespace, model: Model, clip: int, when: Timing) -> list[str]:
    """Return the words under each picture: the phase or frame asked for, and the clip's time."""
    if clip < 0:
        return [""]
    playback = when.playback(model.clips[clip])
    seconds = [f"{float(playback.time(tau)):.2f} s" for tau in when.taus]
    if args.phase is not None:
        return [f"phase {u:.2f}   {time}" for u, time in zip(args.phase, seconds, strict=True)]
    if args.frame is not None:
        return [f"frame {k}   {time}" for k, time in zip(args.frame, seconds, strict=True)]
    return seconds
