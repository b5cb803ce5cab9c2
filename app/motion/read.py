"""Read a motion file: its document, and its text with the position of every key."""

from dataclasses import dataclass
from pathlib import Path

from ..errors import MotionError
from ..tomlfile.parse import TomlFile, located, read_toml, toml_file
from .cross_references import check
from .document import DOCUMENT, MotionDoc


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

    def locate(self, error: MotionError) -> MotionError:
        """Set the file and line of an error about the document, and return it."""
        return located(error, self.text, self.name)


def read_motion(path: Path | str, *, versioned: bool = True) -> MotionFile:
    """Read a motion file; without `versioned`, its version may be missing.

    Parameters
    ----------
    path
        A TOML file; docs/motion-file.md explains it.

    Returns
    -------
    MotionFile
        Its `document`, and where each entry is in the text, for errors.

    Raises
    ------
    MotionError
        The file cannot be read, is not TOML, or is not a valid motion file.

    Examples
    --------
    >>> file = rigview.read_motion("steps.motion.toml")
    >>> file.document.layers[0].name
    'base'
    """
    file = read_toml(path)
    if not versioned:
        file.table.setdefault("version", 1)
    return _motion(file)


def parse_motion(text: str, file: str = "") -> MotionFile:
    """Return a motion file parsed from text; `file` is its name for messages.

    Raises
    ------
    MotionError
        The text is not TOML, or is not a valid motion file.
    """
    return _motion(toml_file(text, file))


def _motion(file: TomlFile) -> MotionFile:
    try:
        document = DOCUMENT.read(file.table, ())
        check(document)
    except MotionError as error:
        raise file.locate(error) from None
    return MotionFile(document, file.text, file.name)
