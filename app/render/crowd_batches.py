"""Batches of a crowd: which characters show a primitive, and their matrices."""

from dataclasses import dataclass

import moderngl
import numpy as np

from ..animation.types import F32, Bool, Index
from .draw_item import DrawItem
from .gpu_model import SLOT
from .upload import Upload

ENTRY = 13  # floats per character: three rows of its matrix, and its texture row

Key = tuple[
    int, int, int
]  # joint of the mesh (-1: skinned), skin (-1: rigid), joint with animated visibility


@dataclass(slots=True)
class Batch:
    """Characters of one instanced draw call, either mirrored by a negative scale or not."""

    mirrored: bool
    members: Index  # [count] indices of the characters
    buffer: moderngl.Buffer  # [count, ENTRY]

    @property
    def count(self) -> int:
        """The number of characters."""
        return len(self.members)


class CrowdBatches:
    """Group a crowd's characters by primitive; buffers are reused in every frame.

    Parameters
    ----------
    context
        The OpenGL context.
    row_of
        [N] texture row of each character.
    """

    def __init__(self, context: moderngl.Context, row_of: Index) -> None:
        self._context = context
        self._row_of = row_of
        self._count = count = len(row_of)
        self._buffers: dict[tuple[Key, bool], moderngl.Buffer] = {}
        self._uploads: dict[tuple[Key, bool], Upload] = {}  # to them
        self._blocks: dict[Key, moderngl.Buffer] = {}
        self._written: set[Key] = set()  # keys of `_blocks` written in this frame
        self._found: dict[Key, list[Batch]] = {}  # batches of this frame
        self._signs: dict[Key, Bool] = {}
        self._world: F32 = np.zeros((count, 4, 4), np.float32)
        self._matrices: F32 = self._world[:, None]
        self._palettes: tuple[F32, ...] = ()
        self._off: Bool | None = None

    def set_frame(
        self, world: F32, matrices: F32, palettes: tuple[F32, ...], off: Bool | None
    ) -> None:
        """Set the matrices of the current frame.

        Parameters
        ----------
        world
            [N, 4, 4] model space to world space.
        matrices, palettes
            [R, J, 4, 4] of the joints, [R, S, 3, 4] of each skin, in model space; R is N or 1.
        off
            [R, J] joints whose meshes are hidden; None: visibility is not animated.
        """
        self._world, self._matrices, self._palettes = world, matrices, palettes
        self._off = off
        self._found.clear()
        self._signs.clear()
        self._written.clear()

    def is_visible(self, item: DrawItem, number: int) -> bool:
        """Return whether a character shows an item."""
        return self._off is None or not self._off[self._row_of[number], item.source.joint]

    def batches(self, item: DrawItem) -> list[Batch]:
        """Return the non-empty batches of an item: at most two."""
        key = self._key(item)
        if key not in self._found:
            shown = np.ones(self._count, bool)
            if self._off is not None:
                shown &= ~self._off[self._row_of, item.source.joint]
            mirrored = self._mirrored(key)
            world_matrices = self._world_matrices(key)
            self._found[key] = [
                self._batch(key, side, world_matrices, np.flatnonzero(shown & (mirrored == side)))
                for side in (False, True)
                if (shown & (mirrored == side)).any()
            ]
        return self._found[key]

    def bind_instance(self, item: DrawItem, number: int, binding: int) -> Batch:
        """Bind the uniform block Instance of one character."""
        key = self._key(item)
        if key not in self._blocks:
            self._blocks[key] = self._context.buffer(reserve=self._count * SLOT, dynamic=True)
        block = self._blocks[key]
        if key not in self._written:
            slots = np.zeros((self._count, SLOT // 4), np.float32)
            slots[:, :16] = self._world_matrices(key).reshape(-1, 16)
            block.write(slots)
            self._written.add(key)
        block.bind_to_uniform_block(binding, offset=number * SLOT, size=SLOT)
        return Batch(bool(self._mirrored(key)[number]), np.array([number]), block)

    def release(self) -> None:
        """Free the buffers."""
        for buffer in (*self._buffers.values(), *self._blocks.values()):
            buffer.release()

    def _key(self, item: DrawItem) -> Key:
        switched = -1 if self._off is None else item.source.joint
        if item.palette is not None:
            return -1, item.source.skin, switched
        return item.source.joint, -1, switched

    def _batch(self, key: Key, mirrored: bool, world_matrices: F32, members: Index) -> Batch:
        if (key, mirrored) not in self._buffers:
            size = self._count * ENTRY * 4
            self._buffers[key, mirrored] = self._context.buffer(reserve=size, dynamic=True)
            self._uploads[key, mirrored] = Upload(self._buffers[key, mirrored])
        data = np.empty((len(members), ENTRY), np.float32)
        data[:, :12] = world_matrices[members, :3].reshape(-1, 12)
        data[:, 12] = self._row_of[members]
        self._uploads[key, mirrored].write(data)
        return Batch(mirrored, members, self._buffers[key, mirrored])

    def _world_matrices(self, key: Key) -> F32:
        """Return the matrices [N, 4, 4] from mesh space (skinned: model space) to world space."""
        return self._world if key[0] < 0 else self._world @ self._matrices[:, key[0]]

    def _mirrored(self, key: Key) -> Bool:
        """Return whether each character's triangles [N] are mirrored by a negative scale."""
        if key not in self._signs:
            joint, skin, _ = key
            inner = self._matrices[:, joint] if skin < 0 else self._palettes[skin][:, 0]
            self._signs[key] = _negative(inner) ^ _negative(self._world)
        return self._signs[key]


def _negative(matrices: F32) -> Bool:
    """Return whether the determinants of matrices [..., 3 or 4, 4] are negative."""
    found: Bool = np.linalg.det(matrices[..., :3, :3]) < 0
    return found
