"""Reading of TOML files, with limits for what would take the parser too long."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import MotionError
from ..file_io import read_file
from .positions import Layout

MAX_BYTES = 1 << 20  # such files are written by hand and rarely exceed 20 kB
MAX_KEY_PARTS = 50  # the time of the parser grows with the square of the parts of a dotted key

_PART = r"""(?:"[^"\n]*+"|'[^'\n]*+'|[A-Za-z0-9_-]++)"""
_LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_KEY_PARTS}}}")


@dataclass(slots=True)
class TomlFile:
    """A TOML file: its root table, its text, and its name for messages."""

    table: dict[str, Any]
    text: str
    name: str

    def locate(self, error: MotionError) -> MotionError:
        """Set the file and line of an error about the table, and return it."""
        return located(error, self.text, self.name)


def located(error: MotionError, text: str, name: str) -> MotionError:
    """Set the file and line of an error about a text, of its key or the nearest parent."""
    error.file, error.line = name, Layout(text).line(error.path)
    return error


def read_toml(path: Path | str) -> TomlFile:
    """Return the contents of a TOML file.

    Raises
    ------
    MotionError
        The file cannot be read, or is not TOML.
    """
    name = str(path)
    return toml_file(_text(name), name)


def toml_file(text: str, name: str = "") -> TomlFile:
    """Return the contents of a TOML text; `name` is that of the file for messages.

    Raises
    ------
    MotionError
        The text is not TOML.
    """
    try:
        return TomlFile(parse_toml(text), text, name)
    except tomllib.TOMLDecodeError as error:
        raise _syntax(str(error), text, name) from None
    except ValueError as error:
        raise MotionError(str(error), file=name) from None


def parse_toml(text: str) -> dict[str, Any]:
    """Return the root table of a TOML text.

    Raises
    ------
    tomllib.TOMLDecodeError
        The text is not TOML.
    ValueError
        The text exceeds a limit: a dotted key of more than `MAX_KEY_PARTS` parts (also in a comment
        or string), nesting, or the digits of a number.
    """
    if match := _LONG_KEY.search(text):
        line = text.count("\n", 0, match.start()) + 1
        raise ValueError(f"a dotted key of more than {MAX_KEY_PARTS} parts (line {line})")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # an integer of more than 4300 digits
        raise ValueError("a number is too long") from None


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
