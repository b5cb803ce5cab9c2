"""Rule about the height of a character, which shows whether its unit is the metre."""

from collections.abc import Iterator

from ...model.skinned_vertices import extents, lies_flat
from ...wording import measure
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule


def _units(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    if not context.model.skins or not context.document:
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


RULES: tuple[Rule, ...] = (
    Rule(
        "units",
        "warning",
        "a skinned character has an unlikely height: the unit of glTF is the metre",
        "scale it on export, or apply the scale of the armature",
        _units,
        (
            Limit("least", 0.1, "m", "the height of the smallest character"),
            Limit("most", 10, "m", "the height of the tallest"),
        ),
    ),
)
