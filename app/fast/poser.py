"""Characters of one model, posed by the compiled functions."""

import math
from collections.abc import Sequence

import numpy as np

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.skin import Skin
from ..animation.types import F32, F64, I64, U64
from . import kernels
from .flat_tables import flat_clip, flat_rig


class Poser:
    """Poses characters with one skeleton and its skins; palettes are those of `Skin.palette`.

    All arrays are contiguous, and as `Crowd` and `Character` have them. Numbers differ from those
    of numpy by rounding.
    """

    def __init__(self, skeleton: Skeleton, skins: Sequence[Skin]) -> None:
        self._joints = skeleton.count
        self._rig = flat_rig(skeleton, skins)
        self._ends = np.cumsum([0, *(len(skin.joints) for skin in skins)]).tolist()
        self._single = len(skins) == 1
        self._buffer = np.zeros((0, 0, 3, 4), np.float32)  # palettes of several skins
        self._clips: dict[int, tuple[Clip, U64]] = {}  # by identity

    def sample(self, clip: Clip, time: F64, out: Pose) -> None:
        """Write a clip at times [...] into poses [...]; values without a track stay."""
        times = np.asarray(time, np.float64).reshape(-1)
        rows = out.data.reshape(math.prod(out.batch), out.data.shape[-1])  # also without joints
        kernels.sample(times, self._flat(clip), rows)

    def place(self, pose: Pose, matrices: F32, palettes: Sequence[F32]) -> None:
        """Write the matrices [J, 4, 4] and the palettes [S, 3, 4] of a pose without a batch."""
        rows = [palette[None] for palette in palettes]
        packed = rows[0] if self._single else self._packed(1)
        kernels.place(pose.data[None], self._rig, matrices[None], packed)
        if not self._single:
            self._unpack(packed, rows)

    def pose(
        self,
        clip: Clip,
        times: F64,
        members: I64,
        matrices: F32,
        palettes: Sequence[F32],
        values: F32,
    ) -> None:
        """Sample a clip and fill the rows of characters, as `Crowd.pose_at` does.

        Parameters
        ----------
        clip
            Its tracks are cached.
        times
            [B] seconds, clamped to the clip.
        members
            [B] rows of R that are filled.
        matrices, palettes, values
            [R, J, 4, 4], for each skin [R, S, 3, 4], and [R, P].
        """
        table = self._flat(clip)
        if self._single:
            kernels.pose(times, members, table, self._rig, matrices, palettes[0], values)
            return
        packed = self._packed(len(matrices))
        kernels.pose(times, members, table, self._rig, matrices, packed, values)
        self._unpack(packed, palettes, members)

    def _flat(self, clip: Clip) -> U64:
        found = self._clips.get(id(clip))
        if found is None:
            with np.errstate(all="ignore"):  # invalid numbers of a file propagate
                found = self._clips[id(clip)] = clip, flat_clip(clip, self._joints)
        return found[1]

    def _packed(self, count: int) -> F32:
        """Return an array [count, all S, 3, 4] for the palettes of several skins, or of none."""
        if len(self._buffer) != count:
            self._buffer = np.zeros((count, self._ends[-1], 3, 4), np.float32)
        return self._buffer

    def _unpack(
        self, packed: F32, palettes: Sequence[F32], members: I64 | slice = slice(None)
    ) -> None:
        for begin, end, palette in zip(self._ends, self._ends[1:], palettes, strict=False):
            palette[members] = packed[members, begin:end]


def call_once() -> None:
    """Call every function with one joint, which compiles it or loads it from the cache."""
    rest = Pose(
        np.zeros((1, 3), np.float32),
        np.array([[0, 0, 0, 1]], np.float32),
        np.ones((1, 3), np.float32),
        np.zeros(0, np.float32),
    )
    skeleton = Skeleton(("joint",), np.array([-1], np.int32), np.zeros(1, np.int32), rest)
    skin = Skin("skin", np.zeros(1, np.int32), np.eye(4, dtype=np.float32)[None])
    poser, clip = Poser(skeleton, [skin]), Clip.of("", [])
    matrices, palette = np.zeros((1, 1, 4, 4), np.float32), np.zeros((1, 1, 3, 4), np.float32)
    poser.sample(clip, np.zeros(1), rest.copy())
    poser.place(rest, matrices[0], [palette[0]])
    values = np.zeros((1, 0), np.float32)
    poser.pose(clip, np.zeros(1), np.zeros(1, np.int64), matrices, [palette], values)
