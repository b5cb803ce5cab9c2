"""Run the rules on a character: limits scaled to its height, matches completed to findings."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from .check_context import CheckContext
from .finding import SEVERITIES, Finding, Severity
from .rule import Match, Rule
from .rule_list import RULES as RULES
from .rule_settings import Settings as Settings
from .rules.load_warnings import LOAD_WARNING


def examine(
    context: CheckContext,
    settings: Settings | None = None,
    report: Callable[[float], object] = float,
) -> list[Finding]:
    """Return the findings of all rules, by severity, then in the order of the rules.

    Findings that the settings accept are included: see `Settings.accepts`. `report` is called with
    the share of the rules that is done, 0 to 1, before each rule.
    """
    settings = settings or Settings()
    found: list[Finding] = []
    with np.errstate(all="ignore"):  # some rules look for NaN and infinity
        for number, rule in enumerate(RULES):
            report(number / len(RULES))
            found += _found(rule, context, settings)
    found = [finding for finding in dict.fromkeys(found) if not _covered(finding, found)]
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def limits_of(rule: Rule, settings: Settings, scale: float = 1.0) -> dict[str, float]:
    """Return the limits of a rule by name, for a character `scale` times 1.8 m tall."""
    configured = settings.limits.get(rule.id, {})
    return {
        limit.name: configured.get(limit.name, limit.default) * (scale if limit.scaled else 1.0)
        for limit in rule.limits
    }


def _covered(finding: Finding, found: Iterable[Finding]) -> bool:
    """Return whether a finding of another rule reports this load warning in more detail."""
    if finding.rule != LOAD_WARNING.id:
        return False
    words = {rule.id: rule.covers for rule in RULES if rule.covers}
    return any(
        any(word in finding.message for word in words.get(other.rule, ()))
        and (finding.place.startswith(other.place) or other.place.startswith(finding.place))
        for other in found
    )


def _found(rule: Rule, context: CheckContext, settings: Settings) -> Iterator[Finding]:
    if not settings.runs(rule.id):
        return
    severity = settings.severities.get(rule.id) or rule.severity
    limits = limits_of(rule, settings, context.scale)
    changed = rule.id in settings.severities
    for match in rule.find(context, limits):
        own = severity if changed or match.severity is None else match.severity
        place = match.place or context.place(match.clip, match.joint)
        yield _finding(rule, match, own, place, limits)


def _finding(
    rule: Rule, match: Match, severity: Severity, place: str, limits: Mapping[str, float]
) -> Finding:
    return Finding(
        rule=rule.id,
        severity=severity,
        message=match.message,
        fix=match.fix or rule.fix,
        place=place,
        amount=match.amount,
        unit=match.unit,
        limit=limits[match.limit] if match.limit else None,
        clip=match.clip,
        joint=match.joint,
        item=match.item,
        time=match.time,
        vertices=match.vertices,
    )
