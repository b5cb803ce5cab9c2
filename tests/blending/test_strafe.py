import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.animation.clip import Clip
from rigview.animation.events import EventTrack
from rigview.animation.playback import Playback
from rigview.animation.pose import Pose
from rigview.blending.pose_layout import PoseLayout
from rigview.blending.sources import ClipSource
from rigview.blending.space_source import MeanSettings
from rigview.blending.state import continue_from
from rigview.blending.strafe import (
    ROLES,
    TURNS,
    Direction,
    HalfChange,
    StrafeSource,
    nearest_time,
    poses_at,
)
from rigview.blending.sync_group import SyncGroup, SyncTrack
from tests.support.clips import make_skeleton, make_track, rest_pose

LENGTHS = (1.0, 1.2, 1.2, 0.9, 1.1, 1.1)
STEPS = 120


def walk(number, length, marks=8):
    """Return a clip: joint 1 identifies it, joint 2 makes one full turn."""
    times = np.linspace(0, length, marks + 1)
    turn = np.linspace(0, 2 * np.pi, marks + 1)
    circle = np.column_stack((np.cos(turn), np.sin(turn), 0 * turn))
    return Clip.of(
        ROLES[number],
        [
            make_track("translation", "LINEAR", [0], [[number, 0, 1]], target=1),
            make_track("translation", "LINEAR", times, circle, target=2),
        ],
    )


def step_over(name, length=0.8, end=0.75):
    """Return a transition: joint 1 is slightly higher, joint 2 ends like a walk at phase `end`."""
    turn = 2 * np.pi * end
    there = [[np.cos(turn), np.sin(turn), 0]]
    return Clip.of(
        name,
        [
            make_track("translation", "LINEAR", [0, length], [[4, 0.01, 1]] * 2, target=1),
            make_track("translation", "LINEAR", [0], there, target=2),
        ],
    )


class Stick:
    """A direction in degrees, set or animated over time."""

    def __init__(self, start, batch=()):
        self.ways = [(0.0, np.broadcast_to(float(start), batch), 0.0)]

    def go(self, tau, degrees, seconds=0.0):
        self.ways.append((tau, self(tau), seconds))
        self.end = np.broadcast_to(np.asarray(degrees, float), np.shape(self.ways[0][1]))

    def __call__(self, tau):
        begin, value, seconds = self.ways[-1]
        if len(self.ways) == 1:
            return value
        u = 1.0 if seconds == 0 else np.clip((tau - begin) / seconds, 0, 1)
        return value + u * (self.end - value)

    def moving(self, tau0, tau1):
        begin, _, seconds = self.ways[-1]
        return tau0 < begin + seconds and tau1 > begin


def strafe(
    stick,
    turns=(),
    rate=1.0,
    batch=(),
    events=False,
    length=0.8,
    marks=None,
    still=False,
    **options,
):
    skeleton = make_skeleton([-1, 0, 1], rest_pose(3))
    rest = skeleton.rest

    def source(clip, role=0):
        track = EventTrack(["step"], [0.5 * clip.end]) if events else None
        return ClipSource(
            clip,
            Playback(clip.end),
            rest,
            events=track,
            sync_track=SyncTrack(clip.end, 1, marks(role) if marks else {}),
        )

    members = [source(walk(k, each * (not still)), k) for k, each in enumerate(LENGTHS)]
    group = SyncGroup([each.sync_track for each in members], rate, batch)
    return StrafeSource(
        members,
        {name: source(step_over(name, length)) for name in turns},
        Direction(lambda tau: np.radians(stick(tau)), stick.moving),
        PoseLayout.bare(skeleton),
        group,
        half_change=HalfChange(**options),
        settings=MeanSettings(batch=batch),
    )


def run(source, tau0, tau1):
    """Advance as the mixer does: in steps of 1/120 s while the source requires them."""
    while tau0 < tau1:
        step = min(tau1, (np.floor(tau0 * STEPS + 1e-6) + 1) / STEPS)
        end = step if source.needs_small_steps(tau0, tau1) else tau1
        source.advance(tau0, end)
        tau0 = end


def pose_of(source, batch=()):
    out = Pose.like(rest_pose(3), batch)
    source.sample(out)
    return out.translation


def phase(source):
    return np.mod([source.group.x(k) / length for k, length in enumerate(LENGTHS)], 1)


def test_initial_weights():
    for degrees, expected in ((0, 0), (90, 1), (91, 4), (-90, 2), (180, 3)):
        source = strafe(Stick(degrees))
        assert source.weights[expected] > 0.98
        assert pose_of(source)[1, 0] == pytest.approx(expected, abs=0.02)
        assert not source.needs_small_steps(0, 9)


def test_start_phase_is_that_of_heaviest_clip():
    source = strafe(Stick(90), marks=lambda role: {"left": (0.1 * role,)})
    assert source.group.x(1) == 0
    assert pose_of(source)[2, 0] == 1
    assert source.group.x(0) != 0


def test_clips_of_a_half_stay_in_sync():
    stick = Stick(45)
    source = strafe(stick)
    run(source, 0, 0.55)  # half of a cycle of (1 + 1.2) / 2
    np.testing.assert_allclose(phase(source), 0.5)
    np.testing.assert_allclose(pose_of(source)[1:], [[0.5, 0, 1], [-1, 0, 0]], atol=1e-6)


def test_phase_while_the_direction_changes():
    """From 0 to 60 degrees in 0.3 s, T = 1 and 1.2: the phase is a logarithm."""
    stick = Stick(0)
    source = strafe(stick)
    stick.go(0, 60, 0.3)
    run(source, 0, 0.3)
    slope = 0.2 * 60 / 90
    np.testing.assert_allclose(phase(source), 0.3 * np.log(1 + slope) / slope, rtol=0, atol=1e-7)


def test_half_change_without_transition_is_a_fade_in_phase():
    stick = Stick(90)
    source = strafe(stick)
    run(source, 0, 1)
    stick.go(1.0, 110)
    before = phase(source)
    source.advance(1.0, 1.0)
    np.testing.assert_allclose(source.weights, [0, 1, 0, 0, 0, 0])  # the fade starts
    shares = []
    for k in range(24):
        source.advance(1 + k / STEPS, 1 + (k + 1) / STEPS)
        np.testing.assert_allclose(np.ptp(phase(source)), 0, atol=1e-6)
        shares.append(source.weights[1])
    u = np.arange(1, 25) / 24
    np.testing.assert_allclose(shares, 1 - (3 * u**2 - 2 * u**3), atol=1e-12)
    np.testing.assert_allclose(source.weights, [0, 0, 0, 2 / 9, 7 / 9, 0], atol=1e-12)
    assert not source.needs_small_steps(1.21, 9)
    assert 0.15 < np.mod(phase(source)[0] - before[0], 1) < 0.2  # advanced by 0.2 s


def test_instant_reversal_is_continuous():
    """From 0 to 180 degrees, the outgoing half keeps its clip."""
    stick = Stick(0)
    source = strafe(stick)
    run(source, 0, 0.5)
    stick.go(0.5, 180)
    source.advance(0.5, 0.6)
    np.testing.assert_allclose(source.weights, [0.5, 0, 0, 0.5, 0, 0], atol=1e-12)


def test_reversal_during_fade_is_continuous():
    stick = Stick(90)
    source = strafe(stick)
    stick.go(0, 101)
    last = source.weights
    for k in range(120):
        if k == 11:
            stick.go(k / STEPS, 79)
        source.advance(k / STEPS, (k + 1) / STEPS)
        assert np.abs(source.weights - last).max() < 0.13  # no jump
        np.testing.assert_allclose(source.weights.sum(), 1)
        last = source.weights
    np.testing.assert_allclose(source.weights, [11 / 90, 79 / 90, 0, 0, 0, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("begin", "end", "name"),
    [
        (90, 105, "left_to_back"),
        (120, 70, "left_to_front"),
        (-90, -105, "right_to_back"),
        (-120, -70, "right_to_front"),
        (170, -60, "left_to_front"),  # where the feet are, not where they go
        (0, 180, "left_to_back"),
    ],
)
def test_transition_is_chosen_by_name(begin, end, name):
    stick = Stick(begin)
    source = strafe(stick, TURNS)
    run(source, 0, 0.3)
    stick.go(0.3, end)
    run(source, 0.3, 0.7)  # the middle of 0.8 s
    only = np.zeros(10)
    only[6 + TURNS.index(name)] = 1
    np.testing.assert_allclose(source.weights, only, atol=1e-12)
    assert pose_of(source)[1, 1] == np.float32(0.01)


def test_transition_plays_once_and_fades_to_new_half():
    """It fades in for 0.2 s and out for 0.2 s, to the phase at which it ends."""
    stick = Stick(90)
    source = strafe(stick, ["left_to_back"])
    stick.go(0, 105)
    run(source, 0, 0.1)
    assert source.needs_small_steps(0.1, 0.8)
    np.testing.assert_allclose(source.weights[[1, 6]], 0.5, atol=1e-6)
    run(source, 0.1, 0.7)
    np.testing.assert_allclose(source.weights[6], 0.5, atol=1e-6)
    assert source.weights[3:6].sum() == pytest.approx(0.5)
    run(source, 0.7, 0.801)
    np.testing.assert_allclose(source.weights[6], 0, atol=1e-12)
    assert phase(source)[4] == pytest.approx(0.75, abs=0.004)
    assert not source.needs_small_steps(0.801, 2)
    run(source, 0.801, 2)
    assert source.back


def test_transition_is_not_interrupted():
    stick = Stick(90)
    source = strafe(stick, TURNS)
    stick.go(0, 105)
    run(source, 0, 0.3)
    stick.go(0.3, 0)  # forward again, while the hips turn
    run(source, 0.3, 0.78)
    assert source.back
    run(source, 0.78, 0.9)
    assert not source.back
    run(source, 0.9, 1.7)
    np.testing.assert_allclose(source.weights[0], 1)


def test_strafe_with_still_poses():
    stick = Stick(90)
    source = strafe(stick, TURNS, still=True)
    stick.go(0, 105)
    run(source, 0, 1)
    assert pose_of(source)[1, 0] == pytest.approx(4 - 1 / 6)


def test_short_transition_without_fade():
    stick = Stick(90)
    for length, seconds in ((0.1, 0.2), (0.4, 0.0)):
        stick = Stick(90)
        source = strafe(stick, TURNS, length=length, seconds=seconds)
        stick.go(0, 105)
        run(source, 0, length / 2)
        assert source.weights[6] == pytest.approx(1)
        run(source, length / 2, length + 1e-3)
        assert source.weights[6] == pytest.approx(0)


@pytest.mark.parametrize("rate", [-1.0, 0.0])
def test_negative_rate_uses_fades_only(rate):
    stick = Stick(90)
    source = strafe(stick, TURNS, rate)
    stick.go(0, 105)
    run(source, 0, 0.1)
    np.testing.assert_allclose(source.weights[[1, 6]], [0.5, 0], atol=1e-12)
    run(source, 0.1, 0.2)
    assert source.weights[1] == 0


@settings(max_examples=8)
@given(st.lists(st.tuples(st.floats(-180, 180), st.floats(0, 0.5)), min_size=1, max_size=5))
def test_random_directions_are_continuous(ways):
    """The direction changes by at most 720 degrees per second: 6 degrees per step."""
    stick = Stick(0)
    source = strafe(stick, ["left_to_back", "right_to_front"])
    last = source.weights
    for k in range(240):
        if k % 40 == 0 and ways:
            goal, pause = ways.pop()
            stick.go(k / STEPS, goal, abs(goal - float(stick(k / STEPS))) / 720 + pause)
        source.advance(k / STEPS, (k + 1) / STEPS)
        now = source.weights
        assert (now >= 0).all()
        assert now.sum() == pytest.approx(1)
        # within a half, and by an eased fade of 0.2 s
        assert np.abs(now - last).max() < 6 / 90 + 1.5 / 24 + 1e-9
        last = now


def test_result_does_not_depend_on_step_boundaries():
    """Steps are split, saved and restored at random times, as the mixer repeats its last step."""

    def end(cuts):
        stick = Stick(0)
        source = strafe(stick, TURNS)
        stick.go(0, 170, 1.0)
        for k in range(300):
            saved = source.save()
            if k in cuts:
                source.advance(k / STEPS, (k + 0.4) / STEPS)
                pose_of(source)
                source.restore(saved)
            source.advance(k / STEPS, (k + 1) / STEPS)
        return source.weights, pose_of(source), phase(source)

    for plain, cut in zip(end([]), end(range(0, 300, 7)), strict=True):
        np.testing.assert_array_equal(plain, cut)


@pytest.mark.parametrize("turns", [(), TURNS])
def test_change_of_half_continues_after_an_edit(turns):
    stick = Stick(0)
    old, new, other = (
        strafe(stick, turns),
        strafe(stick, turns, rate=2.0),
        strafe(stick),
    )
    stick.go(0, 170, 1.0)
    for k in range(100):
        old.advance(k / STEPS, (k + 1) / STEPS)
    assert old.needs_small_steps(100 / STEPS, 101 / STEPS)
    for source in (new, other):
        continue_from(source, old, 100 / STEPS)
    new.advance(100 / STEPS, 100 / STEPS)
    np.testing.assert_array_equal(new.weights, old.weights)
    np.testing.assert_array_equal(phase(new), phase(old))
    assert new.group.rate == 2.0
    if turns:  # without transitions it begins anew
        assert other.weights.shape != old.weights.shape
        assert other.weights[0] == 1


def test_constant_direction_needs_no_substeps():
    fine, coarse = strafe(Stick(130)), strafe(Stick(130))
    for k in range(240):
        fine.advance(k / STEPS, (k + 1) / STEPS)
    coarse.advance(0, 2)
    np.testing.assert_allclose(pose_of(fine), pose_of(coarse), atol=1e-5)
    stick = Stick(0)
    source = strafe(stick)
    source.advance(0, 1)
    stick.go(1, 50)  # instantly: the next step must be short
    assert source.needs_small_steps(1, 9)


def test_crowd_equals_single_characters():
    goals = np.array([[20.0, 105.0, 180.0], [-101.0, 99.0, -170.0]])
    stick = Stick(0, (2, 3))
    crowd = strafe(stick, ["left_to_back"], batch=(2, 3))
    stick.go(0, goals, 0.5)
    run(crowd, 0, 1.15)
    together = pose_of(crowd, (2, 3))
    for index in np.ndindex(2, 3):
        stick = Stick(0)
        alone = strafe(stick, ["left_to_back"])
        stick.go(0, goals[index], 0.5)
        run(alone, 0, 1.15)
        np.testing.assert_allclose(crowd.weights[index], alone.weights, atol=1e-12)
        np.testing.assert_allclose(together[index], pose_of(alone), atol=1e-5)


def test_events_come_from_the_heaviest_clip():
    stick = Stick(90)
    source = strafe(stick, ["left_to_back"], events=True)
    stick.go(0, 105)
    fired = []
    for k in range(STEPS * 2):
        source.advance(k / STEPS, (k + 1) / STEPS)
        fired += [(event.clip, event.tau) for event in source.step().events]
    assert fired[0] == ("left_to_back", pytest.approx(0.4))
    assert [clip for clip, _ in fired[1:]] == ["left_back"]
    # after 0.8 s from phase 0.75 on: half a cycle of 1.1 s is reached 0.75 cycles later
    assert fired[1][1] == pytest.approx(0.8 + 0.75 * (1.1 * 5 / 6 + 0.9 / 6), abs=0.03)


def test_event_between_two_steps_fires_once():
    stick = Stick(90)
    source = strafe(stick, ["left_to_back"], events=True, length=0.5)
    stick.go(0, 105)
    fired = []
    for k in range(4):
        source.advance(k / 8, (k + 1) / 8)
        fired += [(event.clip, event.tau) for event in source.step().events]
    assert fired == [("left_to_back", 0.25)]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7537, 0.999])
def test_entry_phase_matches_pose(share):
    """Also between the tested phases, and across the loop seam."""
    source = strafe(Stick(90)).members[4]
    pose = poses_at(source, np.asarray(share * 1.1), rest_pose(3))
    pose.translation[0] = (3, 1, -2)  # at any position
    entry_time = nearest_time(source, pose, make_skeleton([-1, 0, 1], rest_pose(3)))
    assert abs((entry_time / 1.1 - share + 0.5) % 1 - 0.5) < 0.002


def test_invalid_arguments_are_rejected():
    stick = Stick(0)
    with pytest.raises(ValueError, match="not \\['up'\\]"):
        strafe(stick, ["up"])
