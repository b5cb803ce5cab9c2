import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.gltf.meshes import (
    LINE_LOOP,
    LINE_STRIP,
    LINES,
    POINTS,
    TRIANGLE_FAN,
    TRIANGLE_STRIP,
    TRIANGLES,
    expand,
)

STOP = 255


def expanded(mode, *indices):
    array = np.array(indices, np.uint32)
    restart = array == STOP
    return expand(mode, array, restart if restart.any() else None).tolist()


@pytest.mark.parametrize(
    ("mode", "indices", "listed"),
    [
        (POINTS, [3, 1], [3, 1]),
        (POINTS, [3, STOP, 1], [3, 1]),
        (LINES, [0, 1, 2, 3], [0, 1, 2, 3]),
        (LINES, [0, 1, 2], [0, 1]),
        (LINES, [0, STOP, 1, 2, 3, STOP, STOP, 4, 5], [1, 2, 4, 5]),
        (LINE_STRIP, [0, 1, 2], [0, 1, 1, 2]),
        (LINE_STRIP, [0, 1, STOP, 2, STOP, 3, 4], [0, 1, 3, 4]),
        (LINE_STRIP, [0], []),
        (LINE_LOOP, [0, 1, 2], [0, 1, 1, 2, 2, 0]),
        (LINE_LOOP, [0, 1, 2, STOP, 3, 4, 5], [0, 1, 1, 2, 3, 4, 4, 5, 2, 0, 5, 3]),
        (LINE_LOOP, [0, STOP], []),
        (TRIANGLES, [0, 1, 2, 3, 4], [0, 1, 2]),
        (TRIANGLES, [0, 0, 1], [0, 0, 1]),
        (TRIANGLES, [0, 1, STOP, 2, 3, 4, STOP], [2, 3, 4]),
        (TRIANGLES, [], []),
        (TRIANGLE_STRIP, [0, 1, 2, 3, 4], [0, 1, 2, 1, 3, 2, 2, 3, 4]),
        (TRIANGLE_STRIP, [0, 1, 2, 2, 3, 4], [0, 1, 2, 2, 4, 3]),
        (TRIANGLE_STRIP, [9, 0, 1, STOP, 2, 3, 4, 5], [9, 0, 1, 2, 3, 4, 3, 5, 4]),
        (TRIANGLE_STRIP, [0, 1], []),
        (TRIANGLE_STRIP, [STOP] * 4, []),
        (TRIANGLE_FAN, [0, 1, 2, 3], [1, 2, 0, 2, 3, 0]),
        (TRIANGLE_FAN, [0, 1, 2, STOP, 3, 4, 5, STOP], [1, 2, 0, 4, 5, 3]),
        (TRIANGLE_FAN, [0, 1, 1, 2], [1, 2, 0]),
        (TRIANGLE_FAN, [], []),
    ],
)
def test_expanded(mode, indices, listed):
    assert expanded(mode, *indices) == listed


def one_by_one(mode, pieces):
    """Expand element by element, following section 3.7.2.1."""
    out = []
    for v in pieces:
        if mode == LINE_STRIP:
            out += [(v[i], v[i + 1]) for i in range(len(v) - 1)]
        elif mode == LINE_LOOP and len(v) > 1:
            out += [(v[i], v[(i + 1) % len(v)]) for i in range(len(v))]
        elif mode == TRIANGLE_STRIP:
            out += [(v[i], v[i + 1 + i % 2], v[i + 2 - i % 2]) for i in range(len(v) - 2)]
        elif mode == TRIANGLE_FAN:
            out += [(v[i + 1], v[i + 2], v[0]) for i in range(len(v) - 2)]
    return sorted(x for x in out if len(x) == 2 or len(set(x)) == 3)


@given(
    st.sampled_from([LINE_STRIP, LINE_LOOP, TRIANGLE_STRIP, TRIANGLE_FAN]),
    st.lists(st.sampled_from([0, 1, 2, 3, STOP]), max_size=24),
)
def test_expansion_follows_the_specification(mode, indices):
    size = 2 if mode in (LINE_STRIP, LINE_LOOP) else 3
    got = expanded(mode, *indices)
    elements = sorted(tuple(got[i : i + size]) for i in range(0, len(got), size))
    pieces = [[]]
    for index in indices:
        if index == STOP:
            pieces.append([])
        else:
            pieces[-1].append(index)
    assert elements == one_by_one(mode, pieces)
