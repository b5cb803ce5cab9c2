"""`rigview sheet`: one picture of all clips, a row a clip, a column a phase."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from app.animation.types import U8
from app.cli.moments import motion_taus, timing
from app.cli.output import STANDARD, check_ending, check_target, write
from app.cli.performance import Performance, alone, chosen, motion_file, with_clips
from app.cli.source import choose_clip, load_bare, source_name, warn_of
from app.cli.words import Progress, tell
from app.errors import UsageError
from app.model import Model
from app.options import option

if TYPE_CHECKING:
    from app.motion.read import MotionFile
    from app.sheet import Layout

COLUMNS = 6  # phases where none are asked for: from the start to the end
LARGEST = 16384  # pixels, of either side of a sheet: what most programs still open
SMALLEST = 64  # pixels, of a cell that shrinks


def run(args: argparse.Namespace) -> int:
    """Draw and write; returns the exit code."""
    if args.output != STANDARD:
        check_ending(args.output, (".png",))
    check_target(args.output)
    model = load_bare(args)
    file = motion_file(args)
    model = with_clips(args, model, file)
    rows = _rows(args, model, file)
    if all(getattr(args, way) is None for way in ("time", "phase", "frame")):
        args.phase = tuple(column / (COLUMNS - 1) for column in range(COLUMNS))
    if not rows[0].layered and rows[0].clip < 0:  # nothing moves: one picture
        args.time, args.phase, args.frame = None, None, None
    picture = _draw(args, model, rows)
    write(args.output, picture)
    warn_of(args, model)
    return 0


def _rows(args: argparse.Namespace, model: Model, file: "MotionFile | None") -> list[Performance]:
    """Return what every row plays: the layers of a motion, clips, or a still pose.

    A motion that is spoken of (--motion, --set, --at) is shown alone; one that only lies beside
    the character heads its clips.
    """
    if args.pose != "clip" or not model.clips:
        return [Performance(model, -1)]
    rows = []
    layers = file is not None and bool(file.document.layers)
    if args.at or (layers and args.animation is None):
        rows = [chosen(args, model, file)]
        if args.at or args.set or args.motion is not None:
            return rows
    clips = list(range(len(model.clips)))
    if args.animation is not None:
        clips = [choose_clip(args, model, text) for text in args.animation]
    return rows + [alone(args, model, file, clip) for clip in dict.fromkeys(clips)]


def _taus(args: argparse.Namespace, row: Performance) -> tuple[float, ...]:
    if row.document is not None:
        return motion_taus(args, row.mixer(args).length)
    return timing(args, row.model.clips[row.clip] if row.clip >= 0 else None).taus


def _draw(args: argparse.Namespace, model: Model, played: list[Performance]) -> bytes:
    columns = len(_taus(args, played[0]))

    from app.cli.stage import perform, play, stage  # the GPU's packages: not before all is checked
    from app.picture import Painter
    from app.png import as_png
    from app.sheet import Row, contact_sheet

    layout = _layout(args, len(played), columns)
    painter = Painter(layout.cell, args.samples)
    tell(f"drawn by {painter.context.info['GL_RENDERER']}", verbose=args.verbose)
    try:
        scene = stage(args, model)
        with Progress(len(played) * columns, "picture", quiet=args.quiet) as bar:

            def cells(row: Performance) -> Iterator[U8]:
                if row.document is None:
                    clip = model.clips[row.clip] if row.clip >= 0 else None
                    play(args, scene, row.clip, timing(args, clip), painter.aspect)
                else:
                    perform(args, scene, row, painter.aspect)
                for tau in _taus(args, row):
                    bar.step()
                    scene.update(tau)
                    yield painter.paint(scene)

            rows = []
            for row in played:
                title, note = _words(args, row)
                rows.append(Row(title, note, cells(row), _captions(args, row)))
            return as_png(contact_sheet(_title(args, model, played), rows, layout))
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


def _title(args: argparse.Namespace, model: Model, rows: list[Performance]) -> str:
    name = source_name(args).replace("\\", "/").rpartition("/")[2]
    count = sum(not row.layered and row.clip >= 0 for row in rows)
    if not count:
        return name
    shown = f"{count} of {len(model.clips)}" if count != len(model.clips) else count
    return f"{name}: {shown} animation{'s' * (len(model.clips) != 1)}"


def _words(args: argparse.Namespace, row: Performance) -> tuple[str, str]:
    """Return the title of a row and the note beside it."""
    if row.layered:
        file = "--at" if row.file is None else row.file.name.replace("\\", "/")
        return "Motion", file.rpartition("/")[2]
    if row.clip < 0:
        return ("bind pose" if args.pose == "bind" else "rest pose"), ""
    chosen = row.model.clips[row.clip]
    begin = f"{chosen.start:.4g} to " if chosen.start > 0 else ""
    return chosen.name, f"#{row.clip}   {begin}{chosen.end:.4g} s"


def _captions(args: argparse.Namespace, row: Performance) -> list[str]:
    """Return the words under each picture: the phase or frame asked for, and the clip's time."""
    if row.clip < 0 and not row.layered:
        return [""]
    taus = _taus(args, row)
    if row.document is None:
        clip = row.model.clips[row.clip]
        times = timing(args, clip).playback(clip).time(np.array(taus))
    else:
        times = row.clip_times(args, np.array(taus))
    seconds = [f"{time:.2f} s" for time in times.tolist()]
    if args.phase is not None:
        return [f"phase {u:.2f}   {time}" for u, time in zip(args.phase, seconds, strict=True)]
    if args.frame is not None:
        return [f"frame {k}   {time}" for k, time in zip(args.frame, seconds, strict=True)]
    return seconds
