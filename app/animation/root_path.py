"""The path of a clip's root over one pass, and its speed."""

from typing import NamedTuple

import numpy as np

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
