"""Options of several files side by side."""

from ..tomlfile.value_parsing import whole_number_from
from .command_groups import IN_ONE_SCENE
from .option import record, switch, value, values


@record(frozen=True)
class SideBySideOptions:
    """Several files in one scene."""

    active: int = value(
        IN_ONE_SCENE,
        "number of the active file, from 1: --weights, --camera, --set and --at apply to it, "
        "and it determines the length of a video",
        "N",
        whole_number_from(1, 1000),
        default=1,
    )
    hide: tuple[int, ...] = values(
        IN_ONE_SCENE,
        "number of a file to hide, from 1; its position stays empty; may be given several times",
        "N",
        whole_number_from(1, 1000),
    )
    same_size: bool = switch(IN_ONE_SCENE, "scale all characters to the height of the first")
