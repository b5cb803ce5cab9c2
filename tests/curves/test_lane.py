"""Lanes of charts: the same places for one point and for many, and what is seen of a curve."""

import numpy as np
import pytest

from rigview.curves.curve_set import Chart, Line
from rigview.curves.lane import Lane

TIMES = np.linspace(0.0, 2.0, 401)
LINE = Line(
    "X",
    np.stack([TIMES, np.sin(TIMES)], -1),
    np.array([[0.0, 1.0], [0.5, 2.0]]),
    np.zeros((0, 2, 2)),
)
CHART = Chart("Translation", "m", "LINEAR", (LINE,))


def lane(begin=0.0, end=2.0, width=100.0):
    return Lane(10.0, 20.0, 10.0 + width, 60.0, begin, end, -1.0, 1.0, CHART, CHART, False)


def test_one_point_and_many_have_the_same_places():
    points = np.array([[0.0, -1.0], [1.0, 0.0], [2.0, 1.0]])
    places = lane().place(points)
    assert places.tolist() == [[10.0, 60.0], [60.0, 40.0], [110.0, 20.0]]
    assert [lane().point(*each) for each in points.tolist()] == list(map(tuple, places.tolist()))
    assert lane().seconds(lane().x(1.5)) == pytest.approx(1.5)


def test_points_are_thinned_to_the_visible_ones():
    seen = lane(0.5, 1.0, width=1000.0).thinned(LINE.points)[:, 0]
    assert seen[0] == pytest.approx(0.495)
    assert seen[-1] == pytest.approx(1.005)
    assert len(lane(width=50.0).thinned(LINE.points)) == 51


def test_spacing_is_the_distance_of_keys_on_the_screen():
    assert lane().spacing(LINE) == pytest.approx(25.0)
    assert lane().inside(LINE.keys[:, 0], LINE.keys[:, 0]).tolist() == [0, 1]
    assert lane(0.2, 1.0).inside(LINE.keys[:, 0], LINE.keys[:, 0]).tolist() == [1]
