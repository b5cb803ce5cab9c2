"""Values that are kept until what they depend on changes."""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_BY_VALUE = (int, float, str, bytes, type(None))


class Kept(Generic[P, T]):
    """The last result of a function, found again when an argument is another one.

    Numbers and text are compared by value, tuples item by item, and everything else (records,
    arrays, models) by identity; the arguments are kept, so that no other object gets the identity
    of one of them.
    """

    def __init__(self, find: Callable[P, T]) -> None:
        self._find = find
        self._last: tuple[tuple[Any, ...], T] | None = None

    def __call__(self, *given: P.args, **_: P.kwargs) -> T:
        """Return the result for these arguments."""
        if self._last is None or not is_same(self._last[0], given):
            self._last = given, self._find(*given, **_)
        return self._last[1]

    def forget(self) -> None:
        """Find the result again the next time."""
        self._last = None


def is_same(one: object, other: object) -> bool:
    """Return whether two arguments give the same result."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    return isinstance(one, _BY_VALUE) and one == other
