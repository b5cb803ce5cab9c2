"""Playback: global time to clip time, with loop modes and speed."""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .types import F64, Bool
from .vectors import all_set, some

Mode = Literal["loop", "pingpong"]
Loop = tuple[Mode, float]  # mode and passes
NEVER: Bool = np.zeros((), bool)
_UNKNOWN = math.nan, np.zeros(())


@dataclass(frozen=True, slots=True)
class Span:
    """The interval of one playback step: unwrapped local time from `x0` to `x1`."""

    x0: F64  # [...] seconds
    x1: F64  # [...] seconds, below x0 in reverse playback
    duration: F64  # [...] T, seconds of one pass
    mode: Mode
    passes: F64  # [...] N, infinity: continuous
    time: F64  # [...] clip time at x1, seconds
    begins: Bool = field(default_factory=lambda: NEVER)  # [...] x0 is a start, and is included


class Playback:
    """Clip time as a function of the global time tau: x = t0 + rate (tau - tau0), then wrapped.

    Only the anchor (tau0, t0) is stored. Seeking, pausing and every change set a new anchor at the
    current x, so time is continuous and there is no division by the rate. All numbers may be
    arrays [...]: one playback then drives a crowd.

    Parameters
    ----------
    duration
        T, seconds of one pass.
    passes
        N, how many passes are played: 1 once, infinity without end. In mode "pingpong" forward and
        reverse are a pass each.
    mode
        "loop" starts every pass at the beginning; "pingpong" reverses direction.
    rate
        Clip seconds per second; negative: reverse, which starts at the end.
    start
        Clip time at x = 0, seconds: the beginning of the played range.
    phase
        Phase of the range at the start, 0 to 1; None: 0, in reverse 1.
    tau
        Global time of the start, seconds.

    Examples
    --------
    >>> playback = rigview.Playback(1.0, mode="pingpong")
    >>> [float(playback.time(tau)) for tau in (0.25, 1.25, 2.25)]
    [0.25, 0.75, 0.25]
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
        if mode not in ("loop", "pingpong"):
            raise ValueError(f"mode is 'loop' or 'pingpong', not {mode!r}")
        self.duration: F64 = np.maximum(np.asarray(duration, np.float64), 0.0)
        self.passes: F64 = np.asarray(passes, np.float64)
        self.mode: Mode = mode
        self.rate: F64 = np.asarray(rate, np.float64)
        self.start: F64 = np.asarray(start, np.float64)
        self.paused = False
        self.t0: F64  # the anchor: x at global time tau0, seconds
        self.tau0: F64
        self._shown: F64  # local time at the anchor: keeps an end from wrapping to a start
        self._last: F64  # x of the last step
        self._known: tuple[float, F64]  # a global time since the anchor, and its clip time
        self._count()
        self._begins: Bool = np.ones((), bool)  # no movement since the start
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
        """Return the unwrapped local time [...], seconds; clamped where passes are finite."""
        return np.minimum(np.maximum(self._run(tau), self._low), self._high)

    def time(self, tau: ArrayLike) -> F64:
        """Return the clip time [...] at global time `tau`, seconds.

        That of the last single `tau` is cached: panels ask for it again and again.
        """
        if not isinstance(tau, float):
            return self.start + self._wrap(self.x(tau))
        if tau != self._known[0]:
            self._known = tau, self.start + self._wrap(self.x(tau))
        return self._known[1]

    def done(self, tau: ArrayLike) -> Bool:
        """Return whether all passes are over [...]: x is clamped."""
        x = self._run(tau)
        return np.where(self.rate < 0, x <= self._low, x >= self._high)

    def advance(self, tau: ArrayLike) -> Span:
        """Advance to global time `tau` and return the interval since the last call."""
        before, self._last = self._last, self.x(tau)
        time = self.start + self._wrap(self._last)
        begins = self._begins
        if some(begins):
            self._begins = begins & (before == self._last)
        return Span(before, self._last, self.duration, self.mode, self.passes, time, begins)

    def when(self, x: ArrayLike) -> F64:
        """Return the global time [...] of an unwrapped local time since the anchor.

        Raises
        ------
        ValueError
            The playback is paused, or its rate is 0.
        """
        if self.paused or not all_set(self.rate != 0):
            raise ValueError("the playback is paused or has rate 0")
        return self.tau0 + (np.asarray(x, np.float64) - self.t0) / self.rate

    def seek(self, time: ArrayLike, tau: ArrayLike) -> None:
        """Jump to clip time `time` at `tau`, with all passes remaining, as after a start."""
        local = np.clip(np.asarray(time, np.float64) - self.start, 0.0, self.duration)
        self._enter(local, tau)
        self._begins = NEVER

    def enter(self, x: ArrayLike, tau: ArrayLike) -> None:
        """Jump to the unwrapped local time `x` at `tau`, with the passes before it done."""
        at = np.minimum(np.maximum(np.asarray(x, np.float64), self._low), self._high)
        self._anchor(at, wrap(at, self.duration, self.mode, self.passes)[1], tau)
        self._begins = NEVER

    def set_rate(self, rate: ArrayLike, tau: ArrayLike) -> None:
        """Change the rate from `tau` on."""
        self._hold(tau)
        self.rate = np.asarray(rate, np.float64)

    def set_mode(self, mode: Mode, passes: ArrayLike, tau: ArrayLike) -> None:
        """Change the loop mode from `tau` on; keeps the clip time, with all passes remaining."""
        local = self.time(tau) - self.start
        self.mode = mode
        self.passes = np.asarray(passes, np.float64)
        self._count()
        self._enter(local, tau)

    def start_at(self, tau: ArrayLike) -> None:
        """Move the start of a playback that was not played yet to `tau`."""
        self.tau0 = np.asarray(tau, np.float64)
        self._known = _UNKNOWN

    def pause(self, tau: ArrayLike) -> None:
        """Pause from `tau` on; the rate is kept."""
        self._hold(tau)
        self.paused = True

    def resume(self, tau: ArrayLike) -> None:
        """Resume from `tau` with the rate that was set."""
        self._hold(tau)
        self.paused = False

    def save(self) -> dict[str, object]:
        """Return the state, for `restore`; its arrays are never written in place."""
        return vars(self).copy()

    def restore(self, state: dict[str, object]) -> None:
        """Restore a state that `save` returned."""
        vars(self).update(state)

    def _run(self, tau: ArrayLike) -> F64:
        elapsed = np.asarray(tau, np.float64) - self.tau0
        return self.t0 if self.paused else self.t0 + self.rate * elapsed

    def _hold(self, tau: ArrayLike) -> None:
        """Set the anchor at the current x; the start of the current step is kept."""
        x, last = self.x(tau), self._last
        self._anchor(x, self._wrap(x), tau)
        self._last = last

    def _enter(self, local: F64, tau: ArrayLike) -> None:
        """Set the anchor at a local time in the first pass to play."""
        last = self._counted - 1.0  # index of the last pass
        mirrored = (self.mode == "pingpong") & (last % 2 == 1)
        backwards = last * self.duration + np.where(mirrored, self.duration - local, local)
        self._anchor(np.where(self.rate < 0, backwards, local), local, tau)

    def _anchor(self, x: F64, shown: F64, tau: ArrayLike) -> None:
        self.t0, self.tau0 = x, np.asarray(tau, np.float64)
        self._shown = shown
        self._last = x
        self._known = _UNKNOWN

    def _count(self) -> None:
        """Set the bounds of x by the number of passes."""
        forever = np.isinf(self.passes)
        self._counted: F64 = np.where(forever, 1.0, self.passes)
        self._low: F64 = np.where(forever, -np.inf, 0.0)
        self._high: F64 = np.where(forever, np.inf, self._counted * self.duration)

    def _wrap(self, x: F64) -> F64:
        """Return the local time of an unwrapped one; at the anchor the stored one."""
        local = wrap(x, self.duration, self.mode, self.passes)[1]
        at_anchor = x == self.t0
        if at_anchor.ndim:
            return np.where(at_anchor, self._shown, local)
        return np.asarray(self._shown) if at_anchor else local


def wrap(x: F64, duration: F64, mode: Mode, passes: F64) -> tuple[F64, F64]:
    """Return the pass, from 0, and the local time of unwrapped times.

    Parameters
    ----------
    x, duration, passes
        [...] seconds, seconds of one pass, N (infinity: continuous).
    mode
        In "pingpong" the local time is reversed in odd passes.

    Returns
    -------
    number, local
        [...] and [...] seconds, within the duration.
    """
    if isinstance(x, float) and isinstance(duration, float) and math.isfinite(x):
        return _wrap_one(x, duration, mode, float(passes))
    number = np.minimum(np.floor(x / np.where(duration > 0, duration, 1.0)), passes - 1.0)
    local = np.minimum(np.maximum(x - duration * number, 0.0), duration)
    if mode == "pingpong":
        local = np.where(np.mod(number, 2) == 1, duration - local, local)
    return np.where(duration > 0, number, 0.0), local


def _wrap_one(x: float, duration: float, mode: Mode, passes: float) -> tuple[F64, F64]:
    """Return the pass and the local time of one unwrapped time, by the same arithmetic as `wrap`.

    For a single number, numpy takes ten times as long.
    """
    number = min(float(math.floor(x / (duration if duration > 0 else 1.0))), passes - 1.0)
    local = min(max(x - duration * number, 0.0), duration)
    if mode == "pingpong" and number % 2 == 1:
        local = duration - local
    return np.asarray(number if duration > 0 else 0.0), np.asarray(local)


def parse_loop(text: str) -> Loop:
    """Return mode and passes of ``once``, ``loop``, ``pingpong``, ``N`` or ``pingpong:N``.

    Raises
    ------
    ValueError
        Any other text, or an N below 1.
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
