"""The rows of the panel of findings, which are kept from frame to frame."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Literal

from ...checks.finding import SEVERITIES, Finding
from ...memo import Memo
from ...tasks.check_report import CheckReport
from ...wording import capitalized
from ..search import Find, searched

Group = Literal["error", "warning", "info", "known"]
GROUPS: tuple[Group, ...] = (*SEVERITIES, "known")
LABELS: dict[Group, str] = {
    "error": "Errors",
    "warning": "Warnings",
    "info": "Info",
    "known": "In the baseline",
}


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A row: a group of findings, a rule in it, or a finding of the rule.

    Attributes
    ----------
    count
        Number of findings below a group or a rule.
    subject, where, amount
        Of a finding: the joint, mesh or clip; the clip of a joint or mesh; the measured value.
    """

    group: Group
    rule: str = ""
    finding: Finding | None = None
    count: int = 0
    subject: str = ""
    where: str = ""
    amount: str = ""


@dataclass(slots=True)
class FindingsView:
    """State of the panel, and the baseline of its checks.

    Attributes
    ----------
    baseline
        The one given for all files; None: that beside each character, if it exists.
    folded
        The groups whose findings are hidden.
    opened
        The finding with details.
    """

    baseline: Path | None = None
    filter: str = ""
    folded: set[Group] = field(default_factory=lambda: {"known"})
    opened: Finding | None = None
    scroll_to_opened: bool = False
    details_height: float = 0.0  # of the opened finding, points
    _rows: Memo[[CheckReport | None, str, frozenset[Group]], list[FindingRow]] = field(
        default_factory=lambda: Memo(_rows)
    )

    def rows(self, report: CheckReport | None) -> list[FindingRow]:
        """Return the rows that a search finds; without a search all, unless they are folded."""
        return self._rows(report, self.filter, frozenset(self.folded))


def _rows(report: CheckReport | None, text: str, folded: frozenset[Group]) -> list[FindingRow]:
    find = searched(text)
    return finding_rows(report or CheckReport(), folded if find is None else frozenset(), find)


def finding_rows(
    report: CheckReport, folded: Set[Group], find: Find | None = None
) -> list[FindingRow]:
    """Return the rows of a report: by severity, then by rule; what the baseline knows is last."""
    rows: list[FindingRow] = []
    for group in GROUPS:
        among = report.known if group == "known" else report.findings
        found = [each for each in among if group in ("known", each.severity)]
        if find is not None:
            found = [each for each in found if find(searched_text(each))]
        if not found:
            continue
        every = find is None and group != "known"
        count = report.counts.get(group, len(found)) if every else len(found)
        rows.append(FindingRow(group, count=count))
        if group not in folded:
            rows += _below(group, found, report if find is None else CheckReport())
    return rows


def searched_text(finding: Finding) -> str:
    """Return the text in which a search looks for words."""
    names = (finding.rule, finding.clip, finding.joint, finding.item, finding.severity)
    return " ".join((*names, finding.message))


def _below(group: Group, found: Sequence[Finding], report: CheckReport) -> list[FindingRow]:
    rows: list[FindingRow] = []
    for rule, own in groupby(found, key=lambda each: each.rule):
        listed = list(own)
        more = 0 if group == "known" else report.more.get((group, rule), 0)
        rows.append(FindingRow(group, rule, count=len(listed) + more))
        rows += [_row(group, finding) for finding in listed]
    return rows


def _row(group: Group, finding: Finding) -> FindingRow:
    names = [name for name in (finding.joint, finding.item, finding.clip) if name]
    subject, *others = names or [capitalized(finding.message)]
    where = others[-1] if others else ""
    amount = finding.amount_text if names else ""  # a message has it
    return FindingRow(group, finding.rule, finding, subject=subject, where=where, amount=amount)
