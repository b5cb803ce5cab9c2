"""A mixer's pose depends only on the global time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.animation.clip import Clip
from tests.support.five_joint_model import (
    bind_motion,
    current_pose,
    five_joint_model,
    pose_at,
    slide_clip,
    track_of,
    turn_clip,
)

BUSY = """
[parameters]
speed = { default = 0, range = [0, 2], damp = 0.3 }
[clips.Walk]
sync = { left = 0.2, right = 0.7 }
events = [{ name = "step", phase = 0.25 }, { name = "start", phase = 0 }]
root = { joint = "Hips", mode = "accumulate", axes = "xz" }
[clips.Run]
sync = { left = 0.3, right = 0.6 }
events = [{ name = "fast", phase = 0.5 }]
root = { joint = "Hips", mode = "accumulate", axes = "xz" }
[spaces.go]
kind = "line"
x = "speed"
clips = [{ clip = "Walk", at = 0 }, { clip = "Run", at = 2 }]
sync = true
events = "all"
[[layers]]
name = "base"
play = "go"
[[layers]]
name = "turn"
play = "Turn"
weight = 0.5
[[at]]
time = 0.5
set = { name = "speed", value = 1.5 }
[[at]]
time = 1.1
fade = { layer = "turn", to = "Back", seconds = 0.4 }
[[at]]
time = 1.3
fade = { layer = "turn", to = "Turn", seconds = 0.5, kind = "frozen" }
[[at]]
time = 2.0
fade = { layer = "base", to = "Run", seconds = 0.3, in_phase = true }
[[at]]
time = 2.6
set = { name = "turn.weight", value = 0, seconds = 0.3 }
"""


def walker():
    return five_joint_model(
        slide_clip("Walk", 1.0, 1.4),
        slide_clip("Run", 0.7, 2.8),
        turn_clip("Turn", 1.2, 100),
        turn_clip("Back", 0.9, -150),
    )


@pytest.fixture(scope="module")
def reference():
    """Poses and worlds at some times, each by a mixer of its own."""
    model = walker()
    found = {}
    for k in range(24):
        tau = k * 0.1347
        mixer = bind_motion(model, BUSY)
        found[tau] = (pose_at(mixer, model, tau), mixer.world.copy())
    return model, found


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(0, 23), min_size=2, max_size=12))
def test_evaluation_is_independent_of_order_and_batch(reference, numbers):
    model, found = reference
    mixer = bind_motion(model, BUSY)
    taus = list(found)
    for k in numbers:
        pose = pose_at(mixer, model, taus[k])
        assert pose.equals(found[taus[k]][0])
        assert np.array_equal(mixer.world, found[taus[k]][1])


def test_playback_equals_seeking(reference):
    model, found = reference
    mixer = bind_motion(model, BUSY)
    pose = model.skeleton.rest.copy()
    for tau, (expected, world) in found.items():
        mixer.play(tau)
        mixer.sample(pose)
        assert pose.equals(expected)
        assert np.array_equal(mixer.world, world)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.floats(0.001, 3.3), min_size=1, max_size=30, unique=True))
def test_events_are_independent_of_frame_rate(taus):
    model = walker()
    mixer = bind_motion(model, BUSY)
    heard = []
    for tau in [*sorted(taus), 3.4]:
        mixer.play(tau)
        heard += mixer.fired
    whole = bind_motion(model, BUSY).events(0.0, 3.4)
    key = [(event.name, event.clip, event.layer, event.number) for event in heard]
    assert key == [(event.name, event.clip, event.layer, event.number) for event in whole]
    assert np.allclose([e.tau for e in heard], [e.tau for e in whole], atol=1e-6)
    assert np.allclose([e.weight for e in heard], [e.weight for e in whole], atol=1e-3)
    assert {"step", "start", "fast"} <= {event.name for event in heard}


def test_events_of_an_interval_are_a_subset():
    model = walker()
    whole = bind_motion(model, BUSY).events(0.0, 3.4)
    part = bind_motion(model, BUSY).events(0.8, 2.2)
    inside = [event for event in whole if 0.8 < event.tau <= 2.2]
    assert [(event.name, event.clip) for event in part] == [(e.name, e.clip) for e in inside]


def test_nothing_fires_on_a_seek():
    model = walker()
    mixer = bind_motion(model, BUSY)
    mixer.play(0.1)
    mixer.seek(1.7)
    assert not mixer.fired
    mixer.seek(0.3)
    assert not mixer.fired


def test_negative_time_extends_clips_and_freezes_state():
    model = five_joint_model(slide_clip("Walk", 1.0, 1.0))
    text = """
    [parameters]
    w = { default = 0 }
    [[layers]]
    name = "base"
    play = "Walk"
    [[at]]
    time = 0
    set = { name = "base.weight", value = 0.5 }
    """
    mixer = bind_motion(model, text)
    pose = pose_at(mixer, model, -0.25)
    assert pose.translation[1, 0] == pytest.approx(0.75 * 0.5, abs=1e-6)


def test_speed_option_applies_to_all_clips():
    model = five_joint_model(slide_clip("Walk", 1.0, 1.0), slide_clip("Other", 2.0, 1.0, joint=3))
    text = '[[layers]]\nname = "a"\nplay = "Walk"\n'
    for tau in (0.2, 0.9, 3.3):
        fast = pose_at(bind_motion(model, text, speed=2.0), model, tau)
        assert fast.equals(pose_at(bind_motion(model, text), model, 2 * tau))


def test_set_parameter_starts_at_its_current_value():
    model = walker()
    mixer = bind_motion(model, BUSY)
    mixer.play(0.2)
    mixer.set("speed", 2.0, 0.2)
    mixer.play(0.35)
    assert float(mixer.parameters.at("speed", 0.35)) == pytest.approx(1.0)
    mixer.play(0.6)  # at 0.5 the file sets it to 1.5, over 0.3 s
    assert float(mixer.parameters.at("speed", 0.6)) == pytest.approx(2.0 - 0.5 / 3)


def test_edit_continues_the_motion():
    model = walker()
    text = BUSY.split("[[at]]")[0]
    old = bind_motion(model, text)
    old.play(0.9)
    old.set("speed", 2.0, 0.9, 0.0)
    old.play(1.7)
    before = current_pose(old, model)
    new = bind_motion(model, text.replace("default = 0,", "default = 2,"))
    new.continue_from(old)
    new.play(1.7)
    after = current_pose(new, model)
    assert np.allclose(before.data, after.data, atol=1e-6)
    assert np.allclose(old.world, new.world, atol=1e-6)
    old.play(2.3)
    new.play(2.3)
    assert np.allclose(current_pose(old, model).data, current_pose(new, model).data, atol=1e-5)


def test_characters_of_a_batch_are_independent():
    model = walker()
    text = BUSY.split("[[at]]")[0]
    crowd = bind_motion(model, text, batch=(3,))
    speeds = np.array([0.0, 0.8, 2.0])
    crowd.set("speed", speeds, 0.0, 0.0)
    poses = type(model.skeleton.rest).like(model.skeleton.rest, (3,))
    for tau in (0.4, 1.3):
        crowd.seek(tau)
        crowd.sample(poses)
        for k, speed in enumerate(speeds):
            alone = bind_motion(model, text)
            alone.set("speed", speed, 0.0, 0.0)
            pose = pose_at(alone, model, tau)
            assert np.allclose(poses.data[k], pose.data, atol=2e-6)
            assert np.allclose(crowd.world[k], alone.world, atol=2e-6)


def test_a_long_run_of_constant_weights_takes_no_small_steps(monkeypatch):
    model = walker()
    text = BUSY.split("[[at]]")[0].replace(
        'root = { joint = "Hips", mode = "accumulate", axes = "xz" }', ""
    )
    mixer = bind_motion(model, text)
    steps = []
    advance = mixer.layers.advance
    monkeypatch.setattr(mixer.layers, "advance", lambda a, b: (steps.append(b), advance(a, b)))
    mixer.seek(3600.0)
    assert len(steps) <= 2


def test_step_tracks_are_not_blended(rng):
    model = five_joint_model(
        Clip.of("A", [track_of(1, "translation", [0, 0.5], [[0, 0, 0], [1, 0, 0]], "STEP")]),
        Clip.of("B", [track_of(1, "translation", [0], [[3, 0, 0]])]),
    )
    text = '[[layers]]\nname = "a"\nplay = "A"\n[[layers]]\nname = "b"\nplay = "B"\nweight = 0.5\n'
    assert pose_at(bind_motion(model, text), model, 0.2).translation[1, 0] == pytest.approx(1.5)
    assert pose_at(bind_motion(model, text), model, 0.5).translation[1, 0] == pytest.approx(1.5)


TURNING = BUSY.replace("[[layers]]", "[pivot]\nrate = 25\n[[layers]]", 1)


def test_seeking_back_over_minutes_is_exact():
    """The motion needs small steps at all times; checkpoints are far apart after a while."""
    model = walker()
    taus = [0.3, 7.77, 21.0, 29.3, 33.37]
    fresh, played = bind_motion(model, TURNING), bind_motion(model, TURNING)
    expected = [(pose_at(fresh, model, tau), fresh.world.copy()) for tau in taus]
    for k in range(34 * 12):
        played.play(k / 12)
    for tau, (pose, world) in reversed(list(zip(taus, expected, strict=True))):
        np.testing.assert_array_equal(pose_at(played, model, tau).data, pose.data)
        np.testing.assert_array_equal(played.world, world)


def test_value_set_while_playing_holds_after_seeking_back():
    model = walker()
    mixer = bind_motion(model, BUSY)
    mixer.play(4.0)
    mixer.set("speed", 0.5, 4.0, 0.0)
    for k in range(48 * 12):
        mixer.play(4.0 + k / 12)
        mixer.commit_long_step(0.25)
    mixer.seek(4.5)
    assert float(mixer.parameters.at("speed", 4.5)) == 0.5


def test_states_for_seeking_back_are_bounded():
    mixer, counts = bind_motion(walker(), BUSY), []
    for seconds in (100.0, 1000.0):
        while mixer.tau < seconds:
            mixer.play(mixer.tau + 0.5)
            mixer.commit_long_step(0.25)
        counts.append(len(mixer._checkpoints.times))
    assert counts[1] < 40
    assert counts[1] - counts[0] < 15
