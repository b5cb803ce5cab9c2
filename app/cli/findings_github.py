"""Findings as GitHub's workflow commands, which annotate the files of a pull request.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ..checks.finding import by_cause, repetition
from ..tasks.check_report import CheckReport
from ..wording import one_line

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def as_github(files: Sequence[CheckReport]) -> str:
    """Return a workflow command for each cause of findings, and for files that are unreadable.

    GitHub shows ten of each level: a fault that several clips have is one.
    """
    lines = []
    for report in files:
        file = path_from_here(report.file)
        if report.error is not None:
            title = "cannot be checked"
            lines.append(_command("error", {"file": file, "title": title}, str(report.error)))
        for same in by_cause(report.findings):
            finding = same[0]
            line = "; ".join(filter(None, [finding.line, repetition(same)]))
            message = f"{one_line(line)}\n{one_line(finding.fix)}"
            properties = {"file": file, "title": finding.rule}
            lines.append(_command(_LEVELS[finding.severity], properties, message))
        for known in report.fixed:
            what = ", ".join(each for each in known[1:] if each)
            message = f"fixed, but still in the baseline: {one_line(what)}"
            lines.append(_command("notice", {"file": file, "title": known.rule}, message))
    return "".join(f"{line}\n" for line in lines)


def path_from_here(file: str) -> str:
    """Return a path as GitHub has it: with slashes, relative to the working folder."""
    path = Path(file)
    with suppress(OSError, ValueError):  # the working folder may be deleted
        path = path.relative_to(os.getcwd())
    return one_line(path.as_posix())


def _command(level: str, properties: Mapping[str, str], message: str) -> str:
    given = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{level} {given}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
