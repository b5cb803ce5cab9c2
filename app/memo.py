"""Results of functions, kept until an argument changes."""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_BY_VALUE = (int, float, str, bytes, frozenset, type(None))
_FAST = frozenset((bool, *_BY_VALUE))  # all but sub-classes


class Memo(Generic[P, T]):
    """The last result of a function, found again when an argument is another one.

    Numbers, text and frozen sets are compared by value, tuples item by item, and everything else
    (records, arrays, models) by identity; the arguments are kept, so that no other object gets the
    identity of one of them.
    """

    __slots__ = ("_asked", "_find", "_found")

    _found: T

    def __init__(self, find: Callable[P, T]) -> None:
        self._find = find
        self._asked: tuple[Any, ...] | None = None

    def __call__(self, *given: P.args, **named: P.kwargs) -> T:
        """Return the result for these arguments."""
        asked = (Memo, given, *named.items()) if named else given
        if self._asked is None or not _are_same(asked, self._asked):
            self._found = self._find(*given, **named)
        self._asked = asked  # the same objects follow in this frame: faster to compare
        return self._found

    def forget(self) -> None:
        """Find the result again the next time; nothing is held until then."""
        if self._asked is not None:
            self._asked = None
            del self._found


def is_same(one: object, other: object) -> bool:
    """Return whether two arguments give the same result."""
    return _are_same((one,), (other,))


def _are_same(some: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    if len(some) != len(others):
        return False
    for one, other in zip(some, others):  # noqa: B905 - as many; called in each frame
        if one is other:
            continue
        kind = type(one)
        if kind is not type(other):
            return False
        if kind in _FAST:
            if one != other:
                return False
        elif issubclass(kind, tuple):
            if not _are_same(one, other):
                return False
        elif not issubclass(kind, _BY_VALUE) or one != other:
            return False
    return True
