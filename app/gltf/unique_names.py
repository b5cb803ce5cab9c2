"""Unique, printable names for unnamed or equally named objects of a file."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..wording import printable


def unique_names(
    rows: Sequence[dict[str, Any]], kind: str, preferred: Iterable[int] = ()
) -> tuple[str, ...]:
    """Return a unique name for each object.

    Parameters
    ----------
    rows
        JSON objects with an optional `name`.
    kind
        Prefix of the names of unnamed objects: "Joint" gives "Joint 7" for index 7.
    preferred
        Indices that keep their name in preference to others. Further objects of the same name
        get a suffix: "Walk #2".
    """
    wanted = [printable(row.get("name") or f"{kind} {k}") for k, row in enumerate(rows)]
    if len(set(wanted)) == len(wanted):
        return tuple(wanted)
    names = list(wanted)
    kept, counts, used_names = set[str](), dict[str, int](), set(wanted)
    for index in dict.fromkeys([*preferred, *range(len(rows))]):
        name = wanted[index]
        if name in kept:
            number = counts.get(name, 1) + 1
            while f"{name} #{number}" in used_names:
                number += 1
            counts[name] = number
            names[index] = f"{name} #{number}"
            used_names.add(names[index])
        kept.add(name)
    return tuple(names)
