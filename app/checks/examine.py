"""Run the rules on a character: limits scaled to its height, findings completed by their rule."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from .check_context import REFERENCE_HEIGHT, CheckContext
from .finding import Finding, Rule, by_visible_size, severity_of_size
from .rule_list import RULES as RULES
from .rule_settings import Settings
from .rules.load_warnings import LOAD_WARNING


def examine(
    context: CheckContext,
    settings: Settings | None = None,
    report: Callable[[float], object] = float,
    rules: Sequence[Rule] | None = None,
) -> list[Finding]:
    """Return the findings of all rules, those that are seen best first: see `by_visible_size`.

    Findings that the settings accept are included: see `Settings.accepting`. `report` is called
    with the share of the rules that is done, 0 to 1, before each rule. `rules` None: our own.
    """
    settings = settings or Settings()
    rules = RULES if rules is None else rules
    found: list[Finding] = []
    with np.errstate(all="ignore"):  # some rules look for NaN and infinity
        for number, rule in enumerate(rules):
            report(number / len(rules))
            if settings.runs(rule.id):
                found += _found(rule, context, settings)
    found = [finding for finding in dict.fromkeys(found) if not _covered(finding, found)]
    return by_visible_size(found)


def _covered(finding: Finding, found: Iterable[Finding]) -> bool:
    """Return whether a finding of another rule reports the same in more detail."""
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
    height, limits = context.scale * REFERENCE_HEIGHT, settings.limits_of(rule, context.scale)
    for finding in rule.find(context, limits):
        if rule.measure is not None and finding.amount is not None and not finding.unit:
            only = rule.measure
            finding = replace(finding, unit=only.unit, limit=limits[only.name])
        usual = rule.severity
        if usual == "size":
            usual = severity_of_size(finding.size, height)
        place = finding.place or context.place(finding.clip, finding.joint)
        yield replace(
            finding,
            rule=rule.id,
            share=None if finding.size is None else finding.size / height,
            group=finding.group or rule.group,
            severity=configured or finding.severity or usual,
            fix=finding.fix or rule.fix,
            place=place,
            path=finding.path or context.track_path(place),
        )
