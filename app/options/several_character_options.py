"""Options of several files side by side."""

from ..fields.command_groups import IN_ONE_SCENE
from ..fields.option import choice, switch, value, values
from ..fields.record import record
from ..scenedoc.compare_modes import COMPARE_MODES, CompareMode
from ..tomlfile.value_parsing import share, whole_number_from


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
    compare: CompareMode | None = choice(
        IN_ONE_SCENE,
        "show the first two files as the old and the new version of one character",
        "MODE",
        tuple(COMPARE_MODES),
    )
    wipe: float = value(
        IN_ONE_SCENE,
        "edge of --compare wipe, from 0, the left end of the picture, to 1",
        "X",
        share,
        default=0.5,
    )
