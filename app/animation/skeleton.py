"""The hierarchy of joints: names, parents, rest pose, and local to model space."""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from .pose import Pose
from .transform import compose
from .types import F32, I32, Index

BATCH_LAST = 8  # characters from which products along the batch are faster than one per joint


@dataclass(frozen=True, eq=False)
class Skeleton:
    """All nodes of a file as joints, sorted by depth so that parents come first.

    A depth level is one contiguous slice: model-space matrices take one matrix product per level.

    Raises
    ------
    ValueError
        The array shapes do not match, or the joints are not sorted by depth.
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
    def _index(self) -> dict[str, int]:
        return {name: joint for joint, name in reversed(list(enumerate(self.names)))}

    def find(self, name: str) -> int:
        """Return the first joint of that name, -1 for none."""
        return self._index.get(name, -1)

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
        if math.prod(pose.batch) >= BATCH_LAST:
            self._crowd_to_model(pose, out)
            return out
        local = compose(pose.translation, pose.rotation, pose.scale)
        roots = self._roots
        out[..., roots, :, :] = local[..., roots, :, :]
        for level, parents in self._below_roots:
            above = out.take(parents, axis=-3)
            np.matmul(above, local[..., level, :, :], out=out[..., level, :, :])
        return out

    def _crowd_to_model(self, pose: Pose, out: F32) -> None:
        """Write the same with the batch innermost, so that products run along characters."""
        local = np.empty((4, 4, self.count, *pose.batch), np.float32)
        compose(
            _batch_last(pose.translation),
            _batch_last(pose.rotation),
            _batch_last(pose.scale),
            out=np.moveaxis(local, (0, 1), (-2, -1)),
        )
        model = local[:3]  # parent levels are overwritten first
        for level, parents in self._below_roots:
            above = model.take(parents, axis=2)
            below = np.einsum("ikj...,klj...->ilj...", above[:, :3], model[:, :, level])
            below[:, 3] += above[:, 3]
            model[:, :, level] = below
        out[...] = np.moveaxis(local, (0, 1, 2), (-2, -1, -3))

    @cached_property
    def _roots(self) -> slice:
        return self.levels[0] if self.levels else slice(0)

    @cached_property
    def _below_roots(self) -> tuple[tuple[slice, Index], ...]:
        return tuple((level, self.parents[level].astype(np.intp)) for level in self.levels[1:])


def _batch_last(array: F32) -> F32:
    """Return [J, ..., C] with the batch contiguous, of [..., J, C]."""
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, (-1, -2), (0, 1))), 0, -1)
