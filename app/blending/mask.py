"""Masks: how much of a layer each joint takes (SPEC D7)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np

from ..animation.clip import Clip
from ..animation.types import F32
from .skeleton_channels import Rig

Space = Literal["local", "model"]


@dataclass(frozen=True, eq=False)
class Mask:
    """A weight from 0 to 1 per joint and per other value.

    In space "model" a layer's rotations are blended in model space, so that an upper body does
    not swing with the hips beneath it; everything else stays local.
    """

    joints: F32  # [J]
    values: F32  # [P]
    space: Space = "local"

    @cached_property
    def spread(self) -> F32:
        """[10 J + P] the weight of every number of a pose, in the order of `Pose.data`."""
        thrice = np.repeat(self.joints, 3)
        return np.concatenate([thrice, thrice, np.repeat(self.joints, 4), self.values])

    @classmethod
    def downward(cls, rig: Rig, named: Mapping[int, float], space: Space = "local") -> Self:
        """Return the mask in which each weight named holds downwards until the next one named.

        Parameters
        ----------
        rig
            What is masked. A value weighs what its owner does; one that no joint owns, 0.
        named
            Joint to weight; joints above and beside those named have 0.
        space
            In which rotations are blended.
        """
        joints = np.zeros(rig.skeleton.count, np.float32)
        for joint, parent in enumerate(rig.skeleton.parents.tolist()):
            inherited = joints[parent] if parent >= 0 else 0.0
            joints[joint] = named.get(joint, inherited)
        owned = np.append(joints, np.float32(0))  # the last for owner -1
        return cls(joints, owned[rig.owner], space)

    @classmethod
    def touched(cls, rig: Rig, clips: Iterable[Clip], space: Space = "local") -> Self:
        """Return the mask that is 1 on what some clip has a track for, else 0."""
        joints = np.zeros(rig.skeleton.count, np.float32)
        values = np.zeros(len(rig.owner), np.float32)
        for clip in clips:
            joints[clip.joints] = 1
            for track in clip.tracks:
                if track.path == "values":
                    values[track.start : track.start + track.values.shape[-1]] = 1
        return cls(joints, values, space)
