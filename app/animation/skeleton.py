"""The hierarchy of joints: names, parents, rest pose, and local to model space."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..errors import UsageError
from ..wording import suggestion
from .model_buffers import BlockBuffers, BufferPool, PoseBuffers
from .pose import Pose, blocks
from .types import F32, I32, Bool, Index

BATCH_LAST = 8  # characters from which products along the batch are faster than one per joint
_LAST_ROW = np.array([0, 0, 0, 1], np.float32)  # of an affine matrix


@dataclass(frozen=True, eq=False)
class Skeleton:
    """All nodes of a file as joints, sorted by depth so that parents come first.

    A depth level is one contiguous slice: model-space matrices take one matrix product per level.

    Raises
    ------
    ValueError
        The array shapes do not match, or the joints are not sorted by depth.

    Examples
    --------
    >>> hand = model.skeleton.find("LeftHand")
    >>> model.skeleton.names[model.skeleton.parents[hand]]
    'LeftForeArm'
    >>> matrices = model.skeleton.to_model(model.skeleton.rest)  # [J, 4, 4]
    """

    names: tuple[str, ...]  # [J]
    parents: I32  # [J] -1: a root
    nodes: I32  # [J] glTF node index of each joint
    rest: Pose  # rest pose: the transforms of the nodes, no batch

    def __post_init__(self) -> None:
        shapes = (self.parents.shape, self.nodes.shape, self.rest.translation.shape[:-1])
        if any(shape != (self.count,) for shape in shapes):
            raise ValueError(f"parents, nodes and rest must have {self.count} rows, not {shapes}")
        if np.any(self.parents >= np.arange(self.count)) or np.any(np.diff(self.depths) < 0):
            raise ValueError("joints must be sorted by depth, parents before their children")

    def __repr__(self) -> str:
        roots = [
            name[:40] for name, parent in zip(self.names, self.parents, strict=True) if parent < 0
        ]
        more = f" and {len(roots) - 1} more" if len(roots) > 1 else ""
        root = f", root {roots[0]!r}{more}" if roots else ""
        return f"<Skeleton {self.count} joints{root}>"

    @property
    def count(self) -> int:
        """J, the number of joints."""
        return len(self.names)

    @cached_property
    def depths(self) -> I32:
        """[J] depth in the hierarchy, roots 0."""
        depths = [0] * self.count
        for joint, parent in enumerate(self.parents.tolist()):
            if 0 <= parent < joint:
                depths[joint] = depths[parent] + 1
        return np.array(depths, np.int32)

    @cached_property
    def levels(self) -> tuple[slice, ...]:
        """One slice of joints per depth, roots first."""
        if not self.count:
            return ()
        bounds = np.searchsorted(self.depths, np.arange(int(self.depths[-1]) + 2)).tolist()
        return tuple(slice(a, b) for a, b in pairwise(bounds))

    @cached_property
    def joint_of_node(self) -> I32:
        """[N] joint of each glTF node, -1 for none."""
        out = np.full(int(self.nodes.max(initial=-1)) + 1, -1, np.int32)
        out[self.nodes] = np.arange(self.count, dtype=np.int32)
        return out

    @cached_property
    def index_of(self) -> dict[str, int]:
        """The first joint of each name."""
        return {name: joint for joint, name in reversed(list(enumerate(self.names)))}

    def find(self, name: str) -> int:
        """Return the first joint of a name (UsageError: there is none)."""
        joint = self.index_of.get(name)
        if joint is None:
            raise UsageError(f"no joint {name!r}", hint=suggestion(name, self.names))
        return joint

    def below(self, marked: Bool) -> Bool:
        """Return which joints [J, ...] are marked, or below a marked one."""
        found = marked.copy()
        for level in self.levels[1:]:
            found[level] |= found[self.parents[level]]
        return found

    def above(self, marked: Bool) -> Bool:
        """Return which joints [J] are marked, or above a marked one."""
        found = marked.copy()
        for level in reversed(self.levels[1:]):
            found[self.parents[level][found[level]]] = True
        return found

    def count_below(self, marked: Bool) -> Index:
        """Return how many joints are marked among each joint [J] and those below it."""
        counts = marked.astype(np.intp)
        for level in reversed(self.levels[1:]):
            np.add.at(counts, self.parents[level], counts[level])
        return counts

    def upwards(self, joint: int) -> list[int]:
        """Return a joint and its ancestors up to the root; none for -1."""
        chain: list[int] = []
        while joint >= 0:
            chain.append(joint)
            joint = int(self.parents[joint])
        return chain

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def to_model(self, pose: Pose, out: F32 | None = None) -> F32:
        """Return the model-space matrix of every joint.

        Parameters
        ----------
        pose
            Local transforms, any batch in front.
        out
            [..., J, 4, 4] buffer to write into.

        Returns
        -------
        F32
            [..., J, 4, 4] joint space to model space.
        """
        if out is None:
            out = np.empty((*pose.batch, self.count, 4, 4), np.float32)
        count = math.prod(pose.batch)
        if count >= BATCH_LAST:
            self._blocks_to_model(pose, count, out)
        elif count:
            size = count if pose.batch else 0
            buffers = self._pool.borrow(size, self._pose_buffers)
            matrices = buffers.to_model(*_rows(pose, size))
            out[...] = matrices.reshape(out.shape) if size else matrices
            self._pool.give_back(size, buffers)
        return out

    def _blocks_to_model(self, pose: Pose, count: int, out: F32) -> None:
        """Write the same in blocks of poses that fit into the cache, along the poses."""
        data = pose.data.reshape(count, pose.data.shape[-1])
        matrices = out.reshape(count, self.count, 4, 4)
        matrices[:, :, 3] = _LAST_ROW
        for rows in blocks(len(matrices)):
            with self.borrowed_block(rows.stop - rows.start) as block:
                block.to_model(Pose.over(data[rows], self.count))
                matrices[rows, :, :3] = block.matrices
        if not np.may_share_memory(matrices, out):
            out[...] = matrices.reshape(out.shape)

    @contextmanager
    def borrowed_block(self, size: int) -> Iterator[BlockBuffers]:
        """Lend buffers for the matrices of `size` poses."""
        block = self._block_pool.borrow(size, self._block_buffers)
        yield block
        self._block_pool.give_back(size, block)

    def _block_buffers(self, size: int) -> BlockBuffers:
        return BlockBuffers(self.levels, self.parents, size)

    def _pose_buffers(self, size: int) -> PoseBuffers:
        return PoseBuffers(self.levels, self.parents, size)

    @cached_property
    def _pool(self) -> BufferPool[PoseBuffers]:
        return BufferPool()

    @cached_property
    def _block_pool(self) -> BufferPool[BlockBuffers]:
        return BufferPool()


def _rows(pose: Pose, size: int) -> tuple[F32, F32, F32]:
    """Return translation, rotation and scale [N, J, C], or [J, C] where `size` is 0."""
    parts = pose.translation, pose.rotation, pose.scale
    if not size:
        return parts
    return tuple(part.reshape(size, *part.shape[-2:]) for part in parts)  # type: ignore[return-value]
