"""Tables of a motion file: a `Block` is one and the type that holds it in Python.

Defaults are those of the type; a key whose field has none is required.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Any

from .toml_errors import KeyPath, fault
from .value_types import Kind, not_a


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a block."""

    name: str
    kind: Kind
    help: str
    field: str = ""  # of the type, where it has another name
    required: bool = False  # though the field has a default
    shown: bool = True  # in lists of keys

    @property
    def attribute(self) -> str:
        """Return the name of the field that holds it."""
        return self.field or self.name


@dataclass(frozen=True, slots=True)
class Block:
    """A table of the file: its keys, and the type made of them."""

    title: str  # "[clips.NAME]"
    make: Callable[..., Any]
    keys: tuple[Key, ...]
    mark: tuple[str, str] | None = None  # a key that says which block this is, and its value

    @property
    def words(self) -> str:
        """Return it as a sentence goes on."""
        return f"a table with {', '.join(key.name for key in self.keys if key.shown)}"

    def default(self, key: Key) -> Any:  # noqa: ANN401 - the key's own type
        """Return what the field holds where the key is not given; MISSING where it must be."""
        if key.required:
            return MISSING
        field = next(each for each in fields(self.make) if each.name == key.attribute)  # type: ignore[arg-type]
        if field.default_factory is not MISSING:
            return field.default_factory()
        return field.default

    def read(self, value: object, path: KeyPath) -> Any:  # noqa: ANN401 - the block's own type
        """Return a TOML table as the block's type."""
        if not isinstance(value, Mapping):
            raise not_a(self, value, path)
        by_name = {key.name: key for key in self.keys}
        names = [*by_name, *(self.mark[:1] if self.mark else ())]
        for name in value:
            if name not in names:
                raise fault((*path, name), "unknown key", wrong=name, known=names)
        given: dict[str, Any] = {}
        for name, key in by_name.items():
            if name in value:
                given[key.attribute] = key.kind.read(value[name], (*path, name))
            elif self.default(key) is MISSING:
                raise fault(path, f'"{name}" is missing', hint=f"it is {key.help}")
        return self.make(**given)

    def plain(self, value: Any) -> dict[str, Any]:  # noqa: ANN401 - the block's own type
        """Return it as TOML writes it, without what is at its default."""
        table = dict([self.mark]) if self.mark else {}
        for key in self.keys:
            held = getattr(value, key.attribute)
            if held is not None and held != self.default(key):
                table[key.name] = key.kind.plain(held)
        return table


class Union:
    """One of several kinds: blocks told apart by the keys of the table, or by a test of our own.

    Parameters
    ----------
    of_plain, of_value
        Return the kind of a TOML value, and of a value of the document.
    """

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
        """Return the value as the kind that it looks like."""
        return self._of_plain(value, path).read(value, path)

    def plain(self, value: Any) -> Any:  # noqa: ANN401
        """Return it as TOML writes it."""
        return self.of_value(value).plain(value)


@dataclass(frozen=True, slots=True)
class Items:
    """A list of one kind of thing; of exactly so many where `count` is given."""

    kind: Kind
    count: int = 0
    least: int = 0

    @property
    def words(self) -> str:
        """Return it as a sentence goes on."""
        return f"a list of {self.count} names" if self.count else "a list"

    def read(self, value: object, path: KeyPath) -> tuple[Any, ...]:
        """Return a TOML array as a tuple."""
        if not isinstance(value, list) or (self.count and len(value) != self.count):
            raise not_a(self, value, path)
        if len(value) < self.least:
            raise fault(path, "is empty")
        return tuple(self.kind.read(part, (*path, k)) for k, part in enumerate(value))

    def plain(self, value: tuple[Any, ...]) -> list[Any]:
        """Return it as TOML writes it."""
        return [self.kind.plain(part) for part in value]


@dataclass(frozen=True, slots=True)
class Named:
    """A table from names to one kind of thing; from some names only where they are given."""

    kind: Kind
    name: str  # what a name stands for: "joint"
    names: tuple[str, ...] = ()
    least: int = 0

    @property
    def words(self) -> str:
        """Return it as a sentence goes on."""
        return f"a table: a key for each {self.name}"

    def read(self, value: object, path: KeyPath) -> Mapping[str, Any]:
        """Return a TOML table as a read-only mapping, in the order of the file."""
        if not isinstance(value, Mapping):
            raise not_a(self, value, path)
        if len(value) < self.least:
            raise fault(path, f"names no {self.name}")
        for key in value:
            if not key or (self.names and key not in self.names):
                raise fault((*path, key), f"no such {self.name}", wrong=key, known=self.names)
        return MappingProxyType({k: self.kind.read(v, (*path, k)) for k, v in value.items()})

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return it as TOML writes it."""
        return {key: self.kind.plain(each) for key, each in value.items()}
