"""Which characters of a crowd show a primitive, and where each carries it."""

from dataclasses import dataclass

import moderngl
import numpy as np

from ..animation.types import F32, Bool, Index
from .gpu_model import SLOT, DrawItem

ENTRY = 13  # floats of a character: three rows of its carrier, and its line in the textures

Key = tuple[int, int, int]  # joint that carries (-1: a skin), skin, joint that may be hidden


@dataclass(slots=True)
class Batch:
    """Characters that one draw call shows: mirrored by a negative scale, or not."""

    mirrored: bool
    count: int
    buffer: moderngl.Buffer  # [count, ENTRY]


class Batches:
    """Sorts a crowd's characters for every primitive; the buffers stay from frame to frame.

    Parameters
    ----------
    context
        That draws them.
    row_of
        [N] which line of the textures each character has.
    """

    def __init__(self, context: moderngl.Context, row_of: Index) -> None:
        self._context = context
        self._row_of = row_of
        self._count = count = len(row_of)
        self._buffers: dict[tuple[Key, bool], moderngl.Buffer] = {}
        self._blocks: dict[Key, moderngl.Buffer] = {}
        self._written: set[Key] = set()  # of `_blocks`, in this frame
        self._found: dict[Key, list[Batch]] = {}  # of this frame
        self._signs: dict[Key, Bool] = {}
        self._world: F32 = np.zeros((count, 4, 4), np.float32)
        self._matrices: F32 = self._world[:, None]
        self._palettes: tuple[F32, ...] = ()
        self._off: Bool | None = None

    def gather(
        self, world: F32, matrices: F32, palettes: tuple[F32, ...], off: Bool | None
    ) -> None:
        """Take where the characters are in this frame.

        Parameters
        ----------
        world
            [N, 4, 4] model space to world space.
        matrices, palettes
            [R, J, 4, 4] of the joints, [R, S, 3, 4] of each skin, in model space; R is N or 1.
        off
            [R, J] joints whose meshes are not shown; None: nothing comes and goes.
        """
        self._world, self._matrices, self._palettes = world, matrices, palettes
        self._off = off
        self._found.clear()
        self._signs.clear()
        self._written.clear()

    def shows(self, item: DrawItem, number: int) -> bool:
        """Tell whether a character shows an item."""
        return self._off is None or not self._off[self._row_of[number], item.source.joint]

    def of(self, item: DrawItem) -> list[Batch]:
        """Return who shows an item: at most two batches, none without members."""
        key = self._key(item)
        if key not in self._found:
            shown = np.ones(self._count, bool)
            if self._off is not None:
                shown &= ~self._off[self._row_of, item.source.joint]
            mirrored = self._mirrored(key)
            carriers = self._carriers(key)
            self._found[key] = [
                self._company(key, side, carriers, np.flatnonzero(shown & (mirrored == side)))
                for side in (False, True)
                if (shown & (mirrored == side)).any()
            ]
        return self._found[key]

    def bind(self, item: DrawItem, number: int, place: int) -> Batch:
        """Bind the block of Instance for one character alone."""
        key = self._key(item)
        if key not in self._blocks:
            self._blocks[key] = self._context.buffer(reserve=self._count * SLOT, dynamic=True)
        block = self._blocks[key]
        if key not in self._written:
            slots = np.zeros((self._count, SLOT // 4), np.float32)
            slots[:, :16] = self._carriers(key).reshape(-1, 16)
            block.write(slots)
            self._written.add(key)
        block.bind_to_uniform_block(place, offset=number * SLOT, size=SLOT)
        return Batch(bool(self._mirrored(key)[number]), 1, block)

    def release(self) -> None:
        """Free everything."""
        for buffer in (*self._buffers.values(), *self._blocks.values()):
            buffer.release()

    def _key(self, item: DrawItem) -> Key:
        switched = -1 if self._off is None else item.source.joint
        if item.palette is not None:
            return -1, item.source.skin, switched
        return item.source.joint, -1, switched

    def _company(self, key: Key, mirrored: bool, carriers: F32, members: Index) -> Batch:
        if (key, mirrored) not in self._buffers:
            size = self._count * ENTRY * 4
            self._buffers[key, mirrored] = self._context.buffer(reserve=size, dynamic=True)
        data = np.empty((len(members), ENTRY), np.float32)
        data[:, :12] = carriers[members, :3].reshape(-1, 12)
        data[:, 12] = self._row_of[members]
        self._buffers[key, mirrored].write(data)
        return Batch(mirrored, len(members), self._buffers[key, mirrored])

    def _carriers(self, key: Key) -> F32:
        """Return every character's matrix [N, 4, 4] from mesh (skinned: model) to world."""
        return self._world if key[0] < 0 else self._world @ self._matrices[:, key[0]]

    def _mirrored(self, key: Key) -> Bool:
        """Return whose triangles [N] are turned inside out by a negative scale."""
        if key not in self._signs:
            joint, skin, _ = key
            inner = self._matrices[:, joint] if skin < 0 else self._palettes[skin][:, 0]
            self._signs[key] = _negative(inner) ^ _negative(self._world)
        return self._signs[key]


def _negative(matrices: F32) -> Bool:
    """Return whether the determinants of matrices [..., 3 or 4, 4] are below 0."""
    found: Bool = np.linalg.det(matrices[..., :3, :3]) < 0
    return found
