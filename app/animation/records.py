"""Dataclasses that a command starts with: what their methods share is not compiled.

`dataclasses.dataclass` compiles six methods of every class in every process, 0.3 ms for each class:
a tenth of the time of a picture. Here that is `__init__` alone.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # type checkers see dataclasses
    from dataclasses import dataclass as record

__all__ = ["record"]  # also that of type checkers

T = TypeVar("T")
Fields = tuple[dataclasses.Field[Any], ...]


def _init(fields: Fields, after: str, *, frozen: bool) -> Callable[..., None]:
    """Return a function that sets the fields, and calls the method `after` then, if it is one."""
    known: dict[str, Any] = {"set_field": object.__setattr__}
    arguments, lines = ["self"], []
    for field in fields:
        name, value = field.name, field.name
        if field.default_factory is not dataclasses.MISSING:
            known[f"make_{name}"] = field.default_factory
            value = f"make_{name}()"
            if field.init:
                arguments.append(f"{name}=set_field")
                value = f"{value} if {name} is set_field else {name}"
        elif field.default is not dataclasses.MISSING:
            known[f"default_{name}"] = field.default
            value = name if field.init else f"default_{name}"
            if field.init:
                arguments.append(f"{name}=default_{name}")
        elif field.init:
            arguments.append(name)
        else:
            continue
        lines.append(
            f" set_field(self, {name!r}, {value})" if frozen else f" self.{name} = {value}"
        )
    lines += [f" self.{after}()"] if after else []
    exec(f"def __init__({', '.join(arguments)}):\n" + "\n".join(lines or [" pass"]), known)
    made: Callable[..., None] = known["__init__"]
    made.__annotations__ = {field.name: field.type for field in fields if field.init}
    return made


@recursive_repr()
def _text(self: Any) -> str:  # noqa: ANN401 - a record
    shown = (field.name for field in dataclasses.fields(self) if field.repr)
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{type(self).__qualname__}({values})"


def _refuse(_self: object, name: str, *_: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def _state(self: Any) -> list[Any]:  # noqa: ANN401
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:  # noqa: ANN401
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


def _make_comparable(made: type, fields: Fields, *, hashes: bool) -> None:
    """Make records of a class equal if their fields are, and their hashes those of the fields."""
    names = [field.name for field in fields if field.compare]
    values: Callable[[Any], Any] = attrgetter(*names) if names else type

    def equal(self: object, other: object) -> bool:
        same = other.__class__ is self.__class__
        return values(self) == values(other) if same else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    made.__eq__ = equal  # type: ignore[assignment]
    made.__hash__ = hashed if hashes else None  # type: ignore[assignment]


if not TYPE_CHECKING:

    def record(
        *, frozen: bool = False, slots: bool = False, eq: bool = True
    ) -> Callable[[type[T]], type[T]]:
        """Make a class a dataclass, as `dataclasses.dataclass` with the same arguments does."""

        def decorate(declared: type[T]) -> type[T]:
            own = declared.__dict__
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(declared)
            fields = dataclasses.fields(made)
            after = "__post_init__" if hasattr(made, "__post_init__") else ""
            made.__init__ = _init(fields, after, frozen=frozen)
            if "__repr__" not in own:
                made.__repr__ = _text
            if eq and "__eq__" not in own:
                _make_comparable(made, fields, hashes=frozen)
            if frozen:
                made.__setattr__ = made.__delattr__ = _refuse
                if slots:
                    made.__getstate__, made.__setstate__ = _state, _set_state
            return made

        return decorate
