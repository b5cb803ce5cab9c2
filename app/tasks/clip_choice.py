"""The clips chosen by `--animation`, for commands that accept several."""

from collections.abc import Sequence

from ..errors import UsageError
from ..model.lookup import find_clip
from ..model.model import Model
from ..model.named_clips import matching
from ..options.command_options import Options
from .input_file import source_name

MOST_COMPARED = 1000  # clips of check --joins: every end is compared with every start
MOST_REPORTED = 1000  # clips of a file in a report: each has pictures and a loop


def check_clip_count(options: Options, count: int, most: int) -> None:
    """Raise UsageError if a command is given more clips than it can process."""
    if count > most:
        raise UsageError(
            f"{count} animations; at most {most} are possible",
            file=source_name(options),
            hint="choose fewer with --animation",
        )


def choose_clips(options: Options, model: Model) -> list[int]:
    """Return the indices of the clips that `--animation` names, in file order; default: all.

    Raises
    ------
    UsageError
        A name, index or pattern matches no clip.
    """
    if not options.clips.animations:
        return list(range(len(model.clips)))
    chosen, missing = clips_found(model, options.clips.animations, source_name(options))
    for error in missing.values():
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
