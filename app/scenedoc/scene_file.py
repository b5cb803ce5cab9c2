"""Records of pictures as TOML: every field of a part that differs from its default.

Values are written as in configuration files, under the names of the fields::

    samples = 8
    [camera]
    position = [0.0, 1.0, 4.0]
    [[characters]]
    file = "hero.glb"
    clip = "Walk"
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from ..errors import KeyPath
from ..fields.option import NOT_GIVEN, Option, parts, rows
from ..tomlfile.format import block, dotted
from ..tomlfile.toml_errors import motion_error
from .scene_doc import SceneDoc
from .shown import Shown

T = TypeVar("T")
_TABLES = "characters"  # the field that is a list of records
_DOCUMENT = "document"  # the field that is a motion document


def as_toml(scene: SceneDoc) -> str:
    """Return a record as TOML text."""
    table = _plain(scene)
    return "".join(_blocks(table)).lstrip("\n")


def from_toml(table: Mapping[str, Any]) -> SceneDoc:
    """Return the record of a parsed TOML text.

    Raises
    ------
    MotionError
        A key is unknown, or its value is invalid; with the key path.
    """
    return _record(SceneDoc, table, ())


def _blocks(table: Mapping[str, Any], path: KeyPath = (), header: str = "") -> Iterator[str]:
    """Yield the text of a table, then that of the tables in it."""
    nested = {name: value for name, value in table.items() if _is_part(name, value)}
    lines = {name: value for name, value in table.items() if name not in nested}
    if lines or header.startswith("[["):
        yield block(header, lines)
    for name, value in nested.items():
        inner = (*path, name)
        if name == _TABLES:
            for each in value:
                yield from _blocks(each, inner, f"[[{dotted(inner)}]]")
        else:
            yield from _blocks(value, inner, f"[{dotted(inner)}]")


def _is_part(name: str, value: object) -> bool:
    return name == _TABLES or (isinstance(value, Mapping) and name != _DOCUMENT)


def _plain(record: Any) -> dict[str, Any]:  # noqa: ANN401 - any record
    """Return the fields of a record that differ from their defaults, as TOML values."""
    options, inner = {row.attribute: row for row in rows(type(record))}, parts(type(record))
    table: dict[str, Any] = {}
    for own in fields(record):
        name, value = own.name, getattr(record, own.name)
        if name == _TABLES:
            table[name] = [_plain(each) for each in value]
        elif value == own.default:
            continue
        elif name in inner:
            table[name] = _plain(value)
        elif name == _DOCUMENT:
            from ..motion.schema import DOCUMENT  # imported late: records are made at each start

            table[name] = DOCUMENT.plain(value)
        else:
            table[name] = _plain_value(options.get(name), value)
    return table


def _plain_value(option: Option | None, value: Any) -> Any:  # noqa: ANN401 - of the field
    """Return the value of a field as TOML has it."""
    if option is None and isinstance(value, tuple):
        return [NOT_GIVEN if one is None else one for one in value]
    if option is not None and option.repeat and not option.numbered:
        return [option.plain(one) for one in value]
    plain = value if option is None else option.plain(value)
    return list(plain) if isinstance(plain, tuple) else plain


def _record(kind: type[T], table: Any, path: KeyPath) -> T:  # noqa: ANN401 - any TOML value
    """Return the record of a table."""
    if not isinstance(table, Mapping):
        raise motion_error(path, "must be a table")
    options, inner = {row.attribute: row for row in rows(kind)}, parts(kind)
    known = [own.name for own in fields(kind)]  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for name, value in table.items():
        place = (*path, name)
        if name not in known:
            raise motion_error(place, "unknown key", wrong=name, known=known)
        if name in inner:
            values[name] = _record(inner[name], value, place)
        elif name == _TABLES:
            if not isinstance(value, list):
                raise motion_error(place, "must be a list of tables")
            values[name] = tuple(
                _record(Shown, each, (*place, number)) for number, each in enumerate(value)
            )
        else:
            values[name] = _value(name, options.get(name), value, place)
    return kind(**values)


def _value(name: str, option: Option | None, value: Any, path: KeyPath) -> Any:  # noqa: ANN401
    """Return the value of a field for a TOML value."""
    if name == _DOCUMENT:
        from ..motion.schema import DOCUMENT

        return DOCUMENT.read(value, path)
    try:
        if option is None:
            several = isinstance(value, list)
            return tuple(None if one == NOT_GIVEN else one for one in value) if several else value
        if option.numbered or not option.metavar:
            if not isinstance(value, bool):
                raise ValueError("must be true or false")
            return value
        if option.repeat:
            return tuple(option.read(one) for one in value)
        return option.read(tuple(value) if isinstance(value, list) else value)
    except (ValueError, TypeError) as error:
        raise motion_error(path, str(error)) from None
