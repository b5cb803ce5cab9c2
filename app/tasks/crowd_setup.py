"""--crowd: many of one character on a grid, each at a phase of its own.

Each plays a clip as the file has it: nothing of a motion file holds for a crowd.
"""

import argparse

from ..console import warn
from ..errors import UsageError
from ..model.model import MOST_LIGHTS, Model
from ..scene.crowd import Gathering
from .input_file import choose_clip, source_name

_ALONE = ("motion", "at", "set", "camera")  # what is of one character only
_OVER_IT = ("skeleton", "joint_names", "wireframe", "bounds", "weights")  # not drawn of a crowd


def settle(args: argparse.Namespace) -> None:
    """Check what is asked for beside a crowd, before anything is read.

    Raises
    ------
    UsageError
        It is of one character only.
    """
    if args.crowd is None:
        return
    if len(getattr(args, "files", ())) > 1:
        raise UsageError("--crowd takes one file")
    for name in _ALONE:
        if getattr(args, name):
            raise UsageError(f"--crowd and --{name} exclude each other")
    if args.pose != "clip":
        raise UsageError(f"--crowd and --pose {args.pose} exclude each other")
    args.no_motion = True
    for name in _OVER_IT:
        if getattr(args, name) not in (None, False):
            setattr(args, name, None)
            sentence = f"--{name.replace('_', '-')} is not drawn of a crowd"
            warn([sentence], file=source_name(args), quiet=args.quiet)


def gathering(args: argparse.Namespace, model: Model) -> Gathering | None:
    """Return the crowd that is asked for; of several --animation each has its even share.

    Raises
    ------
    UsageError
        There is no such clip.
    """
    if getattr(args, "crowd", None) is None:
        return None
    _tell_of_lights(args, model)
    texts = args.apiece["animation"]
    clips = tuple(choose_clip(args, model, text) for text in texts) if len(texts) > 1 else ()
    rows, columns, count = args.crowd
    return Gathering(rows, columns, count, clips)


def _tell_of_lights(args: argparse.Namespace, model: Model) -> None:
    """Warn where not all that they carry can shine."""
    suns = sum(light.kind == "directional" for light in model.lights)
    count = suns + (len(model.lights) - suns) * args.crowd[2]
    if count > MOST_LIGHTS:
        sentence = f"the crowd carries {count} lights; the {MOST_LIGHTS} nearest to the eye shine"
        warn([sentence], file=source_name(args), quiet=args.quiet)
