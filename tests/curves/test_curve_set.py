"""Curves of the tracks of a joint."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from rigview.animation import quat
from rigview.animation.bezier import POINTS
from rigview.animation.clip import Clip
from rigview.animation.morph import MorphTargets
from rigview.curves.curve_set import tick_labels, ticks
from rigview.curves.from_tracks import animated_joints, channel_curves, joint_curves, value_names
from rigview.model.model import Channel
from tests.support.clips import about, make_track, same_rotation, tracks
from tests.support.models import make_model, square

ZERO = [0.0, 0.0, 0.0]


def curves_of(*made, joint=0, **options):
    model = make_model([square()], (-1, 0))
    return joint_curves(model, Clip.of("Move", made), joint, **options)


def only(curves):
    (chart,) = curves.charts
    return chart


def place(interpolation, times, rows, tangents=None, **options):
    return make_track("translation", interpolation, times, rows, tangents, **options)


def test_linear_has_points_at_its_keys():
    chart = only(curves_of(place("LINEAR", [0.5, 1], [[1, 2, 3], [4, 5, 6]])))
    assert (chart.name, chart.unit, chart.interpolation) == ("Translation", "m", "LINEAR")
    assert [line.label for line in chart.lines] == ["X", "Y", "Z"]
    assert chart.lines[1].points.tolist() == [[0.5, 2], [1, 5]]
    assert chart.lines[1].keys.tolist() == [[0.5, 2], [1, 5]]
    assert not chart.lines[1].handles.size


def test_step_is_drawn_as_steps():
    chart = only(curves_of(place("STEP", [0, 1, 3], [[1, 0, 0], [2, 0, 0], [5, 0, 0]])))
    line = chart.lines[0]
    assert line.points.tolist() == [[0, 1], [1, 1], [1, 2], [3, 2], [3, 5]]
    assert line.keys.tolist() == [[0, 1], [1, 2], [3, 5]]


def test_cubic_has_handles_at_a_third_of_its_segments():
    """The out tangent of the first key is 6 m/s, which over a third of 2 s is 4 m."""
    tangents = [[ZERO, [6, 0, 0]], [[-3, 0, 0], ZERO]]
    chart = only(curves_of(place("CUBICSPLINE", [1, 3], [ZERO, [1, 0, 0]], tangents)))
    np.testing.assert_allclose(
        chart.lines[0].handles, [[[1, 0], [1 + 2 / 3, 4]], [[3, 1], [3 - 2 / 3, 3]]], atol=1e-12
    )
    assert chart.key_count == 2
    assert len(chart.lines[0].points) == POINTS + 1 - 1


@given(tracks(path="translation"))
def test_points_lie_on_the_track(track):
    chart = only(curves_of(track))
    for c, line in enumerate(chart.lines):
        np.testing.assert_array_equal(line.keys[:, 0], track.times)
        np.testing.assert_array_equal(line.keys[:, 1], track.values[:, c])
        assert (np.diff(line.points[:, 0]) >= 0).all()
        times, counts = np.unique(line.points[:, 0], return_counts=True)
        sure = np.isin(line.points[:, 0], times[counts == 1])  # not where it jumps
        expected = track.sample(line.points[sure, 0])[:, c]
        np.testing.assert_allclose(line.points[sure, 1], expected, atol=2e-5)


@given(tracks(path="rotation"))
def test_angles_equal_the_rotations(track):
    if track.interpolation == "CUBICSPLINE":
        track = replace(track, values=track.values + np.float32(3))  # none of no length
    chart = only(curves_of(track))
    assert (chart.name, chart.unit) == ("Rotation", "°")
    degrees = np.stack([line.keys[:, 1] for line in chart.lines], axis=1)
    assert same_rotation(
        Rotation.from_euler("xyz", degrees, degrees=True).as_quat(),
        quat.normalize(track.values),
        2e-5,
    )


def test_angles_do_not_jump():
    keys = [about([0, 1, 0], 100 * k) for k in range(8)]
    chart = only(curves_of(make_track("rotation", "LINEAR", range(8), keys)))
    y = chart.lines[1]
    np.testing.assert_allclose(y.keys[:, 1], np.arange(8) * 100, atol=1e-3)
    assert np.abs(np.diff(y.points[:, 1])).max() < 10


def test_handles_of_angles_touch_the_curve():
    """The slope of the angle is twice that of the half angle: 0.5 per second is 1 rad/s."""
    w = [0.0, 0.0, 0.0, 1.0]
    slope = [0.0, 0.0, 0.5, 0.0]
    track = make_track("rotation", "CUBICSPLINE", [0, 3], [w, w], [[slope, slope]] * 2)
    z = only(curves_of(track)).lines[2]
    np.testing.assert_allclose(z.handles[0], [[0, 0], [1, np.degrees(1)]], atol=1e-4)
    np.testing.assert_allclose(z.handles[1], [[3, 0], [2, -np.degrees(1)]], atol=1e-4)
    start = (z.points[1] - z.points[0])[1] / (z.points[1] - z.points[0])[0]
    assert start == pytest.approx(np.degrees(1), rel=0.02)


def test_quaternion_components():
    keys = [about([1, 0, 0], 0), -about([1, 0, 0], 90), about([1, 0, 0], 180)]
    track = make_track("rotation", "LINEAR", [0, 1, 2], keys)
    chart = only(curves_of(track, angles="quaternion"))
    assert [line.label for line in chart.lines] == ["X", "Y", "Z", "W"]
    half = np.radians([0, 45, 90])
    np.testing.assert_allclose(chart.lines[0].keys[:, 1], np.sin(half), atol=1e-6)
    np.testing.assert_allclose(chart.lines[3].keys[:, 1], np.cos(half), atol=1e-6)


def test_cubic_quaternion_is_drawn_as_stored():
    keys = [[0, 0, 0, 1], [0, 0, 0, -2]]
    track = make_track("rotation", "CUBICSPLINE", [0, 1], keys, np.zeros((2, 2, 4)))
    line = only(curves_of(track, angles="quaternion")).lines[3]
    assert line.keys[:, 1].tolist() == [1, -2]
    assert line.points[100, 1] == pytest.approx(-0.5, abs=0.05)


def test_tracks_and_start_time():
    made = [
        place("LINEAR", [0.5, 2], [ZERO, [1, 0, 0]]),
        make_track("scale", "STEP", [1, 1.5], [[1, 1, 1], [2, 2, 2]]),
        place("LINEAR", [0, 1], [ZERO, [1, 0, 0]], target=1),
    ]
    curves = curves_of(*made)
    assert [chart.name for chart in curves.charts] == ["Translation", "Scale"]
    assert (curves.begin, curves.end) == (0, 2)
    assert curves_of(*made, begin=0.5).begin == 0.5
    nothing = curves_of(made[2])
    assert nothing.charts == ()


def test_one_key_and_two_at_one_time():
    one = only(curves_of(place("CUBICSPLINE", [1], [[1, 2, 3]], [[ZERO, ZERO]])))
    assert one.lines[2].points.tolist() == [[1, 3]]
    two = only(curves_of(place("CUBICSPLINE", [1, 1], [ZERO, [1, 0, 0]], [[[9, 9, 9]] * 2] * 2)))
    assert not two.lines[0].handles.size


def face(*names):
    """A model whose joint 1 has morph weights, and a clip that animates them."""
    flat = np.zeros((len(names), 4, 3), np.float32)
    mesh = replace(square(), morph=MorphTargets(flat, None, None, names))
    weights = Channel("/nodes/1/weights", 0, len(names), "linear", 0, np.zeros(len(names)))
    model = make_model([mesh], channels=(weights,))
    return replace(model, instances=tuple(replace(i, channel=0) for i in model.instances))


def test_constant_morph_weights_are_omitted():
    model = face("smile", "frown", "")
    rows = [[0, 0.5, 0], [1, 0.5, 0], [0, 0.5, 1]]
    clip = Clip.of("Talk", [make_track("values", "LINEAR", [0, 1, 2], rows)])
    assert value_names(model, 0) == ["smile", "frown", "Target 2"]
    chart = only(joint_curves(model, clip, 0))
    assert (chart.name, chart.note) == ("Morph weights", "2 of 3 move")
    assert [line.label for line in chart.lines] == ["smile", "Target 2"]
    one = channel_curves(model, clip, 0, column=1)
    assert one.subject == "frown"
    assert only(one).lines[0].points[:, 1].tolist() == [0.5, 0.5, 0.5]
    assert channel_curves(model, clip, 0).subject == "/nodes/1/weights"
    assert animated_joints(model, clip) == [0]


@pytest.mark.parametrize(
    ("pointer", "width", "labels"),
    [
        ("/materials/0/emissiveFactor", 3, ["X", "Y", "Z"]),
        ("/materials/0/pbrMetallicRoughness/baseColorFactor", 4, ["R", "G", "B", "A"]),
        ("/extensions/KHR_lights_punctual/lights/0/intensity", 1, [""]),
        ("/x/many", 6, ["0", "1", "2", "3", "4", "5"]),
    ],
)
def test_other_quantities(pointer, width, labels):
    channel = Channel(pointer, 0, width, "linear", -1, np.zeros(width, np.float32))
    model = make_model([square()], channels=(channel,))
    rows = np.arange(2 * width).reshape(2, width)
    clip = Clip.of("Glow", [make_track("values", "LINEAR", [0, 1], rows)])
    chart = only(channel_curves(model, clip, 0))
    assert chart.name == pointer.rpartition("/")[2]
    assert [line.label for line in chart.lines] == labels
    assert chart.heading == chart.name
    assert animated_joints(model, clip) == []


def test_distant_lines_have_separate_lanes():
    rows = [[0, 1.0, 2.0], [0.1, 1.1, 2.0]]
    first, second = only(curves_of(place("LINEAR", [0, 1], rows))).lanes
    assert [line.label for line in (*first.lines, *second.lines)] == ["X", "Y"]
    assert second.note == "Z = 2"
    near = only(curves_of(place("LINEAR", [0, 1], [[0, 0.1, 0], [0.3, 0.2, 0]])))
    assert near.lanes == [near]
    still = only(curves_of(place("LINEAR", [0, 1], [[0, 1, 2]] * 2)))
    assert still.lanes == [still]


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(2, 20))
def test_ticks_are_round_and_few(low, span, most):
    found = ticks(low, low + span, most)
    assert len(found) <= most + 1
    assert all(low - 1e-6 * span <= tick <= low + span * (1 + 1e-6) for tick in found)
    assert len(found) >= 1 or most == 2


@given(st.floats(-1e6, 1e6), st.floats(1e-4, 1e6), st.integers(2, 20))
def test_labels_of_ticks_differ(low, span, most):
    found = ticks(low, low + span, most)
    labels = tick_labels(found)
    assert len(set(labels)) == len(found)
    step = found[1] - found[0] if len(found) > 1 else abs(low) or 1.0
    assert [float(label) for label in labels] == pytest.approx(found, rel=1e-3, abs=step / 2)


def test_labels_of_ticks_by_hand():
    assert tick_labels(ticks(1000.0001, 1000.0005, 4)) == [
        "1000.0001", "1000.0002", "1000.0003", "1000.0004", "1000.0005"
    ]  # fmt: skip
    assert tick_labels([-0.1, -1e-18, 0.1]) == ["-0.1", "0", "0.1"]
    assert tick_labels([0.5]) == ["0.5"]


def test_ticks_by_hand():
    assert ticks(0, 1, 6) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert ticks(-0.7, 0.9, 4) == pytest.approx([-0.5, 0, 0.5])
    assert ticks(3, 3, 5) == [3]


def test_scale_leaves_room_and_is_never_flat():
    chart = only(curves_of(place("LINEAR", [0, 1], [ZERO, [1, 0, 0]])))
    low, high = chart.scale
    assert low < 0
    assert high > 1
    still = only(curves_of(place("LINEAR", [0, 1], [[2, 2, 2]] * 2)))
    low, high = still.scale
    assert low < 1.9
    assert high > 2.1


def test_infinite_numbers_are_clamped():
    huge = only(curves_of(place("LINEAR", [0, 1], [[-3e38, 0, 0], [3e38, 0, 0]])))
    assert np.isfinite(huge.lines[0].points).all()


def test_the_line_that_alone_is_off_at_a_key():
    """Of a pop in one component, that one; not of a step that the others have, or between all."""
    times, rows = np.arange(9.0), np.tile(np.arange(9.0)[:, None], 3)
    chart = only(curves_of(place("LINEAR", times, rows)))
    assert chart.line_off(4.0) == ""
    rows[4, 1] += 5.0
    chart = only(curves_of(place("LINEAR", times, rows)))
    assert chart.line_off(4.1) == "Y"
    assert chart.line_off(7.0) == ""
    rows[4, 2] += 5.0
    chart = only(curves_of(place("LINEAR", times, rows)))
    assert chart.line_off(4.0) == ""
    assert only(curves_of(place("LINEAR", [0.0], [ZERO]))).line_off(0.0) == ""
