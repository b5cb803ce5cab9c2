"""Findings as JSON, as SARIF, which GitHub code scanning and others show, and for GitHub's actions.

SARIF 2.1.0, whose sections are cited:
https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; workflow commands of GitHub, which
annotate the files of a pull request:
https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..checks.finding import Finding, Rule, by_cause, repetition
from ..tasks.check_report import CheckReport, FailurePolicy, counts, other_counts
from ..version import __version__
from ..wording import capitalized, measure, one_line

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note", "size": "warning"}
_MEASURES = ("amount", "limit", "time", "size")
_SPECIAL = str.maketrans({"{": "{{", "}": "}}", "[": r"\[", "]": r"\]", "\\": r"\\"})


def as_sarif(files: Sequence[CheckReport], policy: FailurePolicy) -> str:
    """Return the log file: one run with the rules, the findings, and the files not read."""
    numbers = {rule.id: number for number, rule in enumerate(policy.rules)}
    unread = [report for report in files if report.error is not None]
    run = {
        "tool": {
            "driver": {
                "name": "Rigview",
                "version": __version__,
                "rules": [_rule(rule) for rule in policy.rules],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not unread,
                "toolExecutionNotifications": [_notification(report) for report in unread],
            }
        ],
        "results": [row for report in files for row in _results(report, numbers)],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    """Return a reporting descriptor (3.49); the level is that of most of its findings."""
    summary = f"{capitalized(rule.summary)}."
    limits = [
        f"{limit.name} = {measure(limit.default, limit.unit)}: {limit.summary}"
        for limit in rule.limits
    ]
    return {
        "id": rule.id,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": " ".join([summary, *(f"Limit {each}." for each in limits)])},
        "help": {"text": f"{capitalized(rule.fix)}."},
        "defaultConfiguration": {"level": _SARIF_LEVELS[rule.severity]},
        "properties": {"tags": [rule.group]},
    }


def _notification(report: CheckReport) -> dict[str, Any]:
    return {
        "level": "error",
        "message": _message(str(report.error)),
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(report.file)}}],
    }


def _results(report: CheckReport, numbers: dict[str, int]) -> list[dict[str, Any]]:
    """Return the results of a file (3.27); two of the same identity are counted."""
    seen = Counter[str]()
    rows: list[dict[str, Any]] = []
    for finding in report.findings:
        identity = _fingerprint(finding)
        seen[identity] += 1
        row: dict[str, Any] = {
            "ruleId": finding.rule,
            "level": _SARIF_LEVELS[finding.severity],
            "message": _message(finding.line, finding.fix),
            "locations": [_location(report.file, finding)],
            "partialFingerprints": {
                "identity/v1": identity,
                "primaryLocationLineHash": f"{identity}:{seen[identity]}",  # the one of GitHub
            },
            "properties": _properties(finding),
        }
        if finding.rule in numbers:
            row["ruleIndex"] = numbers[finding.rule]
        rows.append(row)
    return rows


def _fingerprint(finding: Finding) -> str:
    """Return a hash of the key that a baseline has; SARIF adds the rule and the file."""
    text = json.dumps(finding.identity)
    return sha256(text.encode()).hexdigest()[:32]


def _location(file: str, finding: Finding) -> dict[str, Any]:
    """Return where a finding is: the file, and the clip, joint and item with the JSON pointer.

    GitHub refuses a location without a line, which binary files do not have.
    """
    place = {"fullyQualifiedName": one_line(finding.place)} if finding.place else {}
    names = {"clip": finding.clip, "joint": finding.joint, "item": finding.item}
    logical = [
        {"name": one_line(name), "kind": kind, **place} for kind, name in names.items() if name
    ]
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(file), "region": {"startLine": 1}}
    }
    if logical or place:
        location["logicalLocations"] = logical or [place]
    return location


def _artifact(file: str) -> dict[str, str]:
    """Return an artifact location (3.4): relative to the working folder if the file is in it."""
    path = path_from_here(file)
    if Path(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(path, errors="backslashreplace"), "uriBaseId": "%SRCROOT%"}


def _message(*lines: str) -> dict[str, str]:
    """Return a message (3.11), in which braces and brackets are special characters."""
    return {"text": "\n".join(one_line(line).translate(_SPECIAL) for line in lines)}


def _properties(finding: Finding) -> dict[str, Any]:
    values = {name: getattr(finding, name) for name in _MEASURES}
    known = {name: value for name, value in values.items() if value is not None}
    return {
        **{name: value for name, value in known.items() if isfinite(value)},
        **({"unit": finding.unit} if finding.unit else {}),
        "group": finding.group,
        "touches": finding.touches,
    }


VERSION = 2
_KEYS = (  # of a finding: its fields, without the vertices, of which there may be thousands
    *("rule", "severity", "message", "fix", "place", "amount", "unit", "limit"),
    *("clip", "joint", "item", "time", "size", "touches", "group"),
)


def as_json(files: Sequence[CheckReport]) -> str:
    """Return the reports as JSON with a final newline; infinities and NaN are null."""
    document = {
        "version": VERSION,
        "files": [_file(report) for report in files],
        "counts": {
            **counts(files),
            **other_counts(files),
            "unread": sum(report.error is not None for report in files),
        },
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def _file(report: CheckReport) -> dict[str, Any]:
    row: dict[str, Any] = {
        "file": report.file,
        "findings": [
            {key: _plain(getattr(finding, key)) for key in _KEYS} for finding in report.findings
        ],
        "known": len(report.known),
        "accepted": report.accepted,
        "fixed": [line._asdict() for line in report.fixed],
    }
    if report.error is not None:
        row["error"] = str(report.error)
    return row


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not isfinite(value) else value


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
