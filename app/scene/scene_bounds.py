"""The bounds of a scene: what its instances sweep, ground height and grid cell."""

import math

import numpy as np

from ..animation.types import F64
from ..animation.vectors import extent
from ..scenedoc.camera import Fit
from .instance import Instance
from .instance_list import InstanceList

NEAREST = 1e-3  # distance of the camera, in radii of the smallest instance
FARTHEST = 1e6  # and in radii of all


class SceneBounds:
    """Bounds of the visible instances of a scene, or of all if none is visible.

    Attributes
    ----------
    extent
        [2, 3] low and high corner of the swept points, world space.
    floor, cell
        Height of the ground grid and the edge of its cells, metres.
    """

    def __init__(self, instances: InstanceList) -> None:
        self._instances = instances
        self.extent: F64 = np.zeros((2, 3))
        self.floor = 0.0
        self.cell = 1.0
        self._offsets: F64 = np.zeros((0, 3))  # root offsets in `extent`
        self._beyond = 0.0  # how far ghosts are outside of `extent`, metres
        self._smallest = 1.0  # radius of the smallest instance, metres

    @property
    def size(self) -> float:
        """Diagonal of `extent`, metres."""
        return float(np.linalg.norm((self.extent[1] - self.extent[0]).astype(np.float32)))

    @property
    def middle(self) -> F64:
        """Middle [3] of `extent`, world space, metres."""
        return (self.extent[0] + self.extent[1]) / 2.0

    @property
    def radius(self) -> float:
        """Radius of a sphere about `middle` that contains all and the floor below, metres."""
        (x0, y0, z0), (x1, y1, z1) = self.extent.tolist()
        above = abs((y0 + y1) / 2.0 - self.floor)
        return max(_half(x1 - x0, y1 - y0, z1 - z0), above, self.cell / 3.0) + self._beyond

    @property
    def zoom_limits(self) -> tuple[float, float]:
        """Least and greatest distance of a camera from its target, metres."""
        return self._smallest * NEAREST, self.radius * FARTHEST

    @property
    def swept_in_place(self) -> F64:
        """Points [N, 3] that all sweep without root motion, world space, metres."""
        swept = [instance.swept_in_place for instance in self._measured]
        return np.concatenate(swept) if swept else np.zeros((1, 3))

    @property
    def swept(self) -> F64:
        """Points [N, 3] that all sweep, moved by the current root motion, world space, metres."""
        swept = [instance.swept for instance in self._measured]
        return np.concatenate(swept) if swept else np.zeros((1, 3))

    def fitted(self, fit: Fit) -> F64:
        """Points [N, 3] that a camera frames, world space, metres.

        Those of the whole clip or motion, of the current pose, or of the rest pose without root
        motion.
        """
        if fit == "clip":
            return self.swept
        pose = fit == "pose"
        corners = [each.pose_corners if pose else each.rest_corners for each in self._measured]
        points = np.concatenate(corners)
        return points if len(points) else np.zeros((1, 3))

    def measure(self) -> None:
        """Set extent, ground height and grid cell from the measured instances.

        The ground is at height 0, or at the lowest point of the rest pose if it is well below 0:
        the same for all clips. The cell does not depend on root motion.
        """
        self.floor = min(instance.floor() for instance in self._instances)
        self._set_extent([instance.extent for instance in self._measured])
        self.cell = grid_cell(self.size)
        self._beyond = float(np.abs(extent(self.swept_in_place) - self.extent).max())
        self._add_root_motion(self._instances.root_offsets())

    def update(self) -> None:
        """Move `extent` with the root motion of the instances."""
        offsets = self._instances.root_offsets()
        if offsets.shape != self._offsets.shape or (offsets != self._offsets).any():
            self._add_root_motion(offsets)

    @property
    def _measured(self) -> list[Instance]:
        return self._instances.visible or list(self._instances)

    def _add_root_motion(self, offsets: F64) -> None:
        """Set `extent` with root motion, and keep the root offsets [N, 3] of all instances.

        It is computed from the placements each time, so rounding errors do not accumulate.
        """
        self._offsets = offsets
        self._set_extent([instance.moved_extent for instance in self._measured])

    def _set_extent(self, corners: list[F64]) -> None:
        self._smallest = min(_half(*(high - low).tolist()) for low, high in corners)
        low = np.min([low for low, _ in corners], axis=0)
        self.extent = np.stack([low, np.max([high for _, high in corners], axis=0)])


def _half(x: float, y: float, z: float) -> float:
    """Return half the diagonal of a box with these edges; not 0."""
    return max(math.hypot(x, y, z) / 2.0, 1e-6)


def grid_cell(size: float) -> float:
    """Return the edge of a grid cell, metres: 1 for sizes from 0.5 to 20, else a power of ten."""
    if not 1e-12 < size < 1e12:
        return 1.0
    if 0.5 <= size <= 20.0:
        return 1.0
    return float(10.0 ** round(np.log10(size / 3.0)))
