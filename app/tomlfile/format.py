"""TOML text of plain values: dictionaries, lists, strings, numbers and switches."""

import json
import re
from collections.abc import Mapping
from typing import Any

from .toml_errors import KeyPath

WIDTH = 100  # characters of a line before a list is broken
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key(name: str) -> str:
    """Return a key as it is written: bare where it may be."""
    return name if _BARE.fullmatch(name) else string(name)


def dotted(path: KeyPath) -> str:
    """Return a path as a header or a dotted key writes it; indices are left out."""
    return ".".join(key(part) for part in path if isinstance(part, str))


def string(text: str) -> str:
    """Return a basic string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def inline(value: Any) -> str:  # noqa: ANN401 - whatever TOML can hold
    """Return a value on one line."""
    if isinstance(value, Mapping):
        parts = ", ".join(f"{key(name)} = {inline(each)}" for name, each in value.items())
        return f"{{ {parts} }}" if parts else "{}"
    if isinstance(value, list):
        return f"[{', '.join(inline(each) for each in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return string(value) if isinstance(value, str) else repr(value)


def line(name: str, value: Any, newline: str = "\n") -> str:  # noqa: ANN401
    """Return a key with its value; a list of tables that is too long has a line for each."""
    text = f"{name} = {inline(value)}"
    if len(text) > WIDTH and isinstance(value, list):
        parts = "".join(f"  {inline(each)},{newline}" for each in value)
        text = f"{name} = [{newline}{parts}]"
    return text + newline


def block(header: str, table: Mapping[str, Any], newline: str = "\n") -> str:
    """Return a header and the lines below it."""
    return f"{header}{newline}" + "".join(
        line(key(name), value, newline) for name, value in table.items()
    )
