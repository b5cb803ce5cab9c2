"""Place instances side by side."""

from collections.abc import Sequence

import numpy as np

from .instance import Instance

GAP = 0.1  # between two neighbours, of the wider one's width


def line_up(instances: Sequence[Instance], *, same_size: bool) -> None:
    """Place instances side by side along +X, spaced by the widths that they sweep.

    With `same_size` all are scaled to the height of the first.
    """
    first = instances[0]
    if len(instances) > 1:
        first.character.set_placement(np.eye(4, dtype=np.float32))
    first.measure(first.points())
    before = first.extent
    for instance in instances[1:]:
        points = instance.points()
        scale = np.float32(_equal_height_scale(first, instance) if same_size else 1.0)
        low, high = (float(end) * float(scale) for end in (points[:, 0].min(), points[:, 0].max()))
        gap = GAP * max(high - low, float(before[1, 0] - before[0, 0]))
        placement = np.diag(np.array([scale, scale, scale, 1.0], np.float32))
        placement[0, 3] = before[1, 0] + gap - low
        instance.character.set_placement(placement)
        instance.measure(points)
        before = instance.extent


def _equal_height_scale(first: Instance, other: Instance) -> float:
    """Return the scale that makes another instance as tall as the first."""
    wanted, size = first.size, other.size
    return wanted / size if wanted > 0.0 and size > 0.0 else 1.0
