"""Read a motion file: its document, and its text with the position of every key."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import KeyPath, MotionError
from ..file_io import read_file
from ..tomlfile.parse import parse_toml
from ..tomlfile.positions import Layout
from .cross_references import check
from .document import MotionDoc
from .schema import DOCUMENT

MAX_BYTES = 1 << 20  # motion files are written by hand and rarely exceed 20 kB


@dataclass(slots=True)
class MotionFile:
    """A motion file.

    Attributes
    ----------
    document
        Its contents.
    text
        Its text; `rigview.motion.write` keeps comments and order.
    name
        The file name as the user gave it, for messages.
    """

    document: MotionDoc
    text: str = ""
    name: str = ""
    _layout: Layout | None = field(default=None, repr=False, compare=False)

    @property
    def layout(self) -> Layout:
        """Return the positions of keys in the text; computed on first use."""
        if self._layout is None:
            self._layout = Layout(self.text)
        return self._layout

    def place(self, path: KeyPath) -> tuple[str, int]:
        """Return file and line of a key path, or of its nearest existing parent."""
        return self.name, self.layout.line(path)

    def locate(self, error: MotionError) -> MotionError:
        """Set the file and line of an error about the document, and return it."""
        error.file, error.line = self.place(error.path)
        return error


@dataclass(slots=True)
class TomlFile:
    """A parsed TOML file without a schema: table, text, and file name for messages."""

    table: dict[str, Any]
    text: str
    name: str

    def place(self, path: KeyPath) -> tuple[str, int]:
        """Return file and line of a key path, or of its nearest existing parent."""
        return self.name, Layout(self.text).line(path)


def read_motion(path: Path | str) -> MotionFile:
    """Read a motion file.

    Raises
    ------
    MotionError
        The file cannot be read, is not TOML, or is not a valid motion file.
    """
    name = str(path)
    return parse_motion(_text(name), name)


def read_toml(path: Path | str) -> TomlFile:
    """Read a TOML file without a schema.

    Raises
    ------
    MotionError
        The file cannot be read, or is not TOML.
    """
    name = str(path)
    text = _text(name)
    return TomlFile(_table(text, name), text, name)


def _text(name: str) -> str:
    try:
        data = read_file(name, MAX_BYTES)
    except OSError as error:
        raise MotionError(error.strerror or str(error), file=name) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MotionError(
            "not UTF-8", file=name, line=line, hint="save the file as UTF-8"
        ) from None


def _table(text: str, file: str) -> dict[str, Any]:
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax(str(error), text, file) from None
    except ValueError as error:
        raise MotionError(str(error), file=file) from None


def parse_motion(text: str, file: str = "") -> MotionFile:
    """Return a motion file parsed from text; `file` is its name for messages.

    Raises
    ------
    MotionError
        The text is not TOML, or is not a valid motion file.
    """
    table = _table(text, file)
    motion = MotionFile(MotionDoc(), text, file)
    try:
        motion.document = DOCUMENT.read(table, ())
        check(motion.document)
    except MotionError as error:
        raise motion.locate(error) from None
    return motion


def _syntax(message: str, text: str, file: str) -> MotionError:
    """Return a parser's message ("Invalid value (at line 3, column 5)") as a MotionError."""
    reason, _, where = message.rstrip(")").rpartition(" (at ")
    line = text.count("\n") + 1
    if where.startswith("line "):
        line = int(where.removeprefix("line ").partition(",")[0])
        reason += f", at column {where.rpartition(' ')[2]}"
    elif where:
        reason += ", at the end of the file"
    return MotionError(f"not TOML: {reason or message}", file=file, line=line)
