"""A crowd: N characters of one skeleton, each with its own clip and time, or one shared pose."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from .playback import Playback
from .pose import Pose, as_slice, blocks
from .skeleton import BATCH_LAST, Skeleton
from .skin import Skin
from .types import F32, Index

Rows = slice | Index  # of a crowd


class Sampled(Protocol):
    """A `Clip` or a `SampledClip`."""

    def sample(self, time: ArrayLike, out: Pose | None = None) -> Pose:
        """Return the pose at a time, written into `out`."""


class Crowd:
    """Poses of N characters. Buffers are allocated once; `pose_at` and `update` fill them.

    Characters are grouped by clip at the start, and each group is posed in blocks that fit
    into the cache. A
    shared crowd has R = 1 pose for all of its characters, which differ only in `world`.

    Parameters
    ----------
    skeleton, skins
        Of the model that is instanced.
    clips
        The clips to choose from.
    chosen
        [N] index of each character's clip, -1: the rest pose. One number: a shared pose.
    world
        [N, 4, 4] model space to world space of each character.
    playback
        Drives `update`; its batch is [N] or empty.

    Attributes
    ----------
    palettes
        Per skin [R, S, 3, 4], as returned by `Skin.palette`, in model space.
    matrices
        [R, J, 4, 4] model-space matrix of every joint.
    values
        [R, P] morph weights and other values.

    Raises
    ------
    ValueError
        Invalid clip index or mismatched shapes.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        skins: Sequence[Skin],
        clips: Sequence[Sampled],
        chosen: ArrayLike,
        world: F32,
        *,
        playback: Playback | None = None,
    ) -> None:
        chosen = np.asarray(chosen, np.intp)
        if world.ndim != 3 or world.shape[1:] != (4, 4):
            raise ValueError(f"world must be [N, 4, 4], not {list(world.shape)}")
        if chosen.ndim and chosen.shape != world.shape[:1]:
            raise ValueError(f"chosen must be [{len(world)}] or one number, not {chosen.shape}")
        if chosen.size and not -1 <= chosen.min() <= chosen.max() < len(clips):
            raise ValueError(f"clip indices must be within -1 and {len(clips) - 1}")
        self.skeleton = skeleton
        self.skins = tuple(skins)
        self.world = np.ascontiguousarray(world, np.float32)
        self.playback = playback
        self.shared = not chosen.ndim
        rows = 1 if self.shared else len(world)
        self.palettes: tuple[F32, ...] = tuple(
            np.zeros((rows, len(skin.joints), 3, 4), np.float32) for skin in skins
        )
        self.matrices: F32 = np.zeros((rows, skeleton.count, 4, 4), np.float32)
        self.matrices[:, :, 3, 3] = 1
        self.values: F32 = np.zeros((rows, skeleton.rest.values.shape[-1]), np.float32)
        self._poses: dict[int, Pose] = {}  # by the size of a block
        self._blocks = list(_blocks(np.broadcast_to(chosen, rows), clips))

    @property
    def count(self) -> int:
        """N, the number of characters."""
        return len(self.world)

    def update(self, tau: float) -> None:
        """Pose all characters at the global time tau, seconds, by the playback."""
        if self.playback is not None:
            self.pose_at(self.playback.advance(tau).time)

    def pose_at(self, times: ArrayLike) -> None:
        """Fill palettes, matrices and values for clip times [N], or one time, seconds."""
        seconds = np.broadcast_to(np.asarray(times, np.float64), self.matrices.shape[:1])
        for clip, members in self._blocks:
            size = len(seconds[members])
            pose = self._pose(size)
            pose.assign(self.skeleton.rest)
            if clip is not None:
                clip.sample(seconds[members], pose)
            self.values[members] = pose.values
            if size < BATCH_LAST:
                self._set_few(members, pose)
            else:
                self._set_block(members, pose, size)

    def _set_few(self, members: Rows, pose: Pose) -> None:
        matrices = self.skeleton.to_model(pose)
        self.matrices[members] = matrices
        for skin, palettes in zip(self.skins, self.palettes, strict=True):
            palettes[members] = skin.palette(matrices)

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def _set_block(self, members: Rows, pose: Pose, size: int) -> None:
        with self.skeleton.borrowed_block(size) as block:
            block.to_model(pose)
            self.matrices[members, :, :3] = block.matrices
            for skin, palettes in zip(self.skins, self.palettes, strict=True):
                palettes[members] = block.palette(skin.joints, skin.inverse_bind)

    def _pose(self, count: int) -> Pose:
        if count not in self._poses:
            self._poses[count] = Pose.like(self.skeleton.rest, (count,))
        return self._poses[count]


def _blocks(chosen: Index, clips: Sequence[Sampled]) -> list[tuple[Sampled | None, Rows]]:
    """Return clip and members of each block, None for the rest pose."""
    found: list[tuple[Sampled | None, Rows]] = []
    for number in np.unique(chosen).tolist():
        members = np.flatnonzero(chosen == number)
        clip = clips[number] if number >= 0 else None
        found += [(clip, as_slice(members[rows])) for rows in blocks(len(members))]
    return found
