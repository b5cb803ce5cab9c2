"""The strips of layers: what they show of a schedule, and how drags of them edit it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rigview.blending.parameters import Limits, Parameters
from rigview.motion.document import (
    At,
    Cut,
    Fade,
    LayerSettings,
    MotionDoc,
    Nested,
    Parameter,
    Seek,
    Set,
    Speed,
)
from rigview.session.timeline.strips import (
    NO_MOMENT,
    dragged,
    lanes_of,
    removed,
    strip_part,
    title,
    with_weight_strip,
)
from rigview.session.timeline.time_axis import TimeAxis

AXIS = TimeAxis(0.0, 10.0, 0.0, 1000.0)
FADES = MotionDoc(
    parameters={"speed": Parameter()},
    layers=(LayerSettings("base", "Walk"), LayerSettings("wave", "Wave", weight=0.0, mute=True)),
    at=(
        At(4.0, Fade("base", "Idle", 1.0)),
        At(2.0, Fade("base", "Run", 0.5)),
        At(1.0, Set("speed", 2.0)),
        At(3.0, Seek("base", 0.2)),
        At(6.0, Cut("")),
    ),
)


def waving(*sets, weight=0.0):
    """A document that sets the weight of a layer: times, values and seconds."""
    at = tuple(At(time, Set("wave.weight", value, ramp)) for time, value, ramp in sets)
    layers = LayerSettings("base", "Walk"), LayerSettings("wave", "Wave", weight=weight)
    return MotionDoc(layers=layers, at=at)


def strips_of(document, layer="wave"):
    return next(lane.strips for lane in lanes_of(document) if lane.layer == layer)


def test_sources_fade_into_each_other():
    base, others, wave = lanes_of(FADES)
    seen = [(s.label, s.begin, s.end, s.ramp_in, s.ramp_out, s.start, s.stop) for s in base.strips]
    assert seen == [
        ("Walk", 0.0, 2.5, 0.0, 0.5, NO_MOMENT, 1),
        ("Run", 2.0, 5.0, 0.5, 1.0, 1, 0),
        ("Idle", 4.0, math.inf, 1.0, 0.0, 0, NO_MOMENT),
    ]
    assert [(mark.time, mark.moment, mark.words) for mark in base.marks] == [
        (3.0, 3, "base at 0.2 s")
    ]
    assert (base.active, wave.active) == (True, False)
    assert wave.strips == (), "it has no weight"
    assert [(mark.moment, mark.words) for mark in others.marks] == [
        (2, "speed = 2"),
        (4, "Orbit camera"),
    ]


def test_solo_layers_and_layers_in_layers():
    inner = LayerSettings("inner", "Nod", weight=0.0)
    layers = LayerSettings("base", "Walk"), LayerSettings("nest", Nested((inner,)), solo=True)
    document = MotionDoc(layers=layers, at=(At(1.0, Set("inner.weight", 1.0)),))
    base, nest, others = lanes_of(document)
    assert (base.active, nest.active) == (False, True)
    assert [mark.words for mark in others.marks] == ["inner.weight = 1"]


def test_weights_are_strips():
    document = waving(
        (1.0, 1.0, 0.5), (3.0, 0.5, None), (4.0, 0.0, 1.0), (7.0, 0.8, None), (8.0, 0, 0)
    )
    first, second = strips_of(document)
    assert (first.begin, first.end, first.ramp_in, first.ramp_out) == (1.0, 5.0, 0.5, 1.0)
    assert (first.start, first.stop, first.moments) == (0, 2, (0, 1, 2))
    assert (second.begin, second.end, second.moments) == (7.0, 8.0, (3, 4))
    (whole,) = strips_of(waving((2.0, 0.0, 1.0), weight=1.0))
    assert (whole.begin, whole.end, whole.start, whole.moments) == (0.0, 3.0, NO_MOMENT, (0,))
    (again,) = strips_of(waving((1.0, 1.0, 0.0), (2.0, 0.0, 1.0), (2.5, 1.0, 0.5)))
    assert (again.end, again.stop, again.moments) == (math.inf, NO_MOMENT, (0, 1, 2))
    (mark,) = lanes_of(waving((1.0, 0.0, None)))[1].marks
    assert mark.words == "wave.weight = 0"


def test_outline_is_the_weight_over_time():
    sets = ((1.0, 1.0, 2.0), (2.0, 0.25, 1.0), (2.5, 0.9, 0.0), (4.0, 0.0, 1.0))
    (strip,) = strips_of(waving(*sets))
    parameters = Parameters({"w": np.float64(0.0)}, {"w": Limits(0.0, 1.0)})
    for time, value, ramp in sets:
        parameters.set("w", value, time, ramp)
        here = [each for each in strip.outline if each.time <= time]
        assert here, "the strip begins by then"
    times, weights = zip(*strip.outline, strict=True)
    assert float(np.interp(3.0, times, weights)) == pytest.approx(0.9)
    assert float(np.interp(4.5, times, weights)) == pytest.approx(float(parameters.at("w", 4.5)))
    assert float(np.interp(1.5, times, weights)) == pytest.approx(0.25)


@pytest.mark.parametrize(("number", "x", "part"), [
    (1, 200.0, "start"), (1, 251.0, "ramp in"), (1, 300.0, "all"), (1, 500.0, "all"),
    (1, 600.0, None), (0, 100.0, "all"), (2, 999.0, "all"),
])  # fmt: skip
def test_parts_of_a_source(number, x, part):
    assert strip_part(strips_of(FADES, "base")[number], AXIS, x, 4.0) == part


@pytest.mark.parametrize(("x", "part"), [
    (100.0, "start"), (150.0, "ramp in"), (200.0, "all"), (302.0, "ramp out"), (403.0, "end"),
    (410.0, None),
])  # fmt: skip
def test_parts_of_a_weight(x, part):
    (strip,) = strips_of(waving((1.0, 1.0, 0.5), (3.0, 0.0, 1.0)))
    assert strip_part(strip, AXIS, x, 4.0) == part


@pytest.mark.parametrize(("part", "start", "now", "schedule"), [
    ("all", 2.0, 3.5, [(2.5, 0.5), (4.5, 1.0)]), ("all", 2.0, -9.0, [(0.0, 0.5), (2.0, 1.0)]),
    ("start", 1.0, 0.5, [(0.5, 0.5), (3.0, 1.0)]), ("start", 1.0, 9.0, [(3.0, 0.5), (3.0, 1.0)]),
    ("ramp in", 1.5, 2.0, [(1.0, 1.0), (3.0, 1.0)]),
    ("ramp in", 1.5, 0.2, [(1.0, 0.0), (3.0, 1.0)]),
    ("end", 4.0, 5.0, [(1.0, 0.5), (4.0, 1.0)]), ("ramp out", 3.0, 3.5, [(1.0, 0.5), (3.5, 0.5)]),
])  # fmt: skip
def test_drags_of_a_weight(part, start, now, schedule):
    document = waving((1.0, 1.0, 0.5), (3.0, 0.0, 1.0))
    (strip,) = strips_of(document)
    moved = dragged(document, strip, part, start, now)
    assert [(at.time, at.do.seconds) for at in moved.at] == schedule


def test_drags_of_a_source():
    run = strips_of(FADES, "base")[1]
    moved = dragged(FADES, run, "all", 3.0, 3.5)
    assert [at.time for at in moved.at] == [4.5, 2.5, 1.0, 3.0, 6.0], "its end moves with it"
    assert dragged(FADES, run, "ramp in", 2.5, 2.8).at[1].do.seconds == pytest.approx(0.8)
    walk = strips_of(FADES, "base")[0]
    assert dragged(FADES, walk, "all", 1.0, 2.0) == FADES, "the first source begins at 0"


def test_removed_strip():
    document = waving((1.0, 1.0, 0.5), (3.0, 0.0, 1.0), (5.0, 1.0, 0.0))
    first, _ = strips_of(document)
    assert [at.time for at in removed(document, first.moments).at] == [5.0]


def test_new_strip():
    document = with_weight_strip(waving(), "wave", 3.0, 1.0)
    (strip,) = strips_of(document)
    assert (strip.begin, strip.end, strip.ramp_in, strip.ramp_out) == (1.0, 3.0, 0.2, 0.2)
    assert with_weight_strip(document, "wave", 1.0, 1.01) is document
    short = with_weight_strip(waving(), "wave", 1.0, 1.2)
    assert strips_of(short)[0].ramp_in == pytest.approx(0.1)


def test_titles():
    assert title(At(0.0, Speed("base", 2.0))) == "base × 2"
    assert title(At(0.0, Cut("Front"))) == "Camera Front"
    assert title(At(0.0, Set("look", (1.0, 2.0, 3.0)))) == "look = 1, 2, 3"


def test_lanes_keep_the_order_of_another_document():
    before = waving((1.0, 1.0, 0.5))
    names = [lane.layer for lane in lanes_of(before)]
    now = waving()
    added = replace(now, layers=(LayerSettings("new", "Nod"), *reversed(now.layers)))
    assert [lane.layer for lane in lanes_of(added)] == ["new", "base", "wave"]
    assert [lane.layer for lane in lanes_of(added, before)] == [*names, "new"]
    assert dict.fromkeys(lanes_of(added, before)) == dict.fromkeys(lanes_of(added))
