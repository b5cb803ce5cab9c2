"""What is to be told of each file: findings, what is known and mended, or why it cannot be read."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite

from ..check.baseline import Known
from ..check.finding import SEVERITIES, Finding, Severity
from ..check.rule import Rule
from ..errors import AppError


@dataclass(slots=True)
class Told:
    """One file.

    Attributes
    ----------
    file
        As the user named it.
    findings
        Those to be told: neither accepted nor known, the gravest first.
    known, accepted
        How many others there are: in the baseline, by the file of rules.
    mended
        Lines of the baseline that no longer occur.
    error
        Why it could not be looked at.
    """

    file: str
    findings: Sequence[Finding] = ()
    known: int = 0
    accepted: int = 0
    mended: list[Known] = field(default_factory=list)
    error: AppError | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a build machine is to make of it: rules that ran, and what fails it."""

    rules: tuple[Rule, ...]
    fail_on: str  # a severity, or "never"

    def fails(self, severity: Severity) -> bool:
        """Whether a finding of that severity is a failure."""
        if self.fail_on == "never":
            return False
        return SEVERITIES.index(severity) <= [*SEVERITIES].index(self.fail_on)  # type: ignore[arg-type]


def counts(files: Iterable[Told]) -> dict[str, int]:
    """Return how many findings there are by severity, in all files."""
    found = Counter(each.severity for told in files for each in told.findings)
    return {severity: found[severity] for severity in SEVERITIES}


def words(counted: dict[str, int]) -> str:
    """Return counts as a person reads them: ``1 error, 3 warnings``."""
    parts = []
    for severity, count in counted.items():
        plural = "s" if count != 1 and severity != "info" else ""
        if count:
            parts.append(f"{count} {severity}{plural}")
    return ", ".join(parts) or "no findings"


def amount(finding: Finding) -> str:
    """Return the number of a finding with its unit, ``""`` where it has none."""
    return "" if finding.amount is None else _with_unit(finding.amount, finding.unit)


def limit(finding: Finding) -> str:
    """Return the limit that was passed with its unit, ``""`` where there is none."""
    return "" if finding.limit is None else _with_unit(finding.limit, finding.unit)


_ONE = {"vertices": "vertex", "meshes": "mesh"}  # others lose their s


def _with_unit(value: float, unit: str) -> str:
    if value == 1 and len(unit) > 3 and unit.isalpha():
        unit = _ONE.get(unit, unit.removesuffix("s"))
    gap = "" if unit in ("", "°", "%") or unit.startswith("°/") else " "
    return f"{number(value)}{gap}{unit}"


def number(value: float) -> str:
    """Return a number with as many digits as a person wants: 12.3, 0.00123, 1234."""
    if not isfinite(value):
        return str(float(value))
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def in_a_line(finding: Finding) -> str:
    """Return a finding on one line: sentence, number (where it has none), limit, time, place."""
    parts = [finding.sentence]
    if finding.amount is not None and amount(finding) not in finding.sentence:
        parts.append(amount(finding))
    if finding.limit is not None:
        parts.append(f"limit {limit(finding)}")
    if finding.time is not None:
        parts.append(f"at {finding.time:.3f} s")
    if finding.place:
        parts.append(finding.place)
    return "; ".join(parts)
