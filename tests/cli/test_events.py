"""`rigview events`: one line per event."""

import json

import pytest

from rigview.blending import stepped_mixer
from rigview.resources import asset_path

MANNEQUIN = asset_path("mannequin.glb")
STEPS = """
[clips.Walk]
events = [{ name = "left", phase = 0.25 }, { name = "right", phase = 0.75 }]
[[layers]]
name = "base"
play = "Walk"
"""
SEAM = """
[clips.Walk]
events = [{ name = "begin", time = 0 }, { name = "end", phase = 1 }]
[[layers]]
name = "base"
play = "Walk"
weight = 0.5
"""


@pytest.fixture
def events(rigview, tmp_path):
    """The events of a motion file on the mannequin: (time, name, clip, layer, weight, pass)."""

    def run(text, time, *options):
        file = tmp_path / "m.motion.toml"
        file.write_text(f"version = 1\n{text}")
        ran = rigview("events", MANNEQUIN, "--motion", file, "--time", time, "--json", *options)
        assert ran.code == 0, ran.err
        return [tuple(event.values()) for event in json.loads(ran.out)]

    return run


def test_one_line_per_event(rigview, tmp_path):
    file = tmp_path / "m.motion.toml"
    file.write_text(f"version = 1\n{STEPS}")
    ran = rigview("events", MANNEQUIN, "--motion", file, "--time", "0..1.5")
    assert ran.code == 0
    assert [line.split() for line in ran.out.splitlines()] == [
        ["0.2500", "left", "Walk", "base", "1.000", "0"],
        ["0.7500", "right", "Walk", "base", "1.000", "0"],
        ["1.2500", "left", "Walk", "base", "1.000", "1"],
    ]


def test_start_of_the_interval(events):
    assert [event[0] for event in events(STEPS, "0.25..1.25")] == [0.75, 1.25]
    assert [event[:2] for event in events(SEAM, "0..1")] == [
        (0.0, "begin"),
        (1.0, "end"),
        (1.0, "begin"),
    ]
    assert [event[5] for event in events(SEAM, "0..1")] == [0, 0, 1]
    assert events(SEAM, "1..1.5") == []


def test_weight_of_the_layer(events):
    assert {event[4] for event in events(SEAM, "0..3")} == {0.5}
    assert events(SEAM, "0..3", "--set", "base.weight=0.005") == []


@pytest.mark.parametrize("step", ["0.01", "0.25", "0.3", "7"])
def test_events_are_independent_of_step(events, step):
    assert events(STEPS, "0..3", "--step", step) == events(STEPS, "0..3")


def test_speed_and_actions(events):
    assert [event[0] for event in events(STEPS, "0..1", "--speed", "2")] == [
        0.125,
        0.375,
        0.625,
        0.875,
    ]
    backwards = events(STEPS, "0..1", "--speed", "-1", "--loop", "loop")
    assert [event[:2] for event in backwards] == [(0.25, "right"), (0.75, "left")]
    jumped = events(STEPS, "0..1", "--at", "0.5:seek:base=0")
    assert [event[:2] for event in jumped] == [(0.25, "left"), (0.75, "left")]
    still = events(STEPS, "0..1", "--at", "0.5:speed:base=0")
    assert [event[:2] for event in still] == [(0.25, "left")]
    once = events(STEPS, "0..5", "--loop", "once")
    assert [event[:2] for event in once] == [(0.25, "left"), (0.75, "right")]


@pytest.mark.parametrize(
    ("line", "options"),
    [("speed = 1e9", ()), ("", ("--at", "1:speed:base=1e9")), ("speed = -1001", ())],
)
def test_absurd_speeds_are_refused(rigview, tmp_path, line, options):
    file = tmp_path / "m.motion.toml"
    file.write_text(f"version = 1\n{STEPS}{line}\n")
    ran = rigview("events", MANNEQUIN, "--motion", file, "--time", "0..10", *options)
    assert ran.code in (2, 3)
    assert "from -1000 to 1000" in ran.err


def test_a_list_of_too_many_events_is_refused(rigview, tmp_path, monkeypatch):
    monkeypatch.setattr(stepped_mixer, "MAX_EVENTS", 3000)
    file = tmp_path / "m.motion.toml"
    file.write_text(f"version = 1\n{STEPS}")
    ran = rigview("events", MANNEQUIN, "--motion", file, "--time", "0..1e7")
    assert ran.code == 2
    assert "more than 3000 events from 0 to 1e+07 s" in ran.err


QUIET = """
[[layers]]
name = "base"
play = "Walk"
"""
PIVOT = """
[clips.WalkForward]
root = { joint = "Hips", mode = "accumulate", axes = "z" }
[pivot]
rate = "turn"
[parameters]
turn = { default = 50, range = [-50, 50] }
[[layers]]
name = "base"
play = "WalkForward"
"""


@pytest.mark.parametrize(
    ("text", "time"),
    [(QUIET, "0..1e9"), (STEPS, "1e9..2e9"), (PIVOT, "0..10"), (PIVOT, "10..11")],
)
def test_events_of_too_many_steps_are_refused(rigview, tmp_path, monkeypatch, text, time):
    monkeypatch.setattr(stepped_mixer, "MAX_STEPS", 1000)
    file = tmp_path / "m.motion.toml"
    file.write_text(f"version = 1\n{text}")
    ran = rigview("events", MANNEQUIN, "--motion", file, "--time", time)
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "--time: the events need more than 1000 steps" in ran.err


def test_events_of_an_hour(events):
    """A long interval is listed in several steps; no event is lost or doubled between them."""
    found = [(time, name, number) for time, name, *_, number in events(STEPS, "0..3600")]
    last = [(time, name, number) for time, name, *_, number in events(STEPS, "3595..3600")]
    names = ["left", "right"]
    assert [(name, number) for _, name, number in found] == [
        (names[k % 2], k // 2) for k in range(len(found))
    ]
    assert found[-len(last) :] == [(pytest.approx(time), *rest) for time, *rest in last]


def test_without_a_motion_file_nothing_fires(rigview):
    ran = rigview("events", MANNEQUIN, "--no-motion", "--time", "0..1")
    assert (ran.code, ran.out) == (0, "")
    assert "without a motion file" in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--time", "1"], "such as 0..2.5"),
        (["--time", "1..0"], "ends before it begins"),
        (["--time", "0..1", "--step", "0"], "not above 0"),
        (["--time", "0..1", "--step", "1e-9"], "more than"),
        ([], "--time"),
    ],
)
def test_wrong_use(rigview, options, said):
    ran = rigview("events", MANNEQUIN, "--no-motion", *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
