import numpy as np

from rigview.checks.displaced_keys import LOT, displaced_keys
from rigview.checks.key_groups import KeyGroup, distances


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
    one, two, three = (run.keys.tolist() for run in displaced_keys(group, np.array([15.0])))
    assert (one, two, three) == ([moved[2]], [moved[0]], [])


def test_signs_of_rotations_do_not_count():
    """Without opposite signs they are not compared key by key."""
    angles = np.sin(np.arange(40) / 8)[:, None] * [0.4, 0.6]
    angles[17:19, 1] += 0.5
    still = np.zeros_like(angles)
    values = np.stack([np.sin(angles / 2), still, still, np.cos(angles / 2)], axis=-1)
    sizes = np.ones(2)
    moves = distances("°", sizes, np.diff(values, axis=0))
    group = KeyGroup(np.arange(40) / 30, values, np.arange(2), "°", sizes, moves)
    turned = group._replace(values=values * np.where(np.arange(40) % 3, 1, -1)[:, None, None])
    for found in (displaced_keys(each, np.full(2, 8.0)) for each in (group, turned)):
        assert [run.length for run in found if len(run.keys)] == [2]
        assert [(run.keys.tolist(), run.tracks.tolist()) for run in found][1] == ([17], [1])
