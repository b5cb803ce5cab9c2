"""Findings as SARIF 2.1.0, which GitHub code scanning and others show.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; sections are cited below.
"""

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..checks.finding import Finding, Rule
from ..tasks.check_report import CheckReport, FailurePolicy
from ..version import __version__
from ..wording import capitalized, measure, one_line
from .findings_github import path_from_here

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note", "size": "warning"}
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
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
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
            "level": _LEVELS[finding.severity],
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
