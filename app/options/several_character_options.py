"""Options of several files side by side."""

from ..tomlfile.value_parsing import whole_number_from
from .command_groups import IN_ONE_SCENE
from .option import Option

SIDE_BY_SIDE = (
    Option(
        "active",
        IN_ONE_SCENE,
        "number of the active file, from 1: --weights, --camera, --set and --at apply to it, "
        "and it determines the length of a video",
        metavar="N",
        parse=whole_number_from(1, 1000),
        default=1,
    ),
    Option(
        "hide",
        IN_ONE_SCENE,
        "number of a file to hide, from 1; its position stays empty; may be given several times",
        metavar="N",
        parse=whole_number_from(1, 1000),
        repeat=IN_ONE_SCENE,
    ),
    Option("same-size", IN_ONE_SCENE, "scale all characters to the height of the first"),
)
