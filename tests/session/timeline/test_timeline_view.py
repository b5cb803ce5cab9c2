"""The visible part of the timeline, and drags of the range on its ruler."""

import math

import pytest

from rigview.session.player import PlayRange
from rigview.session.timeline.time_axis import TimeAxis
from rigview.session.timeline.timeline_view import (
    RangeDrag,
    TimelineView,
    dragged_range,
    range_part,
    snapped,
)

AXIS = TimeAxis(0.0, 2.0, 100.0, 200.0)
SPAN = PlayRange(0.5, 1.5)
RULER = (0.0, 2.0)


def test_zoom_keeps_the_place_under_the_pointer():
    view = TimelineView()
    view.zoom_by(0.5, 0.25)
    assert view.zoom == (0.125, 0.625)
    assert view.visible((2.0, 4.0)) == (2.25, 3.25)
    view.zoom_by(4.0, 0.5)
    assert view.zoom == (0.0, 1.0)
    for _ in range(99):
        view.zoom_by(0.5, 1.0)
    assert view.zoom[1] == 1.0
    assert view.zoom[1] - view.zoom[0] == pytest.approx(1e-3)


def test_pan_stays_on_the_ruler():
    view = TimelineView(zoom=(0.25, 0.5))
    view.pan(0.5)
    assert view.zoom == (0.375, 0.625)
    view.pan(-9.0)
    assert view.zoom == (0.0, 0.25)


def test_present_time_turns_the_page():
    view = TimelineView(zoom=(0.0, 0.25))
    view.follow(0.2)
    view.follow(0.26)
    assert view.zoom == (0.26, 0.51)
    view.pan(1.0)
    view.follow(0.27)
    assert view.zoom == (0.51, 0.76), "another part was chosen"
    view.follow(0.6)
    view.follow(0.1)
    assert view.zoom == (0.1, 0.35), "a loop starts again"


@pytest.mark.parametrize(("x", "span", "part"), [
    (152.0, SPAN, "begin"), (247.0, SPAN, "end"), (200.0, SPAN, "all"), (120.0, SPAN, "new"),
    (280.0, SPAN, "new"), (200.0, None, "new"), (280.0, PlayRange(0.5, math.inf), "all"),
])  # fmt: skip
def test_what_a_press_drags(x, span, part):
    assert range_part(AXIS, span, x, 5.0) == part


@pytest.mark.parametrize(("part", "start", "now", "expected"), [
    ("new", 0.31, 0.79, (0.3, 0.8)), ("new", 0.79, -0.1, (0.0, 0.8)),
    ("begin", 0.5, 0.7, (0.7, 1.5)), ("begin", 0.5, 1.8, (1.5, 1.8)),
    ("end", 1.5, 2.4, (0.5, 2.0)), ("all", 1.0, 1.2, (0.7, 1.7)),
    ("all", 1.0, 1.9, (1.0, 2.0)), ("all", 1.0, 0.0, (0.0, 1.0)),
])  # fmt: skip
def test_drags_of_the_range(part, start, now, expected):
    drag = RangeDrag(part, start, 0.0, SPAN)
    assert dragged_range(drag, now, RULER, 10.0) == pytest.approx(expected)


def test_drag_of_a_range_without_an_end():
    drag = RangeDrag("all", 1.0, 0.0, PlayRange(0.5, math.inf))
    assert dragged_range(drag, 0.8, (0.0, 10.0), 10.0) == (0.3, 9.8)


def test_snapped_to_frames():
    assert snapped(0.34, 30.0) == 10 / 30
