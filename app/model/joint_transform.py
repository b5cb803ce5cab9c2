"""The transform of a joint as a matrix and as translation, rotation and scale."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from ..animation.euler import to_euler
from ..animation.pose import Pose
from ..animation.transform import compose, decompose
from ..animation.types import F32, F64


@dataclass(frozen=True, slots=True, eq=False)
class JointTransform:
    """A transform from joint space to its parent's, to model or to world space.

    Attributes
    ----------
    translation, rotation, scale
        [3], [4] unit quaternion xyzw, [3]; a mirroring matrix has a negative x scale.
    shear
        The greatest cosine between two axes; with shear no rotation and scale give the matrix.
    """

    translation: F64
    rotation: F64
    scale: F64
    shear: float = 0.0
    _matrix: F64 | None = None  # where it was given

    @classmethod
    @np.errstate(all="ignore")  # extreme values of a file may overflow
    def of_pose(cls, pose: Pose, joint: int) -> Self:
        """Return the local transform of a joint, with the numbers of the pose."""
        parts = pose.translation[joint], pose.rotation[joint], pose.scale[joint]
        translation, rotation, scale = (part.astype(np.float64) for part in parts)
        return cls(translation, rotation, scale)

    @classmethod
    @np.errstate(all="ignore")  # extreme values of a file may overflow
    def of_matrix(cls, matrix: F32 | F64) -> Self:
        """Return the transform of a matrix [4, 4]; NaN where it is not finite."""
        exact = matrix.astype(np.float64)
        if not np.isfinite(exact).all():
            return cls(exact[:3, 3], np.full(4, np.nan), np.full(3, np.nan), 0.0, exact)
        _, rotation, scale, shear = decompose(exact)
        turned, sizes = rotation.astype(np.float64), scale.astype(np.float64)
        return cls(exact[:3, 3], turned, sizes, float(shear), exact)

    @property
    @np.errstate(all="ignore")
    def matrix(self) -> F64:
        """The matrix [4, 4], `M @ [x, y, z, 1]`, the translation in the last column."""
        if self._matrix is not None:
            return self._matrix
        parts = (self.translation, self.rotation, self.scale)
        return compose(*(part.astype(np.float32) for part in parts)).astype(np.float64)

    @property
    @np.errstate(all="ignore")
    def degrees(self) -> F64:
        """The Euler angles [3] of the rotation: about X, then Y, then Z of the parent's axes."""
        return np.asarray(np.degrees(to_euler(self.rotation)))

    def distance(self, other: Self) -> float:
        """Return the distance of the origins, in the unit of the translations."""
        return math.dist(self.translation.tolist(), other.translation.tolist())

    def angle(self, other: Self) -> float:
        """Return the angle between the rotations, degrees from 0 to 180."""
        one, two = self.rotation.tolist(), other.rotation.tolist()
        if sum(a * b for a, b in zip(one, two, strict=True)) < 0.0:
            two = [-x for x in two]
        return math.degrees(4.0 * math.asin(min(0.5 * math.dist(one, two), 1.0)))
