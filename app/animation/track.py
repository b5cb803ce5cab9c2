"""A track: the keys of one property over time, and interpolation between them."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from . import bezier, quat
from .types import F32, F64, U32, Index
from .vectors import length

Interpolation = Literal["STEP", "LINEAR", "CUBICSPLINE"]
Path = Literal["translation", "rotation", "scale", "values"]
Rotation = Literal["slerp", "nlerp"]  # of LINEAR keys: as in glTF, or faster
_PATHS, _INTERPOLATIONS = frozenset(get_args(Path)), frozenset(get_args(Interpolation))
TOO_SHORT = 1e-6  # a shorter sum of a quaternion spline has no direction


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """K keys of C components: translation and scale 3, rotation 4, values any number.

    Rotation keys of STEP and LINEAR tracks have unit length; those of CUBICSPLINE are as stored in
    the file (glTF 2.0, appendix C). `Clip` samples many tracks at once, with equal results. Another
    path or interpolation, or other numbers of times and values, are a ValueError.

    Examples
    --------
    >>> times, values = np.float32([0, 1]), np.float32([[0, 0, 0], [0, 1, 0]])
    >>> rise = rigview.Track(model.skeleton.find("Hips"), "translation", "LINEAR", times, values)
    >>> rise.sample(0.5).tolist()
    [0.0, 0.5, 0.0]
    """

    target: int  # joint; for path "values" the index of the channel
    path: Path
    interpolation: Interpolation
    times: F32  # [K] seconds, ascending; of two keys at one time the second applies from there on
    values: F32  # [K, C]
    tangents: F32 | None = None  # [K, 2, C] in and out, per second; CUBICSPLINE only
    start: int = 0  # for path "values": first column of `Pose.values`

    def __post_init__(self) -> None:
        if self.path not in _PATHS:
            raise ValueError(f"unknown path {self.path!r} of a track")
        if self.interpolation not in _INTERPOLATIONS:
            raise ValueError(f"unknown interpolation {self.interpolation!r} of a track")
        if len(self.times) != len(self.values):
            raise ValueError(f"{len(self.times)} times and {len(self.values)} values in a track")

    def __repr__(self) -> str:
        of = "channel" if self.path == "values" else "joint"
        return (
            f"<Track {self.path} of {of} {self.target}, {self.interpolation}, "
            f"{len(self.times)} keys, {self.begin:.4g} to {self.end:.4g} s>"
        )

    @property
    def begin(self) -> float:
        """Time of the first key, seconds."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """Time of the last key, seconds."""
        return float(self.times[-1])

    @property
    def duration(self) -> float:
        """Seconds from the first key to the last."""
        return self.end - self.begin

    @property
    def nbytes(self) -> int:
        """Size of the keys in memory."""
        tangents = 0 if self.tangents is None else self.tangents.nbytes
        return self.times.nbytes + self.values.nbytes + tangents

    def equals(self, other: "Track") -> bool:
        """Return whether target, interpolation and all keys are equal; not if one is NaN."""
        if self is other:
            return True
        a, b = ((each.target, each.path, each.start, each.interpolation) for each in (self, other))
        return (
            a == b
            and equal_arrays(self.times, other.times)
            and equal_arrays(self.values, other.values)
            and equal_arrays(self.tangents, other.tangents)
        )

    def sample(self, time: ArrayLike, *, loop: bool = False, rotation: Rotation = "slerp") -> F32:
        """Return the interpolated values.

        Parameters
        ----------
        time
            [...] seconds; rounded to float32 before the look-up, as keys are stored.
        loop
            Wrap to [begin, end], including negative times, instead of clamping.
        rotation
            Interpolation of LINEAR rotations: slerp at constant speed, or the faster nlerp.

        Returns
        -------
        F32
            [..., C]; rotations of unit length.

        Notes
        -----
        glTF 2.0, section 3.11 and appendix C.
        """
        seconds = self._wrap(time) if loop else self._clamp(time)
        key = self._find(seconds)
        keys = self.times.astype(np.float64)
        length = keys[self._next(key)] - keys[key]
        beyond = np.where(seconds.astype(np.float32) == self.times[key], 0, seconds - keys[key])
        u = np.clip(beyond / np.where(length > 0, length, np.inf), 0, 1)
        return self.between(key, u, rotation=rotation)

    def between(self, k: ArrayLike, u: ArrayLike, *, rotation: Rotation = "slerp") -> F32:
        """Return the values [..., C] at fraction `u` [...] of the segment after key `k` [...].

        Unlike a time this distinguishes the two values of a pair of keys at one time.
        """
        key, u = np.asarray(k, np.intp), np.asarray(u, np.float64)
        if self.interpolation == "STEP":
            return self.values[np.broadcast_to(key, np.broadcast_shapes(key.shape, u.shape))]
        after = self._next(key)
        if self.interpolation == "CUBICSPLINE":
            keys = self.times.astype(np.float64)
            return self._spline(key, after, u, keys[after] - keys[key])
        a, b, fraction = self.values[key], self.values[after], u.astype(np.float32)
        if self.path == "rotation":
            return (quat.nlerp if rotation == "nlerp" else quat.slerp)(a, b, fraction)
        return a + (b - a) * fraction[..., None]

    def _next(self, key: Index) -> Index:
        return np.minimum(key + 1, len(self.times) - 1)

    def key(self, k: int) -> F32:
        """Return the value [C] of key `k`, clamped to the first and last."""
        return self.values[min(max(k, 0), len(self.times) - 1)]

    def _clamp(self, time: ArrayLike) -> F64:
        before = np.nextafter(self.times[0], np.float32(-np.inf))  # of two keys there the first
        return np.clip(np.asarray(time, np.float64), float(before), self.end)

    def _wrap(self, time: ArrayLike) -> F64:
        length = self.end - self.begin
        if length <= 0:
            return np.full(np.shape(time), self.begin)
        return self.begin + np.mod(np.asarray(time, float) - self.begin, length)

    def _find(self, seconds: F64) -> Index:
        found = np.searchsorted(self.times, seconds.astype(np.float32), side="right") - 1
        return np.maximum(found, 0)

    def _spline(self, key: Index, after: Index, u: F64, seconds: F64) -> F32:
        tangents = np.zeros((1, 2, 1)) if self.tangents is None else self.tangents.astype(float)
        tangents = np.broadcast_to(tangents, (len(self.times), 2, self.values.shape[1]))
        leave = tangents[key, 1] * seconds[..., None]
        arrive = tangents[after, 0] * seconds[..., None]
        u = u[..., None]
        h00, h10, h01, h11 = bezier.hermite(u)
        out = h00 * self.values[key] + h10 * leave + h01 * self.values[after] + h11 * arrive
        if self.path == "rotation":
            nearer = np.where(u > 0.5, self.values[after], self.values[key])
            short = length(out)[..., None] < TOO_SHORT
            out = quat.normalize(np.where(short, nearer, out))
        return out.astype(np.float32)


def equal_arrays(a: F32 | U32 | None, b: F32 | U32 | None) -> bool:
    """Return whether two arrays are equal, or both None."""
    return a is b or (a is not None and b is not None and np.array_equal(a, b))
