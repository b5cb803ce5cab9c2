"""Findings as a JSON document."""

import json
from collections.abc import Sequence
from math import isfinite
from typing import Any

from ..tasks.check_report import CheckReport, counts

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
            "known": sum(len(report.known) for report in files),
            "accepted": sum(report.accepted for report in files),
            "fixed": sum(len(report.fixed) for report in files),
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
