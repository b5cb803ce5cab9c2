"""The `diff` command of the two versions that a session compares."""

import shlex
from dataclasses import replace

from ..options.output_options import OutputOptions
from ..options.picture_options import CameraOptions
from ..options.write_options import as_arguments
from .copy_command import command_options
from .session import Session

COMMAND = "diff"
PICTURE = 512, 512  # of each version: the command's own default


def diff_command(session: Session, size: tuple[int, int], samples: int) -> str:
    """Return the command that lists and draws the differences; "" without two files.

    It draws the worst moment, with the camera and the display options of the view. What only one
    version may have, such as a selected joint, is left out. Parameters are those of
    `copy_command.copy_command`.
    """
    pair = session.comparison.pair
    options = command_options(session, size, samples)
    if pair is None or options is None:
        return ""
    paths = [each.source for each in pair]
    at_one_place = session.comparison.mode is not None and options.camera.name is None
    shown = replace(
        options,
        output=OutputOptions(comparison=f"{pair[1].path.stem}-diff.png" if pair[1].path else None),
        camera=options.camera if at_one_place else CameraOptions(),
        picture=replace(
            options.picture,
            resolution=PICTURE,
            variant=None,
            hide_mesh=None,
            hide_joints=None,
            select=None,
        ),
        shading=replace(options.shading, weights=None),
    )
    return shlex.join(["rigview", COMMAND, *paths, *as_arguments(COMMAND, shown)])
