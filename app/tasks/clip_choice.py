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
    return find_clips(model, options.clips.animations, source_name(options))


def find_clips(model: Model, names: Sequence[str], file: str) -> list[int]:
    """Return the indices of the clips with some names, in file order; without names all.

    Raises
    ------
    UsageError
        A name, index or pattern matches no clip.
    """
    if not names:
        return list(range(len(model.clips)))
    chosen: set[int] = set()
    for text in names:
        try:
            match = find_clip(model, text)
        except UsageError as error:
            error.file = file
            raise
        chosen.add(match.index)
        if match.warning:  # a pattern with several matches: include all of them
            chosen.update(matching([clip.name for clip in model.clips], text))
    return sorted(chosen)
