"""Values that are kept until what they depend on changes."""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_BY_VALUE = (int, float, str, bytes, frozenset, type(None))
_FAST = frozenset((bool, *_BY_VALUE))  # all but sub-classes


class Kept(Generic[P, T]):
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
        asked = (Kept, given, *named.items()) if named else given
        if not is_same(asked, self._asked):
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
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return isinstance(one, _BY_VALUE) and one == other
    if len(one) != len(other):
        return False
    for own, its in zip(one, other):  # noqa: B905 - as many; called in each frame
        if own is its:
            continue
        kind = type(own)
        if kind is not type(its) or not (own == its if kind in _FAST else is_same(own, its)):
            return False
    return True
