"""Records: frozen dataclasses whose methods are shared, so that declaring one costs no time.

`dataclass` compiles the methods of every class, 0.4 ms each time a command starts. Those of
records are the same for all, and type checkers see a dataclass. A record is equal to another of its
class with equal fields, and can be pickled.
"""

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, TypeVar

__all__ = ["record"]

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import dataclass as record


def _set_values(self: object, **values: Any) -> None:  # noqa: ANN401 - of the fields' types
    """Set the given fields; the class has the defaults of the others."""
    unknown = values.keys() - type(self).__dataclass_fields__.keys()  # type: ignore[attr-defined]
    if unknown:
        raise TypeError(f"{type(self).__name__} has no field {', '.join(sorted(unknown))}")
    self.__dict__.update(values)


def _refuse(_self: object, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _equal(self: object, other: object) -> bool:
    """Return whether all fields are equal; equal parts are compared by identity first."""
    if self is other:
        return True
    if type(self) is not type(other):
        return NotImplemented
    return all(a is b or a == b for a, b in zip(_compared(self), _compared(other), strict=True))


def _hash(self: object) -> int:
    """Return the hash of the fields (TypeError: one of them has none)."""
    return hash(tuple(_compared(self)))


def _compared(self: Any) -> Iterator[Any]:  # noqa: ANN401 - any record
    return (getattr(self, own.name) for own in fields(self) if own.compare)


def _text(self: object) -> str:
    """Return the fields that differ from their defaults: ``Overlays(skeleton=True)``."""
    changed = (
        f"{own.name}={value!r}"
        for own in fields(self)  # type: ignore[arg-type]
        if (value := getattr(self, own.name)) != own.default
    )
    return f"{type(self).__name__}({', '.join(changed)})"


if not TYPE_CHECKING:

    def record(*, frozen: Literal[True]) -> Callable[[type[T]], type[T]]:  # noqa: ARG001
        """Make a class a record; all its fields have defaults."""

        def decorate(declared: type[T]) -> type[T]:
            declared.__init__ = _set_values
            declared.__setattr__ = declared.__delattr__ = _refuse
            declared.__eq__, declared.__hash__, declared.__repr__ = _equal, _hash, _text
            return dataclass(init=False, repr=False, eq=False, match_args=False)(declared)

        return decorate
