"""The rows of the panel of findings, which are kept from frame to frame."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, NamedTuple

from ...checks.finding import Finding, by_cause
from ...memo import Memo
from ...tasks.check_report import CheckReport
from ...wording import capitalized, counted, measure
from ..search import searched

Group = Literal["seen", "file", "known"]
GROUPS: tuple[Group, ...] = ("seen", "file", "known")
LABELS: dict[Group, str] = {"file": "File", "known": "In the baseline"}
LEAST_SIZE = 1e-4  # metres: smaller sizes of infos are not shown
_NAME = r"(?:\w+ )?(?:\d+ )?(?:“[^”]*”|\"[^\"]*\"): "  # of an object alone: what is wrong follows
_SENTENCE = re.compile(rf"(?:{_NAME})?(?:“[^”]*”|[^:;]|[:;](?! ))+")  # up to what explains it
Causes = tuple[tuple[Finding, ...], ...]  # the findings of each cause, the one seen best first


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A row: a heading, findings of one cause, or one of several findings below its cause.

    Attributes
    ----------
    found
        The findings of the cause; of a heading, and below a cause, none.
    finding
        To which a click goes: the first of the cause, or the one below it. None: a heading, or a
        cause whose findings are listed below it.
    count
        Number of causes below a heading; with `left_out` of findings that are not listed.
    label
        What is wrong, without numbers; below a cause, the clip and the time.
    extent
        In how many clips the cause is, or at how many times; below a cause, the time.
    size
        The visible size with its unit, "" without one.
    """

    group: Group
    found: tuple[Finding, ...] = ()
    finding: Finding | None = None
    count: int = 0
    left_out: bool = False
    label: str = ""
    extent: str = ""
    size: str = ""


class Run(NamedTuple):
    """Rows of one height that follow each other, from index `begin` to before `end`."""

    begin: int
    end: int
    cause: bool  # whether they are rows of causes


class ListedFindings(NamedTuple):
    """The findings of a report by group and cause, and how many of each group are left out."""

    causes: dict[Group, Causes]
    left_out: dict[Group, int]


@dataclass(slots=True)
class FindingsView:
    """State of the panel.

    Attributes
    ----------
    folded
        The groups whose findings are hidden.
    opened
        The finding with details.
    runs
        The runs of some rows; `runs_of`.
    """

    filter: str = ""
    folded: set[Group] = field(default_factory=lambda: {"file", "known"})
    opened: Finding | None = None
    scroll_to_opened: bool = False
    details_height: float = 0.0  # of the opened finding, points
    _listed: Memo[[CheckReport], ListedFindings] = field(
        default_factory=lambda: Memo(listed_findings)
    )
    _rows: Memo[[ListedFindings, str, frozenset[Group], Finding | None], list[FindingRow]] = field(
        default_factory=lambda: Memo(finding_rows)
    )
    runs: Memo[[list[FindingRow]], list[Run]] = field(default_factory=lambda: Memo(runs_of))

    def count(self, report: CheckReport | None) -> int:
        """Return the number of causes, apart from those of the groups that have headings."""
        return 0 if report is None else len(self._listed(report).causes["seen"])

    def rows(self, report: CheckReport | None) -> list[FindingRow]:
        """Return the rows that a search finds; without a search all, unless they are folded."""
        if report is None:
            return []
        return self._rows(self._listed(report), self.filter, frozenset(self.folded), self.opened)


def listed_findings(report: CheckReport) -> ListedFindings:
    """Return the findings of a report as they are listed: those that are seen best first."""
    groups: dict[Group, list[Finding]] = {group: [] for group in GROUPS}
    for finding in report.findings:
        groups["file" if finding.is_unseen else "seen"].append(finding)
    groups["known"] += report.known
    of_file = {(each.severity, each.rule) for each in groups["file"]}
    left_out: dict[Group, int] = {}
    for rule, number in report.more.items():
        group: Group = "file" if rule in of_file else "seen"
        left_out[group] = left_out.get(group, 0) + number
    causes = {group: tuple(by_cause(found)) for group, found in groups.items()}
    return ListedFindings(causes, left_out)


def finding_rows(
    listed: ListedFindings,
    text: str = "",
    folded: Set[Group] = frozenset(),
    opened: Finding | None = None,
) -> list[FindingRow]:
    """Return the rows of findings: one for each cause; with a search those that it finds.

    Below the cause of the opened finding is a row for each of its findings, if they are several.
    Groups but the first have a heading; a search looks into folded ones, too.
    """
    find = searched(text)
    rows: list[FindingRow] = []
    for group in GROUPS:
        causes = listed.causes[group]
        if find is not None:
            matching = (tuple(each for each in own if find(searched_text(each))) for own in causes)
            causes = tuple(filter(None, matching))
        if not causes:
            continue
        if group in LABELS:
            rows.append(FindingRow(group, count=len(causes), label=LABELS[group]))
        if group in folded and find is None:
            continue
        for found in causes:
            rows += _of_cause(group, found, opened)
        left_out = 0 if find is not None else listed.left_out.get(group, 0)
        if left_out:
            label = f"and {counted(left_out, 'other finding')} of the same rules"
            rows.append(FindingRow(group, count=left_out, left_out=True, label=label))
    return rows


def runs_of(rows: Sequence[FindingRow]) -> list[Run]:
    """Return the runs of rows, from top to bottom."""
    runs: list[Run] = []
    for cause, same in groupby(rows, key=lambda row: bool(row.found)):
        begin = runs[-1].end if runs else 0
        runs.append(Run(begin, begin + sum(1 for _ in same), cause))
    return runs


def searched_text(finding: Finding) -> str:
    """Return the text in which a search looks for words."""
    names = (finding.rule, finding.clip, finding.joint, finding.item, finding.severity)
    return " ".join((*names, finding.group, finding.message))


def _of_cause(group: Group, found: tuple[Finding, ...], opened: Finding | None) -> list[FindingRow]:
    """Return the row of a cause, and if one of its findings is opened those of all of them."""
    first = found[0]
    inside = len(found) > 1 and any(each is opened for each in found)
    own = None if inside else first
    row = FindingRow(
        group, found, own, label=sentence(first), extent=extent(found), size=size_text(first)
    )
    return [row, *(_below(group, each) for each in found if inside)]


def _below(group: Group, finding: Finding) -> FindingRow:
    time = "" if finding.time is None else f"{finding.time:.3f} s"
    label, when = (finding.clip, time) if finding.clip else (sentence(finding), "")
    return FindingRow(group, finding=finding, label=label, extent=when, size=size_text(finding))


def extent(found: Sequence[Finding]) -> str:
    """Return in how many clips findings of one cause are, or at how many times of one clip."""
    clips = len({each.clip for each in found if each.clip})
    if clips > 1:
        return f"in {clips} clips"
    return f"{len(found)} times" if len(found) > 1 else ""


def sentence(finding: Finding) -> str:
    """Return the beginning of the message: what is wrong, without the numbers that show it."""
    found = _SENTENCE.match(finding.message)
    return capitalized(found[0].strip() if found else finding.message)


def size_text(finding: Finding) -> str:
    """Return the visible size of a finding with its unit, "" if nothing is seen."""
    size = finding.size or 0.0
    unseen = finding.severity == "info" and size < LEAST_SIZE
    return "" if unseen or not size else measure(size * 1000, "mm")
