"""The skeleton of a pose, and for each other value its joint and how it is interpolated."""

from dataclasses import dataclass

import numpy as np

from ..animation.skeleton import Skeleton
from ..animation.types import I32, Bool


@dataclass(frozen=True, eq=False)
class PoseLayout:
    """A skeleton, and a description of the P other values of its poses."""

    skeleton: Skeleton
    owner: I32  # [P] joint that each value belongs to, -1: none
    step: Bool  # [P] values without interpolation: taken from the heaviest source
    rotations: tuple[int, ...] = ()  # first columns of quaternions of four values

    @classmethod
    def bare(cls, skeleton: Skeleton) -> "PoseLayout":
        """Return a layout whose other values are all interpolated and have no owner."""
        count = skeleton.rest.values.shape[-1]
        return cls(skeleton, np.full(count, -1, np.int32), np.zeros(count, bool))
