"""The prefix and the suffix that nearly all names of joints or clips have.

Exporters put the name of the rig in front or at the end: "mixamorig:LeftArm", "Armature|Walk",
"LeftArm_rig_v2".
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import takewhile

_SURE, _LIKELY = ":|", "_.- "  # ends of prefixes: always; if many names have the prefix
_MANY = 8  # names
_SHARE = 0.8  # of the names have the prefix: a file has nodes beside its joints
_OUTLIERS = 0.05  # of many names
_DIGITS = "0123456789"


@lru_cache(maxsize=16)
def prefix_of(names: tuple[str, ...], many: int = _MANY, share: float = _OUTLIERS) -> str:
    """Return the longest prefix that nearly all names have; empty if names would not be unique.

    It ends after a colon or bar, or, of many names, after an underscore, dot, hyphen or space. A
    letter follows it: "Joint 1" has no prefix. A `share` of many names may be like others without
    the prefix, or go on with no letter: such an outlier does not bring back all prefixes.
    """
    is_many = len(names) >= many
    spare = max(int(share * len(names)), 1) if is_many and share else 0
    return _common_start(names, _SURE + (_LIKELY if is_many else ""), str.isalpha, spare)


def affixes_of(names: Sequence[str]) -> tuple[str, str]:
    """Return the prefix and the suffix that nearly all names have, each empty without one.

    The suffix may be followed by a number that differs: that of "LeftArm_rig_7" is "_rig".
    """
    prefix = prefix_of(tuple(names), many=2, share=0.0)
    short = [name.removeprefix(prefix) for name in names]
    return prefix, _suffix_of(short) or _suffix_of([_split_number(name)[0] for name in short])


def without_affixes(name: str, prefix: str, suffix: str) -> str:
    """Return a name without a prefix and a suffix; a number after the suffix is kept.

    Of a name with a part of them, up to a separator, that part is left out.
    """
    name = _without_start(name, prefix)
    if name.endswith(suffix):
        return name.removesuffix(suffix)
    stem, number = _split_number(name)
    return _without_start(stem[::-1], suffix[::-1])[::-1] + number


def _without_start(name: str, start: str) -> str:
    """Return a name without the part of a start that it has, up to a separator."""
    if name.startswith(start):
        return name.removeprefix(start)
    letters = takewhile(lambda pair: pair[0] == pair[1], zip(name, start, strict=False))
    shared = "".join(letter for letter, _ in letters)
    return name[max(map(shared.rfind, _SURE + _LIKELY)) + 1 :]


def _suffix_of(names: Sequence[str]) -> str:
    """Return the longest suffix that nearly all names have."""
    backwards = [name[::-1] for name in names]
    return _common_start(backwards, _SURE + _LIKELY, bool)[::-1]


def _split_number(name: str) -> tuple[str, str]:
    """Return a name without the number at its end, and the number with what is before it."""
    stem = name.rstrip(_DIGITS).rstrip(_LIKELY)
    return stem, name[len(stem) :]


def _common_start(
    names: Sequence[str], ends: str, follows: Callable[[str], bool], spare: int = 0
) -> str:
    """Return the longest start of nearly all names, empty if names would not be unique.

    Its last character is one of `ends`; the next one must pass `follows` in all names that have it.
    Of either kind there may be `spare` exceptions.
    """
    ordered, least = sorted(names), max(_SHARE * len(names), 2)
    middle = ordered[len(ordered) // 2] if ordered else ""  # has every start of most names
    for end in range(len(middle) - 1, 0, -1):
        if middle[end - 1] not in ends or not follows(middle[end]):
            continue
        start = middle[:end]
        having = [name for name in names if name.startswith(start)]
        others = sum(not follows(name[end : end + 1]) for name in having)
        if len(having) < least or others > spare:
            continue
        if len({_without_start(name, start) for name in names}) >= len(set(names)) - spare:
            return start
    return ""
