"""--crowd: many instances of one character on a grid, each at its own phase.

Each plays a clip of the file; motion files are not used.
"""

import argparse

from ..console import warn
from ..errors import UsageError
from ..model.model import MAX_LIGHTS, Model
from ..scene.crowd import CrowdLayout
from .input_file import choose_clip, source_name

_SINGLE_ONLY = ("motion", "at", "set", "camera")  # options of a single character
_NOT_DRAWN = ("skeleton", "joint_names", "wireframe", "bounds", "weights")  # not drawn for a crowd


def check_crowd_options(args: argparse.Namespace) -> None:
    """Check the options given with --crowd, before files are read.

    Raises
    ------
    UsageError
        An option applies to a single character only.
    """
    if args.crowd is None:
        return
    if len(getattr(args, "files", ())) > 1:
        raise UsageError("--crowd takes one file")
    for name in _SINGLE_ONLY:
        if getattr(args, name):
            raise UsageError(f"--crowd and --{name} exclude each other")
    if args.pose != "clip":
        raise UsageError(f"--crowd and --pose {args.pose} exclude each other")
    args.no_motion = True
    for name in _NOT_DRAWN:
        if getattr(args, name) not in (None, False):
            setattr(args, name, None)
            message = f"--{name.replace('_', '-')} is not drawn for a crowd"
            warn([message], file=source_name(args), quiet=args.quiet)


def new_crowd(args: argparse.Namespace, model: Model) -> CrowdLayout | None:
    """Return the crowd of --crowd, None without; several --animation are distributed evenly.

    Raises
    ------
    UsageError
        A clip does not exist.
    """
    if getattr(args, "crowd", None) is None:
        return None
    _warn_of_lights(args, model)
    texts = args.per_file["animation"]
    clips = tuple(choose_clip(args, model, text) for text in texts) if len(texts) > 1 else ()
    rows, columns, count = args.crowd
    return CrowdLayout(rows, columns, count, clips)


def _warn_of_lights(args: argparse.Namespace, model: Model) -> None:
    """Warn if the crowd has more lights than can be rendered."""
    suns = sum(light.kind == "directional" for light in model.lights)
    count = suns + (len(model.lights) - suns) * args.crowd[2]
    if count > MAX_LIGHTS:
        message = (
            f"the crowd has {count} lights; only the {MAX_LIGHTS} nearest to the camera are used"
        )
        warn([message], file=source_name(args), quiet=args.quiet)
