"""Aims with limited speed are evaluated in small steps only while visible."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.loading.load import load
from rigview.motion.bind import bind
from rigview.motion.document import (
    Aim,
    At,
    ClipEvent,
    ClipSettings,
    LayerSettings,
    MotionDoc,
    Parameter,
    Set,
)
from rigview.resources import asset_path
from tests.support.five_joint_model import bind_motion, five_joint_model, look_at_eye, pose_at


@pytest.fixture(scope="module")
def model():
    return load(asset_path("mannequin.glb"))


def looking(weight, *at, speed=90.0):
    return MotionDoc(
        parameters={"look_at": Parameter((2.0, 1.5, 0.5))},
        aims={"head": Aim({"Neck": 0.5, "Head": 1.0}, "look_at", speed=speed)},
        layers=(LayerSettings("base", "Idle"), LayerSettings("look", "head", weight=weight)),
        at=at,
    )


def steps(model, document, tau, monkeypatch):
    mixer = bind(model, document)
    count = []
    advance = mixer.layers.advance
    monkeypatch.setattr(mixer.layers, "advance", lambda a, b: (count.append(b), advance(a, b)))
    mixer.seek(tau)
    return len(count)


def test_steps(model, monkeypatch):
    assert steps(model, looking(0.0), 2.0, monkeypatch) <= 2
    assert steps(model, looking(0.5), 2.0, monkeypatch) >= 240
    late = looking(0.0, At(1.0, Set("look.weight", 1.0, 0.5)))
    assert 120 <= steps(model, late, 2.0, monkeypatch) <= 130


AWAY = Set("look_at", (-2.0, 1.5, -0.5))


def test_far_times_take_few_steps(model, monkeypatch):
    assert steps(model, looking(0.5), 600.0, monkeypatch) <= 70
    turning = looking(0.5, At(599.0, AWAY))  # half a turn takes longer than a second
    assert steps(model, turning, 600.0, monkeypatch) <= 240
    just_moved = looking(0.5, At(599.9, AWAY))
    assert steps(model, just_moved, 600.0, monkeypatch) <= 240


@pytest.mark.parametrize("at", [(), (At(599.9, AWAY),), (At(599.0, AWAY),)])
def test_far_times_equal_small_steps(model, at):
    document = looking(0.5, *at, speed=360.0)
    far, near = bind(model, document), bind(model, document)
    poses = [Pose.like(model.skeleton.rest) for _ in range(2)]
    near.seek(596.5)
    for mixer, pose in ((far, poses[0]), (near, poses[1])):
        mixer.seek(600.0)
        mixer.sample(pose)
    np.testing.assert_allclose(poses[0].data, poses[1].data, rtol=0, atol=2e-6)


def test_aim_that_never_meets_its_target_takes_small_steps(model, monkeypatch):
    slow = looking(
        0.5, *(At(590.0 + k / 4, Set("look_at", (2.0 * (-1) ** k, 1.5, 0.1))) for k in range(40))
    )
    assert steps(model, slow, 599.9, monkeypatch) >= 960


def test_queries_do_not_change_the_state(model):
    late = looking(0.0, At(1.0, Set("look.weight", 1.0, 0.5)))
    one, other = bind(model, late), bind(model, late)
    poses = [Pose.like(model.skeleton.rest) for _ in range(2)]
    for tau in (0.3, 0.9, 1.2, 0.1, 1.4):
        other.seek(tau)
    for mixer, pose in zip((one, other), poses, strict=True):
        mixer.seek(1.7)
        mixer.sample(pose)
    assert poses[0].equals(poses[1])


def test_updating_keeps_the_pose(model):
    mixer = bind(model, looking(0.0))
    before, after = (Pose.like(model.skeleton.rest) for _ in range(2))
    mixer.play(6.0)
    mixer.sample(before)
    assert mixer.commit_long_step()
    assert not mixer.commit_long_step()
    mixer.sample(after)
    assert abs(before.data - after.data).max() < 2e-6
    mixer.play(6.5)
    mixer.seek(1.0)
    fresh = bind(model, looking(0.0))
    fresh.seek(1.0)
    for each, pose in ((mixer, before), (fresh, after)):
        each.sample(pose)
    assert before.equals(after)


@pytest.mark.parametrize("seconds", [0.0, 0.3])
def test_hidden_aim_has_turned_too(model, seconds):
    hidden = bind(model, looking(0.0, At(1.5, Set("look.weight", 1.0, seconds))))
    seen = bind(model, looking(1.0))
    one, other = (Pose.like(model.skeleton.rest) for _ in range(2))
    for mixer, pose in ((hidden, one), (seen, other)):
        mixer.seek(1.5 + seconds)
        mixer.sample(pose)
    assert abs(one.data - other.data).max() < 1e-5


def test_seek_far_ahead_equals_playback():
    model = five_joint_model()
    text = look_at_eye("{ Spine = 0.3, Head = 1.0 }", speed=90)
    text += """
    [[at]]
    time = 19.5
    set = { name = "eye", value = [-2.0, 1.8, 0.0], seconds = 0.1 }
    """
    far, watched = bind_motion(model, text), bind_motion(model, text)
    for tau in range(4, 20, 4):  # never so far at once that it is not watched
        watched.seek(float(tau))
    for tau in (20.0, 20.6):
        assert np.allclose(
            pose_at(far, model, tau).data, pose_at(watched, model, tau).data, atol=2e-6
        )
    hurried = bind_motion(model, text)
    steps = []
    advance = hurried.layers.advance
    hurried.layers.advance = lambda a, b: (steps.append(b), advance(a, b))
    hurried.seek(1000.0)
    assert len(steps) < 120 * 10


def test_playing_on_after_a_stall_takes_few_steps_and_no_event_twice(model, monkeypatch):
    marks = ClipSettings(events=(ClipEvent("mark", phase=0.99), ClipEvent("other", phase=0.3)))
    document = replace(looking(0.5), clips={"Idle": marks})
    stalled, smooth = bind(model, document), bind(model, document)
    poses = [Pose.like(model.skeleton.rest) for _ in range(2)]
    stalled.play(1.0)
    count, advance = [], stalled.layers.advance
    monkeypatch.setattr(stalled.layers, "advance", lambda a, b: (count.append(b), advance(a, b)))
    stalled.play(16.0)
    assert len(count) <= 70
    heard = []
    for tau in (1.0, 4.0, 8.0, 12.0, 16.0):
        smooth.play(tau)
        heard += smooth.fired if tau > 1.0 else []
    assert [(each.name, each.number) for each in stalled.fired] == [
        (each.name, each.number) for each in heard
    ]
    assert len(heard) == 4
    for mixer, pose in zip((stalled, smooth), poses, strict=True):
        mixer.sample(pose)
    np.testing.assert_array_equal(poses[0].data, poses[1].data)


def test_a_hidden_aim_needs_no_more_steps_in_a_long_one(model, monkeypatch):
    """The window plays frame by frame; where the step grows beyond 4 s, there is no jump."""
    mixer = bind(model, looking(0.0))
    mixer.play(3.95)
    count, advance = [], mixer.layers.advance
    monkeypatch.setattr(mixer.layers, "advance", lambda a, b: (count.append(b), advance(a, b)))
    for tau in (4.0, 4.05, 4.1):
        mixer.play(tau)
    assert len(count) <= 6
