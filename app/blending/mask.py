"""Masks: the weight of a layer per joint."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np

from ..animation.clip import Clip
from ..animation.skeleton import Skeleton
from ..animation.types import F32
from ..errors import UsageError
from .pose_layout import PoseLayout

Space = Literal["local", "model"]


@dataclass(frozen=True, eq=False)
class Mask:
    """A weight from 0 to 1 per joint and per other value.

    With space "model" rotations are blended in model space, so that an upper body does not swing
    with the hips beneath it; everything else is blended in local space.

    Examples
    --------
    >>> upper = rigview.Mask.of(model.skeleton, {"Spine1": 0.5, "Spine2": 1.0})
    >>> walk, wave = (model.clips[name].sample(0.2) for name in ("Walk", "Wave"))
    >>> both = rigview.blend(walk, wave, 1.0, mask=upper)
    """

    joints: F32  # [J]
    values: F32  # [P]
    space: Space = "local"

    def __repr__(self) -> str:
        used = int(np.count_nonzero(self.joints))
        return f"<Mask {used} of {len(self.joints)} joints, {self.space} space>"

    @cached_property
    def spread(self) -> F32:
        """[10 J + P] weight of every number of a pose, in the order of `Pose.data`."""
        thrice = np.repeat(self.joints, 3)
        return np.concatenate([thrice, thrice, np.repeat(self.joints, 4), self.values])

    @classmethod
    def of(cls, skeleton: Skeleton, named: Mapping[str, float], space: Space = "local") -> Self:
        """Return the mask of joints by name; the joints below them inherit their weights.

        Raises
        ------
        UsageError
            The skeleton has no joint of a name, or a weight is not from 0 to 1.

        Examples
        --------
        >>> rigview.Mask.of(model.skeleton, {"Spine1": 0.5, "Spine2": 1.0})
        <Mask 57 of 73 joints, local space>
        """
        joints = {skeleton.find(name): weight for name, weight in named.items()}
        if not all(0.0 <= weight <= 1.0 for weight in joints.values()):
            raise UsageError(f"the weights of a mask are from 0 to 1: {dict(named)}")
        return cls.inherited(PoseLayout.bare(skeleton), joints, space)

    @classmethod
    def inherited(cls, rig: PoseLayout, named: Mapping[int, float], space: Space = "local") -> Self:
        """Return the mask in which each joint's weight is inherited by its descendants.

        Parameters
        ----------
        rig
            Of the poses. A value has the weight of its owner joint; without an owner, 0.
        named
            Joint to weight; joints that inherit none have 0.
        space
            Of the rotations.
        """
        joints = np.zeros(rig.skeleton.count, np.float32)
        for joint, parent in enumerate(rig.skeleton.parents.tolist()):
            inherited = joints[parent] if parent >= 0 else 0.0
            joints[joint] = named.get(joint, inherited)
        owned = np.append(joints, np.float32(0))  # the last for owner -1
        return cls(joints, owned[rig.owner], space)

    @classmethod
    def with_tracks(
        cls,
        rig: PoseLayout,
        clips: Iterable[Clip],
        space: Space = "local",
        others: Sequence[int] = (),
    ) -> Self:
        """Return the mask that is 1 for joints and values with a track in a clip, else 0.

        It is 1 for `others`, too: joints of poses.
        """
        joints = np.zeros(rig.skeleton.count, np.float32)
        joints[list(others)] = 1
        values = np.zeros(len(rig.owner), np.float32)
        for clip in clips:
            joints[clip.joints] = 1
            for track in clip.tracks:
                if track.path == "values":
                    values[track.start : track.start + track.values.shape[-1]] = 1
        return cls(joints, values, space)
