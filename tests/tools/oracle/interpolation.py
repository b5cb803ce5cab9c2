"""Animation samplers at a time, as glTF 2.0, section 3.11 and appendix C, have them."""

from dataclasses import dataclass

import numpy as np

from tests.tools.oracle.document import F64, Document

STRAIGHT = 1e-9  # rad; below it the sine of an arc says no more than the arc (appendix C.4)


@dataclass(frozen=True)
class Channel:
    """What one channel of a clip does to one property of one node."""

    node: int
    path: str  # "translation", "rotation", "scale" or "weights"
    interpolation: str
    times: F64  # [K] seconds
    values: F64  # [K, W]; of CUBICSPLINE [K, 3, W]: in-tangent, value, out-tangent

    def at(self, t: float, *, unit: bool) -> F64:
        """Return the property [W]; before the first key and after the last, that key's.

        Parameters
        ----------
        t
            Seconds.
        unit
            Normalise the quaternions of STEP and LINEAR keys first.
        """
        rotates = self.path == "rotation"
        if self.interpolation == "CUBICSPLINE":
            value = self._cubic(t)
            return value / np.linalg.norm(value) if rotates else value
        values = self.values
        if rotates and unit:
            values = values / np.linalg.norm(values, axis=-1, keepdims=True)
        k = self._key(t)
        if self.interpolation == "STEP" or self._held(t):
            return values[k]
        s = (t - self.times[k]) / (self.times[k + 1] - self.times[k])
        blend = slerp if rotates else lerp
        return blend(values[k], values[k + 1], s)

    def _key(self, t: float) -> int:
        """Return the last key at or before `t`; before all, the first."""
        return max(int(np.searchsorted(self.times, t, side="right")) - 1, 0)

    def _held(self, t: float) -> bool:
        return bool(t <= self.times[0] or t >= self.times[-1])

    def _cubic(self, t: float) -> F64:
        """Return the cubic spline; appendix C.5."""
        k = self._key(t)
        if self._held(t):
            return self.values[k, 1]
        apart = self.times[k + 1] - self.times[k]
        s = (t - self.times[k]) / apart
        _, start, leaving = self.values[k]
        arriving, end, _ = self.values[k + 1]
        return (
            (2 * s**3 - 3 * s**2 + 1) * start
            + apart * (s**3 - 2 * s**2 + s) * leaving
            + (-2 * s**3 + 3 * s**2) * end
            + apart * (s**3 - s**2) * arriving
        )


def lerp(a: F64, b: F64, s: float) -> F64:
    """Return the value between; appendix C.3."""
    return (1 - s) * a + s * b


def slerp(a: F64, b: F64, s: float) -> F64:
    """Return the quaternion between, by the shortest arc; appendix C.4."""
    d = float(a @ b)
    sign = -1.0 if d < 0 else 1.0
    arc = np.arccos(min(abs(d), 1.0))
    if arc < STRAIGHT:
        return lerp(a, sign * b, s)
    return (np.sin(arc * (1 - s)) * a + sign * np.sin(arc * s) * b) / np.sin(arc)


def clips(document: Document) -> list[list[Channel]]:
    """Return the channels of every clip that act: those with a target node."""
    return [
        [
            _channel(document, channel["target"], animation["samplers"][channel["sampler"]])
            for channel in animation["channels"]
            if "node" in channel["target"]
        ]
        for animation in document.all("animations")
    ]


def _channel(document: Document, target: dict[str, object], sampler: dict[str, object]) -> Channel:
    times = document.accessor(int(str(sampler["input"])))[:, 0]
    values = document.accessor(int(str(sampler["output"])))
    interpolation = str(sampler.get("interpolation", "LINEAR"))
    cubic = interpolation == "CUBICSPLINE"
    shape = (len(times), 3, -1) if cubic else (len(times), -1)
    node, path = int(str(target["node"])), str(target["path"])
    return Channel(node, path, interpolation, times, values.reshape(shape))
