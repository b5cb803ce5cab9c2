"""A clip whose time is set by a value: the time line as something else than time (SPEC C9)."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F64


@dataclass(frozen=True, slots=True, eq=False)
class Drive:
    """From a value to clip time: a straight map, clamped at its ends, then by key where asked.

    Raises
    ------
    ValueError
        Where a number is not finite.
    """

    values: tuple[float, float]  # of the parameter
    to: tuple[float, float]  # what they map to; either may fall
    unit: Literal["seconds", "key"] = "seconds"  # key 2.5 is halfway between the second and third
    key_times: F64 = field(default_factory=lambda: np.zeros(0))  # [K] seconds of key 1, 2, …

    def __post_init__(self) -> None:
        if not np.isfinite([*self.values, *self.to]).all():
            raise ValueError("values and what they map to must be finite")

    def time(self, value: ArrayLike) -> F64:
        """Return the clip time [...], seconds, for values [...]."""
        low, high = self.values
        v = np.asarray(value, np.float64)
        if low == high:  # a switch
            u = np.where(v < low, 0.0, 1.0)
        else:
            u = np.clip((v - low) / (high - low), 0.0, 1.0)
        number = self.to[0] * (1 - u) + self.to[1] * u  # at the ends what was given, exactly
        if self.unit == "seconds":
            return np.asarray(number)
        times = self.key_times if self.key_times.size else np.zeros(1)
        return np.interp(number, np.arange(1, len(times) + 1), times)
