"""Templates of pages; text of files is escaped, and control characters are shown as escapes."""

import re
import unicodedata
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from .. import wording
from ..version import __version__

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath "
    "d='M8 2v6M8 8l-5 6M8 8l5 6' stroke='%23c2571a' stroke-width='2.4' stroke-linecap='round' "
    "fill='none'/%3E%3C/svg%3E"
)
_JOINERS = "\u200c\u200d"  # zero-width (non-)joiner, needed by some scripts
_WORDS = re.compile(r"(?<=[_.:/-])(?=\w)|(?<=[a-z0-9])(?=[A-Z])")  # word boundaries in names


def shown(text: object) -> object:
    """Return a text with invisible and bidirectional control characters as escape sequences."""
    if not isinstance(text, str) or text.isprintable() or hasattr(text, "__html__"):
        return text
    return "".join(c if _plain(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def breakable(text: str) -> Markup:
    """Return a name with optional line breaks between words: ``Left|Up|Leg_|01``."""
    words = _WORDS.split(str(shown(text)))
    return Markup("<wbr>").join(escape(word) for word in words)


def _plain(letter: str) -> bool:
    return letter.isprintable() or letter in _JOINERS or unicodedata.category(letter) == "Zs"


def part(name: str) -> str:
    """Return the text of a file of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def render(name: str, **values: object) -> str:
    """Return the page of a template; text of files is text, never markup."""
    page = _environment().get_template(name).render(version=__version__, **values)
    return page.encode("utf-8", "replace").decode("utf-8")


def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(part),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "breakable": breakable,
        "count": wording.in_groups,
        "size": wording.page_size,
        "seconds": wording.page_seconds,
        "capitalized": wording.capitalized,
        "metres": wording.metres,
    }
    made.globals |= {"plural": wording.page_counted}
    return made
