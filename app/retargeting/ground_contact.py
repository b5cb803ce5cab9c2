"""Ground contact of feet: points of their skin, or the ground below their joints."""

from dataclasses import dataclass
from itertools import product
from typing import Self

import numpy as np

from ..animation import quat
from ..animation.distinct import distinct
from ..animation.types import F64, Index
from .reference_pose import RetargetSkeleton, descendants

_WAYS = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])


def furthest(points: F64) -> Index:
    """Return the indices of the extreme points [n, 3] along 26 directions."""
    return distinct((points @ _WAYS.T).argmax(axis=0))


def outermost(points: F64) -> F64:
    """Return the extreme points [n, 3] along 26 directions."""
    return points[furthest(points)]


@dataclass(frozen=True, eq=False)
class Sole:
    """Contact points of a foot; in the reference pose they touch the ground."""

    joints: Index  # [n] parent joint of each point: the ankle, or a descendant
    points: F64  # [n, 3] in that joint's axes, metres
    sunk: float  # depth of the lowest point below the floor in the reference pose, metres

    @classmethod
    def of(cls, figure: RetargetSkeleton, ankle: int) -> Self:
        """Return the sole of a foot, from its skin, or without one from its joints."""
        joints = np.flatnonzero(descendants(figure.skeleton, ankle))
        parts = [figure.skin[j] for j in joints.tolist() if j in figure.skin]
        if parts:
            covered = [j for j in joints.tolist() if j in figure.skin]
            joints, points = np.repeat(covered, list(map(len, parts))), np.concatenate(parts)
        else:
            down = np.zeros((len(joints), 3))
            down[:, 1] = figure.floor - figure.reference_pose.position[joints, 1]
            points = quat.rotate(quat.conjugate(figure.reference_pose.rotation[joints]), down)
        flat = cls(joints, points, 0.0)
        lowest = flat.lowest(figure.reference_pose.position, figure.reference_pose.rotation)
        return cls(joints, points, figure.floor - float(lowest))

    def lowest(self, places: F64, rotation: F64) -> F64:
        """Return the height [...] of its lowest point for joints [..., J, 3] and [..., J, 4].

        In the reference pose it is the height of the floor.
        """
        points = quat.rotate(rotation[..., self.joints, :], self.points)
        return (places[..., self.joints, 1] + points[..., 1]).min(axis=-1) + self.sunk
