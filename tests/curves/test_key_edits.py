"""Moving and deleting a key of a curve."""

import numpy as np
import pytest

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.animation.euler import from_euler, to_euler
from rigview.animation.track import Track
from rigview.curves.from_tracks import joint_curves
from rigview.curves.key_edits import GAP, HeldKey
from tests.support.models import make_model, square


def rotation(values, how="LINEAR", tangents=None):
    times = np.arange(len(values), dtype=np.float32) / 2
    return Track(0, "rotation", how, times, np.float32(values), tangents)


def held(track, component=0, key=1, angles="euler"):
    clip = Clip.of("Clip", [track])
    chart = joint_curves(make_model([square()]), clip, 0, angles=angles).charts[0]
    return HeldKey.of(chart, chart.lines[component], key)


def shown(track, key=1):
    clip = Clip.of("Clip", [track])
    chart = joint_curves(make_model([square()]), clip, 0).charts[0]
    return [float(line.keys[key, 1]) for line in chart.lines]


def test_angles_and_quaternions_are_inverse(rng):
    q = quat.normalize(rng.normal(size=(50, 4)))
    same = np.abs((from_euler(to_euler(q)) * q).sum(axis=1))
    assert same == pytest.approx(1.0)


def test_a_moved_component_is_stored():
    track = Track(0, "translation", "LINEAR", np.float32([0, 1, 2]), np.zeros((3, 3), np.float32))
    moved = held(track, component=1).moved(1.25, 3.0)
    assert moved.times.tolist() == [0, 1.25, 2]
    assert moved.values.tolist() == [[0, 0, 0], [0, 3, 0], [0, 0, 0]]
    assert not track.values.any()


def test_an_angle_in_degrees_is_stored_as_a_unit_quaternion_of_the_same_sign():
    q = -from_euler(np.radians([[10.0, 20.0, 30.0]] * 3))
    key = held(rotation(q), component=2)
    assert key.value == pytest.approx(30.0, abs=1e-4)
    moved = key.moved(key.seconds, 75.0)
    assert np.linalg.norm(moved.values[1]) == pytest.approx(1.0)
    assert moved.values[1] @ q[1] > 0
    assert shown(moved) == pytest.approx([10.0, 20.0, 75.0], abs=1e-3)
    assert np.array_equal(moved.values[[0, 2]], np.float32(q)[[0, 2]])


def test_more_than_half_a_turn_is_shown_as_it_was_dragged():
    key = held(rotation(from_euler(np.radians([[0.0, 0.0, z] for z in (0.0, 100.0, 170.0)]))), 2)
    assert shown(key.moved(key.seconds, 150.0))[2] == pytest.approx(150.0, abs=1e-3)


def test_a_component_of_a_quaternion_is_normalized_with_the_stored_sign():
    q = np.float32([[0, 0, 0, 1], [0, 0, 0, -1], [0, 0, 0, 1]])
    moved = held(rotation(q), component=0, angles="quaternion").moved(0.5, 0.75)
    assert moved.values[1] == pytest.approx([-0.6, 0, 0, -0.8])


def test_tangents_are_kept(rng):
    tangents = rng.normal(size=(3, 2, 4)).astype(np.float32)
    key = held(rotation(np.eye(4)[[3, 0, 3]], "CUBICSPLINE", tangents))
    moved = key.moved(0.6, key.value + 10)
    assert np.array_equal(moved.tangents, tangents)
    assert np.array_equal(key.deleted().tangents, tangents[[0, 2]])


def test_a_key_stays_between_its_neighbours():
    track = Track(0, "translation", "STEP", np.float32([0, 1, 2]), np.zeros((3, 3), np.float32))
    for seconds, expected in ((5.0, 2 - GAP), (-1.0, GAP), (1.5, 1.5)):
        assert held(track).moved(seconds, 0.0).times[1] == pytest.approx(expected)
    assert held(track, key=0).moved(-1.0, 0.0).times[0] == 0.0
    assert held(track, key=2).moved(9.0, 0.0).times[2] == 9.0


def test_a_key_moved_in_time_alone_keeps_its_value_exactly():
    q = np.float32([[0, 0, 0, 1], [0.6, 0, 0, 0.80001], [0, 0, 0, 1]])
    key = held(rotation(q))
    assert np.array_equal(key.moved(0.7, key.value).values, q)


def test_the_only_key_cannot_be_deleted():
    track = Track(0, "translation", "LINEAR", np.float32([0]), np.zeros((1, 3), np.float32))
    assert held(track, key=0).deleted() is None
