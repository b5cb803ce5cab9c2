"""A motion file as it was read: the document, and the text with the place of every key in it."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import MotionError
from ..tomlfile.positions import Layout
from ..tomlfile.toml_errors import KeyPath
from .cross_references import check
from .document import MotionDoc
from .schema import DOCUMENT

MOST_BYTES = 1 << 20  # a motion file is written by hand: one of 20 kB is a long one


@dataclass(slots=True)
class MotionFile:
    """A motion file.

    Attributes
    ----------
    document
        What it says.
    text
        The file as it stands; `rigview.motion.write` keeps its comments and its order.
    name
        The file as the user named it, for messages.
    """

    document: MotionDoc
    text: str = ""
    name: str = ""
    _layout: Layout | None = field(default=None, repr=False, compare=False)

    @property
    def layout(self) -> Layout:
        """Return the places of the text; made when they are first asked for."""
        if self._layout is None:
            self._layout = Layout(self.text)
        return self._layout

    def place(self, path: KeyPath) -> tuple[str, int]:
        """Return file and line of a key path: of what holds it, where the file has no such key."""
        return self.name, self.layout.line(path)

    def locate(self, error: MotionError) -> MotionError:
        """Give an error about the document its file and line, and return it."""
        error.file, error.line = self.place(error.path)
        return error


@dataclass(slots=True)
class TomlFile:
    """A TOML file that is not yet understood: its table, its text, and its name for messages."""

    table: dict[str, Any]
    text: str
    name: str

    def place(self, path: KeyPath) -> tuple[str, int]:
        """Return file and line of a key path, of what holds it where there is no such key."""
        return self.name, Layout(self.text).line(path)


def read_motion(path: Path | str) -> MotionFile:
    """Read a motion file.

    Raises
    ------
    MotionError
        It cannot be read, is not TOML, or says what no motion file can say.
    """
    name = str(path)
    return parse_motion(_text(name), name)


def read_toml(path: Path | str) -> TomlFile:
    """Read a TOML file of another kind, written by hand like a motion file.

    Raises
    ------
    MotionError
        It cannot be read, or is not TOML.
    """
    name = str(path)
    text = _text(name)
    return TomlFile(_table(text, name), text, name)


def _text(name: str) -> str:
    try:
        with open(name, "rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero in the name
        sentence = getattr(error, "strerror", None) or str(error)
        raise MotionError(sentence, file=name) from None
    if len(data) > MOST_BYTES:
        raise MotionError(f"is larger than such a file may be ({MOST_BYTES} bytes)", file=name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MotionError("is not UTF-8", file=name, line=line, hint="save it as such") from None


def _table(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax(str(error), text, file) from None
    except (RecursionError, ValueError) as error:  # ValueError: an integer of 5000 digits
        sentence = "nested too deep" if isinstance(error, RecursionError) else "a number too long"
        raise MotionError(sentence, file=file) from None


def parse_motion(text: str, file: str = "") -> MotionFile:
    """Return a motion file of its text; `file` is its name for messages.

    Raises
    ------
    MotionError
        The text is not TOML, or says what no motion file can say.
    """
    table = _table(text, file)
    motion = MotionFile(MotionDoc(), text, file)
    try:
        motion.document = DOCUMENT.read(table, ())
        check(motion.document)
    except MotionError as error:
        raise motion.locate(error) from None
    return motion


def document_from(text: str) -> MotionDoc:
    """Return the document of a motion file's text."""
    return parse_motion(text).document


def _syntax(message: str, text: str, file: str) -> MotionError:
    """Return the parser's message ("Invalid value (at line 3, column 5)") as one of ours."""
    sentence, _, where = message.rstrip(")").rpartition(" (at ")
    line = text.count("\n") + 1
    if where.startswith("line "):
        line = int(where.removeprefix("line ").partition(",")[0])
        sentence += f", at column {where.rpartition(' ')[2]}"
    elif where:
        sentence += ", at the end"
    return MotionError(f"not TOML: {sentence or message}", file=file, line=line)
