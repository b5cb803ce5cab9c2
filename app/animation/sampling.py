"""Kernels that sample all tracks with the same glTF path and interpolation at once.

Tables with one row per key are prepared when a clip is first sampled; a frame is then a gather and
a few products over whole arrays, for any batch of times.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from . import quat
from .key_lookup import KeyTimes
from .pose import Pose
from .track import TOO_SHORT, Interpolation, Path, Rotation
from .types import F32, F64, Index
from .vectors import dot, length

Tables = tuple[F32, ...]
Fraction = F32 | float


class TrackSlice(NamedTuple):
    """The part of a track for one row of a pose: a joint's property, or one other value."""

    path: Path
    interpolation: Interpolation
    target: int  # joint, or column of `Pose.values`
    line: int  # index into the clip's lists of key times
    values: F32  # [K, C]
    tangents: F32 | None  # [K, 2, C]


class ConstantTracks:
    """Constant tracks of one path: written unchanged."""

    def __init__(self, slices: Sequence[TrackSlice]) -> None:
        self._path = slices[0].path
        self._targets = _targets(slices)
        values = np.stack([part.values[0] for part in slices])
        raw = self._path == "rotation" and slices[0].interpolation == "CUBICSPLINE"
        self._values: F32 = quat.normalize(values) if raw else values

    def write(self, out: Pose) -> None:
        """Write the values into a pose of any batch."""
        _store(out, self._path, self._targets, self._values)


class AnimatedTracks:
    """Animated slices of one path and interpolation, with different targets.

    Where all share one list of key times the tables are [K, n, C] and a time selects one row;
    otherwise they are [sum K, C] and a time selects a row per slice.
    """

    def __init__(
        self, slices: Sequence[TrackSlice], key_lookup: KeyTimes, rotation: Rotation = "slerp"
    ) -> None:
        self._path = slices[0].path
        self._targets = _targets(slices)
        lines = [part.line for part in slices]
        self._shared = len(set(lines)) == 1
        used = np.array(lines[:1] if self._shared else lines, np.intp)
        counts, firsts = key_lookup.counts[used], key_lookup.firsts[used]
        begins = np.cumsum(counts) - counts
        self._lines: Index | int = lines[0] if self._shared else used
        self._shift: Index = begins - firsts
        rows = np.arange(int(counts.sum()))
        after = rows + 1
        after[begins + counts - 1] -= 1
        lengths = key_lookup.intervals[rows - np.repeat(self._shift, counts)]
        join = _stack if self._shared else np.concatenate
        tangents = [part.tangents for part in slices if part.tangents is not None]
        kind = rotation if self._path == "rotation" else ""
        prepare, self._kernel = KERNELS[slices[0].interpolation, kind]
        self._tables = prepare(
            join([part.values for part in slices]),
            join(tangents) if tangents else None,
            after,
            lengths.reshape(-1, *([1] * (1 + self._shared))),
        )

    def write_row(self, key: int, u: float, out: Pose) -> None:
        """Write one time; for a clip with a single list of key times."""
        values = self._kernel(tuple([table[key] for table in self._tables]), u)
        _store(out, self._path, self._targets, values)

    def write(self, keys: Index, fractions: F32, out: Pose) -> None:
        """Write times [..., L], as returned by `KeyTimes.find`, into a pose [...]."""
        rows = keys[..., self._lines] + (self._shift[0] if self._shared else self._shift)
        u = fractions[..., self._lines, None]
        tables = tuple([table.take(rows, axis=0) for table in self._tables])
        values = self._kernel(tables, u[..., None] if self._shared else u)
        _store(out, self._path, self._targets, values)


def _stack(parts: Sequence[F32]) -> F32:
    return np.stack(parts, axis=1)


def _targets(slices: Sequence[TrackSlice]) -> Index | slice:
    """Return the target indices; a slice where they are contiguous, which copies faster."""
    targets = [part.target for part in slices]
    first, count = targets[0], len(targets)
    if targets == list(range(first, first + count)):
        return slice(first, first + count)
    return np.array(targets, np.intp)


def _store(out: Pose, path: Path, targets: Index | slice, values: F32) -> None:
    if path == "rotation":
        out.rotation[..., targets, :] = values
    elif path == "translation":
        out.translation[..., targets, :] = values
    elif path == "scale":
        out.scale[..., targets, :] = values
    else:
        out.values[..., targets] = values[..., 0]


def _prepare_step(values: F32, tangents: F32 | None, after: Index, length: F64) -> Tables:  # noqa: ARG001
    return (values,)


def _step(tables: Tables, u: Fraction) -> F32:  # noqa: ARG001
    return tables[0]


def _prepare_linear(values: F32, tangents: F32 | None, after: Index, length: F64) -> Tables:  # noqa: ARG001
    return values, values[after] - values


def _linear(tables: Tables, u: Fraction) -> F32:
    value, change = tables
    return value + change * u


def _prepare_slerp(values: F32, tangents: F32 | None, after: Index, length: F64) -> Tables:  # noqa: ARG001
    """Return key a, the unit vector c perpendicular to it towards the next key, and the angle x.

    Then slerp is a cos(u x) + c sin(u x): the shorter arc is chosen here, a frame needs no
    division, and u = 0 gives the key bit for bit.
    """
    a = values.astype(np.float64)
    b = a[after]
    b[dot(a, b) < 0] *= -1
    angle = quat.arc(a, b)[..., None]
    towards = (b - a * np.cos(angle)) / np.sin(angle)
    return values, towards.astype(np.float32), angle.astype(np.float32)


def _slerp(tables: Tables, u: Fraction) -> F32:
    value, towards, angle = tables
    turned = angle * u
    return value * np.cos(turned) + towards * np.sin(turned)


def _prepare_nlerp(values: F32, tangents: F32 | None, after: Index, length: F64) -> Tables:  # noqa: ARG001
    """Return key a, the chord to the next key b on the shorter arc, and the chord's square.

    Between unit keys |a + (b - a) u|² = 1 - |b - a|² u (1 - u): a frame needs no dot product, and
    u = 0 gives the key bit for bit.
    """
    a = values.astype(np.float64)
    b = a[after]
    b[dot(a, b) < 0] *= -1
    chord = b - a
    square = dot(chord, chord)[..., None]
    return values, chord.astype(np.float32), square.astype(np.float32)


def _nlerp(tables: Tables, u: Fraction) -> F32:
    value, chord, square = tables
    q: F32 = value + chord * u
    q /= np.sqrt(1 - square * (u * (1 - u)))
    return q


def _prepare_spline(values: F32, tangents: F32 | None, after: Index, length: F64) -> Tables:
    """Return the coefficients of u⁰ to u³; tangents are per second, so times the length."""
    p = values.astype(np.float64)
    d = np.zeros((len(p), 2, *p.shape[1:])) if tangents is None else tangents.astype(np.float64)
    d = np.moveaxis(d, -2, 0)
    leave, arrive, q = d[1] * length, d[0][after] * length, p[after]
    cubic = (p, leave, 3 * (q - p) - 2 * leave - arrive, 2 * (p - q) + leave + arrive)
    return tuple(coefficient.astype(np.float32) for coefficient in cubic)


def _spline(tables: Tables, u: Fraction) -> F32:
    c0, c1, c2, c3 = tables
    value: F32 = ((c3 * u + c2) * u + c1) * u + c0
    return value


def _spline_rotation(tables: Tables, u: Fraction) -> F32:
    q = _spline(tables, u)
    size: F32 = length(q)[..., None]
    if size.min() < TOO_SHORT:
        c0, c1, c2, c3 = tables
        nearer = np.where(np.asarray(u) > 0.5, c0 + c1 + c2 + c3, c0)
        q = np.where(size < TOO_SHORT, nearer, q)
        return quat.normalize(q)
    return q / size


Prepare = Callable[[F32, F32 | None, Index, F64], Tables]
Kernel = Callable[[Tables, Fraction], F32]
KERNELS: dict[tuple[Interpolation, str], tuple[Prepare, Kernel]] = {  # str: of rotations
    ("STEP", ""): (_prepare_step, _step),
    ("STEP", "slerp"): (_prepare_step, _step),
    ("STEP", "nlerp"): (_prepare_step, _step),
    ("LINEAR", ""): (_prepare_linear, _linear),
    ("LINEAR", "slerp"): (_prepare_slerp, _slerp),
    ("LINEAR", "nlerp"): (_prepare_nlerp, _nlerp),
    ("CUBICSPLINE", ""): (_prepare_spline, _spline),
    ("CUBICSPLINE", "slerp"): (_prepare_spline, _spline_rotation),
    ("CUBICSPLINE", "nlerp"): (_prepare_spline, _spline_rotation),
}
