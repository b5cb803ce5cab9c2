"""What clips must tell each other to walk in step: length, cycles and sync marks."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ..animation.types import F64

MOST_INTERVALS = 4096  # of all clips together, before they repeat: bounds memory


@dataclass(frozen=True, slots=True)
class Beat:
    """One clip as a synchronised group sees it (SPEC C5)."""

    duration: float  # T, seconds of one pass
    cycles: int = 1  # how often the clip repeats the movement in a pass
    marks: Mapping[str, tuple[float, ...]] = field(default_factory=lambda: MappingProxyType({}))
    loops: bool = True  # for ever, not once, N times or there and back

    @property
    def cycle(self) -> float:
        """T' = T / cycles, seconds."""
        return self.duration / self.cycles

    @property
    def order(self) -> tuple[str, ...]:
        """The names of its marks as they come in a cycle."""
        return tuple(sorted(self.marks, key=lambda name: self.marks[name][0]))

    @property
    def intervals(self) -> int:
        """From mark to mark in one pass; without marks from cycle to cycle."""
        return self.cycles * max(len(self.marks), 1)

    def knots(self) -> F64:
        """Return [intervals + 1] local seconds of every mark, and of the first of the next pass."""
        if not self.marks:
            return self.duration * (np.arange(self.cycles + 1) / self.cycles)
        phases = [self.marks[name][c] for c in range(self.cycles) for name in self.order]
        return self.duration * np.array([*phases, phases[0] + 1.0])


class Discord(NamedTuple):
    """Why clips cannot walk in step."""

    clip: int  # number of the one at fault
    other: int  # of the one it does not agree with, -1: with itself
    what: str  # as in "Walk and Run: …"


def discord(beats: Sequence[Beat]) -> Discord | None:
    """Return what keeps clips from being one group (RULINGS M8, M47), None where nothing does."""
    for i, beat in enumerate(beats):
        if not beat.loops:
            return Discord(i, -1, "only a clip that loops can be synchronised")
    return mismatch(beats)


def mismatch(beats: Sequence[Beat]) -> Discord | None:
    """Return where the marks of clips do not fit each other, None where they do."""
    for i, beat in enumerate(beats):
        fault = _fault(beat)
        if fault:
            return Discord(i, -1, fault)
    for i, beat in enumerate(beats[1:], start=1):
        fault = _difference(beats[0], beat)
        if fault:
            return Discord(i, 0, fault)
    if repeat(beats) > MOST_INTERVALS:
        return Discord(len(beats) - 1, -1, "the cycles of the clips have no small common multiple")
    return None


def repeat(beats: Sequence[Beat]) -> int:
    """Return the number of intervals after which all clips are where they were.

    Without marks all intervals of a clip are equally long, and that number is 1.
    """
    marked = len(beats[0].marks)
    return marked * math.lcm(*(beat.cycles for beat in beats)) if marked else 1


def _fault(beat: Beat) -> str:
    """Say what is wrong with one clip by itself."""
    if beat.cycles < 1:
        return f"cycles must be 1 or more, not {beat.cycles}"
    for name, phases in beat.marks.items():
        if len(phases) != beat.cycles:
            return f"the sync mark {name!r} needs a phase a cycle: {beat.cycles}, not {len(phases)}"
        if not all(0 <= phase <= 1 for phase in phases):
            return f"the sync mark {name!r} has a phase that is not within 0 and 1"
    line = [beat.marks[name][c] for c in range(beat.cycles) for name in beat.order]
    if line and not all(a < b for a, b in zip(line, [*line[1:], line[0] + 1], strict=True)):
        return "the sync marks must come in the same order in every cycle, no two at one phase"
    return ""


def _difference(first: Beat, other: Beat) -> str:
    """Say in what the marks of two clips differ."""
    if bool(first.marks) != bool(other.marks):
        return "one has sync marks, the other has none"
    for one, two in ((first, other), (other, first)):
        for name in one.order:
            if name not in two.marks:
                return f"only one of them has the sync mark {name!r}"
    if first.order != other.order:
        return f"their sync marks come in different orders: {first.order} and {other.order}"
    return ""
