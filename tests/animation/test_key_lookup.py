import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation.key_lookup import KeyTimes
from tests.support.clips import f32

key_times = st.lists(st.floats(0, 8, width=32), min_size=1, max_size=6)
key_time_lists = st.lists(key_times.map(lambda times: f32(*sorted(times))), min_size=1, max_size=5)
SECONDS = st.floats(-1, 9)


def linear_search(line, time):
    """Return the last key at or before a time rounded to float32, and the fraction to the next."""
    k = 0
    for i, key in enumerate(line):
        if np.float32(time) >= key:
            k = i
    if k + 1 == len(line) or np.float32(time) == line[k]:
        return k, 0.0
    length = float(line[k + 1]) - float(line[k])
    u = (time - float(line[k])) / length if length > 0 else 0.0
    return k, min(max(u, 0.0), 1.0)


@given(key_time_lists, st.lists(SECONDS, min_size=1, max_size=5))
def test_lookup_equals_linear_search(lines, times):
    lookup = KeyTimes(lines)
    keys, fractions = lookup.find(np.array(times))
    assert keys.shape == fractions.shape == (len(times), len(lines))
    for row, time in enumerate(times):
        for column, line in enumerate(lines):
            k, u = linear_search(line, time)
            assert keys[row, column] - lookup.firsts[column] == k
            assert abs(fractions[row, column] - u) <= 1e-6


@given(key_time_lists, st.data())
def test_lookup_at_key_time_has_fraction_zero(lines, data):
    lookup = KeyTimes(lines)
    time = data.draw(st.sampled_from(np.concatenate(lines).tolist()))
    keys, fractions = lookup.find(np.array(time))
    for column, line in enumerate(lines):
        if time in line:
            assert lookup.keys[keys[column]] == time
            assert fractions[column] == 0


@given(key_times, SECONDS)
def test_find_one_equals_find(times, time):
    lookup = KeyTimes([f32(*sorted(times))])
    keys, fractions = lookup.find(np.array(time))
    key, u = lookup.find_one(time)
    assert key == keys[0]
    assert abs(u - fractions[0]) <= 1e-6


def test_lookup_rounds_times_to_float32():
    line = f32(0, 0.1, 0.7)  # float32(0.1) lies above 0.1, float32(0.7) below 0.7
    lookup = KeyTimes([line])
    assert lookup.find_one(0.1) == (1, 0.0)
    assert lookup.find_one(0.7) == (2, 0.0)
    keys, _ = lookup.find(np.array([0.1, 0.7]))
    assert keys[:, 0].tolist() == [1, 2]


def test_lookup_distinguishes_adjacent_float32_keys():
    late = np.float32(3600)
    before = np.nextafter(late, np.float32(0))
    lookup = KeyTimes([f32(0, late), f32(0, before), f32(0, 1)])
    keys, _ = lookup.find(np.array([float(before), float(late)]))
    assert (keys - lookup.firsts).tolist() == [[0, 1, 1], [1, 1, 1]]


def test_clamp_limits_key_numbers_to_each_timeline():
    lookup = KeyTimes([f32(0, 1, 2), f32(0.5)])
    assert lookup.clamp(np.array([0, 1, 5])).tolist() == [[0, 3], [1, 3], [2, 3]]
