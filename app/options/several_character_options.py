"""What is about several files that stand side by side."""

from ..tomlfile.value_parsing import whole_from
from .command_groups import TOGETHER
from .option import Option

BESIDE = (
    Option(
        "active",
        TOGETHER,
        "number of the file, from 1, that is worked with: --weights, --camera, --set and --at are "
        "about it, and a video is as long as what it plays",
        metavar="N",
        parse=whole_from(1, 1000),
        default=1,
    ),
    Option(
        "hide",
        TOGETHER,
        "number of a file, from 1, that is not drawn; its place stays free; may be given several "
        "times",
        metavar="N",
        parse=whole_from(1, 1000),
        repeat=TOGETHER,
    ),
    Option("same-size", TOGETHER, "draw all as tall as the first, whatever units they are in"),
)
