"""Findings as a JSON document."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from ..tasks.finding_report import FileReport, counts

VERSION = 1
_KEYS = {"fix": "mend", "message": "sentence"}  # fields whose keys differ, for compatibility


def as_json(files: Sequence[FileReport]) -> str:
    """Return the reports as JSON with a final newline; infinities and NaN are null."""
    document = {
        "version": VERSION,
        "files": [_file(report) for report in files],
        "counts": {
            **counts(files),
            "known": sum(report.known for report in files),
            "accepted": sum(report.accepted for report in files),
            "mended": sum(len(report.fixed) for report in files),
            "unread": sum(report.error is not None for report in files),
        },
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def _file(report: FileReport) -> dict[str, Any]:
    row: dict[str, Any] = {
        "file": report.file,
        "findings": [
            {
                _KEYS.get(key, key): _plain(value)
                for key, value in asdict(finding).items()
                if key != "vertices"  # there may be thousands
            }
            for finding in report.findings
        ],
        "known": report.known,
        "accepted": report.accepted,
        "mended": [line._asdict() for line in report.fixed],
    }
    if report.error is not None:
        row["error"] = str(report.error)
    return row


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not isfinite(value) else value
