"""Names of joints and clips without the prefix that nearly all of them have.

Exporters put the name of the rig in front: "mixamorig:LeftArm", "Armature|Walk".
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from .model import Model

_SURE, _LIKELY = ":|", "_.- "  # ends of prefixes: always; if many names have the prefix
_MANY = 8  # names
_SHARE = 0.8  # of the names have the prefix: a file has nodes beside its joints


def joint_prefix(model: Model) -> str:
    """Return the prefix of the joints' names, empty without one."""
    return prefix_of(model.skeleton.names)


def clip_prefix(model: Model) -> str:
    """Return the prefix of the clips' names, empty without one."""
    return prefix_of(tuple([clip.name for clip in model.clips]))


@lru_cache(maxsize=16)
def prefix_of(names: tuple[str, ...]) -> str:
    """Return the longest prefix that nearly all names have; empty if names would not be unique.

    It ends after a colon or bar, or, of many names, after an underscore, dot, hyphen or space. A
    letter follows it: "Joint 1" has no prefix.
    """
    counts = Counter(prefix for name in names for prefix in _prefixes(name, len(names)))
    least = max(_SHARE * len(names), 2)
    for prefix in sorted((each for each, n in counts.items() if n >= least), key=len, reverse=True):
        short = [name.removeprefix(prefix) for name in names]
        if len(set(short)) == len(set(names)) and _readable(names, prefix):
            return prefix
    return ""


def _prefixes(name: str, count: int) -> list[str]:
    """Return the beginnings of a name that may be a prefix."""
    ends = _SURE + (_LIKELY if count >= _MANY else "")
    return [name[: k + 1] for k, letter in enumerate(name[:-1]) if letter in ends]


def _readable(names: Sequence[str], prefix: str) -> bool:
    """Return whether a letter follows the prefix in all names that have it."""
    end = len(prefix)
    return all(name[end : end + 1].isalpha() for name in names if name.startswith(prefix))
