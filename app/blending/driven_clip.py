"""Driven clips: clip time as a function of a parameter instead of time."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F64


@dataclass(frozen=True, slots=True, eq=False)
class ParameterDrive:
    """A linear, clamped map from a parameter value to clip time or to a key number.

    Raises
    ------
    ValueError
        A number is not finite.
    """

    values: tuple[float, float]  # of the parameter
    to: tuple[float, float]  # clip times or key numbers they map to; both may decrease
    unit: Literal["seconds", "key"] = "seconds"  # key 2.5 is halfway from the second to the third
    key_times: F64 = field(default_factory=lambda: np.zeros(0))  # [K] seconds of key 1, 2, …

    def __post_init__(self) -> None:
        if not np.isfinite([*self.values, *self.to]).all():
            raise ValueError("values and mapped values must be finite")

    def time(self, value: ArrayLike) -> F64:
        """Return the clip time [...], seconds, for values [...]."""
        low, high = self.values
        v = np.asarray(value, np.float64)
        if low == high:  # a switch
            u = np.where(v < low, 0.0, 1.0)
        else:
            with np.errstate(over="ignore"):  # a tiny range: clamped
                u = np.clip((v - low) / (high - low), 0.0, 1.0)
        number = self.to[0] * (1 - u) + self.to[1] * u  # exact at both ends
        if self.unit == "seconds":
            return np.asarray(number)
        times = self.key_times if self.key_times.size else np.zeros(1)
        return np.interp(number, np.arange(1, len(times) + 1), times)
