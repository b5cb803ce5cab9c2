"""Matching of objects by name, and the distinction of file names from generated ones."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from ..model.model import CameraView, Image, Material, Mesh

Named = TypeVar("Named", Material, Image, CameraView, Mesh)

_MADE_UP = re.compile(r"(Animation|Camera|Image|Material|Mesh|Skin) \d+")


def named(name: str) -> bool:
    """Return whether a name is not generated; generated names may differ between versions."""
    return _MADE_UP.fullmatch(name) is None


def pair_up(
    one: Sequence[Named], two: Sequence[Named], same: Callable[[Named, Named], bool]
) -> list[tuple[int, int]]:
    """Return the matching indices: by name, then by `same`, then by generated name."""
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
