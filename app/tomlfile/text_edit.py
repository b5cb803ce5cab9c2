"""Edits of TOML text: change a value, add or remove a key or a table.

All other bytes of the text are kept.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import KeyPath
from . import format
from .positions import Layout, Section

_SPACED = re.compile(r"\n\r?\n(?:#[^\n]*\n)*\[")  # an empty line before a header
_REST = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r?\n)?")  # rest of a line after a value
_ITEM_END = re.compile(r"[ \t]*,?(?:[ \t]*#[^\r\n]*)?")  # comma and comment after an item
_BLANK = re.compile(r"\s*")


class Draft:
    """TOML text being edited; paths refer to its current state."""

    def __init__(self, text: str, order: Sequence[str]) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self._order = list(order)  # order of the top-level tables
        self._layout: Layout | None = None

    @property
    def layout(self) -> Layout:
        """Return the positions of the current text."""
        if self._layout is None:
            self._layout = Layout(self.text)
        return self._layout

    def replace(self, path: KeyPath, value: Any) -> None:  # noqa: ANN401 - any TOML value
        """Replace the value of a key."""
        span = self.layout.spans[path]
        self._cut(span.value, span.end, format.inline(value))

    def remove(self, path: KeyPath) -> None:
        """Remove a key, or a table with its contents."""
        while path in self.layout:
            if not self._remove_section(path) and not self._remove_entry(path):
                raise ValueError(f"{path} is not a key or table that can be removed")

    def add(self, table: KeyPath, name: str, value: Any) -> None:  # noqa: ANN401
        """Add a key to an existing table, in the table's own form (header, inline, dotted)."""
        if table in self.layout.members:
            self._add_member(table, format.key(name), value)
            return
        section = next((each for each in self.layout.sections if each.path == table), None)
        if section is not None:
            self._insert(
                self._content_end(section), format.line(format.key(name), value, self.newline)
            )
            return
        home = self._home(table)
        if home is None:
            first = next(self.layout.under(table))
            block = format.block(f"[{format.dotted(table)}]", {name: value}, self.newline)
            self._insert(first.lead, block)
            return
        container, last = home
        base = container.path if isinstance(container, Section) else container
        written = f"{format.dotted(table[len(base) :])}.{format.key(name)}"
        if isinstance(container, Section):
            self._insert(self._line_end(last), format.line(written, value, self.newline))
        else:
            self._add_member(container, written, value)

    def add_block(self, path: KeyPath, value: Mapping[str, Any], *, listed: bool = False) -> None:
        """Add a table with a header, or to an array of tables, after the tables of its kind."""
        brackets = ("[[", "]]") if listed else ("[", "]")
        header = f"{brackets[0]}{format.dotted(path)}{brackets[1]}"
        rank = self._rank(path)
        before = [section for section in self.layout.sections if self._rank(section.path) <= rank]
        self._insert_block(self._content_end(before[-1]), format.block(header, value, self.newline))

    def is_open(self, table: KeyPath) -> bool:
        """Return whether a table can have subtables with headers."""
        return table not in self.layout.spans and self._home(table) is None

    def arrange(self, path: KeyPath, order: Sequence[Any]) -> None:
        """Reorder an array of tables; `order` holds old indices, and values of new tables."""
        chunks = self._chunks(path)
        spaced = _SPACED.search(self.text) is not None
        place = min(section.lead for section in self.layout.under(path))
        for section in reversed(list(self.layout.under(path))):
            self._cut(section.lead, section.end, "")
        tail = chunks[-1][1]  # text after the last table stays last
        chunks[-1] = (chunks[-1][0], self.newline if spaced else "")
        text = ""
        for item in order:
            if isinstance(item, int):
                text += "".join(chunks[item])
            else:
                text += format.block(f"[[{format.dotted(path)}]]", item, self.newline)
                text += self.newline if spaced else ""
        left = [loose for k, (_, loose) in enumerate(chunks) if k not in order and "#" in loose]
        text = "".join([text, *left])
        if spaced:
            text = text.removesuffix(self.newline)
        self._insert(place, text + tail)

    def arrange_items(self, path: KeyPath, order: Sequence[Any]) -> None:
        """Reorder an inline array; `order` holds old indices, and values of new items."""
        span = self.layout.spans[path]
        items, rest = self._items(path)
        lead = _BLANK.match(items[0] if items else "")
        indent = lead.group() if lead is not None else ""
        text = ""
        for item in order:
            part = items[item] if isinstance(item, int) else f"{indent}{format.inline(item)},"
            text += _joint(text, part, self.newline) + part
        if "\n" not in text:
            text = text.strip().rstrip(",")
        text += _joint(text, rest or "]", self.newline) + rest
        self._cut(span.value + 1, span.end - 1, text)

    def _items(self, path: KeyPath) -> tuple[list[str], str]:
        """Return the items of an inline array with their commas and comments, and the rest."""
        span = self.layout.spans[path]
        begin, items = span.value + 1, list[str]()
        while (*path, len(items)) in self.layout.spans:
            item = self.layout.spans[(*path, len(items))]
            match = _ITEM_END.match(self.text, item.end)
            end = item.end if match is None else match.end()
            behind = self.text[item.end : end]
            behind = behind if behind.lstrip().startswith(",") else f",{behind}"
            items.append(self.text[begin : item.end] + behind)
            begin = end
        return items, self.text[begin : span.end - 1]

    def _chunks(self, path: KeyPath) -> list[tuple[str, str]]:
        """Return each table of an array: its text, and the loose comments after it."""
        chunks: list[tuple[str, str]] = []
        while (*path, len(chunks)) in self.layout:
            sections = list(self.layout.under((*path, len(chunks))))
            text = "".join(self.text[section.lead : section.end] for section in sections)
            loose = sections[-1].end - self._content_end(sections[-1])
            text = text if text.endswith("\n") else text + self.newline
            chunks.append((text[: len(text) - loose], text[len(text) - loose :]))
        return chunks

    def _remove_section(self, path: KeyPath) -> bool:
        """Remove the last section of a table; loose comments after it stay."""
        found = list(self.layout.under(path))
        if not found:
            return False
        end = self._content_end(found[-1])
        loose = "#" in self.text[end : found[-1].end]
        self._cut(found[-1].lead, end if loose else found[-1].end, "")
        return True

    def _remove_entry(self, path: KeyPath) -> bool:
        """Remove a key, or the last dotted key of a table."""
        home = self._home(path)
        if home is None:
            return False
        container, last = home
        span = self.layout.spans[last]
        if isinstance(container, Section):
            begin = self.text.rfind("\n", 0, span.start) + 1
            self._cut(begin, self._line_end(last), "")
            return True
        members = self.layout.members[container]
        number = members.index(last)
        if len(members) == 1:
            whole = self.layout.spans[container]
            self._cut(whole.value, whole.end, "{}")
        elif number:
            self._cut(self.layout.spans[members[number - 1]].end, span.end, "")
        else:
            self._cut(span.start, self.layout.spans[members[1]].start, "")
        return True

    def _home(self, path: KeyPath) -> tuple[Section | KeyPath, KeyPath] | None:
        """Return the container of a key, and the last key in it that starts with the path."""
        found: tuple[Section | KeyPath, KeyPath] | None = None
        for section in self.layout.sections:
            if len(section.path) < len(path):
                hits = [key for key in section.keys if key[: len(path)] == path]
                found = (section, hits[-1]) if hits else found
        for container, members in self.layout.members.items():
            if len(container) < len(path):
                hits = [key for key in members if key[: len(path)] == path]
                found = (container, hits[-1]) if hits else found
        return found

    def _add_member(self, container: KeyPath, written: str, value: Any) -> None:  # noqa: ANN401
        members = self.layout.members[container]
        text = f"{written} = {format.inline(value)}"
        if members:
            end = self.layout.spans[members[-1]].end
            self._cut(end, end, f", {text}")
        else:
            span = self.layout.spans[container]
            self._cut(span.value, span.end, f"{{ {text} }}")

    def _content_end(self, section: Section) -> int:
        """Return the end of a section's last line; text after it is loose.

        A file that begins with a header has its comments before that.
        """
        if section.keys:
            return self._line_end(section.keys[-1])
        return section.body if section.path else section.end

    def _line_end(self, path: KeyPath) -> int:
        end = self.layout.spans[path].end
        rest = _REST.match(self.text, end)
        return rest.end() if rest is not None else end

    def _rank(self, path: KeyPath) -> int:
        return self._order.index(str(path[0])) if path and path[0] in self._order else -1

    def _insert_block(self, at: int, block: str) -> None:
        """Insert a table, with empty lines around it where the file has them."""
        spaced = len(self.layout.sections) == 1 or _SPACED.search(self.text) is not None
        before, after = self.text[:at], self.text[at:]
        if before and not before.endswith("\n"):
            before += self.newline
        if spaced and before and not before.endswith(("\n\n", "\n\r\n")):
            before += self.newline
        if spaced and after and not after.startswith(("\n", "\r\n")):
            block += self.newline
        self._cut(0, len(self.text), before + block + after)

    def _insert(self, at: int, text: str) -> None:
        if at and self.text[at - 1] != "\n":
            text = self.newline + text
        self._cut(at, at, text)

    def _cut(self, start: int, end: int, text: str) -> None:
        self.text = self.text[:start] + text + self.text[end:]
        self._layout = None


def _joint(text: str, part: str, newline: str) -> str:
    """Return the separator of two items: a line break after a comment, else a space."""
    if part[:1] in ("\n", "\r") or not text:
        return ""
    if "#" in text.rpartition("\n")[2]:
        return newline
    return "" if part[:1] in (" ", "\t", "]") else " "
