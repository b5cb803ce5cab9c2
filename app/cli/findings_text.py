"""Findings as text: by file and by what they are about; what is seen best is first."""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from shutil import get_terminal_size
from textwrap import wrap

from ..checks.finding import Finding, by_cause, repetition
from ..tasks.check_report import CheckReport, counts, counts_text, other_counts
from ..wording import capitalized, one_line

Row = tuple[Finding, ...]  # the findings of a cause, the one that is seen best first
_MARKS = {"error": "✗", "warning": "!", "info": "·"}
_COLOURS = {
    "error": "31;1",
    "warning": "33",
    "info": "36",
    "faint": "2",
    "head": "1",
    "sound": "32",
}
_SHOWN = 5  # rows listed per rule and clip or mesh
_NARROWEST = 60  # least width for wrapped lines, characters
_MOST = 20  # rows listed per rule


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
        List all findings, also of rules that have many, and those about the file itself.
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
    """Yield the lines of a file: the counts, then what is seen best, by what it is about."""
    counted = counts_text(report.counts)
    role = report.findings[0].severity if report.findings else "sound"
    others = ", ".join(_others([report]))
    after = f" ({others})" if others else ""
    yield f"{one_line(report.file)}: {style.paint(counted, role)}{after}"
    folded = [each for each in report.findings if each.is_unseen and not all_of_them]
    groups: dict[str, list[Row]] = {}
    for row in by_cause(each for each in report.findings if all_of_them or not each.is_unseen):
        groups.setdefault(row[0].group, []).append(row)
    shown: set[str] = set()
    for group, rows in groups.items():
        yield style.paint(f"  {group}", "head")
        yield from _group(rows, shown, style, all_of_them)
    if folded:
        yield style.paint(f"  {len(folded)} about the file itself (--verbose lists them)", "faint")
    for known in report.fixed:
        what = ", ".join(one_line(each) for each in known[1:] if each)
        yield f"  fixed, remove it with --update-baseline: {what}"


def _others(files: Sequence[CheckReport]) -> list[str]:
    """Return the numbers of findings that are not new, without those that are 0."""
    return [f"{count} {word}" for word, count in other_counts(files).items() if count]


def _group(rows: Sequence[Row], shown: set[str], style: Style, all_of_them: bool) -> Iterator[str]:
    """Yield the rows of a group; a fix that is `shown` is not repeated."""
    listed = list(rows) if all_of_them else _worst(rows)
    for k, row in enumerate(listed):
        yield from _row(row, style, all_of_them)
        fix = row[0].fix
        last = k + 1 == len(listed) or listed[k + 1][0].fix != fix
        if fix and last and fix not in shown:
            shown.add(fix)
            yield from style.lines("      → ", one_line(fix))
    more = Counter(each.rule for row in rows for each in row)
    more.subtract(each.rule for row in listed for each in row)
    for rule, count in more.items():
        if count:
            yield f"    and {count} more of {rule} (--verbose lists all)"


def _row(row: Row, style: Style, all_of_them: bool) -> Iterator[str]:
    """Yield the lines of a cause: a sentence, then its visible size, and where it is."""
    first = row[0]
    mark = style.paint(_MARKS[first.severity], first.severity)
    lead = "    § "
    for line in style.lines(lead, capitalized(one_line(first.message))):
        yield line.replace("§", mark, 1) if line.startswith(lead) else line
    details = " · ".join(filter(None, _details(first, row)))
    between = " · " if first.size_text and details else ""
    yield from style.lines("      ", first.size_text, between + details)
    for other in row[1:] if all_of_them else ():
        where = "".join(f" · {part}" for part in (other.size_text, _time(other)) if part)
        yield from style.lines("      also: ", one_line(other.message), where)


def _details(finding: Finding, row: Row) -> Iterator[str]:
    """Yield what follows the visible size of a finding: amount, limit, clips, place, rule."""
    yield finding.unsaid_amount
    yield f"limit {finding.limit_text}" if finding.limit is not None else ""
    yield one_line(repetition(row))
    yield _time(finding)
    yield one_line(finding.place)
    yield finding.rule


def _time(finding: Finding) -> str:
    return f"at {finding.time:.3f} s" if finding.time is not None else ""


def _worst(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a group without those of rules that have many, in their order."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row[0].rule, row[0].clip, row[0].item), []).append(row)
    kept: dict[str, list[Row]] = {}
    for (rule, _, _), group in groups.items():
        kept.setdefault(rule, []).extend(sorted(group, key=_severity_key)[:_SHOWN])
    chosen = {id(row) for own in kept.values() for row in sorted(own, key=_severity_key)[:_MOST]}
    return [row for row in rows if id(row) in chosen]


def _severity_key(row: Row) -> tuple[float, float]:
    """Return the sort key of a row, worst first: by visible size, then beyond the limit."""
    finding = row[0]
    return -(finding.size or 0.0), -_excess(finding)


def _excess(finding: Finding) -> float:
    """Return by how many times a finding is beyond its limit; without one, its amount."""
    if finding.amount is None:
        return 0.0
    if not finding.limit:
        past = abs(finding.amount)
    elif finding.amount:  # below or above its limit; limits of one rule may have several units
        past = max(finding.amount / finding.limit, finding.limit / finding.amount, key=abs)
    else:
        past = float("inf")
    return abs(past) if isfinite(past) else float("inf")


def _total(files: Sequence[CheckReport]) -> str:
    """Return the total line over all files."""
    unread = sum(each.error is not None for each in files)
    parts = [counts_text(counts(files)), *_others(files)]
    if unread:
        parts.append(f"{unread} could not be read")
    return f"{len(files)} files: {', '.join(parts)}"
