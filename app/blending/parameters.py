"""Parameters: numbers set by the user or a schedule, which ramp to new values."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F64
from .state import Node


@dataclass(frozen=True, slots=True)
class Limits:
    """Range, damping and kind of a parameter."""

    low: float = -np.inf
    high: float = np.inf
    damp: float = 0.0  # seconds to reach a new value
    angle: bool = False  # degrees: wraps at +-180, and ramps the shorter way


@dataclass(frozen=True, slots=True)
class Ramp:
    """A linear ramp between two values, constant before and after."""

    begin: F64  # [...] value at tau0
    end: F64  # [...]
    tau0: float = 0.0  # seconds
    seconds: float = 0.0

    def at(self, tau: float) -> F64:
        """Return the value [...] at a global time."""
        if tau >= self.tau0 + self.seconds:
            return self.end
        if tau <= self.tau0:
            return self.begin
        return self.begin + (self.end - self.begin) * ((tau - self.tau0) / self.seconds)

    def moves(self, tau0: float, tau1: float) -> bool:
        """Return whether the value changes between two global times."""
        return tau0 < self.tau0 + self.seconds and tau1 > self.tau0


class Parameters(Node):
    """All parameters of a motion, each with its last ramp.

    Parameters
    ----------
    values
        Name to initial value [...] (or [..., 3]).
    limits
        Name to limits; parameters without are free.
    """

    changing = ("_ramps",)

    def __init__(self, values: Mapping[str, ArrayLike], limits: Mapping[str, Limits]) -> None:
        self.limits = {name: limits.get(name, Limits()) for name in values}
        held = {name: self._clamp(name, value) for name, value in values.items()}
        self._ramps = {name: Ramp(value, value) for name, value in held.items()}
        self._rest: tuple[dict[str, Ramp], float] = {}, 0.0  # ramps, and the time they all end

    def __contains__(self, name: str) -> bool:
        return name in self._ramps

    def names(self) -> list[str]:
        """Return the names, in file order."""
        return list(self._ramps)

    def at(self, name: str, tau: float) -> F64:
        """Return a parameter's value at a global time."""
        value = self._ramps[name].at(max(tau, 0.0))  # constant before the start
        if self.limits[name].angle:
            return wrap_degrees(value)
        return value

    def set(self, name: str, value: ArrayLike, tau: float, seconds: float | None = None) -> None:
        """Ramp to a value from the current one at `tau`; seconds None: the parameter's damping."""
        begin = self.at(name, tau)
        end = self._clamp(name, value)
        limits = self.limits[name]
        if limits.angle:
            end = begin + wrap_degrees(end - begin)
        ramp = Ramp(begin, end, tau, limits.damp if seconds is None else seconds)
        self._ramps = {**self._ramps, name: ramp}  # the dict may be saved

    def moving(self, tau0: float, tau1: float) -> bool:
        """Return whether any value changes between two global times."""
        if tau0 >= self._resting:
            return False
        return any(ramp.moves(tau0, tau1) for ramp in self._ramps.values())

    def next_bend(self, tau: float) -> float:
        """Return the next start or end of a ramp after `tau`, infinity for none."""
        if tau >= self._resting:
            return np.inf
        ends = [t for r in self._ramps.values() for t in (r.tau0, r.tau0 + r.seconds) if t > tau]
        return min(ends, default=np.inf)

    @property
    def _resting(self) -> float:
        """The global time from which on no value changes, seconds."""
        if self._rest[0] is not self._ramps:
            ends = [each.tau0 + each.seconds for each in self._ramps.values()]
            self._rest = self._ramps, max(ends, default=-np.inf)
        return self._rest[1]

    def _clamp(self, name: str, value: ArrayLike) -> F64:
        limits = self.limits[name]
        return np.clip(np.asarray(value, np.float64), limits.low, limits.high)


def wrap_degrees(angle: ArrayLike) -> F64:
    """Return angles wrapped to (-180, 180] degrees."""
    return 180.0 - np.mod(180.0 - np.asarray(angle, np.float64), 360.0)
