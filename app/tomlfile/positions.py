"""Source positions of keys, values and tables in TOML text, for messages and edits.

The text must be valid TOML, as accepted by a parser; it is not validated again.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ..errors import KeyPath

_SPACE = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")  # between the items of an array
_KEY = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|[A-Za-z0-9_-]+')
_STRING = re.compile(
    r'"""(?:\\[\s\S]|[^\\])*?"{3,5}(?!")'
    r"|'''[\s\S]*?'{3,5}(?!')"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
)
_BARE = re.compile(r"[^,\]}#\n]*")
_COMMENTS = re.compile(r"^(?:[ \t]*#[^\n]*\n)+\Z", re.MULTILINE)  # right above a header


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets of a key and its value, or of an item of an array."""

    start: int  # of the key, or of the value of an item
    value: int
    end: int  # after the value
    form: Literal["scalar", "array", "inline"] = "scalar"


@dataclass(slots=True)
class Section:
    """A table header with the lines up to the next header."""

    path: KeyPath
    lead: int  # start of the comment directly above the header
    start: int  # of the header
    body: int  # after the header's line
    end: int  # the next section's lead
    keys: list[KeyPath] = field(default_factory=list)  # of its lines, in order


class Layout:
    """The positions of the keys, values and tables of a text.

    Attributes
    ----------
    spans
        Spans by key path, including items of arrays and keys of inline tables.
    sections
        Sections in the order of the text; the first is the part before any header.
    members
        Keys of each inline table, by its path.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: dict[KeyPath, Span] = {}
        self.sections = [Section((), 0, 0, 0, len(text))]
        self.members: dict[KeyPath, list[KeyPath]] = {}
        self._first: dict[KeyPath, int] = {}  # offset of the first mention of a path
        self._counts: dict[KeyPath, int] = {}  # tables so far in each array of tables
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._at = 0
        self._tail = 0  # after the last value
        self._scan()

    def __contains__(self, path: KeyPath) -> bool:
        return path in self._first

    def line(self, path: KeyPath) -> int:
        """Return the line of a key path from 1, or of its nearest parent that exists; else 0."""
        for count in range(len(path), 0, -1):
            offset = self._first.get(path[:count])
            if offset is not None:
                return bisect_right(self._lines, offset)
        return 0

    def under(self, path: KeyPath) -> Iterator[Section]:
        """Yield the sections of a path and of its children."""
        return (section for section in self.sections[1:] if section.path[: len(path)] == path)

    def _scan(self) -> None:
        while self._skip(_GAP) < len(self.text):
            if self.text[self._at] == "[":
                self._header()
            else:
                self.sections[-1].keys.append(self._entry(self.sections[-1].path))
                self._tail = self._at

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self._at)
        self._at = match.end() if match else self._at
        return self._at

    def _header(self) -> None:
        start = self._at
        listed = self.text.startswith("[[", start)
        self._at += 2 if listed else 1
        path: KeyPath = ()
        names = self._dotted()
        for name in names[:-1]:
            path = self._last((*path, name))
        path = (*path, names[-1])
        if listed:
            self._first.setdefault(path, start)
            number = self._counts.get(path, 0)
            self._counts[path] = number + 1
            path = (*path, number)
        else:
            path = self._last(path)
        newline = self.text.find("\n", self._at)
        self._at = len(self.text) if newline < 0 else newline + 1
        comments = _COMMENTS.search(self.text, max(self.sections[-1].body, self._tail), start)
        lead = comments.start() if comments else start
        self.sections[-1].end = lead
        self.sections.append(Section(path, lead, start, self._at, len(self.text)))
        self._note(path, start)

    def _last(self, path: KeyPath) -> KeyPath:
        """Return the path itself, or for an array of tables the path of its last table."""
        count = self._counts.get(path, 0)
        return (*path, count - 1) if count else path

    def _note(self, path: KeyPath, offset: int) -> None:
        for count in range(1, len(path) + 1):
            self._first.setdefault(path[:count], offset)

    def _entry(self, above: KeyPath) -> KeyPath:
        """Scan a key and its value; return the key's path."""
        start = self._at
        path = (*above, *self._dotted())
        self._note(path, start)
        self._at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path, start)
        return path

    def _dotted(self) -> list[str]:
        """Scan a dotted key up to the character after it; return its parts."""
        names = []
        while True:
            self._skip(_SPACE)
            match = _KEY.match(self.text, self._at)
            if match is None:
                raise ValueError(f"invalid TOML at offset {self._at}")
            names.append(_unquoted(match.group()))
            self._at = match.end()
            self._skip(_SPACE)
            if self.text[self._at] != ".":
                return names
            self._at += 1

    def _value(self, path: KeyPath, start: int | None = None) -> None:
        """Scan a value and record its span."""
        begin = self._at
        sign = self.text[begin]
        if sign in "[{":
            self._at += 1
            self._parts(path, "]" if sign == "[" else "}")
        elif sign in "\"'":
            self._skip(_STRING)
        else:
            self._skip(_BARE)
            self._at = begin + len(self.text[begin : self._at].rstrip())
        form: Literal["scalar", "array", "inline"] = "scalar"
        if sign in "[{":
            form = "array" if sign == "[" else "inline"
        self.spans[path] = Span(begin if start is None else start, begin, self._at, form)

    def _parts(self, path: KeyPath, end: str) -> None:
        number = 0
        members = self.members.setdefault(path, []) if end == "}" else []
        while self.text[self._skip(_GAP)] != end:
            if end == "}":
                members.append(self._entry(path))
            else:
                self._note((*path, number), self._at)
                self._value((*path, number))
            number += 1
            if self.text[self._skip(_GAP)] == ",":
                self._at += 1
        self._at += 1


def _unquoted(key: str) -> str:
    """Return the name of a key without quotes and escapes."""
    if key[0] not in "\"'":
        return key
    import tomllib

    return str(next(iter(tomllib.loads(f"{key} = 0"))))
