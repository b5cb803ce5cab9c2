"""Writes the table of rules and the example of the output in docs/checks.md.

Run ``python -m tests.tools.rules_page`` after a change of a rule; a test compares the page.
"""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rigview.checks.finding import Limit, Rule
from rigview.checks.rule_list import RULES
from tests.support.broken_characters import broken_character

PAGE = Path(__file__).resolve().parents[2] / "docs" / "checks.md"
_EXAMPLES = ("slide", "pop")  # broken characters of docs/diagnose.md
_OUTPUT = re.compile(r"<!-- output -->\n```\n.*?^```\n", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"<!-- rules -->\n(?:\|[^\n]*\n)*")


def filled(text: str) -> str:
    """Return a page with an up-to-date table and example."""
    text = _OUTPUT.sub(lambda _: f"<!-- output -->\n```\n{output()}```\n", text)
    return _TABLE.sub(lambda _: f"<!-- rules -->\n{table()}", text)


def output() -> str:
    """Return what `check` prints about the examples."""
    names = [f"{name}.glb" for name in _EXAMPLES]
    with TemporaryDirectory() as folder:
        for file, name in zip(names, _EXAMPLES, strict=True):
            Path(folder, file).write_bytes(broken_character(name))
        command = [sys.executable, "-m", "rigview", "check", *names, "--fail-on", "never"]
        return subprocess.run(
            command, cwd=folder, check=True, capture_output=True, encoding="utf-8"
        ).stdout


def table() -> str:
    """Return the Markdown table of all rules."""
    rows = [
        f"| `{each.id}` | {each.group} | {each.severity} | {cell(each.summary)} | {limits(each)} "
        f"| {cell(each.fix)} |"
        for each in RULES
    ]
    head = [
        "| rule | group | severity | looks for | limits | how to fix |",
        "| --- | --- | --- | --- | --- | --- |",
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
