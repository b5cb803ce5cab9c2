"""The event preview of the timeline."""

from dataclasses import replace

import pytest

from rigview.motion.document import (
    At,
    ClipEvent,
    ClipSettings,
    LayerSettings,
    MotionDoc,
    Set,
)
from rigview.motion.event_preview import EventPreview, events_only
from tests.support.five_joint_model import five_joint_model, slide_clip

DOCUMENT = MotionDoc(
    clips={
        "Walk": ClipSettings(events=(ClipEvent("start", phase=0.0), ClipEvent("step", phase=0.25)))
    },
    layers=(LayerSettings("base", "Walk"),),
)


@pytest.fixture
def preview():
    return EventPreview(five_joint_model(slide_clip("Walk", 1.0, 1.4)), DOCUMENT)


def taus(preview):
    return [round(each.tau, 6) for each in preview.fired]


def test_events_of_the_visible_part(preview):
    preview.work(1000, 0.0, 1.5)
    assert taus(preview) == [0.0, 0.25, 1.0, 1.25]
    assert 1.5 <= preview.reached < 1.6


def test_events_left_behind_are_dropped(preview):
    for second in range(60):
        preview.work(1000, float(second), second + 2.0)
    assert taus(preview) == [59.0, 59.25, 60.0, 60.25, 61.0]


def test_jumps_of_the_visible_part(preview):
    preview.work(1000, 0.0, 1.0)
    preview.work(1000, 1000.5, 1001.5)
    assert taus(preview) == [1001.0, 1001.25]
    preview.work(1000, 3.1, 4.1)
    assert taus(preview) == [3.25, 4.0]
    preview.work(1000, 0.0, 1.1)
    assert taus(preview) == [0.0, 0.25, 1.0]


def test_layers_that_stay_without_weight_are_not_evaluated():
    silent = LayerSettings("over", "Walk", weight=0.0)
    document = replace(DOCUMENT, layers=(*DOCUMENT.layers, silent))
    assert [each.name for each in events_only(document).layers] == ["base"]
    document = replace(document, at=(At(1.0, Set("over.weight", 1.0)),))
    assert [each.name for each in events_only(document).layers] == ["base", "over"]
    preview = EventPreview(five_joint_model(slide_clip("Walk", 1.0, 1.4)), document)
    preview.work(1000, 0.0, 1.5)
    assert taus(preview) == [0.0, 0.25, 1.0, 1.25, 1.25]
