"""The result of checking one file in another process."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..check.finding import Finding
from ..wording import counted


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check.

    Attributes
    ----------
    findings
        New findings, most severe first.
    known
        Findings that the baseline lists.
    more
        Number of new findings that are left out because there are very many, by severity and
        rule.
    counts
        Number of all new findings by severity.
    rules
        What each of their rules looks for, and its limits, in lines of text.
    accepted
        Number of findings that the rules file accepts.
    fixed
        Number of entries of the baseline that no longer occur.
    baseline
        The path of the baseline, "" without one.
    """

    findings: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()
    more: Mapping[tuple[str, str], int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    accepted: int = 0
    fixed: int = 0
    baseline: str = ""


def tally(report: CheckReport) -> str:
    """Return the numbers of findings that are not new: ``3 known, 1 accepted, 2 fixed``."""
    parts = [f"{len(report.known)} known"] * bool(report.known)
    parts += [f"{report.accepted} accepted"] * bool(report.accepted)
    parts += [f"{counted(report.fixed, 'entry', 'entries')} fixed"] * bool(report.fixed)
    return ", ".join(parts)
