"""The clips chosen by `--animation`, for commands that accept several, and rows that show them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..model.lookup import find_clip
from ..model.model import Model
from ..model.named_clips import matching
from ..options.command_options import Options
from .input_file import source_name
from .playback_setup import (
    PlaybackSetup,
    choose_playback,
    single_clip_playback,
    still_playback,
)

if TYPE_CHECKING:
    from ..motion.read import MotionFile

MOST_COMPARED = 1000  # clips of check --joins: every end is compared with every start
MOST_REPORTED = 1000  # clips of a file in a report: each has pictures and a loop
MOTION = "Motion"  # title of a row with the layers of a motion file


def check_clip_count(options: Options, count: int, most: int) -> None:
    """Raise UsageError if a command is given more clips than it can process."""
    if count > most:
        raise UsageError(
            f"{count} animations; at most {most} are possible",
            file=source_name(options),
            hint="choose fewer with --animation",
        )


def choose_clips(options: Options, model: Model, *, lenient: bool = False) -> list[int]:
    """Return the indices of the clips that `--animation` names, in file order; default: all.

    Raises
    ------
    UsageError
        A name, index or pattern matches no clip; if `lenient`, all of them.
    """
    if not options.clips.animations:
        return list(range(len(model.clips)))
    chosen, missing = clips_found(model, options.clips.animations, source_name(options))
    for error in () if lenient and chosen else missing.values():
        raise error
    return chosen


def clips_found(
    model: Model, names: Sequence[str], file: str
) -> tuple[list[int], dict[str, UsageError]]:
    """Return the clips with some names, in file order, and the errors of names that match none."""
    chosen: set[int] = set()
    missing: dict[str, UsageError] = {}
    for text in names:
        try:
            match = find_clip(model, text)
        except UsageError as error:
            error.file = file
            missing[text] = error
            continue
        chosen.add(match.index)
        if match.warning:  # a pattern with several matches: include all of them
            chosen.update(matching([clip.name for clip in model.clips], text))
    return sorted(chosen), missing


def row_setups(
    options: Options, model: Model, file: "MotionFile | None", clips: Sequence[int]
) -> list[PlaybackSetup]:
    """Return what each row plays: the layers of a motion and then clips, or a still pose.

    With --animation only the named clips are shown.
    """
    if options.shown.pose != "clip" or not (model.clips or _layered(options, file)):
        return [still_playback(options, model, file)]
    rows = []
    if not options.clips.animations and _layered(options, file):
        rows.append(choose_playback(options, model, file))
    return rows + [single_clip_playback(options, model, file, clip) for clip in clips]


def _layered(options: Options, file: "MotionFile | None") -> bool:
    return bool(options.shown.motion.at) or (file is not None and bool(file.document.layers))


def row_title(row: PlaybackSetup, gap: str = ", ") -> tuple[str, str]:
    """Return the title and note of a row, with a gap between the parts of the note."""
    if row.layered:
        file = "--at" if row.file is None else row.file.name.replace("\\", "/")
        return MOTION, file.rpartition("/")[2]
    if row.clip < 0:
        return "Still pose", ""
    clip = row.model.clips[row.clip]
    begin = f"{clip.start:.4g} to " if clip.start > 0 else ""
    return clip.name, f"#{row.clip}{gap}{begin}{clip.end:.4g} s"
