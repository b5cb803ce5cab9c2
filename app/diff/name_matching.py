"""What is which by name; and names that a file gave, and those made up where it has none."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from ..model.model import CameraView, Image, Material, Mesh

Thing = TypeVar("Thing", Material, Image, CameraView, Mesh)

_MADE_UP = re.compile(r"(Animation|Camera|Image|Material|Mesh|Skin) \d+")


def named(name: str) -> bool:
    """Tell whether a name says more than a number, which another version may give to another."""
    return _MADE_UP.fullmatch(name) is None


def pair_up(
    one: Sequence[Thing], two: Sequence[Thing], same: Callable[[Thing, Thing], bool]
) -> list[tuple[int, int]]:
    """Return which is which: by name, then by what `same` says of those that are left.

    A number that stands for a name comes last.
    """
    names = {each.name: k for k, each in reversed(list(enumerate(two)))}
    alike = [(k, names[each.name]) for k, each in enumerate(one) if each.name in names]
    pairs = {k: n for k, n in alike if named(one[k].name)}
    free = set(range(len(two))) - set(pairs.values())
    for k in sorted(set(range(len(one))) - set(pairs)):
        for n in sorted(free):
            if same(one[k], two[n]):
                pairs[k] = n
                free.discard(n)
                break
    pairs |= {k: n for k, n in alike if k not in pairs and n in free}
    return sorted(pairs.items())
