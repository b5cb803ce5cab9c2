import numpy as np

from rigview.check.displaced_keys import LOT, displaced_keys
from rigview.check.key_groups import KeyGroup, distances


def test_keys_at_the_borders_of_lots():
    """A long track is processed in lots of keys."""
    moved = [LOT - 1, LOT, LOT + 1000]
    times = np.arange(LOT + 2000) / 100
    values = np.sin(times)[:, None, None] * [1.0, 0.5, 0.2]
    values[moved[0] : moved[1] + 1] += 0.4
    values[moved[2]] += 0.4
    sizes = np.array([1000.0])
    moves = distances("mm", sizes, np.diff(values, axis=0))
    group = KeyGroup(times, values, np.zeros(1, np.intp), "mm", sizes, moves)
    one, two, three = (run.keys.tolist() for run in displaced_keys(group, 15.0))
    assert (one, two, three) == ([moved[2]], [moved[0]], [])
