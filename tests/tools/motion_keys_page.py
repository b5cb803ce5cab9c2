"""Writes the tables of keys in docs/motion-file.md from app/motion/document.py.

Run ``python -m tests.tools.motion_keys_page`` after a change of it; a test compares them.
"""

import re
from dataclasses import MISSING
from pathlib import Path

from rigview.motion import document
from rigview.tomlfile.format import inline
from rigview.tomlfile.tables import Block, Key, ListOf, TableOf, Union
from rigview.tomlfile.value_types import Kind

PAGE = Path(__file__).resolve().parents[2] / "docs" / "motion-file.md"
NAMES = vars(document)
BLOCKS = {name.lower(): block for name, block in NAMES.items() if isinstance(block, Block)}
_TABLE = re.compile(r"<!-- keys: (\w+) -->\n(?:\|[^\n]*\n)*")


def filled(text: str) -> str:
    """Return a page with up-to-date tables."""
    return _TABLE.sub(lambda match: f"<!-- keys: {match[1]} -->\n{table(match[1])}", text)


def table(name: str) -> str:
    """Return the Markdown table of a block's keys."""
    block = BLOCKS[name]
    rows = [
        f"| `{key.name}` | {words(key.kind)} | {default(block, key)} | {key.help} |"
        for key in block.keys
    ]
    return "\n".join(["| key | value | default | |", "| --- | --- | --- | --- |", *rows, ""])


def words(kind: Kind) -> str:
    """Return the allowed values of a key, as a table cell."""
    if isinstance(kind, Block):
        return f"a table, {kind.title} below"
    if isinstance(kind, ListOf) and isinstance(kind.kind, Block | Union):
        return "a list of tables"
    if isinstance(kind, TableOf) and isinstance(kind.kind, Block | Union | TableOf):
        return f"a table for each {kind.name}"
    if isinstance(kind, TableOf):
        return f"a table: {kind.name} = {kind.kind.words}"
    return kind.words


def default(block: Block, key: Key) -> str:
    """Return the default of a key, as a table cell."""
    value = block.default(key)
    if value is MISSING:
        return "required"
    if value is None or value == () or (isinstance(key.kind, TableOf) and not value):
        return ""
    return f"`{inline(key.kind.plain(value))}`" if not isinstance(key.kind, Block) else ""


def main() -> None:
    """Update the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
