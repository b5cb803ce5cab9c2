"""The report of each checked file: new, known and fixed findings, or an error."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..check.baseline import Known
from ..check.finding import SEVERITIES, Finding, Severity
from ..check.rule import Rule
from ..errors import AppError
from ..wording import measure


@dataclass(slots=True)
class FileReport:
    """The report of one file.

    Attributes
    ----------
    file
        As the user named it.
    findings
        New findings, neither accepted nor known, most severe first.
    known, accepted
        Number of findings in the baseline, and accepted by the rules file.
    fixed
        Entries of the baseline that no longer occur.
    error
        Why the file could not be checked.
    """

    file: str
    findings: Sequence[Finding] = ()
    known: int = 0
    accepted: int = 0
    fixed: list[Known] = field(default_factory=list)
    error: AppError | None = None


@dataclass(frozen=True, slots=True)
class FailurePolicy:
    """The rules that ran, and the severity that fails a build."""

    rules: tuple[Rule, ...]
    fail_on: str  # a severity, or "never"

    def fails(self, severity: Severity) -> bool:
        """Return whether a finding of that severity is a failure."""
        if self.fail_on == "never":
            return False
        return SEVERITIES.index(severity) <= [*SEVERITIES].index(self.fail_on)  # type: ignore[arg-type]


def counts(files: Iterable[FileReport]) -> dict[str, int]:
    """Return the number of findings by severity, over all files."""
    counter = Counter(finding.severity for report in files for finding in report.findings)
    return {severity: counter[severity] for severity in SEVERITIES}


def counts_text(counted: dict[str, int]) -> str:
    """Return counts as text: ``1 error, 3 warnings``."""
    parts = []
    for severity, count in counted.items():
        plural = "s" if count != 1 and severity != "info" else ""
        if count:
            parts.append(f"{count} {severity}{plural}")
    return ", ".join(parts) or "no findings"


def amount_text(finding: Finding) -> str:
    """Return the amount of a finding with its unit, ``""`` without one."""
    return "" if finding.amount is None else measure(finding.amount, finding.unit)


def limit_text(finding: Finding) -> str:
    """Return the exceeded limit of a finding with its unit, ``""`` without one."""
    return "" if finding.limit is None else measure(finding.limit, finding.unit)


def as_line(finding: Finding) -> str:
    """Return a finding on one line: message, amount, limit, time and place."""
    parts = [finding.message]
    if finding.amount is not None and amount_text(finding) not in finding.message:
        parts.append(amount_text(finding))
    if finding.limit is not None:
        parts.append(f"limit {limit_text(finding)}")
    if finding.time is not None:
        parts.append(f"at {finding.time:.3f} s")
    if finding.place:
        parts.append(finding.place)
    return "; ".join(parts)
