"""A document as the text of a motion file: what it does not change stays as somebody wrote it."""

import os
import stat
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import OutputError
from ..tomlfile import format
from ..tomlfile.tables import Block, Items, Named, Union
from ..tomlfile.text_edit import Draft
from ..tomlfile.toml_errors import KeyPath
from ..tomlfile.value_types import Kind
from .cross_references import check
from .document import MotionDoc
from .read import MotionFile, parse_motion
from .schema import DOCUMENT

HEAD = "# Motion of a character: what its file cannot say. Seconds, degrees, phases from 0 to 1.\n"
START = "version = 1\n"
ORDER = tuple(key.name for key in DOCUMENT.keys)
WITHIN = {"parameters", "anims"}  # tables of the file whose entries have no header of their own


def write_motion(file: MotionFile, document: MotionDoc) -> str:
    """Return the text of `file` with `document` in it; an empty text becomes a new file.

    Comments, order and form of everything that is the same are kept.

    Raises
    ------
    MotionError
        The document says what no motion file can say.
    """
    check(document)
    new = not file.text.strip()
    text = HEAD + START if new else file.text
    edited = _edited(text, MotionDoc() if new else file.document, document)
    if edited is None:  # a form of TOML that cannot be edited: the comment above all of it stays
        edited = _edited(_head(text) + START, MotionDoc(), document)
    if edited is None:
        edited = format.block("", DOCUMENT.plain(document)).lstrip()
        parse_motion(edited)  # raises: no text can say it
    return edited


def save_motion(path: Path | str, file: MotionFile, document: MotionDoc) -> MotionFile:
    """Write a motion file at once, or leave what is there as it was; return it as it now stands.

    Raises
    ------
    MotionError
        The document says what no motion file can say.
    OutputError
        It cannot be written.
    """
    text = write_motion(file, document)
    target = Path(path).resolve()  # a link keeps pointing where it does
    draft = target.with_name(f".{target.name[:100]}.{os.getpid()}.tmp")
    try:
        draft.write_bytes(text.encode())
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        draft.replace(target)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise OutputError(error.strerror or str(error), file=str(path)) from None
    return MotionFile(document, text, str(path))


def _edited(text: str, old: MotionDoc, new: MotionDoc) -> str | None:
    """Return a text with another document in it, None where that has not become of it."""
    draft = Draft(text, ORDER)
    try:
        _change(draft, DOCUMENT, (), old, new)
        return draft.text if parse_motion(draft.text).document == new else None
    except Exception:  # whatever went wrong, that text is not used
        return None


def _head(text: str) -> str:
    """Return the comment that a file begins with."""
    lines = text.splitlines(keepends=True)
    count = next((k for k, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "".join(lines[:count])


def _change(draft: Draft, kind: Kind, path: KeyPath, old: Any, new: Any) -> None:  # noqa: ANN401
    """Change what stands at a path from one value to another."""
    if old == new:
        return
    if isinstance(kind, Union):
        before, kind = kind.of_value(old), kind.of_value(new)
        if before is not kind:
            _renew(draft, kind, path, new)
            return
    if isinstance(kind, Block):
        _change_block(draft, kind, path, old, new)
    elif isinstance(kind, Named):
        _change_named(draft, kind, path, old, new)
    elif isinstance(kind, Items):
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
        empty = (
            isinstance(key.kind, Named | Items) or not written
        )  # rather gone than at its default
        if place not in draft.layout:
            if after is not None and after != default:
                _add(draft, path, key.name, key.kind, after)
        elif after is None or (empty and after == default):
            draft.remove(place)
        elif before is None or (written and before == default):
            _renew(draft, key.kind, place, after)
        else:
            _change(draft, key.kind, place, before, after)


def _renew(draft: Draft, kind: Kind, path: KeyPath, value: Any) -> None:  # noqa: ANN401
    """Put something of another form in the place of what stands there."""
    if path in draft.layout.spans:
        draft.replace(path, kind.plain(value))
    else:
        draft.remove(path)
        _add(draft, path[:-1], str(path[-1]), kind, value)


def _change_named(
    draft: Draft, named: Named, path: KeyPath, old: Mapping[str, Any], new: Mapping[str, Any]
) -> None:
    for name in old:
        if name not in new:
            draft.remove((*path, name))
    for name, value in new.items():
        if name in old:
            _change(draft, named.kind, (*path, name), old[name], value)
        elif path in draft.layout:
            _add(draft, path, name, named.kind, value)
        else:  # the last one of the others is gone, and the table with it
            _add(draft, path[:-1], str(path[-1]), named, {name: value})


def _change_items(
    draft: Draft, items: Items, path: KeyPath, old: Sequence[Any], new: Sequence[Any]
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
    """Return for each new item the old one that it is: equal, else of one name, else of one kind.

    An item that was an entry of another sort (a fade that is a jump now) is a new one.
    """
    pairs: list[int | None] = [None] * len(new)
    free = dict(enumerate(old))
    for same in (_itself, _name, _sort):
        for number, item in enumerate(new):
            if pairs[number] is not None or same(item) is None:
                continue
            hit = next((k for k, each in free.items() if same(each) == same(item)), None)
            if hit is not None and _sort(old[hit]) == _sort(item):
                pairs[number] = hit
                del free[hit]
    return pairs


def _itself(item: object) -> object:
    return item


def _name(item: object) -> Hashable:
    return getattr(item, "name", None) or getattr(item, "clip", None)


def _sort(item: object) -> tuple[type, type]:
    return type(item), type(getattr(item, "do", None))


def _add(draft: Draft, path: KeyPath, name: str, kind: Kind, value: Any) -> None:  # noqa: ANN401
    """Add a key or a table that the text does not have: a table of the file with a header."""
    place: KeyPath = (*path, name)
    top = str(place[0])
    if top in WITHIN or not draft.is_open(path) or len(place) > 2:
        whole = top == "parameters" and not path
        if whole:
            draft.add_block(place, kind.plain(value))
        else:
            draft.add(path, name, kind.plain(value))
    elif isinstance(kind, Items):
        for item in value:
            draft.add_block(place, kind.kind.plain(item), listed=True)
    elif isinstance(kind, Named):
        for key, each in value.items():
            draft.add_block((*place, key), kind.kind.plain(each))
    elif isinstance(kind, Block | Union):
        draft.add_block(place, kind.plain(value))
    else:
        draft.add(path, name, kind.plain(value))
