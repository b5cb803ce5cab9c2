"""A key of a curve that is moved or deleted: the track that has it then."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ..animation.euler import from_euler
from ..animation.track import Track
from ..animation.types import F64
from .curve_set import Chart, Line

GAP = 1e-3  # seconds: least time between a moved key and its neighbours


@dataclass(frozen=True, slots=True, eq=False)
class HeldKey:
    """A key as it is before it is moved.

    Attributes
    ----------
    column
        The component that is moved.
    shown
        All components of a rotation as they are drawn: degrees, or a quaternion, which may have
        the other sign. Of other tracks: the stored ones.
    """

    track: Track
    key: int
    column: int
    shown: tuple[float, ...]

    @classmethod
    def of(cls, chart: Chart, line: Line, key: int) -> Self | None:
        """Return a key of a line of a chart, None if the line is sampled."""
        if line.track is None or key >= len(line.track.times):
            return None
        shown = tuple(line.track.values[key].tolist())
        if line.track.path == "rotation":
            shown = tuple(float(each.keys[key, 1]) for each in chart.lines)
        return cls(line.track, key, line.column, shown)

    @property
    def seconds(self) -> float:
        """Time of the key."""
        return float(self.track.times[self.key])

    @property
    def value(self) -> float:
        """The component."""
        return self.shown[self.column]

    def moved(self, seconds: float, value: float) -> Track:
        """Return the track with the key at a time between its neighbours, with another value.

        Tangents stay as they are; a rotation has unit length.
        """
        track, key = self.track, self.key
        times, values = track.times.copy(), track.values.copy()
        low = min(float(times[key - 1]) + GAP, self.seconds) if key else min(0.0, self.seconds)
        after = key + 1 < len(times)
        high = max(float(times[key + 1]) - GAP, self.seconds) if after else np.inf
        times[key] = min(max(seconds, low), high)
        if value != self.value:
            shown = np.array(self.shown)
            shown[self.column] = value
            values[key] = self._stored(shown)
        return replace(track, times=times, values=values)

    def _stored(self, shown: F64) -> F64:
        """Return shown components as they are stored."""
        if self.track.path != "rotation":
            return shown
        own = self.track.values[self.key].astype(np.float64)
        if len(shown) == 3:
            found = from_euler(np.radians(shown))
            return -found if found @ own < 0 else found
        sign = -1.0 if np.dot(self.shown, own) < 0 else 1.0
        return shown * sign / np.linalg.norm(shown) if shown.any() else own

    def deleted(self) -> Track | None:
        """Return the track without the key, None if it has no other one."""
        if len(self.track.times) < 2:
            return None
        tangents = self.track.tangents
        return replace(
            self.track,
            times=np.delete(self.track.times, self.key),
            values=np.delete(self.track.values, self.key, axis=0),
            tangents=None if tangents is None else np.delete(tangents, self.key, axis=0),
        )
