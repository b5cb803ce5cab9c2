"""All tracks of a clip: the values at a time are computed in one buffer and stored at once."""

import math
from collections.abc import Sequence

import numpy as np

from .buffer_pool import BufferPool
from .key_lookup import KeyTimes
from .pose import Pose, as_slice, blocks
from .sampling import AnimatedTracks, ConstantTracks
from .types import F32, F64, Index


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
