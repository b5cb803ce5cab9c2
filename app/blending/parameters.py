"""Parameters: numbers that people set and that run to a new value instead of jumping."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F64


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a parameter may go, and how."""

    low: float = -np.inf
    high: float = np.inf
    damp: float = 0.0  # seconds to reach a new value
    angle: bool = False  # degrees: wraps at +-180, and goes the short way


@dataclass(frozen=True, slots=True)
class Ramp:
    """A value that moves linearly from one to another, then stays: a function of tau alone."""

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
        """Tell whether the value changes between two global times."""
        return tau0 < self.tau0 + self.seconds and tau1 > self.tau0


class Parameters:
    """All parameters of a motion, each on its last ramp.

    Parameters
    ----------
    values
        Name to first value [...] (or [..., 3]); holds from the start at once.
    limits
        Name to where it may go; a name without is free.
    """

    def __init__(self, values: Mapping[str, ArrayLike], limits: Mapping[str, Limits]) -> None:
        self.limits = {name: limits.get(name, Limits()) for name in values}
        self._ramps: dict[str, Ramp] = {}
        for name, value in values.items():
            held = self._clamp(name, value)
            self._ramps[name] = Ramp(held, held)

    def __contains__(self, name: str) -> bool:
        return name in self._ramps

    def names(self) -> list[str]:
        """Return the names, in the order of the file."""
        return list(self._ramps)

    def at(self, name: str, tau: float) -> F64:
        """Return a parameter's value at a global time, on the ramp it is on."""
        value = self._ramps[name].at(max(tau, 0.0))  # before the start all stands as at 0
        if self.limits[name].angle:
            return wrap_degrees(value)
        return value

    def set(self, name: str, value: ArrayLike, tau: float, seconds: float | None = None) -> None:
        """Run to a value from where it is at `tau`; seconds None: in the parameter's own time."""
        begin = self.at(name, tau)
        end = self._clamp(name, value)
        limits = self.limits[name]
        if limits.angle:
            end = begin + wrap_degrees(end - begin)
        self._ramps[name] = Ramp(begin, end, tau, limits.damp if seconds is None else seconds)

    def moving(self, tau0: float, tau1: float) -> bool:
        """Tell whether any value changes between two global times."""
        return any(ramp.moves(tau0, tau1) for ramp in self._ramps.values())

    def next_bend(self, tau: float) -> float:
        """Return the next time after `tau` at which a ramp begins or ends, infinity for none."""
        ends = [t for r in self._ramps.values() for t in (r.tau0, r.tau0 + r.seconds) if t > tau]
        return min(ends, default=np.inf)

    def save(self) -> dict[str, Ramp]:
        """Return the state, for `restore`."""
        return dict(self._ramps)

    def restore(self, state: dict[str, Ramp]) -> None:
        """Go back to a state that `save` gave."""
        self._ramps = dict(state)

    def _clamp(self, name: str, value: ArrayLike) -> F64:
        limits = self.limits[name]
        return np.clip(np.asarray(value, np.float64), limits.low, limits.high)


def wrap_degrees(angle: ArrayLike) -> F64:
    """Return an angle within (-180, 180]."""
    return 180.0 - np.mod(180.0 - np.asarray(angle, np.float64), 360.0)
