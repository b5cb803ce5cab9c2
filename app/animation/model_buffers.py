"""Buffers for model-space matrices: of one pose, and of a block of poses with the batch last."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np

from .pose import Pose
from .types import F32, I32, Index

Buffers = TypeVar("Buffers")
SIZES = 4  # kept at most


class BufferPool(Generic[Buffers]):
    """Buffers that no call is using, by size. A copy, also a pickled one, starts empty."""

    def __init__(self) -> None:
        self._free: dict[int, list[Buffers]] = {}

    def __reduce__(self) -> tuple[type["BufferPool[Buffers]"], tuple[()]]:
        return type(self), ()

    def borrow(self, size: int, make: Callable[[int], Buffers]) -> Buffers:
        """Return buffers of that size, from `make` if all are in use."""
        try:
            return self._free[size].pop()
        except (KeyError, IndexError):
            return make(size)

    def give_back(self, size: int, buffers: Buffers) -> None:
        """Keep buffers for the next call."""
        if size not in self._free and len(self._free) >= SIZES:
            self._free = {}
        self._free.setdefault(size, []).append(buffers)


# Rotation entry = product + product, of rows of (q, -q) and of 2 q; 1 is added on the diagonal.
_FIRST = (5, 0, 0, 0, 4, 1, 0, 1, 4), (1, 1, 2, 1, 0, 2, 2, 2, 0)
_SECOND = (6, 7, 3, 3, 6, 7, 7, 3, 5), (2, 2, 1, 2, 2, 0, 1, 0, 1)
_SIGNED: Index = np.array(_FIRST[0] + _SECOND[0], np.intp)
_TWICE: Index = np.array(_FIRST[1] + _SECOND[1], np.intp)
_ONE = np.array(1.0, np.float32)  # an array: numpy converts a plain number at every call


# Parents to gather, or None; the matrices above, local ones, and those in model space.
_Step = tuple[Index | None, F32, F32, F32]


def _parent_rows(parents: Index) -> slice | None:
    """Return a slice of the parents' rows, that broadcasts to them; None: they are no slice."""
    first, count = int(parents[0]), len(parents)
    if (parents == first).all():
        return slice(first, first + 1)
    if (parents == np.arange(first, first + count)).all():
        return slice(first, first + count)
    return None


class PoseBuffers:
    """Buffers of one pose of J joints, or of a few: few calls of numpy, each over all joints.

    The numbers are those of `compose` and of one matrix product per joint, bit for bit.

    Parameters
    ----------
    levels, parents
        Of the skeleton.
    size
        Number of poses, N, whose matrices are computed joint by joint; 0: one, without a batch.
    """

    def __init__(self, levels: Sequence[slice], parents: I32, size: int = 0) -> None:
        shape = (len(parents), size) if size else (len(parents),)
        count = len(parents) * max(size, 1)
        self._signed = np.empty((8, count), np.float32)  # q, -q
        self._twice = np.empty((4, count), np.float32)
        self._q, self._minus_q = self._signed[:4], self._signed[4:]
        self._products = np.empty((18, count), np.float32)
        self._factors = np.empty((18, count), np.float32)
        self._sums, self._addends = self._products[:9], self._products[9:]
        self._diagonal = self._sums[::4]
        local = np.zeros((count, 4, 4), np.float32)
        local[:, 3, 3] = 1
        axes = local.reshape(*shape, 4, 4)
        axes = np.moveaxis(axes, (-2, -1), (0, 1))  # [4, 4, J, N]
        self._in = self._q.reshape(4, *shape), self._sums.reshape(3, 3, *shape), axes[:3, :3]
        self._places = axes[:3, 3]
        self._model = np.zeros((count, 4, 4), np.float32)
        self._out = self._model.reshape(*shape, 4, 4)
        if size:
            self._out = self._out.swapaxes(0, 1)
        wide = max(size, 1)
        rows = (parents[:, None] * wide + np.arange(wide)).ravel()
        scaled = [slice(level.start * wide, level.stop * wide) for level in levels]
        roots = scaled[0] if scaled else slice(0)
        self._roots = local[roots], self._model[roots]
        self._steps = [self._step(local, rows[level], level) for level in scaled[1:]]

    def _step(self, local: F32, parents: Index, level: slice) -> _Step:
        rows = _parent_rows(parents)
        if rows is not None:
            return None, self._model[rows], local[level], self._model[level]
        above = np.empty((len(parents), 4, 4), np.float32)
        return parents, above, local[level], self._model[level]

    def to_model(self, translation: F32, rotation: F32, scale: F32) -> F32:
        """Return the model-space matrices [J, 4, 4] or [N, J, 4, 4], valid until the next call.

        Local transforms are [J, C] or [N, J, C].
        """
        self._compose(translation, rotation, scale)
        local, model = self._roots
        model[...] = local
        take, multiply = self._model.take, np.matmul
        for parents, above, local, model in self._steps:
            if parents is not None:
                take(parents, 0, above, "clip")
            multiply(above, local, model)
        return self._out

    def _compose(self, translation: F32, rotation: F32, scale: F32) -> None:
        q, unscaled, scaled = self._in
        q[...] = rotation.T
        np.negative(self._q, self._minus_q)
        np.add(self._q, self._q, self._twice)
        self._signed.take(_SIGNED, 0, self._products, "clip")
        self._twice.take(_TWICE, 0, self._factors, "clip")
        np.multiply(self._products, self._factors, self._products)
        np.add(self._sums, self._addends, self._sums)
        np.add(self._diagonal, _ONE, self._diagonal)
        np.multiply(unscaled, scale.T, scaled)
        self._places[...] = translation.T


class BlockBuffers:
    """Buffers of B poses of J joints with the batch last, so that products run along the poses."""

    def __init__(self, levels: Sequence[slice], parents: I32, size: int) -> None:
        count = len(parents)
        self._size = size
        self._q, self._twice = np.empty((2, 4, count, size), np.float32)
        self._products = np.empty((9, count, size), np.float32)  # xx yy zz xy xz yz wx wy wz
        self._scale = np.empty((3, count, size), np.float32)
        self._local = np.empty((3, 4, count, size), np.float32)
        self._model = np.empty((3, 4, count, size), np.float32)
        self._roots = levels[0] if levels else slice(0)
        self._steps = [self._step(parents[level].astype(np.intp), level) for level in levels[1:]]

    def _step(self, parents: Index, level: slice) -> _Step:
        rows, local, model = _parent_rows(parents), self._local[:, :, level], self._model
        if rows is not None:
            return None, model[:, :, rows], local, model[:, :, level]
        above = np.empty((3, 4, len(parents), self._size), np.float32)
        return parents, above, local, model[:, :, level]

    def to_model(self, pose: Pose) -> None:
        """Compute the model-space matrices of poses [B]."""
        self._compose(pose)
        local, model = self._local, self._model
        model[:, :, self._roots] = local[:, :, self._roots]
        for parents, above, local, model in self._steps:
            if parents is not None:
                self._model.take(parents, 2, above, "clip")
            np.einsum("ikjb,kljb->iljb", above[:, :3], local, out=model)
            model[:, 3] += above[:, 3]

    def _compose(self, pose: Pose) -> None:
        """Compute the local matrices as `compose` does."""
        local = self._local
        self._q[...] = pose.rotation.T
        self._scale[...] = pose.scale.T
        local[:, 3] = pose.translation.T
        np.add(self._q, self._q, self._twice)
        (x, y, z, w), (x2, y2, z2, _) = self._q, self._twice
        factors = (x, x2), (y, y2), (z, z2), (x, y2), (x, z2), (y, z2), (w, x2), (w, y2), (w, z2)
        for pair, product in zip(factors, self._products, strict=True):
            np.multiply(*pair, product)
        xx, yy, zz, xy, xz, yz, wx, wy, wz = self._products
        for k, (a, b) in enumerate(((yy, zz), (xx, zz), (xx, yy))):
            np.add(a, b, local[k, k])
            np.subtract(_ONE, local[k, k], local[k, k])
        for row, column, a, b in ((0, 1, xy, wz), (1, 2, yz, wx), (2, 0, xz, wy)):
            np.subtract(a, b, local[row, column])
            np.add(a, b, local[column, row])
        local[:, :3] *= self._scale

    @property
    def matrices(self) -> F32:
        """The first three rows [B, J, 3, 4] of the matrices of `to_model`, a view."""
        return self._model.transpose(3, 2, 0, 1)

    def palette(self, joints: I32, inverse_bind: F32) -> F32:
        """Return the palettes [B, S, 3, 4] of joints [S] with inverse bind matrices [S, 4, 4]."""
        chosen = self._model.take(joints, axis=2).transpose(2, 0, 1, 3)  # [S, 3, 4, B]
        out = np.empty(chosen.shape, np.float32)
        np.matmul(inverse_bind.transpose(0, 2, 1)[:, None], chosen, out)
        return out.transpose(3, 0, 1, 2)
