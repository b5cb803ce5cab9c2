"""Uploads to buffers and textures that are left out while nothing changes."""

import moderngl
import numpy as np

from ..animation.types import F32


class Upload:
    """Writes arrays to a buffer or texture, unless they are equal to the last one."""

    def __init__(self, target: moderngl.Buffer | moderngl.Texture) -> None:
        self._target = target
        self._written: F32 | None = None

    def write(self, data: F32) -> None:
        """Upload an array [N, ...] from the beginning of the target."""
        if self._written is None or not _equal(data, self._written):
            self._written = np.array(data, np.float32)
            self._target.write(self._written)


def _equal(one: F32, other: F32) -> bool:
    """Return whether arrays are equal; most others already differ in their first rows."""
    if one.shape != other.shape:
        return False
    return np.array_equal(one[:1], other[:1]) and np.array_equal(one, other)
