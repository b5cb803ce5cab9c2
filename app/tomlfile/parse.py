"""Parsing of TOML text, with limits for what would take the parser too long."""

import re
import tomllib
from typing import Any

MAX_KEY_PARTS = 50  # the time of the parser grows with the square of the parts of a dotted key

_PART = r"""(?:"[^"\n]*+"|'[^'\n]*+'|[A-Za-z0-9_-]++)"""
_LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_KEY_PARTS}}}")


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
