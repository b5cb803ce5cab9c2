"""The clips of a model, found by index, name or pattern."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Self, SupportsIndex, overload

import numpy as np

from ..animation.clip import Clip
from ..errors import UsageError
from ..retargeting.name_affixes import prefix_of
from ..wording import first_of, suggestion

_NONE: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class LookupResult:
    """The index found, and a warning if it is ambiguous."""

    index: int
    warning: str = ""


class Clips(tuple[Clip, ...]):
    """A tuple of clips that also takes names.

    Parameters
    ----------
    clips
        In the order of the file.
    aliases
        Further names: ``FILE-STEM:NAME`` of a clip from another file, to its index.

    Examples
    --------
    >>> model.clips["Walk"]
    <Clip 'Walk' 1 s, 63 tracks, 62 joints>
    >>> [clip.name for clip in model.clips if clip.duration > 2]
    ['Idle', 'Wave']
    """

    aliases: Mapping[str, int]

    def __new__(cls, clips: Iterable[Clip] = (), aliases: Mapping[str, int] = _NONE) -> Self:
        """Return a tuple of the clips."""
        made = super().__new__(cls, clips)
        made.aliases = aliases
        return made

    @overload
    def __getitem__(self, key: SupportsIndex | str) -> Clip: ...

    @overload
    def __getitem__(self, key: slice) -> tuple[Clip, ...]: ...

    def __getitem__(self, key: SupportsIndex | str | slice) -> Clip | tuple[Clip, ...]:
        """Return the clip of a name, a pattern or an index; of several matches the first.

        Raises
        ------
        UsageError
            No clip has the name; the hint lists similar ones.
        IndexError
            The index is out of range.
        """
        return super().__getitem__(self.find(key).index if isinstance(key, str) else key)

    def __contains__(self, key: object) -> bool:
        """Return whether a clip, or one of a name, is among the clips."""
        return key in self.names if isinstance(key, str) else super().__contains__(key)

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[Clip, ...], dict[str, int]]]:
        return type(self), (tuple(self), dict(self.aliases))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all clips."""
        return tuple(clip.name for clip in self)

    @cached_property
    def prefix(self) -> str:
        """The prefix of all names, such as ``mixamo.com|``, empty without one."""
        return prefix_of(self.names)

    def find(self, text: str | int) -> LookupResult:
        """Return the clip of an exact name, else of an index (3 or #3), else of a pattern.

        A clip from another file is also found as FILE-STEM:NAME, and a clip by the name that panels
        show, without the prefix of all names.

        Raises
        ------
        UsageError
            Not found, and the hint lists similar names or the range of the indices; or it is
            neither text nor an index.
        """
        names = self.names
        if not isinstance(text, str):
            number = clip_index(text)
            if 0 <= number < len(names):
                return LookupResult(number)
            text = f"#{number}"
        if text in names:
            return LookupResult(names.index(text))
        if text in self.aliases:
            return LookupResult(self.aliases[text])
        if self.prefix + text in names:
            return LookupResult(names.index(self.prefix + text))
        index = parsed_index(text)
        if index is not None and index < len(names):
            return LookupResult(index)
        hits = matching(names, text)
        if len(hits) > 1:
            listed = first_of([names[hit] for hit in hits], 4)
            return LookupResult(
                hits[0], f"{text!r} matches {len(hits)} animations ({listed}); using the first"
            )
        if hits:
            return LookupResult(hits[0])
        hint = offer(names, text, "animation")
        if names and text.removeprefix("#").removeprefix("-").isdigit():
            hint = f"the file has the indices 0 to {len(names) - 1}"
        raise UsageError(f"no animation {text!r}", hint=hint)


def clip_index(clip: object) -> int:
    """Return the index of a clip as an int (UsageError: it is not an integer)."""
    if isinstance(clip, bool) or not isinstance(clip, int | np.integer):
        raise UsageError(f"a clip is a name, an index or a pattern, not {clip!r}")
    return int(clip)


def parsed_index(text: str) -> int | None:
    """Return the index that a text like ``3`` or ``#3`` contains."""
    digits = text.removeprefix("#")
    return int(digits) if digits.isascii() and digits.isdigit() else None


def matching(names: Sequence[str], pattern: str) -> list[int]:
    """Return the indices of the names that a pattern with `*`, `?` or `[…]` matches."""
    if not set("*?[") & set(pattern):
        return []
    from fnmatch import fnmatchcase

    return [index for index, name in enumerate(names) if fnmatchcase(name, pattern)]


def offer(names: Sequence[str], text: str, kind: str) -> str:
    """Return a hint: similar names, else the first names of the file."""
    if not names:
        return f"the file has no {kind}s"
    return suggestion(text, names) or f"the file has {first_of([repr(name) for name in names], 5)}"
