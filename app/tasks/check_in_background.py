"""`check` of one file in a process beside a window.

The process of the window imports this, too, without the rules.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ..checks.finding import Finding, Rule
from ..checks.rule_settings import Settings
from ..options.config_file import options_of_line
from ..wording import measure
from .check_report import CheckReport

MOST_OF_A_RULE = 200  # findings of one rule that are sent
MOST = 2000  # findings that are sent: reading and listing them must not delay a frame


def examine_alone(
    arguments: Sequence[str], report: Callable[[float], object] = float
) -> CheckReport:
    """Examine the file that arguments of `rigview check` name, as that command does.

    Configuration files give defaults. A baseline is read but never written.

    Parameters
    ----------
    report
        Called with the share of the rules that is done.

    Raises
    ------
    AppError
        A file cannot be read, or the files do not fit together.
    """
    from ..checks.rule_list import rule
    from .baseline_state import open_baseline
    from .examine_file import Task, examine_file, rule_settings
    from .input_file import each_file

    options = options_of_line("check", arguments)
    options = replace(options, findings=replace(options.findings, update_baseline=False))
    options = each_file(options)[0]
    settings = rule_settings(options)
    baseline = open_baseline(options)
    task = Task(options, settings)
    whole = baseline.report(task, examine_file(task, report))
    sent, known = _first(whole.findings), _first(whole.known)
    accepted = whole.accepted_findings[:MOST]
    names = {
        finding.rule for finding in (*sent, *whole.known, *(each.finding for each in accepted))
    }
    return replace(
        whole,
        findings=sent,
        known=known,
        accepted_findings=accepted,
        more=_left_out(whole.findings, sent),
        rules={name: _rule_text(rule(name), settings) for name in names},
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


def _left_out(findings: Iterable[Finding], sent: Iterable[Finding]) -> dict[tuple[str, str], int]:
    """Return the number of findings that are not sent, by severity and rule."""
    more = Counter((finding.severity, finding.rule) for finding in findings)
    more.subtract((finding.severity, finding.rule) for finding in sent)
    return {key: count for key, count in more.items() if count}


def _rule_text(rule: Rule, settings: Settings) -> str:
    """Return what a rule looks for: a line, and a line for each limit."""
    values = settings.limits_of(rule)
    lines = [rule.summary]
    for limit in rule.limits:
        scaled = ", for a character 1.8 m tall" if limit.scaled else ""
        lines.append(
            f"{limit.name} = {measure(values[limit.name], limit.unit)}: {limit.summary}{scaled}"
        )
    return "\n".join(lines)
