"""How two versions of a character are shown: one table for the command line and the window."""

from typing import Literal, NamedTuple, get_args

CompareMode = Literal["side-by-side", "overlaid", "wipe", "error"]


class ShownVersions(NamedTuple):
    """One way to show two versions."""

    label: str
    what: str  # one line of help


COMPARE_MODES: dict[CompareMode, ShownVersions] = {
    "side-by-side": ShownVersions(
        "Side by side", "each version in its half of the picture, seen by the same camera"
    ),
    "overlaid": ShownVersions(
        "Overlaid", "both at the same place, the old one as a translucent shape"
    ),
    "wipe": ShownVersions(
        "Wipe", "the old version at the left of an edge, the new one at its right"
    ),
    "error": ShownVersions(
        "Error", "the new version, coloured by the distances of its vertices from the old one"
    ),
}

assert set(COMPARE_MODES) == set(get_args(CompareMode))
