"""Tables of a TOML file: a `Block` maps a table to a Python dataclass.

Defaults are those of the dataclass; a key whose field has no default is required.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Self

from ..errors import KeyPath
from .toml_errors import motion_error
from .value_types import Kind, wrong_kind

EMPTY: Mapping[str, Any] = MappingProxyType({})
_KEY = "key"  # of a dataclass field's metadata


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a table."""

    name: str
    kind: Kind
    help: str
    field: str = ""  # of the dataclass, where its name differs
    required: bool = False  # even if the field has a default

    @property
    def attribute(self) -> str:
        """Return the name of the dataclass field."""
        return self.field or self.name


def key(
    kind: Kind,
    help: str,
    default: Any = MISSING,  # noqa: ANN401 - of the field's type
    *,
    name: str = "",
    required: bool = False,
) -> Any:  # noqa: ANN401
    """Declare a field of a dataclass that is a key, by default one of the field's name."""
    metadata = {_KEY: Key(name, kind, help, required=required)}
    if isinstance(default, Mapping):  # read-only: all may share it
        return field(default_factory=lambda: default, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Block(Kind):
    """A table: its keys, and the dataclass made from them."""

    title: str  # "[clips.NAME]"
    make: Callable[..., Any]
    keys: tuple[Key, ...]
    mark: tuple[str, str] | None = None  # a key that identifies the block, and its value

    @property
    def words(self) -> str:
        """Return a description for messages."""
        return f"a table with {', '.join(key.name for key in self.keys)}"

    @classmethod
    def of(
        cls, title: str, make: type[Any], *names: str, mark: tuple[str, str] | None = None
    ) -> Self:
        """Return the table of a dataclass: all fields declared by `key`, or some, in order."""
        declared = {own.name: own.metadata[_KEY] for own in fields(make) if _KEY in own.metadata}
        keys = [
            replace(declared[each], name=declared[each].name or each, field=each)
            for each in names or declared
        ]
        return cls(title, make, tuple(keys), mark)

    def default(self, key: Key) -> Any:  # noqa: ANN401 - the key's own type
        """Return the default of a key, MISSING where it is required."""
        if key.required:
            return MISSING
        field = next(item for item in fields(self.make) if item.name == key.attribute)  # type: ignore[arg-type]
        if field.default_factory is not MISSING:
            return field.default_factory()
        return field.default

    def read(self, value: object, path: KeyPath) -> Any:  # noqa: ANN401 - the block's own type
        """Return a TOML table as the block's dataclass."""
        if not isinstance(value, Mapping):
            raise wrong_kind(self, value, path)
        by_name = {key.name: key for key in self.keys}
        names = [*by_name, *(self.mark[:1] if self.mark else ())]
        for name in value:
            if name not in names:
                raise motion_error((*path, name), "unknown key", wrong=name, known=names)
        given: dict[str, Any] = {}
        for name, key in by_name.items():
            if name in value:
                given[key.attribute] = key.kind.read(value[name], (*path, name))
            elif self.default(key) is MISSING:
                raise motion_error(path, f'"{name}" is missing', hint=f"{key.name}: {key.help}")
        return self.make(**given)

    def plain(self, value: Any) -> dict[str, Any]:  # noqa: ANN401 - the block's own type
        """Return the value as a TOML table without defaults."""
        table = dict([self.mark]) if self.mark else {}
        for key in self.keys:
            held = getattr(value, key.attribute)
            if held is not None and held != self.default(key):
                table[key.name] = key.kind.plain(held)
        return table


class Union(Kind):
    """One of several kinds, chosen by a function of the value.

    Parameters
    ----------
    of_plain, of_value
        Return the kind of a TOML value, and of a value of the document.
    """

    words: str = ""

    def __init__(
        self,
        words: str,
        of_plain: Callable[[Any, KeyPath], Kind],
        of_value: Callable[[Any], Kind],
    ) -> None:
        self.words = words
        self._of_plain = of_plain
        self.of_value = of_value

    def read(self, value: object, path: KeyPath) -> Any:  # noqa: ANN401 - one of several types
        """Return a TOML value read as its kind."""
        return self._of_plain(value, path).read(value, path)

    def plain(self, value: Any) -> Any:  # noqa: ANN401
        """Return the value for TOML."""
        return self.of_value(value).plain(value)


@dataclass(frozen=True, slots=True)
class ListOf(Kind):
    """A list of items of one kind, of fixed length where `count` is given."""

    kind: Kind
    count: int = 0
    least: int = 0

    @property
    def words(self) -> str:
        """Return a description for messages."""
        return f"a list of {self.count} names" if self.count else "a list"

    def read(self, value: object, path: KeyPath) -> tuple[Any, ...]:
        """Return a TOML array as a tuple."""
        if not isinstance(value, list) or (self.count and len(value) != self.count):
            raise wrong_kind(self, value, path)
        if len(value) < self.least:
            raise motion_error(path, "is empty")
        return tuple(self.kind.read(part, (*path, k)) for k, part in enumerate(value))

    def plain(self, value: tuple[Any, ...]) -> list[Any]:
        """Return the value for TOML."""
        return [self.kind.plain(part) for part in value]


@dataclass(frozen=True, slots=True)
class TableOf(Kind):
    """A table with a value of one kind for each name, limited to `names` where given."""

    kind: Kind
    name: str  # what the keys name: "joint"
    names: tuple[str, ...] = ()
    least: int = 0

    @property
    def words(self) -> str:
        """Return a description for messages."""
        return f"a table: a key for each {self.name}"

    def read(self, value: object, path: KeyPath) -> Mapping[str, Any]:
        """Return a TOML table as a read-only mapping, in the order of the file."""
        if not isinstance(value, Mapping):
            raise wrong_kind(self, value, path)
        if len(value) < self.least:
            raise motion_error(path, f"names no {self.name}")
        for key in value:
            if not key or (self.names and key not in self.names):
                raise motion_error(
                    (*path, key), f"no such {self.name}", wrong=key, known=self.names
                )
        return MappingProxyType({k: self.kind.read(v, (*path, k)) for k, v in value.items()})

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value for TOML."""
        return {key: self.kind.plain(item) for key, item in value.items()}
