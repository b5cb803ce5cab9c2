"""Findings as text: grouped by file and rule, most severe first."""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isfinite
from shutil import get_terminal_size
from textwrap import wrap

from ..checks.finding import Finding
from ..tasks.check_report import CheckReport, counts, counts_text
from ..wording import number, one_line

_MARKS = {"error": "✗", "warning": "!", "info": "·"}
_COLOURS = {"error": "31;1", "warning": "33", "info": "36", "faint": "2", "sound": "32"}
_SHOWN = 5  # findings listed per rule and clip or mesh
_NARROWEST = 60  # least width for wrapped lines, characters
_MOST = 20  # findings listed per rule


@dataclass(frozen=True, slots=True)
class Style:
    """Colours and line width; no information is given by colour alone."""

    coloured: bool = False
    width: int = 0  # characters; 0: lines are not wrapped

    @classmethod
    def of_terminal(cls) -> "Style":
        """Return the style of the terminal; pipes and files have no colours and no wrapping."""
        if sys.stdout is None or not sys.stdout.isatty():
            return cls()
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return cls(wanted, max(get_terminal_size().columns, _NARROWEST))

    def lines(self, lead: str, text: str, end: str = "") -> Iterator[str]:
        """Yield a lead, text and a faint end, wrapped to the width."""
        if not self.width or len(lead) + len(text) + len(end) <= self.width:
            yield f"{lead}{text}{self.paint(end, 'faint')}"
            return
        below = " " * len(lead)
        broken = wrap(text + end, self.width - len(lead), break_on_hyphens=False)
        yield from (f"{lead if k == 0 else below}{line}" for k, line in enumerate(broken))

    def paint(self, text: str, role: str) -> str:
        """Return text in the colour of its role."""
        return f"\x1b[{_COLOURS[role]}m{text}\x1b[0m" if self.coloured and text else text


def as_text(
    files: Sequence[CheckReport], style: Style, *, all_of_them: bool = False, quiet: bool = False
) -> str:
    """Return the reports as text.

    Parameters
    ----------
    all_of_them
        List all findings of each rule.
    quiet
        Findings only, without files without findings and without the total.
    """
    shown = [each for each in files if each.error is None and (each.findings or not quiet)]
    blocks = ["\n".join(_file(each, style, all_of_them)) for each in shown]
    if len(files) > 1 and not quiet:
        blocks.append(_total(files))
    text = ""
    for k, block in enumerate(blocks):
        apart = "\n" in block or (k > 0 and "\n" in blocks[k - 1])
        text += ("\n" if k and apart else "") + block + "\n"
    return text


def _file(report: CheckReport, style: Style, all_of_them: bool) -> Iterator[str]:
    """Yield the lines of a file: the counts, then a block for each rule."""
    counted = counts_text(report.counts)
    role = report.findings[0].severity if report.findings else "sound"
    yield f"{one_line(report.file)}: {style.paint(counted, role)}{_after_counts(report)}"
    for _, group in groupby(report.findings, key=lambda each: (each.severity, each.rule)):
        yield from _rule(list(group), style, all_of_them)
    for known in report.fixed:
        what = ", ".join(one_line(each) for each in known[1:] if each)
        yield f"  fixed, remove it with --update-baseline: {what}"


def _after_counts(report: CheckReport) -> str:
    """Return the text after the counts of a file: `` (3 known)``."""
    parts = [f"{len(report.known)} known"] * bool(report.known)
    parts += [f"{report.accepted} accepted"] * (report.accepted > 0)
    parts += [f"{len(report.fixed)} fixed"] * (len(report.fixed) > 0)
    return f" ({', '.join(parts)})" if parts else ""


def _rule(findings: Sequence[Finding], style: Style, all_of_them: bool) -> Iterator[str]:
    """Yield the findings of one rule: its name, a line for each, and the fixes."""
    first = findings[0]
    limits = {finding.limit_text for finding in findings}
    common = limits.pop() if len(limits) == 1 else ""
    head = style.paint(f"{_MARKS[first.severity]} {first.severity:7}", first.severity)
    yield f"  {head} {first.rule}{style.paint(f'  limit {common}', 'faint') if common else ''}"
    listed = list(findings) if all_of_them else _worst(findings)
    numbers = [_amount(finding, common) for finding in listed]
    if not common and all(map(_counts_in_words, listed)):
        numbers = [""] * len(listed)
    width = max(map(len, numbers))
    for finding, amount in zip(listed, numbers, strict=True):
        lead = f"{amount.rjust(width)}  " if width else ""
        yield from style.lines(f"      {lead}", one_line(finding.message), _where(finding))
    if len(listed) < len(findings):
        yield f"      and {len(findings) - len(listed)} more (--verbose lists all)"
    for fix in dict.fromkeys(finding.fix for finding in listed):
        yield from style.lines("      → ", one_line(fix))


def _amount(finding: Finding, common: str) -> str:
    """Return the amount of a finding, with its limit if the limits differ."""
    own = finding.limit_text
    return finding.amount_text + (f" (limit {own})" if own and not common else "")


def _counts_in_words(finding: Finding) -> bool:
    """Return whether a finding without a limit has its amount in its message."""
    if finding.amount is None:
        return True
    amount = re.escape(number(finding.amount))
    mention = re.search(rf"(?<![\d.,]){amount}(?![\d]|[.,]\d)", finding.message)
    return finding.limit is None and mention is not None


def _where(finding: Finding) -> str:
    """Return the time and place that follow a message."""
    time = f"{finding.time:.3f} s" if finding.time is not None else ""
    return "".join(f"  {part}" for part in (time, one_line(finding.place)) if part)


def _worst(findings: Sequence[Finding]) -> list[Finding]:
    """Return the worst findings of a rule, in their original order."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.clip, finding.item), []).append(finding)
    kept = [
        finding
        for group in groups.values()
        for finding in sorted(group, key=_severity_key)[:_SHOWN]
    ]
    if len(kept) > _MOST:
        kept = sorted(kept, key=_severity_key)[:_MOST]
    chosen = {id(finding) for finding in kept}
    return [finding for finding in findings if id(finding) in chosen]


def _severity_key(finding: Finding) -> float:
    """Return the sort key of a finding, worst first."""
    if finding.amount is None:
        return 0.0
    if not finding.limit:
        past = abs(finding.amount)
    elif finding.amount:  # below or above its limit; limits of one rule may have several units
        past = max(finding.amount / finding.limit, finding.limit / finding.amount, key=abs)
    else:
        past = float("inf")
    return -abs(past) if isfinite(past) else -float("inf")


def _total(files: Sequence[CheckReport]) -> str:
    """Return the total line over all files."""
    unread = sum(each.error is not None for each in files)
    extra: Mapping[str, int] = {
        "known": sum(len(each.known) for each in files),
        "accepted": sum(each.accepted for each in files),
        "fixed": sum(len(each.fixed) for each in files),
    }
    parts = [
        counts_text(counts(files)),
        *(f"{count} {word}" for word, count in extra.items() if count),
    ]
    if unread:
        parts.append(f"{unread} could not be read")
    return f"{len(files)} files: {', '.join(parts)}"
