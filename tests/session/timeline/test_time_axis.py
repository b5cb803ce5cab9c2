"""Ticks of the timeline and the places of its labels."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.animation.clip import Clip
from rigview.model.joint_key_times import joint_key_times
from rigview.session.timeline.time_axis import (
    RulerLabel,
    TimeAxis,
    centred_labels,
    key_marks,
    ruler_ticks,
    staggered_labels,
    uncovered,
)
from tests.support.clips import sliding_clip
from tests.support.models import make_model, square


@settings(max_examples=40)
@given(
    st.floats(0.0, 1e4),
    st.floats(1e-3, 1e5),
    st.floats(40.0, 4000.0),
    st.sampled_from([10.0, 24.0, 25.0, 29.97, 30.0, 60.0, 0.5]),
    st.floats(20.0, 120.0),
)
def test_labelled_ticks_have_room(begin, length, width, rate, label):
    axis = TimeAxis(begin, begin + length, 10.0, width)
    ticks = ruler_ticks(axis, rate, label)
    places = [axis.x(tick.seconds) for tick in ticks if tick.labelled]
    assert all(b - a >= label * (1 - 1e-6) for a, b in pairwise(places))
    assert all(
        axis.begin - 1e-4 * length <= tick.seconds <= axis.end + 1e-4 * length for tick in ticks
    )
    assert len(ticks) <= 2 + 10 * (1 + width / label)


@pytest.mark.parametrize(("length", "rate", "frames"), [
    (0.1, 30.0, range(4)), (1.0, 30.0, range(0, 31, 6)), (4.0, 30.0, range(0, 121, 30)),
    (1.0, 24.0, range(0, 25, 6)), (1.0, 60.0, range(0, 61, 12)), (60.0, 30.0, range(0, 1801, 300)),
    (1.0, 29.97, range(0, 30, 5)), (1.0, 1.0, range(2)),
])  # fmt: skip
def test_labels_adapt_to_the_zoom(length, rate, frames):
    ticks = ruler_ticks(TimeAxis(0.0, length, 0.0, 400.0), rate, 60.0)
    assert [tick.frame for tick in ticks if tick.labelled] == list(frames)


def test_time_and_place():
    axis = TimeAxis(2.0, 4.0, 100.0, 200.0)
    assert axis.x(3.0) == 200.0
    assert axis.seconds(200.0) == 3.0
    assert axis.seconds(0.0) == 2.0
    assert axis.shows(4.0)
    assert not axis.shows(4.1)


def test_keys_of_the_selected_joint():
    model = make_model([square()], clips=(sliding_clip("A", 0.0, 0.5, 2.0),))
    clip = model.clips[0]
    (track,) = clip.tracks
    assert joint_key_times(model, clip, track.target).tolist() == [0.0, 0.5, 2.0]
    assert joint_key_times(model, clip, track.target + 1).size == 0
    assert joint_key_times(model, Clip.of("empty", ()), 0).size == 0


def test_dense_keys_are_one_mark():
    axis = TimeAxis(0.0, 1.0, 10.0, 100.0)
    assert key_marks(np.array([0.0, 0.01, 0.02, 0.5, 2.0]), axis, 4.0) == [
        (10.0, 12.0),
        (60.0, 60.0),
    ]
    assert key_marks(np.array([2.0]), axis, 4.0) == []
    assert key_marks(np.zeros(0), axis, 4.0) == []


widths = st.lists(st.tuples(st.floats(0.0, 500.0), st.floats(10.0, 90.0)), max_size=20)


def overlaps(placed):
    """Whether two labels of a row overlap."""
    drawn = sorted(each for each in placed if each.width > 0)
    return any(a.row == b.row and a.left + a.width > b.left + 1e-6 for a, b in pairwise(drawn))


@settings(max_examples=40)
@given(widths)
def test_centred_labels_never_overlap(labels):
    labels = sorted(labels)
    placed = centred_labels([x for x, _ in labels], [w for _, w in labels], 0.0, 500.0, 4.0)
    assert not overlaps(placed)
    assert all(
        each.left >= 0.0 and each.left + each.width <= 500.0 for each in placed if each.width
    )


@settings(max_examples=40)
@given(widths, st.integers(1, 3))
def test_staggered_labels_never_overlap(labels, rows):
    labels = sorted(labels)
    placed = staggered_labels(
        [x for x, _ in labels], [w for _, w in labels], 500.0, rows=rows, gap=4.0, least=20.0
    )
    assert len(placed) == len(labels)
    assert not overlaps(placed)
    assert all(each.row < rows and each.left + each.width <= 500.0 + 1e-9 for each in placed)


def test_labels_are_staggered_then_shortened_then_left_out():
    placed = staggered_labels([0, 10, 60, 62], [50.0] * 4, 500.0, rows=2, gap=4.0, least=20.0)
    assert [(each.row, each.width) for each in placed] == [
        (0, 50.0),
        (1, 48.0),
        (0, 50.0),
        (1, 50.0),
    ]
    (_, _, third) = staggered_labels([0, 2, 4], [50.0] * 3, 500.0, rows=2, gap=4.0, least=20.0)
    assert third.width == 0.0


def test_last_label_moves_inside():
    (label,) = staggered_labels([490.0], [50.0], 500.0, rows=2, gap=4.0, least=20.0)
    assert (label.left, label.width) == (450.0, 50.0)


def test_labels_below_the_playhead_are_left_out():
    labels = [RulerLabel(x, x + 10.0, f"{x:g}") for x in (0.0, 20.0, 40.0)]
    assert [label.text for label in uncovered(labels, 18.0, 40.0)] == ["0", "40"]
