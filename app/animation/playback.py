"""Playback: global time to a clip's own time. The only place where looping happens."""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .types import F64, Bool

Mode = Literal["loop", "pingpong"]
NEVER: Bool = np.zeros((), bool)


@dataclass(frozen=True, slots=True)
class Span:
    """What one step of a playback passed over: unwrapped local time from `x0` to `x1`."""

    x0: F64  # [...] seconds
    x1: F64  # [...] seconds, below x0 when playing backwards
    duration: F64  # [...] T, seconds of one pass
    mode: Mode
    passes: F64  # [...] N, infinity: for ever
    time: F64  # [...] clip time at x1, seconds
    begins: Bool = field(default_factory=lambda: NEVER)  # [...] x0 is a start: it counts itself


class Playback:
    """Where clips stand at a global time tau: x = t0 + rate (tau - tau0), then wrapped.

    Only the anchor (tau0, t0) is stored. Seeking, pausing and every change anchor anew at the
    present x, so nothing jumps and the rate is never divided by. All numbers may be arrays [...]:
    one playback then drives a crowd.

    Parameters
    ----------
    duration
        T, seconds of one pass.
    passes
        N, how often it plays: 1 once, infinity for ever. In mode "pingpong" there is one pass and
        back another.
    mode
        "loop" begins every pass at its start; "pingpong" turns round.
    rate
        Clip seconds per second; negative: backwards, and it starts at the end.
    start
        Clip time at x = 0, seconds: where the range that is played begins.
    phase
        Where in the range it starts, 0 to 1; None: at its start, playing backwards at its end.
    tau
        Global time at which it starts, seconds.
    """

    def __init__(
        self,
        duration: ArrayLike,
        *,
        passes: ArrayLike = math.inf,
        mode: Mode = "loop",
        rate: ArrayLike = 1.0,
        start: ArrayLike = 0.0,
        phase: ArrayLike | None = None,
        tau: ArrayLike = 0.0,
    ) -> None:
        self.duration: F64 = np.maximum(np.asarray(duration, np.float64), 0.0)
        self.passes: F64 = np.asarray(passes, np.float64)
        self.mode: Mode = mode
        self.rate: F64 = np.asarray(rate, np.float64)
        self.start: F64 = np.asarray(start, np.float64)
        self.paused = False
        self.t0: F64  # the anchor: x at the global time tau0, seconds
        self.tau0: F64
        self._shown: F64  # local time at the anchor: an end sought for, not the next pass's start
        self._last: F64  # x of the last step
        self._count()
        self._begins: Bool = np.ones((), bool)  # nothing has moved since the start
        if phase is not None:
            local = np.clip(np.asarray(phase, np.float64), 0.0, 1.0) * self.duration
            self._enter(local, tau)
            return
        back_at_start = (self.mode == "pingpong") & (self._counted % 2 == 0)
        end = np.where(back_at_start, 0.0, self.duration)
        backwards = self.rate < 0
        x = np.where(backwards, self._counted * self.duration, 0.0)
        self._anchor(x, np.where(backwards, end, 0.0), tau)

    def x(self, tau: ArrayLike) -> F64:
        """Return the unwrapped local time [...], seconds; clamped where passes are counted."""
        return np.minimum(np.maximum(self._run(tau), self._low), self._high)

    def time(self, tau: ArrayLike) -> F64:
        """Return the clip time [...] at global time `tau`, seconds."""
        return self.start + self._wrap(self.x(tau))

    def done(self, tau: ArrayLike) -> Bool:
        """Tell whether x rests on a clamp: all passes are over."""
        x = self._run(tau)
        return np.where(self.rate < 0, x <= self._low, x >= self._high)

    def advance(self, tau: ArrayLike) -> Span:
        """Go to global time `tau` and return what was passed since the last call."""
        before, self._last = self._last, self.x(tau)
        time = self.start + self._wrap(self._last)
        begins = self._begins
        if begins.any():
            self._begins = begins & (before == self._last)
        return Span(before, self._last, self.duration, self.mode, self.passes, time, begins)

    def when(self, x: ArrayLike) -> F64:
        """Return the global time [...] at which an unwrapped time was reached since the anchor.

        Raises
        ------
        ValueError
            Where nothing moves.
        """
        if self.paused or not np.all(self.rate):
            raise ValueError("a playback that stands still reaches nothing")
        return self.tau0 + (np.asarray(x, np.float64) - self.t0) / self.rate

    def seek(self, time: ArrayLike, tau: ArrayLike) -> None:
        """Stand at clip time `time` from `tau` on, with all passes ahead, as after a start."""
        local = np.clip(np.asarray(time, np.float64) - self.start, 0.0, self.duration)
        self._enter(local, tau)
        self._begins = NEVER

    def enter(self, x: ArrayLike, tau: ArrayLike) -> None:
        """Stand at an unwrapped time `x` from `tau` on, as one that has come so far by itself."""
        at = np.minimum(np.maximum(np.asarray(x, np.float64), self._low), self._high)
        self._anchor(at, wrap(at, self.duration, self.mode, self.passes)[1], tau)
        self._begins = NEVER

    def set_rate(self, rate: ArrayLike, tau: ArrayLike) -> None:
        """Change the speed from `tau` on."""
        self._hold(tau)
        self.rate = np.asarray(rate, np.float64)

    def set_mode(self, mode: Mode, passes: ArrayLike, tau: ArrayLike) -> None:
        """Change how it repeats from `tau` on, at the present clip time, all passes ahead."""
        local = self.time(tau) - self.start
        self.mode = mode
        self.passes = np.asarray(passes, np.float64)
        self._count()
        self._enter(local, tau)

    def pause(self, tau: ArrayLike) -> None:
        """Stand still from `tau` on; the rate is kept."""
        self._hold(tau)
        self.paused = True

    def resume(self, tau: ArrayLike) -> None:
        """Go on from `tau` with the rate that was set."""
        self._hold(tau)
        self.paused = False

    def save(self) -> dict[str, object]:
        """Return the state, for `restore`; no array of it is ever written in place."""
        return vars(self).copy()

    def restore(self, state: dict[str, object]) -> None:
        """Go back to a state that `save` gave."""
        vars(self).update(state)

    def _run(self, tau: ArrayLike) -> F64:
        elapsed = np.asarray(tau, np.float64) - self.tau0
        return self.t0 if self.paused else self.t0 + self.rate * elapsed

    def _hold(self, tau: ArrayLike) -> None:
        """Anchor at the present x: the step under way keeps its beginning."""
        x, last = self.x(tau), self._last
        self._anchor(x, self._wrap(x), tau)
        self._last = last

    def _enter(self, local: F64, tau: ArrayLike) -> None:
        """Anchor where a local time is shown in the first pass of the way to go."""
        last = self._counted - 1.0  # number of the last pass
        mirrored = (self.mode == "pingpong") & (last % 2 == 1)
        backwards = last * self.duration + np.where(mirrored, self.duration - local, local)
        self._anchor(np.where(self.rate < 0, backwards, local), local, tau)

    def _anchor(self, x: F64, shown: F64, tau: ArrayLike) -> None:
        self.t0, self.tau0 = x, np.asarray(tau, np.float64)
        self._shown = shown
        self._last = x

    def _count(self) -> None:
        """Take the bounds of x from the number of passes."""
        forever = np.isinf(self.passes)
        self._counted: F64 = np.where(forever, 1.0, self.passes)
        self._low: F64 = np.where(forever, -np.inf, 0.0)
        self._high: F64 = np.where(forever, np.inf, self._counted * self.duration)

    def _wrap(self, x: F64) -> F64:
        """Return the local time of an unwrapped one (SPEC C3); at the anchor what it shows."""
        local = wrap(x, self.duration, self.mode, self.passes)[1]
        return np.where(x == self.t0, self._shown, local)


def wrap(x: F64, duration: F64, mode: Mode, passes: F64) -> tuple[F64, F64]:
    """Return the number of the pass, from 0, and the local time of unwrapped ones (SPEC C3).

    Parameters
    ----------
    x, duration, passes
        [...] seconds, seconds of one pass, N (infinity: for ever).
    mode
        In "pingpong" the local time runs back in odd passes.

    Returns
    -------
    number, local
        [...] and [...] seconds, within the duration.
    """
    number = np.minimum(np.floor(x / np.where(duration > 0, duration, 1.0)), passes - 1.0)
    local = np.minimum(np.maximum(x - duration * number, 0.0), duration)
    if mode == "pingpong":
        local = np.where(np.mod(number, 2) == 1, duration - local, local)
    return np.where(duration > 0, number, 0.0), local


def parse_loop(text: str) -> tuple[Mode, float]:
    """Read ``once``, ``loop``, ``pingpong``, ``N`` or ``pingpong:N`` as mode and passes.

    Raises
    ------
    ValueError
        For anything else, or an N below 1.
    """
    word, colon, number = text.partition(":")
    if text == "once":
        return "loop", 1.0
    if text in ("loop", "pingpong"):
        return ("loop", math.inf) if text == "loop" else ("pingpong", math.inf)
    count = number if colon and word == "pingpong" else text
    if not (count.isascii() and count.isdigit() and len(count) <= 9 and int(count) >= 1):
        raise ValueError(f"not once, loop, pingpong, N or pingpong:N: {text!r}")
    return ("pingpong" if colon else "loop"), float(int(count))
