"""`check` of one file in a process beside a window.

The process of the window imports this, too, without the rules.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..check.finding import Finding
from ..check.rule_settings import Settings
from ..options.config_defaults import config_defaults
from ..options.parser import parse
from ..wording import counted, measure
from .finding_report import FileReport, counts
from .input_file import each_file

MOST_OF_A_RULE = 200  # findings of one rule that are sent
MOST = 2000  # findings that are sent: reading and listing them must not delay a frame


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


def examine_alone(
    arguments: Sequence[str], report: Callable[[float], object] = float
) -> CheckReport:
    """Examine the file that arguments of `rigview check` name, as that command does.

    A configuration file gives defaults. A baseline is read but never written.

    Parameters
    ----------
    report
        Called with the share of the rules that is done.

    Raises
    ------
    AppError
        A file cannot be read, or the files do not fit together.
    """
    from .baseline_state import open_baseline  # imported late, as the next: all rules
    from .examine_file import Task, examine_file, rule_settings

    line, defaults = config_defaults("check", arguments)
    options = parse("check", line, defaults)
    options = replace(options, findings=replace(options.findings, update_baseline=False))
    settings = rule_settings(options)
    baseline = open_baseline(options)
    task = Task(each_file(options)[0], settings)
    examined = examine_file(task, report)
    judged = baseline.report(task, examined)
    new = set(map(id, judged.findings))
    known = [finding for finding in examined.findings if id(finding) not in new]
    sent = _first(judged.findings)
    return CheckReport(
        findings=sent,
        known=_first(known),
        more=_left_out(judged, sent),
        counts=counts([judged]),
        rules=_rule_texts((*sent, *known), settings),
        accepted=judged.accepted,
        fixed=len(judged.fixed),
        baseline=options.findings.baseline or "",
    )


def _first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings without those of rules that have very many."""
    seen: dict[str, int] = {}
    kept: list[Finding] = []
    for finding in findings:
        seen[finding.rule] = seen.get(finding.rule, 0) + 1
        if seen[finding.rule] <= MOST_OF_A_RULE and len(kept) < MOST:
            kept.append(finding)
    return tuple(kept)


def _left_out(judged: FileReport, sent: Sequence[Finding]) -> dict[tuple[str, str], int]:
    """Return the number of findings that are not sent, by severity and rule."""
    more = Counter((finding.severity, finding.rule) for finding in judged.findings)
    more.subtract((finding.severity, finding.rule) for finding in sent)
    return {key: count for key, count in more.items() if count}


def _rule_texts(findings: Iterable[Finding], settings: Settings) -> dict[str, str]:
    """Return what the rules of findings look for: a line, and a line for each limit."""
    return {name: _rule_text(name, settings) for name in {finding.rule for finding in findings}}


def _rule_text(name: str, settings: Settings) -> str:
    from ..check.examine import limits_of
    from ..check.rule_list import rule

    found = rule(name)
    values = limits_of(found, settings)
    lines = [found.summary]
    for limit in found.limits:
        scaled = ", for a character 1.8 m tall" if limit.scaled else ""
        lines.append(
            f"{limit.name} = {measure(values[limit.name], limit.unit)}: {limit.summary}{scaled}"
        )
    return "\n".join(lines)
