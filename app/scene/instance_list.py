"""The instances of a scene: in a row, or two of them at the same place."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..animation.types import F64
from .instance import Instance
from .versions import Versions

GAP = 0.1  # between two neighbours, of the wider one's width


class InstanceList:
    """Instances in their order from left to right.

    Attributes
    ----------
    active
        The instance whose cameras, joints and clips are shown and edited.
    same_size
        Whether the other instances are scaled to the height of the first one.
    versions
        The two instances that are compared in place of the row; None: all stand in a row.
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

        Compared ones are placed at the origin; the new one has the scale of the old one, or with
        `same_size` its height.
        """
        if self.versions is not None:
            self._overlay(self.versions)
            return
        first = self[0]
        if len(self) > 1:
            first.character.set_placement(np.eye(4, dtype=np.float32))
        first.measure(first.points())
        before = first.extent
        for instance in self._instances[1:]:
            points = instance.points()
            scale = np.float32(_equal_height_scale(first, instance) if self.same_size else 1.0)
            low, high = (float(x) * float(scale) for x in (points[:, 0].min(), points[:, 0].max()))
            gap = GAP * max(high - low, float(before[1, 0] - before[0, 0]))
            placement = np.diag(np.array([scale, scale, scale, 1.0], np.float32))
            placement[0, 3] = np.float32(before[1, 0]) + gap - low
            instance.character.set_placement(placement)
            instance.measure(points)
            before = instance.extent

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
