"""The path of a clip's root over one pass, and its speed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .types import F64


class RootPath(NamedTuple):
    """The path of a joint over one pass."""

    times: F64  # [K] clip time, seconds
    points: F64  # [K, 3] metres, model space

    @property
    def displacement(self) -> F64:
        """From the first point to the last [3], metres."""
        return np.asarray(self.points[-1] - self.points[0])

    @property
    def speed(self) -> float:
        """Ground speed from the first point straight to the last, metres per second."""
        seconds = float(self.times[-1] - self.times[0])
        x, _, z = self.displacement
        return float(np.hypot(x, z)) / seconds if seconds > 0 else 0.0

    def speed_at(self, time: ArrayLike) -> F64:
        """Return the ground speed [...] at a time, metres per second.

        It is that of the segment around the time; at a point, the mean of both sides.
        """
        if self.times[-1] <= self.times[0]:
            return np.zeros(np.shape(time))
        lengths = np.linalg.norm(np.diff(self.points[:, ::2], axis=0), axis=-1)
        middle = (self.times[1:] + self.times[:-1]) / 2
        return np.interp(np.asarray(time, np.float64), middle, lengths / np.diff(self.times))
