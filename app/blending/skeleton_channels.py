"""What blending must know beside a skeleton: whose the other values are, and of what kind."""

from dataclasses import dataclass

import numpy as np

from ..animation.skeleton import Skeleton
from ..animation.types import I32, Bool


@dataclass(frozen=True, eq=False)
class Rig:
    """A skeleton, and the P other values of its poses."""

    skeleton: Skeleton
    owner: I32  # [P] joint that each value belongs to, -1: none
    step: Bool  # [P] values that are never blended: taken from the heaviest source
    rotations: tuple[int, ...] = ()  # where quaternions of four values begin

    @classmethod
    def bare(cls, skeleton: Skeleton) -> "Rig":
        """Return the rig of a skeleton whose other values all blend and belong to no joint."""
        count = skeleton.rest.values.shape[-1]
        return cls(skeleton, np.full(count, -1, np.int32), np.zeros(count, bool))
