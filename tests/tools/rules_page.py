"""Writes the table of rules in docs/checks.md.

Run ``python -m tests.tools.rules_page`` after a change of a rule; a test compares the table.
"""

import re
from pathlib import Path

from rigview.check.rule import Limit, Rule
from rigview.check.rule_list import RULES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "checks.md"
_TABLE = re.compile(r"<!-- rules -->\n(?:\|[^\n]*\n)*")


def filled(text: str) -> str:
    """Return a page with an up-to-date table."""
    return _TABLE.sub(lambda _: f"<!-- rules -->\n{table()}", text)


def table() -> str:
    """Return the Markdown table of all rules."""
    rows = [
        f"| `{each.id}` | {each.severity} | {cell(each.summary)} | {limits(each)} "
        f"| {cell(each.fix)} |"
        for each in RULES
    ]
    head = [
        "| rule | severity | looks for | limits | how to fix |",
        "| --- | --- | --- | --- | --- |",
    ]
    return "\n".join([*head, *rows, ""])


def limits(rule: Rule) -> str:
    """Return the limits of a rule as a table cell."""
    return "<br>".join(_limit(each) for each in rule.limits)


def _limit(limit: Limit) -> str:
    scaled = " \\*" if limit.scaled else ""
    unit = f" {limit.unit}" if limit.unit else ""
    return f"`{limit.name}` = {limit.default:g}{unit}{scaled}: {cell(limit.summary)}"


def cell(text: str) -> str:
    """Return text with the escapes of a table cell."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def main() -> None:
    """Update the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
