"""Options of several files side by side."""

from ..tomlfile.value_parsing import whole_from
from .command_groups import TOGETHER
from .option import Option

BESIDE = (
    Option(
        "active",
        TOGETHER,
        "number of the active file, from 1: --weights, --camera, --set and --at apply to it, "
        "and it determines the length of a video",
        metavar="N",
        parse=whole_from(1, 1000),
        default=1,
    ),
    Option(
        "hide",
        TOGETHER,
        "number of a file to hide, from 1; its position stays empty; may be given several times",
        metavar="N",
        parse=whole_from(1, 1000),
        repeat=TOGETHER,
    ),
    Option("same-size", TOGETHER, "scale all characters to the height of the first"),
)
