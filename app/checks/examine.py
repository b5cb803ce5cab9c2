"""Run the rules on a character: limits scaled to its height, findings completed by their rule."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from .check_context import CheckContext
from .finding import SEVERITIES, Finding, Rule
from .rule_list import RULES as RULES
from .rule_settings import Settings
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
            if settings.runs(rule.id):
                found += _found(rule, context, settings)
    found = [finding for finding in dict.fromkeys(found) if not _covered(finding, found)]
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


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
    configured = settings.severities.get(rule.id)
    for finding in rule.find(context, settings.limits_of(rule, context.scale)):
        yield replace(
            finding,
            rule=rule.id,
            severity=configured or finding.severity or rule.severity,
            fix=finding.fix or rule.fix,
            place=finding.place or context.place(finding.clip, finding.joint),
        )
