"""Rules about the conventions of glTF for a character: metres, and a front that is +Z."""

from collections.abc import Iterator

from ...model.facing import DEFAULT_FACING, axis_name, find_facing
from ...model.skinned_vertices import extents, lies_flat
from ...wording import measure
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, rule


@rule(
    "units",
    "warning",
    "a skinned character has an unlikely height: the unit of glTF is the metre",
    "scale it on export, or apply the scale of the armature",
    Limit("least", 0.1, "m", "the height of the smallest character"),
    Limit("most", 10, "m", "the height of the tallest"),
)
def _units(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    if not context.model.skins or context.is_capture:
        return
    if lies_flat(extents(context.model, context.blocks)):
        return  # a surface has no height
    height = context.height
    if height > limits["most"]:
        guess = "centimetres" if height < 100 * limits["most"] else "millimetres"
        yield Finding(
            f"the character is {measure(height, 'm')} tall: its units are probably {guess}",
            amount=height,
            unit="m",
            limit=limits["most"],
            place="/scenes",
        )
    elif 0 < height < limits["least"]:
        yield Finding(
            f"the character is {measure(height, 'm')} tall: it was probably scaled down twice",
            amount=height,
            unit="m",
            limit=limits["least"],
            place="/scenes",
        )


@rule(
    "facing",
    "info",
    "a character faces another direction than +Z, the front of glTF",
    "turn it on export, or state `facing` in its motion file",
)
def _facing(context: CheckContext, _: Limits) -> Iterator[Finding]:
    facing = find_facing(context.model)
    stated = context.motion is not None and context.motion.document.facing is not None
    if context.is_capture or stated or facing in (None, DEFAULT_FACING):
        return
    yield Finding(
        f"the character faces {axis_name(facing)}: the front of a glTF file is +Z", place="/scenes"
    )
