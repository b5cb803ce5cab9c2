"""Sync data of clips: length, cycles and sync marks, and whether clips can form a sync group."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ..animation.types import F64

MOST_INTERVALS = 4096  # of all clips until they repeat: bounds memory


@dataclass(frozen=True, slots=True)
class SyncTrack:
    """Sync data of one clip."""

    duration: float  # T, seconds of one pass
    cycles: int = 1  # repetitions of the movement in a pass
    marks: Mapping[str, tuple[float, ...]] = field(default_factory=lambda: MappingProxyType({}))
    loops: bool = True  # continuous loop, not once, N times or ping-pong

    @property
    def cycle(self) -> float:
        """T' = T / cycles, seconds."""
        return self.duration / self.cycles

    @property
    def order(self) -> tuple[str, ...]:
        """The names of the marks in the order of a cycle."""
        return tuple(sorted(self.marks, key=lambda name: self.marks[name][0]))

    @property
    def intervals(self) -> int:
        """Number of intervals between marks in one pass; without marks, of cycles."""
        return self.cycles * max(len(self.marks), 1)

    def knots(self) -> F64:
        """Return local seconds [intervals + 1] of every mark and the first of the next pass."""
        if not self.marks:
            return self.duration * (np.arange(self.cycles + 1) / self.cycles)
        phases = [self.marks[name][c] for c in range(self.cycles) for name in self.order]
        return self.duration * np.array([*phases, phases[0] + 1.0])


class SyncMismatch(NamedTuple):
    """Why clips cannot form a sync group."""

    clip: int  # index of the clip at fault
    other: int  # index of the clip that it does not match, -1: invalid by itself
    what: str  # message after "Walk and Run: …"


def sync_mismatch(sync_tracks: Sequence[SyncTrack]) -> SyncMismatch | None:
    """Return why clips cannot form a sync group, None if they can."""
    for i, sync_track in enumerate(sync_tracks):
        if not sync_track.loops:
            return SyncMismatch(i, -1, "only a looping clip can be synchronised")
    return mark_mismatch(sync_tracks)


def mark_mismatch(sync_tracks: Sequence[SyncTrack]) -> SyncMismatch | None:
    """Return the first mismatch of sync marks, None if all match."""
    for i, sync_track in enumerate(sync_tracks):
        fault = _fault(sync_track)
        if fault:
            return SyncMismatch(i, -1, fault)
    for i, sync_track in enumerate(sync_tracks[1:], start=1):
        fault = _difference(sync_tracks[0], sync_track)
        if fault:
            return SyncMismatch(i, 0, fault)
    if repeat(sync_tracks) > MOST_INTERVALS:
        return SyncMismatch(
            len(sync_tracks) - 1, -1, "the cycles of the clips have no small common multiple"
        )
    return None


def repeat(sync_tracks: Sequence[SyncTrack]) -> int:
    """Return the number of intervals after which the pattern of all clips repeats.

    Without marks all intervals of a clip have the same length, and the number is 1.
    """
    marked = len(sync_tracks[0].marks)
    return marked * math.lcm(*(sync_track.cycles for sync_track in sync_tracks)) if marked else 1


def _fault(track: SyncTrack) -> str:
    """Return what is invalid in one clip's sync data, empty if nothing."""
    if track.cycles < 1:
        return f"cycles must be 1 or more, not {track.cycles}"
    for name, phases in track.marks.items():
        if len(phases) != track.cycles:
            return (
                f"sync mark {name!r} needs one phase per cycle: {track.cycles}, not {len(phases)}"
            )
        if not all(0 <= phase <= 1 for phase in phases):
            return f"sync mark {name!r} has a phase outside 0 to 1"
    line = [track.marks[name][c] for c in range(track.cycles) for name in track.order]
    if line and not all(a < b for a, b in zip(line, [*line[1:], line[0] + 1], strict=True)):
        return "sync marks must have the same order in every cycle, and distinct phases"
    return ""


def _difference(first: SyncTrack, other: SyncTrack) -> str:
    """Return how the marks of two clips differ, empty if they match."""
    if bool(first.marks) != bool(other.marks):
        return "only one of them has sync marks"
    for one, two in ((first, other), (other, first)):
        for name in one.order:
            if name not in two.marks:
                return f"only one of them has the sync mark {name!r}"
    if first.order != other.order:
        return f"their sync marks are in different orders: {first.order} and {other.order}"
    return ""
