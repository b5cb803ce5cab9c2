"""Objects of one kind in two versions: which of them match, and which of their fields differ."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from ..animation.types import Index
from .difference import Change, Kind, Value, changed

T = TypeVar("T")
TOLERANCE = 1e-6  # of equal numbers, relative and absolute
_GENERATED = re.compile(r"(Animation|Camera|Image|Material|Mesh|Skin) \d+")

Names = tuple[Sequence[str], Sequence[str]]  # of the objects of A and B
Criterion = Callable[[int, Collection[int]], Iterable[int]]
"""From an object of A and the free ones of B: those of them that it may match, the best first."""


def has_own_name(name: str) -> bool:
    """Return whether a name is not generated; generated names may differ between the two files."""
    return _GENERATED.fullmatch(name) is None


def no_note(_: int) -> str:
    """Return the note of an object about which there is nothing to say."""
    return ""


@dataclass(slots=True, eq=False)
class Matching:
    """The objects of one kind in two versions, and which of them match.

    Iteration yields the matching indices in A and B, in the order of A.

    Attributes
    ----------
    names
        Of the objects of A and B.
    to, back
        [objects of A], [objects of B] the match of each in the other version, -1 for none.
    how
        The reason of a match, by object of A.
    """

    names: Names
    to: Index = field(init=False)
    back: Index = field(init=False)
    how: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.to, self.back = (np.full(len(names), -1) for names in self.names)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        own, other = self.pairs
        return zip(own.tolist(), other.tolist(), strict=True)

    @property
    def pairs(self) -> tuple[Index, Index]:
        """The matched objects of A and their matches in B."""
        own = np.flatnonzero(self.to >= 0)
        return own, self.to[own]

    def pair(self, a: int, b: int, how: str = "") -> None:
        """Match an object of A with one of B; `how` is the reason, "" if they have one name."""
        self.to[a], self.back[b] = b, a
        if how:
            self.how[a] = how

    def match_of(self, a: int) -> int:
        """Return the match of an object of A; -1 (none) has the match -1."""
        return int(self.to[a]) if a >= 0 else -1

    def unmatched(
        self,
        kind: Kind,
        removed: Callable[[int], str] = no_note,
        added: Callable[[int], str] = no_note,
    ) -> Iterator[Change]:
        """Yield the objects without a match, each with its note."""
        for k in np.flatnonzero(self.to < 0).tolist():
            yield Change(kind, "removed", self.names[0][k], note=removed(k))
        for n in np.flatnonzero(self.back < 0).tolist():
            yield Change(kind, "added", self.names[1][n], note=added(n))

    def renamed(self, kind: Kind, a: int, *, stored: bool = False) -> Iterator[Change]:
        """Yield the change of the name of an object of A, unless both names are generated."""
        one, two = self.names[0][a], self.names[1][self.to[a]]
        if one != two and (has_own_name(one) or has_own_name(two)):
            yield Change(kind, "renamed", one, two, note=self.how.get(a, ""), stored=stored)

    def name_changes(self, kind: Kind) -> Iterator[Change]:
        """Yield the objects without a match, then the renamed ones."""
        yield from self.unmatched(kind)
        for a, _ in self:
            yield from self.renamed(kind, a)

    def reference(self, kind: Kind, name: str, label: str, a: int, b: int) -> Iterator[Change]:
        """Yield the change of something that refers to one of these objects; -1: to none.

        A reference to an object without a match is equal to none: that it was removed is a change
        of its own.
        """
        if self.match_of(a) != b:
            yield changed(kind, name, label, self.names_at(a, b))

    def names_at(self, a: int, b: int) -> tuple[str, str]:
        """Return the names of an object of A and one of B; "none" for -1."""
        one, two = self.names
        return one[a] if a >= 0 else "none", two[b] if b >= 0 else "none"


def match_objects(names: Names, criteria: Mapping[str, Criterion]) -> Matching:
    """Return the matching objects: each by the first criterion that a free object of B meets.

    Parameters
    ----------
    criteria
        By the reason that a match has.
    """
    matching = Matching(names)
    free = dict.fromkeys(range(len(names[1])))
    for how, candidates in criteria.items():
        for a in np.flatnonzero(matching.to < 0).tolist():
            b = next(iter(candidates(a, free)), None)
            if b is not None:
                matching.pair(a, b, how)
                del free[b]
    return matching


def where(same: Callable[[int, int], bool]) -> Criterion:
    """Return the criterion that two objects have something in common."""
    return lambda a, free: (b for b in free if same(a, b))


def by_name(names: Names, *, generated: bool) -> Criterion:
    """Return the criterion that two objects have the same unique name, of the file or generated."""
    numbers = {name: b for b, name in enumerate(names[1]) if has_own_name(name) != generated}

    def candidates(a: int, free: Collection[int]) -> Iterator[int]:
        b = numbers.get(names[0][a], -1)
        if b in free:
            yield b

    return candidates


def by_name_or_content(
    names: Names, same_content: Callable[[int, int], bool]
) -> dict[str, Criterion]:
    """Return the criteria of objects of a list: name, then content, then generated name."""
    return {
        "same name": by_name(names, generated=False),
        "same content": where(same_content),
        "same number": by_name(names, generated=True),
    }


def names_of(one: Iterable[Any], two: Iterable[Any]) -> Names:
    """Return the names of the objects of two versions."""
    return [each.name for each in one], [each.name for each in two]


def without_names(one: Sized, two: Sized) -> Names:
    """Return empty names of the objects of two versions."""
    return [""] * len(one), [""] * len(two)


def equal_values(p: object, q: object, tolerance: float | None = None) -> bool:
    """Return whether two values are equal, numbers within the tolerance of a `ComparedField`."""
    if isinstance(p, tuple) and isinstance(q, tuple):
        return len(p) == len(q) and all(equal_values(*both) for both in zip(p, q, strict=True))
    if isinstance(p, float) and isinstance(q, float):
        if tolerance is not None:
            return not abs(q - p) > tolerance
        return math.isclose(p, q, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return p == q


def as_value(value: object) -> Value:
    """Return a JSON value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not math.isfinite(value):
        return "infinite"
    if isinstance(value, int | float | str | tuple):
        return value
    return str(value)


@dataclass(frozen=True, slots=True)
class ComparedField(Generic[T]):
    """A property of an object that is compared.

    Attributes
    ----------
    tolerance
        Absolute tolerance of equal numbers; None: TOLERANCE, relative and absolute.
    shown
        Returns the value as it is reported.
    stored
        Whether it is one of storage only.
    """

    label: str
    value: Callable[[T], object]
    unit: str = ""
    tolerance: float | None = None
    shown: Callable[[Any], Value] = as_value
    stored: bool = False


def field_changes(
    kind: Kind, name: str, fields: Iterable[ComparedField[T]], one: T, two: T
) -> Iterator[Change]:
    """Yield the fields in which two matching objects differ."""
    for each in fields:
        before, after = each.value(one), each.value(two)
        if not equal_values(before, after, each.tolerance):
            both = each.shown(before), each.shown(after)
            yield changed(kind, name, each.label, both, unit=each.unit, stored=each.stored)
