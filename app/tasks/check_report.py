"""The report of a checked file: new, known and fixed findings, or an error."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..checks.baseline import Known
from ..checks.finding import SEVERITIES, Finding, Rule
from ..checks.rule_settings import Ignore
from ..errors import AppError
from ..wording import counted

if TYPE_CHECKING:
    from ..loading.import_clips import ImportedFile


class Accepted(NamedTuple):
    """A finding that a configuration file accepts, and its entry there."""

    finding: Finding
    entry: Ignore


@dataclass(frozen=True)
class CheckReport:
    """The report of one file.

    Attributes
    ----------
    file
        As the user named it.
    findings
        New findings, neither accepted nor known, most severe first.
    known
        Findings that the baseline lists.
    accepted_findings
        Findings that a configuration file accepts.
    muted
        The configuration file that turns a rule off, by rule.
    fixed
        Entries of the baseline that no longer occur.
    error
        Why the file could not be checked.
    clips
        Names of all clips of the file, including imported ones.
    seen
        Names of the clips that were examined; None: all.
    missing
        Clips of `--animation` that the file does not have, with the error.
    carried
        Reports of the imported animation files.
    more
        For the window: number of new findings that are left out because there are very many, by
        severity and rule.
    rules
        For the window: what each of their rules looks for, and its limits, in lines of text.
    """

    file: str = ""
    findings: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()
    accepted_findings: tuple[Accepted, ...] = ()
    muted: Mapping[str, str] = field(default_factory=dict)
    fixed: tuple[Known, ...] = ()
    error: AppError | None = None
    clips: tuple[str, ...] = ()
    seen: frozenset[str] | None = None
    missing: Mapping[str, AppError] = field(default_factory=dict)
    carried: "tuple[ImportedFile, ...]" = ()
    more: Mapping[tuple[str, str], int] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of new findings by severity, those that are left out included."""
        counter = Counter[str](finding.severity for finding in self.findings)
        for (severity, _), number in self.more.items():
            counter[severity] += number
        return {severity: counter[severity] for severity in SEVERITIES}

    @property
    def accepted(self) -> int:
        """The number of accepted findings."""
        return len(self.accepted_findings)

    @property
    def tally(self) -> str:
        """The numbers of findings that are not new: ``3 known, 1 accepted, 2 entries fixed``."""
        parts = [f"{len(self.known)} known"] * bool(self.known)
        parts += [f"{self.accepted} accepted"] * bool(self.accepted)
        parts += [f"{counted(len(self.fixed), 'entry', 'entries')} fixed"] * bool(self.fixed)
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class FailurePolicy:
    """The rules that ran, and the severity that fails a build."""

    rules: tuple[Rule, ...]
    fail_on: str  # a severity, or "never"

    def fails(self, finding: Finding) -> bool:
        """Return whether a finding is a failure."""
        ranks: dict[str, int] = {severity: k for k, severity in enumerate(SEVERITIES)}
        return ranks[finding.severity] <= ranks.get(self.fail_on, -1)


def counts(reports: Iterable[CheckReport]) -> dict[str, int]:
    """Return the number of new findings by severity, over all files."""
    every = [report.counts for report in reports]
    return {severity: sum(each[severity] for each in every) for severity in SEVERITIES}


def other_counts(reports: Iterable[CheckReport]) -> dict[str, int]:
    """Return the number of findings that are not new, over all files."""
    every = list(reports)
    return {
        "known": sum(len(report.known) for report in every),
        "accepted": sum(report.accepted for report in every),
        "fixed": sum(len(report.fixed) for report in every),
    }


def counts_text(counted: dict[str, int]) -> str:
    """Return counts as text: ``1 error, 3 warnings``."""
    parts = []
    for severity, count in counted.items():
        plural = "s" if count != 1 and severity != "info" else ""
        if count:
            parts.append(f"{count} {severity}{plural}")
    return ", ".join(parts) or "no findings"
