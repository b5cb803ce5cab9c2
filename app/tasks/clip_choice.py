"""The clips chosen by `--animation`, for commands that accept several."""

import argparse
from fnmatch import fnmatchcase

from ..errors import UsageError
from ..model.lookup import find_clip
from ..model.model import Model
from .input_file import source_name


def choose_clips(args: argparse.Namespace, model: Model) -> list[int]:
    """Return the indices of the clips that `--animation` names, in file order; default: all.

    Raises
    ------
    UsageError
        A name, index or pattern matches no clip.
    """
    if not args.animation:
        return list(range(len(model.clips)))
    names = [clip.name for clip in model.clips]
    chosen: set[int] = set()
    for text in args.animation:
        try:
            found = find_clip(model, text)
        except UsageError as error:
            error.file = source_name(args)
            raise
        chosen.add(found.index)
        if found.warning:  # a pattern with several matches: include all of them
            chosen.update(c for c, name in enumerate(names) if fnmatchcase(name, text))
    return sorted(chosen)
