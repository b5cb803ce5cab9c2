"""A baseline: a JSON file of known findings, identified by file, rule, clip and joint.

Amounts are not part of it. It has one sorted line per finding, so that diffs are easy to read.
Findings with the same identity share a line: two pops of one joint in one clip are one line.
"""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings.

    Attributes
    ----------
    path
        The file, as the user named it.
    known
        The lines.
    """

    path: Path
    known: frozenset[Known] = frozenset()

    def name(self, file: str | None) -> str:
        """Return a file's name in the baseline; None: the bundled file, ``-``: standard input."""
        if file is None or file == _STANDARD:
            return file or _BUNDLED
        folder = os.path.abspath(self.path.parent)
        try:
            return Path(os.path.relpath(file, folder)).as_posix()
        except ValueError:  # on another drive
            return Path(os.path.abspath(file)).as_posix()

    def of(self, name: str) -> set[Known]:
        """Return the lines about a file."""
        return {finding for finding in self.known if finding.file == name}

    def gone(self) -> set[Known]:
        """Return the lines of files that no longer exist."""
        names = {finding.file for finding in self.known} - {_STANDARD, _BUNDLED}
        # unlike `Path.exists`, false for a name that is too long
        missing = {name for name in names if not os.path.exists(self.path.parent / name)}
        return {finding for finding in self.known if finding.file in missing}


def read_baseline(path: Path | str) -> Baseline:
    """Read a baseline.

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
    return Baseline(Path(path), frozenset(_lines(document, name)))


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
