"""Sampling of clips: tables of tracks with the same interpolation, and kernels that interpolate.

Tables with one row per key are prepared when a clip is first sampled; a frame is then a gather and
a few products over whole arrays, for any number of times.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from . import quat
from .key_lookup import KeyTimes
from .keys import tangents_of
from .model_buffers import BufferPool
from .pose import PARTS, Pose, as_slice, blocks
from .track import TOO_SHORT, Interpolation, Path, Rotation, Track
from .types import F32, F64, Index
from .vectors import dot, length

Tables = tuple[F32, ...]
Fraction = F32 | float
_BEGINS: dict[Path, int] = {"translation": 0, "scale": 3, "rotation": 6}  # of `Pose.data`, times J


class ConstantTracks:
    """Constant tracks: their values [W], written unchanged."""

    def __init__(self, tracks: Sequence[Track]) -> None:
        self._tracks = tuple(tracks)
        parts = [_constant_value(track) for track in tracks]
        self.values: F32 = np.concatenate([np.zeros(0, np.float32), *parts])

    def columns(self, joints: int) -> Index:
        """Return the columns [W] of `Pose.data` that the values are written to."""
        none = np.zeros(0, np.intp)
        return np.concatenate([none, *(columns_of(track, joints) for track in self._tracks)])


def _constant_value(track: Track) -> F32:
    raw = track.path == "rotation" and track.interpolation == "CUBICSPLINE"
    return quat.normalize(track.values[:1])[0] if raw else track.values[0]


def columns_of(track: Track, joints: int) -> Index:
    """Return the columns [C] of `Pose.data` that a track animates, for a skeleton of J joints.

    Raises
    ------
    IndexError
        The skeleton has no such joint.
    """
    width = track.values.shape[1]
    number = np.arange(width, dtype=np.intp)
    if track.path == "values":
        return PARTS * joints + track.start + number
    if not 0 <= track.target < joints:
        raise IndexError(f"joint {track.target} of {joints}")
    return _BEGINS[track.path] * joints + width * track.target + number


class AnimatedTracks:
    """n tracks with one interpolation; all or none are rotations.

    Where all share one list of key times, a time selects one row of the tables: [K, W] of all
    components, of rotations [K, 4, n], or [K, n, 4] where a kernel needs the four side by side.
    Otherwise it selects a row for each track, of tables [sum K, C]: all have C components.

    Parameters
    ----------
    tracks
        With different targets, and the index of the list of key times of each.
    key_lookup
        The lists.
    rotation
        Interpolation of LINEAR rotations.
    """

    def __init__(
        self,
        tracks: Sequence[tuple[Track, int]],
        key_lookup: KeyTimes,
        rotation: Rotation = "slerp",
    ) -> None:
        self._tracks = tuple(track for track, _ in tracks)
        first, lines = self._tracks[0], [line for _, line in tracks]
        shared, turns = len(set(lines)) == 1, first.path == "rotation"
        used = np.array(lines[:1] if shared else lines, np.intp)
        counts, firsts = key_lookup.counts[used], key_lookup.firsts[used]
        begins = np.cumsum(counts) - counts
        shift = begins - firsts
        self._lines: Index | int = lines[0] if shared else used
        self._shift: Index = shift[0] if shared else shift
        rows = np.arange(int(counts.sum()))
        after = rows + 1
        after[begins + counts - 1] -= 1
        lengths = key_lookup.intervals[rows - np.repeat(shift, counts)]
        self._ones = (1,) * (1 + (shared and turns))  # axes of a row of the tables
        prepare, self.kernel = KERNELS[first.interpolation, rotation if turns else ""]
        join = _joiner(shared, turns)
        values, tangents = join([track.values for track in self._tracks]), None
        if first.interpolation == "CUBICSPLINE":
            tangents = join([tangents_of(track) for track in self._tracks])
        tables = prepare(values, tangents, after, lengths.reshape(-1, *self._ones))
        self._transposed = shared and turns and self.kernel is not spline_rotation
        if self._transposed:
            tables = tuple(np.ascontiguousarray(table.swapaxes(1, 2)) for table in tables)
        self.tables: Tables = tables
        row = tables[0].shape[1:]
        self.shape: tuple[int, ...] = row if shared else (len(tracks), *row)  # at one time

    def columns(self, joints: int) -> Index:
        """Return the columns of `Pose.data` that the values are written to, in their order."""
        columns = [columns_of(track, joints) for track in self._tracks]
        return np.stack(columns, axis=1).ravel() if self._transposed else np.concatenate(columns)

    def write(self, keys: Index, fractions: F32, out: F32) -> None:
        """Write times [B, L], as returned by `KeyTimes.find`, into values [B, ...] of `shape`."""
        rows = keys[:, self._lines] + self._shift
        u = fractions[:, self._lines]
        tables = tuple([table.take(rows, axis=0) for table in self.tables])
        self.kernel(tables, u.reshape(*u.shape, *self._ones), out)


def _joiner(shared: bool, turns: bool) -> Callable[[Sequence[F32]], F32]:
    """Return the function that joins values [K, C], or tangents [K, 2, C], into tables."""
    if not shared:
        return np.concatenate
    if turns:
        return lambda parts: np.stack(parts, axis=1)
    return lambda parts: np.concatenate(parts, axis=-1)


def _prepare_step(values: F32, tangents: F32 | None, after: Index, length: F64) -> Tables:  # noqa: ARG001
    return (values,)


def step(tables: Tables, u: Fraction, out: F32) -> None:  # noqa: ARG001
    """Write the value of the key: tables are (value)."""
    out[...] = tables[0]


def _prepare_linear(values: F32, tangents: F32 | None, after: Index, length: F64) -> Tables:  # noqa: ARG001
    return values, values[after] - values


def linear(tables: Tables, u: Fraction, out: F32) -> None:
    """Interpolate linearly: tables are (value, change to the next key)."""
    value, change = tables
    np.multiply(change, u, out)
    np.add(value, out, out)


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


def slerp(tables: Tables, u: Fraction, out: F32) -> None:
    """Interpolate by slerp: tables are (key a, perpendicular unit vector c, angle x)."""
    value, towards, angle = tables
    turned = angle * u
    np.multiply(value, np.cos(turned), out)
    np.add(out, towards * np.sin(turned, turned), out)


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


def nlerp(tables: Tables, u: Fraction, out: F32) -> None:
    """Interpolate by nlerp: tables are (key a, chord, the chord's square)."""
    value, chord, square = tables
    np.multiply(chord, u, out)
    np.add(value, out, out)
    np.divide(out, np.sqrt(1 - square * (u * (1 - u))), out)


def _prepare_spline(values: F32, tangents: F32 | None, after: Index, length: F64) -> Tables:
    """Return the coefficients of u⁰ to u³; tangents are per second, so times the length."""
    p = values.astype(np.float64)
    d = np.zeros((len(p), 2, *p.shape[1:])) if tangents is None else tangents.astype(np.float64)
    d = np.moveaxis(d, -2, 0)
    leave, arrive, q = d[1] * length, d[0][after] * length, p[after]
    cubic = (p, leave, 3 * (q - p) - 2 * leave - arrive, 2 * (p - q) + leave + arrive)
    return tuple(coefficient.astype(np.float32) for coefficient in cubic)


def spline(tables: Tables, u: Fraction, out: F32) -> None:
    """Evaluate a cubic: tables are the coefficients of u⁰ to u³."""
    c0, c1, c2, c3 = tables
    np.multiply(c3, u, out)
    for coefficient in (c2, c1):
        np.add(out, coefficient, out)
        np.multiply(out, u, out)
    np.add(out, c0, out)


def spline_rotation(tables: Tables, u: Fraction, out: F32) -> None:
    """Interpolate quaternions [..., 4], and scale them to length 1."""
    spline(tables, u, out)
    size: F32 = length(out)[..., None]
    if size.min() < TOO_SHORT:
        c0, c1, c2, c3 = tables
        nearer = np.where(np.asarray(u) > 0.5, c0 + c1 + c2 + c3, c0)
        out[...] = quat.normalize(np.where(size < TOO_SHORT, nearer, out))
    else:
        np.divide(out, size, out)


Prepare = Callable[[F32, F32 | None, Index, F64], Tables]
Kernel = Callable[[Tables, Fraction, F32], None]
KERNELS: dict[tuple[Interpolation, str], tuple[Prepare, Kernel]] = {  # str: of rotations
    ("STEP", ""): (_prepare_step, step),
    ("STEP", "slerp"): (_prepare_step, step),
    ("STEP", "nlerp"): (_prepare_step, step),
    ("LINEAR", ""): (_prepare_linear, linear),
    ("LINEAR", "slerp"): (_prepare_slerp, slerp),
    ("LINEAR", "nlerp"): (_prepare_nlerp, nlerp),
    ("CUBICSPLINE", ""): (_prepare_spline, spline),
    ("CUBICSPLINE", "slerp"): (_prepare_spline, spline_rotation),
    ("CUBICSPLINE", "nlerp"): (_prepare_spline, spline_rotation),
}


class ClipSampler:
    """Tracks in groups of one interpolation, and buffers for their values.

    Parameters
    ----------
    constant
        Tracks whose keys are all equal: their values stay in the buffers.
    moving
        Groups of the others.
    key_lookup
        The lists of key times of `moving`.
    """

    def __init__(
        self, constant: ConstantTracks, moving: Sequence[AnimatedTracks], key_lookup: KeyTimes
    ) -> None:
        self.constant = constant
        self.moving = tuple(moving)
        self.key_lookup = key_lookup
        self._columns: tuple[int, Index | slice] = -1, slice(0)  # J, columns of `Pose.data`
        self._pool: BufferPool[_Buffers] = BufferPool()

    def write(self, seconds: F64, out: Pose) -> None:
        """Write the values at times [...] into a pose [...]; those without a track stay."""
        if not seconds.ndim and self.key_lookup.single:
            self._write_one(float(seconds), out)
        else:
            self._write_blocks(*self.key_lookup.find(seconds), out)

    def write_keys(self, keys: Index, out: Pose) -> None:
        """Write the keys [..., L] of the lists of key times into a pose [...]."""
        self._write_blocks(keys, np.zeros(keys.shape, np.float32), out)

    def _write_one(self, seconds: float, out: Pose) -> None:
        key, u = self.key_lookup.find_one(seconds)
        fraction = np.array(u, np.float32)  # numpy converts a plain number at every call
        buffers = self._pool.borrow(1, self._buffers)
        for group, values in zip(self.moving, buffers.one, strict=True):
            group.kernel(tuple([table[key] for table in group.tables]), fraction, values)
        out.data[..., self._columns_of(out.count)] = buffers.values[0]
        self._pool.give_back(1, buffers)

    def _write_blocks(self, keys: Index, fractions: F32, out: Pose) -> None:
        batch = keys.shape[:-1]
        count, lists = math.prod(batch), keys.shape[-1]
        keys, fractions = keys.reshape(count, lists), fractions.reshape(count, lists)
        columns = self._columns_of(out.count)
        direct = batch == out.batch and out.data.flags.c_contiguous
        rows_out = out.data.reshape(count, out.data.shape[-1]) if direct else self._rows(count)
        for rows in blocks(count):
            size = rows.stop - rows.start
            buffers = self._pool.borrow(size, self._buffers)
            for group, values in zip(self.moving, buffers.groups, strict=True):
                group.write(keys[rows], fractions[rows], values)
            rows_out[rows, columns if direct else slice(None)] = buffers.values
            self._pool.give_back(size, buffers)
        if not direct:
            out.data[..., columns] = rows_out.reshape(*batch, rows_out.shape[-1])

    def _rows(self, count: int) -> F32:
        return np.empty((count, self._width), np.float32)

    @property
    def _width(self) -> int:
        return len(self.constant.values) + sum(math.prod(group.shape) for group in self.moving)

    def _columns_of(self, joints: int) -> Index | slice:
        """Return the columns of `Pose.data` that the values of a buffer are written to."""
        if self._columns[0] != joints:
            parts = [self.constant.columns(joints)]
            parts += [group.columns(joints) for group in self.moving]
            self._columns = joints, as_slice(np.concatenate(parts))
        return self._columns[1]

    def _buffers(self, size: int) -> "_Buffers":
        return _Buffers(self.constant, self.moving, size)


class _Buffers:
    """Values [B, W] of B times: the constant ones, then those of each group."""

    def __init__(
        self, constant: ConstantTracks, moving: Sequence[AnimatedTracks], size: int
    ) -> None:
        begin = len(constant.values)
        ends = np.cumsum([begin, *(math.prod(group.shape) for group in moving)]).tolist()
        self.values = np.empty((size, ends[-1]), np.float32)
        self.values[:, :begin] = constant.values
        self.groups = tuple(
            self.values[:, a:b].reshape(size, *group.shape)
            for a, b, group in zip(ends, ends[1:], moving, strict=False)
        )
        self.one = tuple(group[0] for group in self.groups)
