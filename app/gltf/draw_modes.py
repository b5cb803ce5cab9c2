"""Draw modes: strips, loops and fans expanded to lists (glTF 2.0, section 3.7.2.1)."""

import numpy as np
from numpy.typing import NDArray

from ..animation.types import U32, Bool
from ..model.model import Topology

POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN = range(7)
TOPOLOGIES: dict[int, Topology] = {
    POINTS: "points",
    LINES: "lines",
    LINE_LOOP: "lines",
    LINE_STRIP: "lines",
    TRIANGLES: "triangles",
    TRIANGLE_STRIP: "triangles",
    TRIANGLE_FAN: "triangles",
}
_SIZES: dict[Topology, int] = {"points": 1, "lines": 2, "triangles": 3}


def expand(mode: int, indices: U32, restart: Bool | None = None) -> U32:
    """Return the indices of a list of points, lines or triangles.

    Parameters
    ----------
    mode
        Draw mode of the primitive.
    indices
        [I]
    restart
        [I] primitive restarts: a strip, loop or fan ends there, and the next index begins another
        one. The restart index itself is not a vertex. None: no restarts.

    Returns
    -------
    U32
        [n], n a multiple of the vertices per point, line or triangle. Incomplete elements and
        degenerate triangles of strips and fans (a repeated index) are left out.
    """
    if mode == POINTS:
        return indices if restart is None else indices[~restart]
    size = _SIZES[TOPOLOGIES[mode]]
    if restart is None:
        if mode in (LINES, TRIANGLES):
            return indices[: len(indices) // size * size]
        restart = np.zeros(len(indices), np.bool_)
    begin = np.maximum.accumulate(np.where(restart, np.arange(1, len(indices) + 1), 0))
    position = np.arange(len(indices)) - begin  # within the strip, loop or fan
    if mode in (LINES, TRIANGLES):
        return _lists(indices, restart, position, size)
    if mode in (LINE_STRIP, LINE_LOOP):
        return _lines(indices, restart, begin, mode == LINE_LOOP)
    return _triangles(mode, indices, restart, begin, position)


def _lists(indices: U32, restart: Bool, position: NDArray[np.intp], size: int) -> U32:
    """Return the indices without restarts and incomplete elements."""
    last = np.zeros(len(indices), np.bool_)  # last index of a complete line or triangle
    last[~restart & (position % size == size - 1)] = True
    ends = np.flatnonzero(last)
    return indices[(ends[:, None] + np.arange(1 - size, 1)).ravel()]


def _lines(indices: U32, restart: Bool, begin: NDArray[np.intp], loop: bool) -> U32:
    whole = ~(restart[:-1] | restart[1:])
    pairs = np.stack((indices[:-1], indices[1:]), axis=1)[whole]
    if not loop:
        return pairs.ravel()
    closing = ~restart & np.append(restart[1:], True)  # the last vertex of each loop
    closing &= np.arange(len(indices)) > begin
    back = np.stack((indices[closing], indices[begin[closing]]), axis=1)
    return np.concatenate((pairs.ravel(), back.ravel()))


def _triangles(
    mode: int,
    indices: U32,
    restart: Bool,
    begin: NDArray[np.intp],
    position: NDArray[np.intp],
) -> U32:
    whole = ~(restart[:-2] | restart[1:-1] | restart[2:])
    a, b, c = indices[:-2], indices[1:-1], indices[2:]
    if mode == TRIANGLE_STRIP:
        odd = position[:-2] % 2 == 1
        corners = np.stack((a, np.where(odd, c, b), np.where(odd, b, c)), axis=1)
    else:
        first = indices[np.minimum(begin, len(indices) - 1)][:-2]
        corners = np.stack((b, c, first), axis=1)
    a, b, c = corners.T
    return corners[whole & (a != b) & (b != c) & (c != a)].ravel()
