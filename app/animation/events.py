"""Animation events: named triggers on a clip's timeline, and the ones that a time step crosses."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .playback import Span
from .types import F64, Bool

MAX_CROSSINGS = 100_000  # of one step; of more, only those of its last passes are listed
NEAR = 1e-9  # fraction of a pass: events nearer to the step's ends are tested exactly


class Crossing(NamedTuple):
    """An event that a time step crossed."""

    x: float  # unwrapped local time of the event, seconds
    event: int  # index in the track
    number: int  # of the pass, from 0; negative in a continuous playback in reverse


class _Searched(NamedTuple):
    """The events of a step, kept: layers search the same step again until its weights change."""

    step: tuple[float, float, str, float, bool]  # x0, duration, mode, passes, begins
    x1: float
    found: list[Crossing]


class EventTrack:
    """The events of one clip.

    Parameters
    ----------
    names
        [K] in file order, which is the order of events at one time.
    times
        [K] seconds from the start of the played range.

    Raises
    ------
    ValueError
        `names` and `times` differ in length.
    """

    def __init__(self, names: Sequence[str], times: Sequence[float]) -> None:
        if len(names) != len(times):
            raise ValueError(f"{len(names)} names but {len(times)} times; give one time per name")
        self.names = tuple(names)
        self.times: F64 = np.asarray(times, np.float64).reshape(-1)
        self._sorted: list[float] = sorted(self.times.tolist())
        self._last: _Searched | None = None

    def fired(self, span: Span) -> list[Crossing]:
        """Return the events that a time step crossed, in playback order.

        Forwards the step covers (x0, x1], in reverse [x1, x0); the first step after a start also
        covers x0, for events of the pass that begins there. Event e of pass k is at e + k T,
        mirrored in odd passes of ping-pong: an event at T ends its pass, one at 0 begins the next.
        A step of no length crosses nothing, and events outside the range never fire. Of a step that
        crosses more than `MAX_CROSSINGS` events, only those of its last passes are returned.

        Raises
        ------
        ValueError
            For a span of several characters; use `crowd` for these.
        """
        if np.ndim(span.x1) or np.ndim(span.x0):
            raise ValueError("expected a span of one character")
        x0, x1, duration = float(span.x0), float(span.x1), float(span.duration)
        begins = bool(span.begins)
        if x0 == x1 or duration <= 0 or not self._sorted:
            return []
        if not begins and self._passes_nothing(min(x0, x1), max(x0, x1), duration, span.mode):
            return []
        last, step = self._last, (x0, duration, span.mode, float(span.passes), begins)
        if last is None or last.step != step or not self._adds_nothing(last, x1):
            found = self._crossings(x0, x1, duration, span, begins)
            last = self._last = _Searched(step, x1, found)
        return last.found

    def _adds_nothing(self, last: "_Searched", x1: float) -> bool:
        """Return whether a step that grows forwards to `x1` crosses no more events."""
        x0, duration, mode, _, _ = last.step
        return last.x1 == x1 or (
            x0 < last.x1 < x1 and self._passes_nothing(last.x1, x1, duration, mode)
        )

    def crowd(self, span: Span) -> list[tuple[tuple[int, ...], list[Crossing]]]:
        """Return the crossings per character of a span [...] of many, with indices in the batch.

        Characters without crossings are left out. Only those that may have crossed an event are
        tested one by one.
        """
        x0, x1, duration, begins, passes = np.broadcast_arrays(
            span.x0, span.x1, span.duration, span.begins, span.passes
        )
        out = []
        for index in map(tuple, np.argwhere(self._may(x0, x1, duration, begins, span)).tolist()):
            one = Span(
                x0[index], x1[index], duration[index], span.mode, passes[index], x1[index],
                begins[index],
            )  # fmt: skip
            crossings = self.fired(one)
            if crossings:
                out.append((index, crossings))
        return out

    def _passes_nothing(self, low: float, high: float, duration: float, mode: str) -> bool:
        """Return whether, by a quick test, an interval within one pass has no event."""
        number = high // duration
        base = number * duration
        near = NEAR * (duration + abs(base))
        low, high = low - base, high - base
        if low <= near or high >= duration - near:
            return False
        if mode == "pingpong" and number % 2:
            low, high = duration - high, duration - low
        first, last = bisect_left(self._sorted, low - near), bisect_right(self._sorted, high + near)
        return first == last

    def _may(self, x0: F64, x1: F64, duration: F64, begins: Bool, span: Span) -> Bool:
        """Return which characters [...] may have crossed an event."""
        moving = (x0 != x1) & (duration > 0) & bool(self._sorted)
        low, high = np.minimum(x0, x1), np.maximum(x0, x1)
        length = np.where(duration > 0, duration, 1.0)
        number = np.floor(high / length)
        base = number * duration
        near = NEAR * (duration + np.abs(base))
        a, b = low - base, high - base
        inside = (a > near) & (b < duration - near)
        if span.mode == "pingpong":
            odd = np.mod(number, 2) == 1
            a, b = np.where(odd, duration - b, a), np.where(odd, duration - a, b)
        line = np.array(self._sorted)
        first = np.searchsorted(line, a - near, side="left")
        last = np.searchsorted(line, b + near, side="right")
        return moving & (begins | ~inside | (first != last))

    def _crossings(
        self, x0: float, x1: float, duration: float, span: Span, begins: bool
    ) -> list[Crossing]:
        forwards = x1 > x0
        low, high = min(x0, x1), max(x0, x1)
        numbers = self._pass_numbers(low // duration - 1, high // duration + 2, span, forwards)
        places, locals_ = self._places(numbers, duration, span.mode)
        if forwards:
            passed = (places > low) & (places <= high)
            own = (places == low) & (locals_ < duration)
        else:
            passed = (places >= low) & (places < high)
            own = (places == high) & (locals_ > 0)
        passed |= own & begins
        passed &= (self.times >= 0) & (self.times <= duration)
        row, event = np.nonzero(passed)
        way = 1 if forwards else -1
        order = np.lexsort((event, way * locals_[row, event], way * row))
        return [
            Crossing(float(places[row[i], event[i]]), int(event[i]), int(numbers[row[i]]))
            for i in order
        ]

    def _pass_numbers(self, first: float, stop: float, span: Span, forwards: bool) -> F64:
        """Return the numbers of the passes to search, from `first` up to but not `stop`."""
        if not np.isinf(span.passes):
            first, stop = max(first, 0.0), min(stop, float(span.passes))
        most = MAX_CROSSINGS // len(self._sorted) + 3  # the first and last ones may have no event
        if stop - first > most:
            first, stop = (stop - most, stop) if forwards else (first, first + most)
        return np.arange(first, stop)

    def _places(self, numbers: F64, duration: float, mode: str) -> tuple[F64, F64]:
        """Return event times [passes, K], unwrapped, and relative to the start of their pass.

        The end of a pass equals the start of the next bit for bit: both are a multiple of T.
        """
        locals_ = np.broadcast_to(self.times, (len(numbers), len(self.times)))
        if mode == "pingpong":
            locals_ = np.where(np.mod(numbers, 2)[:, None] == 1, duration - locals_, locals_)
        ends = locals_ == duration
        places = numbers[:, None] * duration + locals_
        return np.where(ends, (numbers[:, None] + 1) * duration, places), locals_
