"""The rows of a contact sheet: what each plays, its times, captions and pictures."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..animation.types import U8
from ..console import print_verbose, warn
from ..errors import UsageError
from ..gltf.images import decode_ahead
from ..model.model import Model
from ..options.table import option
from . import renderer_cache
from .input_file import choose_clip, load_file, source_name
from .playback_setup import (
    PlaybackSetup,
    choose_playback,
    motion_file,
    single_clip_playback,
    with_clips,
)
from .time_options import check_given_times, motion_taus, timing

if TYPE_CHECKING:
    from ..images.contact_sheet import Layout, Row
    from ..motion.read import MotionFile

COLUMNS = 6  # default number of phases, from start to end
LARGEST = 16384  # pixels, largest side of a sheet that most programs open
SMALLEST = 64  # pixels, smallest cell when shrinking

Step = Callable[[], None]


def clip_rows(args: argparse.Namespace) -> tuple[Model, list[PlaybackSetup]]:
    """Load a file; return its model and what each row of its sheet plays.

    Rows are the layers of a motion, clips, or a still pose. A motion with --motion, --set or --at
    is the only row; a motion file found beside the character comes before the clips.
    """
    model, file = _load(args)
    if _still(args, model):
        return model, [PlaybackSetup(model, -1)]
    rows = []
    layers = file is not None and bool(file.document.layers)
    if args.at or (layers and args.animation is None):
        rows = [choose_playback(args, model, file)]
        if args.at or args.set or args.motion is not None:
            return model, rows
    clips = list(range(len(model.clips)))
    if args.animation is not None:
        clips = [choose_clip(args, model, text) for text in args.animation]
    return model, rows + [
        single_clip_playback(args, model, file, clip) for clip in dict.fromkeys(clips)
    ]


def file_rows(args: argparse.Namespace) -> tuple[Model, list[PlaybackSetup]]:
    """Load a file; return its model and what its rows on a sheet of several files play.

    One row, as for `render`: the layers of a motion, else the first clip; or a row for each clip of
    --animation.
    """
    model, file = _load(args)
    if _still(args, model):
        return model, [PlaybackSetup(model, -1)]
    if args.animation is None or args.at:
        return model, [choose_playback(args, model, file)]
    clips = _found(args, model)
    return model, [single_clip_playback(args, model, file, clip) for clip in dict.fromkeys(clips)]


def _found(args: argparse.Namespace, model: Model) -> list[int]:
    """Return the clips of --animation that a file has, with warnings about missing ones.

    Raises
    ------
    UsageError
        The file has none of them.
    """
    clips, errors = [], []
    for text in args.animation:
        try:
            clips.append(choose_clip(args, model, text))
        except UsageError as error:
            errors.append(error)
    if not clips:
        raise errors[0]
    warn([error.message for error in errors], file=source_name(args), quiet=args.quiet)
    return clips


def _load(args: argparse.Namespace) -> "tuple[Model, MotionFile | None]":
    model = load_file(args)
    file = motion_file(args)
    return with_clips(args, model, file), file


def _still(args: argparse.Namespace, model: Model) -> bool:
    return args.pose != "clip" or not model.clips


def set_default_phases(args: argparse.Namespace) -> int:
    """Set the default phases if no times are given; return the number of columns.

    Raises
    ------
    UsageError
        Several options give the time.
    """
    given = check_given_times(args)
    if not given:
        args.phase = tuple(column / (COLUMNS - 1) for column in range(COLUMNS))
        return COLUMNS
    return len(getattr(args, given[0]))


def sheet_layout(
    args: argparse.Namespace,
    rows: int,
    columns: int,
    hint: str = "use a smaller --resolution, or choose fewer clips with --animation",
) -> "Layout":
    """Return the layout; without --resolution cells shrink until the sheet fits.

    Raises
    ------
    UsageError
        The sheet is too large.
    """
    from ..images.contact_sheet import Layout

    width, height = args.resolution
    free = args.resolution == option("resolution").default_for("sheet")
    layout = Layout((width, height), rows, columns)
    while max(layout.width, layout.height) > LARGEST and free and width > SMALLEST:
        width, height = width - 8, height - 8
        layout = Layout((width, height), rows, columns)
    if max(layout.width, layout.height) > LARGEST:
        raise UsageError(
            f"the sheet is {layout.width} x {layout.height} pixels; at most {LARGEST} are allowed",
            hint=hint,
        )
    return layout


def draw(
    args: argparse.Namespace,
    model: Model,
    setup: Sequence[PlaybackSetup],
    size: tuple[int, int],
    step: Step = lambda: None,
) -> "Iterator[Row]":
    """Yield the rows with pictures of `size` pixels, rendered on demand.

    Every row has its own fixed camera, which frames its whole motion. `step` is called before each
    picture.
    """
    decode_ahead(model.images)
    from ..images.contact_sheet import Row
    from .build_scene import new_scene, play_clip, play_motion  # GPU packages: after all checks

    def cells(row: PlaybackSetup) -> Iterator[U8]:
        if row.document is None:
            clip = model.clips[row.clip] if row.clip >= 0 else None
            play_clip(args, scene, row.clip, timing(args, clip), offscreen.aspect)
        else:
            play_motion(args, scene, row, offscreen.aspect)
        for tau in _taus(args, row):
            step()
            scene.update(tau)
            yield offscreen.render(scene)

    with renderer_cache.cached_renderer(
        size, args.samples, keep=getattr(args, "many", False)
    ) as offscreen:
        print_verbose(f"drawn by {offscreen.context.info['GL_RENDERER']}", verbose=args.verbose)
        scene = new_scene(args, model)
        for row in setup:
            title, note = _words(args, row)
            yield Row(title, note, cells(row), _captions(args, row))


def _taus(args: argparse.Namespace, row: PlaybackSetup) -> tuple[float, ...]:
    if row.document is not None:
        return motion_taus(args, row.mixer(args).length)
    if row.clip < 0:  # no motion: one picture
        return (0.0,)
    return timing(args, row.model.clips[row.clip]).taus


def picture_count(args: argparse.Namespace, row: PlaybackSetup) -> int:
    """Return the number of pictures of a row."""
    return len(_taus(args, row))


def _words(args: argparse.Namespace, row: PlaybackSetup) -> tuple[str, str]:
    """Return the title and note of a row."""
    if row.layered:
        file = "--at" if row.file is None else row.file.name.replace("\\", "/")
        return "Motion", file.rpartition("/")[2]
    if row.clip < 0:
        return ("bind pose" if args.pose == "bind" else "rest pose"), ""
    chosen = row.model.clips[row.clip]
    begin = f"{chosen.start:.4g} to " if chosen.start > 0 else ""
    return chosen.name, f"#{row.clip}   {begin}{chosen.end:.4g} s"


def _captions(args: argparse.Namespace, row: PlaybackSetup) -> list[str]:
    """Return the caption of each picture: requested phase or frame, and clip time."""
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
