"""Matching of objects by name, and the distinction of stored names from generated ones."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from ..model.material import Material
from ..model.model import CameraView, Image, LightSource, Mesh
from .difference import Change, Kind

Named = TypeVar("Named", Material, Image, CameraView, LightSource, Mesh)

_GENERATED = re.compile(r"(Animation|Camera|Image|Material|Mesh|Skin) \d+")


def has_own_name(name: str) -> bool:
    """Return whether a name is not generated; generated names may differ between the two files."""
    return _GENERATED.fullmatch(name) is None


def renamed(one: str, two: str) -> bool:
    """Return whether matching objects have different names, of which one is not generated."""
    return one != two and (has_own_name(one) or has_own_name(two))


def match_objects(
    one: Sequence[Named], two: Sequence[Named], same_content: Callable[[Named, Named], bool]
) -> list[tuple[int, int]]:
    """Return the matching indices: by name, then by content, then by generated name."""
    names = {other.name: n for n, other in reversed(list(enumerate(two)))}
    same_name = [(k, names[own.name]) for k, own in enumerate(one) if own.name in names]
    pairs = {k: n for k, n in same_name if has_own_name(one[k].name)}
    free = set(range(len(two))) - set(pairs.values())
    for k in sorted(set(range(len(one))) - set(pairs)):
        for n in sorted(free):
            if same_content(one[k], two[n]):
                pairs[k] = n
                free.discard(n)
                break
    pairs |= {k: n for k, n in same_name if k not in pairs and n in free}
    return sorted(pairs.items())


def added_removed_renamed(
    kind: Kind, one: Sequence[Named], two: Sequence[Named], pairs: Sequence[tuple[int, int]]
) -> Iterator[Change]:
    """Yield the objects without a match, then matching ones that are renamed."""
    for k in sorted(set(range(len(one))) - {k for k, _ in pairs}):
        yield Change(kind, "removed", one[k].name)
    for n in sorted(set(range(len(two))) - {n for _, n in pairs}):
        yield Change(kind, "added", two[n].name)
    for k, n in pairs:
        if renamed(one[k].name, two[n].name):
            yield Change(kind, "renamed", one[k].name, now=two[n].name, note="same content")
