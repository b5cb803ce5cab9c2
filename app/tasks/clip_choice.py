"""The clips that a command is to work on, where it may be several."""

import argparse
from fnmatch import fnmatchcase

from ..errors import UsageError
from ..model.lookup import find_clip
from ..model.model import Model
from .input_file import source_name


def choose_clips(args: argparse.Namespace, model: Model) -> list[int]:
    """Return every clip that `--animation` names, in the file's order; all, where it names none.

    Raises
    ------
    UsageError
        A name, a number or a pattern that no clip has.
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
        if found.warning:  # a pattern that several have: here all of them are meant
            chosen.update(c for c, name in enumerate(names) if fnmatchcase(name, text))
    return sorted(chosen)
