"""A class of faults that a program plants in sound characters."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rigview.checks.check_context import CheckContext


class FaultClass(NamedTuple):
    """A kind of fault.

    Attributes
    ----------
    name
        For the table: "vertex of another limb".
    rules
        Ids of the rules that must name it.
    places
        Returns up to ten places of a character where it can be planted; none: it cannot carry it.
    plant
        Returns a character with the fault at a place; its size in multiples of the limit, where
        the class has sizes.
    sizes
        From half the limit to ten times; empty: planted or not planted.
    causes
        Returns the names of what is at fault at a place, one of which a finding has.
    """

    name: str
    rules: tuple[str, ...]
    places: Callable[[CheckContext], Sequence[object]]
    plant: Callable[[CheckContext, object, float], CheckContext]
    sizes: tuple[float, ...] = ()
    causes: Callable[[CheckContext, object], Sequence[str]] = lambda _, place: [place.cause]
