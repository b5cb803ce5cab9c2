import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.animation.clip import Clip
from rigview.animation.events import EventTrack
from rigview.animation.playback import Playback
from rigview.animation.pose import Pose
from rigview.blending.phase_match import entry, read
from rigview.blending.pose_layout import PoseLayout
from rigview.blending.sources import ClipSource
from rigview.blending.strafe import ROLES, TURNS, StrafeSource
from rigview.blending.sync_group import SyncGroup, SyncTrack
from tests.support.clips import make_skeleton, make_track, rest_pose

LENGTHS = (1.0, 1.2, 1.2, 0.9, 1.1, 1.1)
STEPS = 120


def walk(number, length, marks=8):
    """A clip whose joint 1 says which it is and whose joint 2 goes round once."""
    times = np.linspace(0, length, marks + 1)
    turn = np.linspace(0, 2 * np.pi, marks + 1)
    way = np.column_stack((np.cos(turn), np.sin(turn), 0 * turn))
    return Clip.of(
        ROLES[number],
        [
            make_track("translation", "LINEAR", [0], [[number, 0, 1]], target=1),
            make_track("translation", "LINEAR", times, way, target=2),
        ],
    )


def step_over(name, length=0.8, end=0.75):
    """A transition: joint 1 a little higher, joint 2 as a walk has it at phase `end`."""
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
    """A direction that is set by hand or runs, in degrees."""

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
        lambda tau: np.radians(stick(tau)),
        stick.moving,
        PoseLayout.bare(skeleton),
        group,
        batch=batch,
        **options,
    )


def run(source, tau0, tau1):
    """As the mixer does: by 1/120 s where it is restless."""
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


def test_the_start():
    for degrees, expected in ((0, 0), (90, 1), (91, 4), (-90, 2), (180, 3)):
        source = strafe(Stick(degrees))
        assert source.weights[expected] > 0.98
        assert pose_of(source)[1, 0] == pytest.approx(expected, abs=0.02)
        assert not source.needs_small_steps(0, 9)


def test_it_starts_where_the_heaviest_clip_starts():
    source = strafe(Stick(90), marks=lambda role: {"left": (0.1 * role,)})
    assert source.group.x(1) == 0
    assert pose_of(source)[2, 0] == 1
    assert source.group.x(0) != 0


def test_within_a_half_the_clips_are_in_step():
    stick = Stick(45)
    source = strafe(stick)
    run(source, 0, 0.55)  # half of a cycle of (1 + 1.2) / 2
    np.testing.assert_allclose(phase(source), 0.5)
    np.testing.assert_allclose(pose_of(source)[1:], [[0.5, 0, 1], [-1, 0, 0]], atol=1e-6)


def test_a_change_of_half_without_a_transition_is_a_fade_in_phase():
    stick = Stick(90)
    source = strafe(stick)
    run(source, 0, 1)
    stick.go(1.0, 110)
    before = phase(source)
    source.advance(1.0, 1.0)
    np.testing.assert_allclose(source.weights, [0, 1, 0, 0, 0, 0])  # it only begins
    shares = []
    for k in range(24):
        source.advance(1 + k / STEPS, 1 + (k + 1) / STEPS)
        np.testing.assert_allclose(np.ptp(phase(source)), 0, atol=1e-6)
        shares.append(source.weights[1])
    u = np.arange(1, 25) / 24
    np.testing.assert_allclose(shares, 1 - (3 * u**2 - 2 * u**3), atol=1e-12)
    np.testing.assert_allclose(source.weights, [0, 0, 0, 2 / 9, 7 / 9, 0], atol=1e-12)
    assert not source.needs_small_steps(1.21, 9)
    assert 0.15 < np.mod(phase(source)[0] - before[0], 1) < 0.2  # went on by 0.2 s


def test_an_instant_turn_right_round_does_not_jump():
    """From 0 to 180 the outgoing half keeps the clip it had."""
    stick = Stick(0)
    source = strafe(stick)
    run(source, 0, 0.5)
    stick.go(0.5, 180)
    source.advance(0.5, 0.6)
    np.testing.assert_allclose(source.weights, [0.5, 0, 0, 0.5, 0, 0], atol=1e-12)


def test_turned_round_in_the_middle_of_a_fade():
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
def test_a_transition_by_its_name(begin, end, name):
    stick = Stick(begin)
    source = strafe(stick, TURNS)
    run(source, 0, 0.3)
    stick.go(0.3, end)
    run(source, 0.3, 0.7)  # the middle of 0.8 s
    only = np.zeros(10)
    only[6 + TURNS.index(name)] = 1
    np.testing.assert_allclose(source.weights, only, atol=1e-12)
    assert pose_of(source)[1, 1] == np.float32(0.01)


def test_a_transition_plays_once_and_hands_over():
    """Its first 0.2 s over the old half, its last 0.2 s under the new one, at the phase it ends."""
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


def test_a_transition_is_not_interrupted():
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


def test_six_still_poses():
    stick = Stick(90)
    source = strafe(stick, TURNS, still=True)
    stick.go(0, 105)
    run(source, 0, 1)
    assert pose_of(source)[1, 0] == pytest.approx(4 - 1 / 6)


def test_a_short_transition_and_no_fade():
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
def test_backwards_there_are_only_fades(rate):
    stick = Stick(90)
    source = strafe(stick, TURNS, rate)
    stick.go(0, 105)
    run(source, 0, 0.1)
    np.testing.assert_allclose(source.weights[[1, 6]], [0.5, 0], atol=1e-12)
    run(source, 0.1, 0.2)
    assert source.weights[1] == 0


@settings(max_examples=8)
@given(st.lists(st.tuples(st.floats(-180, 180), st.floats(0, 0.5)), min_size=1, max_size=5))
def test_no_jump_whatever_the_stick_does(ways):
    """The stick runs at most 720 degrees a second: 6 in a step, a fifteenth of a quarter."""
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


def test_it_does_not_depend_on_what_else_was_asked_for():
    """Cut anywhere, saved and restored: as the mixer takes back its last step."""

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


def test_a_still_direction_needs_no_steps():
    fine, coarse = strafe(Stick(130)), strafe(Stick(130))
    for k in range(240):
        fine.advance(k / STEPS, (k + 1) / STEPS)
    coarse.advance(0, 2)
    np.testing.assert_allclose(pose_of(fine), pose_of(coarse), atol=1e-5)
    stick = Stick(0)
    source = strafe(stick)
    source.advance(0, 1)
    stick.go(1, 50)  # at once: the next step must be a short one
    assert source.needs_small_steps(1, 9)


def test_a_crowd_is_each_alone():
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


def test_events_of_the_clip_that_is_heard():
    stick = Stick(90)
    source = strafe(stick, ["left_to_back"], events=True)
    stick.go(0, 105)
    heard = []
    for k in range(STEPS * 2):
        source.advance(k / STEPS, (k + 1) / STEPS)
        heard += [(each.clip, each.tau) for each in source.step().events]
    assert heard[0] == ("left_to_back", pytest.approx(0.4))
    assert [clip for clip, _ in heard[1:]] == ["left_back"]
    # after 0.8 s from phase 0.75 on: half a cycle of 1.1 s is reached 0.75 cycles later
    assert heard[1][1] == pytest.approx(0.8 + 0.75 * (1.1 * 5 / 6 + 0.9 / 6), abs=0.03)


def test_an_event_on_the_seam_of_two_steps_fires_once():
    stick = Stick(90)
    source = strafe(stick, ["left_to_back"], events=True, length=0.5)
    stick.go(0, 105)
    heard = []
    for k in range(4):
        source.advance(k / 8, (k + 1) / 8)
        heard += [(each.clip, each.tau) for each in source.step().events]
    assert heard == [("left_to_back", 0.25)]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7537, 0.999])
def test_the_place_to_go_on_from(share):
    """Found between the phases that are tried, and across the seam."""
    source = strafe(Stick(90)).members[4]
    pose = read(source, np.asarray(share * 1.1), rest_pose(3))
    pose.translation[0] = (3, 1, -2)  # wherever it stands
    found = entry(source, pose, make_skeleton([-1, 0, 1], rest_pose(3)))
    assert abs((found / 1.1 - share + 0.5) % 1 - 0.5) < 0.002


def test_what_is_refused():
    stick = Stick(0)
    with pytest.raises(ValueError, match="not \\['up'\\]"):
        strafe(stick, ["up"])
