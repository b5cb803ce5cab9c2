"""Rule about the direction that a character faces."""

from collections.abc import Iterator

from ...model.facing import DEFAULT_FACING, axis_name, find_facing
from ..check_context import CheckContext
from ..finding import Finding, Limits, Rule


def _facing(context: CheckContext, _: Limits) -> Iterator[Finding]:
    facing = find_facing(context.model)
    stated = context.motion is not None and context.motion.document.facing is not None
    if context.document is None or stated or facing in (None, DEFAULT_FACING):
        return
    yield Finding(
        f"the character faces {axis_name(facing)}: the front of a glTF file is +Z", place="/scenes"
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "facing",
        "info",
        "a character faces another direction than +Z, the front of glTF",
        "turn it on export, or state `facing` in its motion file",
        _facing,
    ),
)
