"""A baseline: a JSON file of known findings, identified by file, rule, clip and joint.

Amounts are not part of it. It has one sorted line per finding, so that diffs are easy to read.
Findings with the same identity share a line: two pops of one joint in one clip are one line.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import MotionError
from ..file_io import read_file

VERSION = 1
MAX_BYTES = 1 << 26
_STANDARD, _BUNDLED = "-", "(bundled)"


class Known(NamedTuple):
    """One line of a baseline."""

    file: str  # relative to the folder of the baseline, with slashes; or `_STANDARD` or `_BUNDLED`
    rule: str
    clip: str = ""
    joint: str = ""
    item: str = ""


def name_of(file: str | None, baseline: Path) -> str:
    """Return a file's name in a baseline; None: the bundled file, ``-``: standard input."""
    if file is None or file == _STANDARD:
        return file or _BUNDLED
    try:
        return Path(os.path.relpath(file, os.path.abspath(baseline.parent))).as_posix()
    except ValueError:  # on another drive
        return Path(os.path.abspath(file)).as_posix()


def gone(known: Iterable[Known], baseline: Path) -> set[Known]:
    """Return the lines of a baseline about files that no longer exist."""
    return {
        line
        for line in known
        # unlike `Path.exists`, false for too long a name
        if line.file not in (_STANDARD, _BUNDLED)
        and not os.path.exists(baseline.parent / line.file)
    }


def read_baseline(path: Path | str) -> frozenset[Known]:
    """Return the lines of a baseline.

    Raises
    ------
    MotionError
        The file cannot be read or is not a baseline; with the line number if known.
    """
    name = str(path)
    try:
        data = read_file(path, MAX_BYTES)
    except OSError as error:
        hint = "--update-baseline writes it" if isinstance(error, FileNotFoundError) else ""
        raise MotionError(error.strerror or str(error), file=name, hint=hint) from None
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise MotionError(f"not JSON: {error.msg}", file=name, line=error.lineno) from None
    except (ValueError, RecursionError):  # not UTF-8, or nested too deep
        raise MotionError("not JSON", file=name) from None
    return frozenset(_lines(document, name))


def _lines(document: Any, name: str) -> list[Known]:  # noqa: ANN401 - any JSON value
    if not isinstance(document, dict) or not isinstance(document.get("known"), list):
        raise MotionError("not a baseline", file=name, hint="--update-baseline writes one")
    if document.get("version") != VERSION:
        raise MotionError("unknown version of a baseline", file=name, place="version")
    for k, row in enumerate(document["known"]):
        valid = isinstance(row, dict) and {"file", "rule"} <= set(row) <= set(Known._fields)
        if not valid or not all(isinstance(value, str) for value in row.values()):
            raise MotionError("not a line of a baseline", file=name, place=f"known[{k}]")
    return [Known(**row) for row in document["known"]]


def as_text(known: Iterable[Known]) -> str:
    """Return the text of a baseline file: one line per finding, sorted."""
    rows = [
        json.dumps(
            {key: value for key, value in finding._asdict().items() if value}, ensure_ascii=False
        )
        for finding in sorted(set(known))
    ]
    inside = "".join(f"\n    {row}{',' * (k < len(rows) - 1)}" for k, row in enumerate(rows))
    lines = f"[{inside}\n  ]" if rows else "[]"
    return f'{{\n  "version": {VERSION},\n  "known": {lines}\n}}\n'
