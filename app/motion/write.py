"""Write a motion document; unchanged parts of the text keep their form and comments."""

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import KeyPath
from ..file_io import write_file
from ..tomlfile import format
from ..tomlfile.tables import Block, ListOf, TableOf, Union
from ..tomlfile.text_edit import Draft
from ..tomlfile.value_types import Kind
from .cross_references import check
from .document import DOCUMENT, MotionDoc
from .read import MotionFile, parse_motion

HEADER = "# Motion of a character. Times in seconds, angles in degrees, phases from 0 to 1.\n"
VERSION_LINE = "version = 1\n"
ORDER = tuple(key.name for key in DOCUMENT.keys)
WITHOUT_HEADERS = {"parameters", "morphs", "anims"}  # their entries are written without headers


def write_motion(file: MotionFile, document: MotionDoc) -> str:
    """Return the text of `file` updated to `document`; an empty text becomes a new file.

    Comments, order and form of unchanged entries are kept.

    Raises
    ------
    MotionError
        The document is not a valid motion file.
    """
    check(document)
    new = not file.text.strip()
    text = HEADER + VERSION_LINE if new else file.text
    edited = _edited(text, MotionDoc() if new else file.document, document)
    if edited is None:  # a form of TOML that cannot be edited: keep the head comment
        edited = _edited(_head_comment(text) + VERSION_LINE, MotionDoc(), document)
    if edited is None:
        edited = format.block("", DOCUMENT.plain(document)).lstrip()
        parse_motion(edited)  # raises MotionError: the document cannot be written
    return edited


def save_motion(path: Path | str, file: MotionFile, document: MotionDoc) -> MotionFile:
    """Write a motion file atomically; return the new file.

    Raises
    ------
    MotionError
        The document is not a valid motion file.
    OutputError
        The file cannot be written.
    """
    text = write_motion(file, document)
    write_file(path, text.encode())
    return MotionFile(document, text, str(path))


def _edited(text: str, old: MotionDoc, new: MotionDoc) -> str | None:
    """Return a text edited to another document, None where the edit fails."""
    draft = Draft(text, ORDER)
    try:
        _change(draft, DOCUMENT, (), old, new)
        return draft.text if parse_motion(draft.text).document == new else None
    except Exception:  # a failed edit is discarded
        return None


def _head_comment(text: str) -> str:
    """Return the comment at the start of a file."""
    lines = text.splitlines(keepends=True)
    count = next((k for k, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "".join(lines[:count])


def _change(draft: Draft, kind: Kind, path: KeyPath, old: Any, new: Any) -> None:  # noqa: ANN401
    """Change the value at a path."""
    if old == new:
        return
    if isinstance(kind, Union):
        before, kind = kind.of_value(old), kind.of_value(new)
        if before is not kind:
            _replace_entry(draft, kind, path, new)
            return
    if isinstance(kind, Block):
        _change_block(draft, kind, path, old, new)
    elif isinstance(kind, TableOf):
        _change_named(draft, kind, path, old, new)
    elif isinstance(kind, ListOf):
        _change_items(draft, kind, path, old, new)
    else:
        draft.replace(path, kind.plain(new))


def _change_block(draft: Draft, block: Block, path: KeyPath, old: object, new: object) -> None:
    for key in block.keys:
        before, after = getattr(old, key.attribute), getattr(new, key.attribute)
        if before == after:
            continue
        place, default = (*path, key.name), block.default(key)
        written = place in draft.layout.spans
        # a default is removed rather than written
        empty = isinstance(key.kind, TableOf | ListOf) or not written
        if place not in draft.layout:
            if after is not None and after != default:
                _add(draft, path, key.name, key.kind, after)
        elif after is None or (empty and after == default):
            draft.remove(place)
        elif before is None or (written and before == default):
            _replace_entry(draft, key.kind, place, after)
        else:
            _change(draft, key.kind, place, before, after)


def _replace_entry(draft: Draft, kind: Kind, path: KeyPath, value: Any) -> None:  # noqa: ANN401
    """Replace an entry by one of another form."""
    if path in draft.layout.spans:
        draft.replace(path, kind.plain(value))
    else:
        draft.remove(path)
        _add(draft, path[:-1], str(path[-1]), kind, value)


def _change_named(
    draft: Draft, named: TableOf, path: KeyPath, old: Mapping[str, Any], new: Mapping[str, Any]
) -> None:
    for name in old:
        if name not in new:
            draft.remove((*path, name))
    for name, value in new.items():
        if name in old:
            _change(draft, named.kind, (*path, name), old[name], value)
        elif path in draft.layout:
            _add(draft, path, name, named.kind, value)
        else:  # the table was removed with its last entry
            _add(draft, path[:-1], str(path[-1]), named, {name: value})


def _change_items(
    draft: Draft, items: ListOf, path: KeyPath, old: Sequence[Any], new: Sequence[Any]
) -> None:
    pairs = _paired(old, new)
    order = [
        items.kind.plain(value) if pair is None else pair
        for pair, value in zip(pairs, new, strict=True)
    ]
    if order != list(range(len(old))):
        if path in draft.layout.spans:
            draft.arrange_items(path, order)
        else:
            draft.arrange(path, order)
    for number, pair in enumerate(pairs):
        if pair is not None:
            _change(draft, items.kind, (*path, number), old[pair], new[number])


def _paired(old: Sequence[Any], new: Sequence[Any]) -> list[int | None]:
    """Return the matching old item of each new item: equal, else same name, else same kind.

    An item whose type has changed (from fade to seek) is new.
    """
    pairs: list[int | None] = [None] * len(new)
    free = dict(enumerate(old))
    for same in (lambda item: item, _name, _kind):
        for number, item in enumerate(new):
            if pairs[number] is not None or same(item) is None:
                continue
            hit = next((k for k, candidate in free.items() if same(candidate) == same(item)), None)
            if hit is not None and _kind(old[hit]) == _kind(item):
                pairs[number] = hit
                del free[hit]
    return pairs


def _name(item: object) -> Hashable:
    return getattr(item, "name", None) or getattr(item, "clip", None)


def _kind(item: object) -> tuple[type, type]:
    return type(item), type(getattr(item, "do", None))


def _add(draft: Draft, path: KeyPath, name: str, kind: Kind, value: Any) -> None:  # noqa: ANN401
    """Add a missing key or table; tables get a header where possible."""
    place: KeyPath = (*path, name)
    top = str(place[0])
    if top in WITHOUT_HEADERS or not draft.is_open(path) or len(place) > 2:
        whole = top in ("parameters", "morphs") and not path
        if whole:
            draft.add_block(place, kind.plain(value))
        else:
            draft.add(path, name, kind.plain(value))
    elif isinstance(kind, ListOf):
        for item in value:
            draft.add_block(place, kind.kind.plain(item), listed=True)
    elif isinstance(kind, TableOf) and not path:
        for key, inner in value.items():
            draft.add_block((*place, key), kind.kind.plain(inner))
    elif isinstance(kind, Block | Union | TableOf):
        draft.add_block(place, kind.plain(value))
    else:
        draft.add(path, name, kind.plain(value))
