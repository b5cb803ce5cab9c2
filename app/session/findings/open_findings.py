"""The findings about a joint or a clip of an open character, for panels that list them."""

from collections.abc import Iterable

from ...check.finding import SEVERITIES, Finding, Severity
from ..open_character import OpenCharacter


def findings_of(open_character: OpenCharacter, joint: int) -> tuple[Finding, ...]:
    """Return the new findings about a joint of an open character, most severe first.

    Empty before the first check, and while checks are turned off.
    """
    return open_character.check.of_joint(open_character.model.skeleton.names[joint])


def clip_findings(open_character: OpenCharacter, clip: int) -> tuple[Finding, ...]:
    """Return the new findings about a clip of an open character, most severe first."""
    return open_character.check.of_clip(open_character.model.clips[clip].name)


def worst(findings: Iterable[Finding]) -> Severity | None:
    """Return the highest severity of findings, None without any: the colour of a mark."""
    return next(iter(sorted((each.severity for each in findings), key=SEVERITIES.index)), None)
