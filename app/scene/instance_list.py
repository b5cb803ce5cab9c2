"""The instances of a scene: in a row or a grid, or two of them at the same place."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..animation.types import F64
from ..animation.vectors import extent
from .instance import Instance
from .versions import Versions

GAP = 0.1  # between two neighbours, of the wider one's width
ONE_ROW = 8  # instances that stand in one row; more stand in a grid
BEHIND = 1.2  # least distance of the rows of a grid, of the greatest height


class InstanceList:
    """Instances in their order from left to right.

    Attributes
    ----------
    active
        The instance whose cameras, joints and clips are shown and edited.
    same_size
        Whether the other instances are scaled to the height of the first one.
    versions
        The two instances that are compared in place of all; None: all stand in a row or grid.
    """

    def __init__(self) -> None:
        self._instances: list[Instance] = []
        self.active: Instance | None = None
        self.same_size = False
        self.versions: Versions | None = None

    def __iter__(self) -> Iterator[Instance]:
        return iter(self._instances)

    def __len__(self) -> int:
        return len(self._instances)

    def __getitem__(self, at: int) -> Instance:
        return self._instances[at]

    @property
    def visible(self) -> list[Instance]:
        """Instances that are not hidden; of compared ones both."""
        if self.versions is not None:
            return self.versions.instances
        return [instance for instance in self._instances if not instance.hidden]

    @property
    def columns(self) -> int:
        """Instances side by side in a row."""
        return len(self) if len(self) <= ONE_ROW else math.ceil(math.sqrt(len(self)))

    @property
    def in_rows(self) -> bool:
        """Whether they stand in several rows, from front to back."""
        return self.versions is None and self.columns < len(self)

    @property
    def front(self) -> float:
        """Azimuth of the front of the first instance, for the key light; radians, 0 for +Z."""
        return self._instances[0].front if self._instances else 0.0

    def replace(self, instances: Sequence[Instance]) -> None:
        """Replace all instances; the first one becomes active."""
        self._instances[:] = instances
        self.versions = None
        self.active = instances[0] if instances else None

    def add(self, instance: Instance, at: int | None = None) -> None:
        """Insert an instance at index `at`, by default at the end; `line_up` places it."""
        self._instances.insert(len(self) if at is None else at, instance)
        self.active = self.active or instance

    def neighbour(self, instance: Instance) -> Instance | None:
        """Return the instance after another one, else the one before it, None if it is alone."""
        at = self._instances.index(instance)
        beside = self._instances[at + 1 : at + 2] or self._instances[:at][-1:]
        return beside[0] if beside else None

    def remove(self, instance: Instance) -> None:
        """Remove an instance; none is active if it was, and one that is left alone is centred."""
        self._instances.remove(instance)
        if self.versions is not None and instance in self.versions.instances:
            self.versions = None
        if instance is self.active:
            self.active = None
        if len(self) == 1:
            self[0].character.set_placement(np.eye(4, dtype=np.float32))

    def root_offsets(self) -> F64:
        """Return the root offset [N, 3] of every instance, world space, metres."""
        offsets = [instance.root_offset for instance in self._instances]
        return np.array(offsets, np.float64).reshape(-1, 3)

    def line_up(self) -> None:
        """Place the instances along +X, spaced by the widths that they sweep, and measure them.

        Many stand in a grid of columns, whose rows begin at the front. Compared ones are placed at
        the origin; the new one has the scale of the old one, or with `same_size` its height.
        """
        if self.versions is not None:
            self._overlay(self.versions)
            return
        first = self[0]
        if len(self) > 1:
            first.character.set_placement(np.eye(4, dtype=np.float32))
        clouds = [each.points() for each in self._instances]
        scales = [
            np.float32(_equal_height_scale(first, each) if self.same_size else 1.0)
            for each in self._instances
        ]
        spans = [
            np.float64(extent(cloud)) * float(scale)
            for cloud, scale in zip(clouds, scales, strict=True)
        ]
        low, high = np.array(spans).transpose(1, 0, 2)
        tall, deep = (high - low).max(axis=0)[1:].tolist()
        back, x = max((1.0 + GAP) * deep, BEHIND * tall), np.float32(0.0)
        before = np.zeros((2, 3))
        for column in range(self.columns):
            members = range(column, len(self), self.columns)
            left, right = float(low[members, 0].min()), float(high[members, 0].max())
            if column:
                gap = GAP * max(right - left, float(before[1, 0] - before[0, 0]))
                x = np.float32(before[1, 0]) + gap - left
            for row, k in enumerate(members):
                placement = np.diag(np.array([*[scales[k]] * 3, 1.0], np.float32))
                placement[0, 3], placement[2, 3] = x, -row * back
                if k:
                    self[k].character.set_placement(placement)
                self[k].measure(clouds[k])
            ends = np.array([self[k].extent for k in members])
            before = np.array([ends[:, 0].min(axis=0), ends[:, 1].max(axis=0)])

    def _overlay(self, versions: Versions) -> None:
        """Place both versions at the origin, and measure all instances."""
        smaller = 1.0 / versions.scale
        if self.same_size:
            smaller = _equal_height_scale(versions.old, versions.new)
        for instance, scale in ((versions.old, 1.0), (versions.new, smaller)):
            instance.character.set_placement(np.diag([scale, scale, scale, 1.0]))
        for instance in self._instances:
            instance.measure(instance.points())


def _equal_height_scale(first: Instance, other: Instance) -> float:
    """Return the scale that makes another instance as tall as the first."""
    wanted, size = first.size, other.size
    return wanted / size if wanted > 0.0 and size > 0.0 else 1.0
