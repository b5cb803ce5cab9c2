"""What of a foot touches the ground: its skin, or the ground beneath its joints (SPEC B9)."""

from dataclasses import dataclass
from itertools import product
from typing import Self

import numpy as np

from ..animation import quat
from ..animation.types import F64, Index
from .reference_pose import Figure, descendants

_WAYS = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])


def furthest(points: F64) -> Index:
    """Return which of points [n, 3] reach furthest along 26 directions."""
    return np.unique((points @ _WAYS.T).argmax(axis=0))


def outermost(points: F64) -> F64:
    """Return those of points [n, 3] that reach furthest along 26 directions."""
    return points[furthest(points)]


@dataclass(frozen=True, eq=False)
class Sole:
    """Points that a foot carries; where it stands in its reference pose they touch the ground."""

    joints: Index  # [n] which joint carries each: the ankle, or one below it
    points: F64  # [n, 3] from there, in that joint's own axes, metres
    sunk: float  # how much lower than the floor the lowest is in the reference pose

    @classmethod
    def of(cls, figure: Figure, ankle: int) -> Self:
        """Return the sole of a foot: of its skin, where it has none of the joints themselves."""
        joints = np.flatnonzero(descendants(figure.skeleton, ankle))
        parts = [figure.skin[j] for j in joints.tolist() if j in figure.skin]
        if parts:
            covered = [j for j in joints.tolist() if j in figure.skin]
            joints, points = np.repeat(covered, list(map(len, parts))), np.concatenate(parts)
        else:
            down = np.zeros((len(joints), 3))
            down[:, 1] = figure.floor - figure.stance.position[joints, 1]
            points = quat.rotate(quat.conjugate(figure.stance.rotation[joints]), down)
        flat = cls(joints, points, 0.0)
        lowest = flat.lowest(figure.stance.position, figure.stance.rotation)
        return cls(joints, points, figure.floor - float(lowest))

    def lowest(self, places: F64, rotation: F64) -> F64:
        """Return the height [...] of its lowest point, of joints [..., J, 3] and [..., J, 4].

        In the reference pose that is the height of the floor.
        """
        points = quat.rotate(rotation[..., self.joints, :], self.points)
        return (places[..., self.joints, 1] + points[..., 1]).min(axis=-1) + self.sunk
