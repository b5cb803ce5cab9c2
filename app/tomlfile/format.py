"""TOML text of dictionaries, lists, strings, numbers and booleans."""

import json
import re
from collections.abc import Mapping
from typing import Any

from ..errors import KeyPath

WIDTH = 100  # characters; longer lists are written over several lines
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def key(name: str) -> str:
    """Return a key as TOML text: bare where possible, else quoted."""
    return name if BARE_KEY.fullmatch(name) else string(name)


def dotted(path: KeyPath) -> str:
    """Return a key path as a dotted key, without indices."""
    return ".".join(key(part) for part in path if isinstance(part, str))


def string(text: str) -> str:
    """Return a TOML basic string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def inline(value: Any) -> str:  # noqa: ANN401 - any TOML value
    """Return a value on one line."""
    if isinstance(value, Mapping):
        parts = ", ".join(f"{key(name)} = {inline(item)}" for name, item in value.items())
        return f"{{ {parts} }}" if parts else "{}"
    if isinstance(value, list):
        return f"[{', '.join(inline(item) for item in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return string(value) if isinstance(value, str) else repr(value)


def line(name: str, value: Any, newline: str = "\n") -> str:  # noqa: ANN401
    """Return the line of a key and its value; a long list has one line for each item."""
    text = f"{name} = {inline(value)}"
    if len(text) > WIDTH and isinstance(value, list):
        parts = "".join(f"  {inline(item)},{newline}" for item in value)
        text = f"{name} = [{newline}{parts}]"
    return text + newline


def block(header: str, table: Mapping[str, Any], newline: str = "\n") -> str:
    """Return a table with its header."""
    return f"{header}{newline}" + "".join(
        line(key(name), value, newline) for name, value in table.items()
    )
