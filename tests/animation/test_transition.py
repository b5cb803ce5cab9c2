import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.animation import quat
from app.animation.blend import mix
from app.animation.pose import Pose
from app.animation.rig import Rig
from app.animation.sources import StillSource
from app.animation.transition import FadeSource, ease, linear
from tests.animation.builder import about, make_skeleton, random_pose, rest_pose, same_rotation
from tests.animation.moving import Moving, shown, spin, still

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
EASES = ("cubic", "linear")
KINDS = ("smooth", "frozen")
ROTATIONS = ("nlerp", "slerp")
TICK = 1 / 120


def one_joint(values=0, step=(), rotations=()):
    skeleton = make_skeleton([-1], rest_pose(1, values))
    stepped = np.isin(np.arange(values), step)
    return Rig(skeleton, np.zeros(values, np.int32), stepped, rotations)


def run(fade, tau, count=None):
    """Advance from the start to `tau` in steps of 1/120 s, or in `count` steps."""
    count = count or max(round((tau - fade.tau0) / TICK), 1)
    times = np.linspace(fade.tau0, tau, count + 1)
    for begin, end in zip(times.tolist(), times[1:].tolist(), strict=False):
        fade.advance(begin, end)


def fade_of(old, new, seconds=1.0, rig=None, **settings):
    rig = rig or one_joint()
    return FadeSource(Moving(old), Moving(new), 0.0, seconds, rig, **settings)


def test_eases_by_hand():
    assert [ease(u) for u in (-1, 0, 0.5, 1, 2)] == [0, 0, 0.5, 1, 1]
    assert ease(0.25) == 3 * 0.75 * 0.25**2 + 0.25**3
    assert ease(0.25, 10, 2) == pytest.approx(10 - 8 * ease(0.25))
    assert [linear(u) for u in (-1, 0.25, 2)] == [0, 0.25, 1]
    assert linear(0.25, 10, 2) == 8


@given(st.floats(0, 1), st.floats(-5, 5), st.floats(-5, 5))
def test_eases_go_from_start_to_end(u, start, end):
    v = 1 - u
    bezier = (v**3 + 3 * v**2 * u) * start + (3 * v * u**2 + u**3) * end
    assert ease(u, start, end) == pytest.approx(bezier)
    assert ease(1 - u, end, start) == pytest.approx(ease(u, start, end))
    slope = abs(ease(u + 1e-6) - ease(u)) / 1e-6
    assert slope <= 1.5 + 1e-6


@given(st.integers(0, 99), st.floats(0, 1.2), st.sampled_from(EASES), st.sampled_from(ROTATIONS))
def test_a_fade_between_still_poses_is_a_lerp(seed, tau, name, rotation):
    rng = np.random.default_rng(seed)
    rig = one_joint(2, step=[1])
    a, b = (random_pose(rng, 1, values=2) for _ in range(2))
    fade = fade_of(still(a), still(b), 1.0, rig, ease=name, rotation=rotation)
    run(fade, tau)
    expected = a.copy()
    share = {"cubic": ease, "linear": linear}[name](tau)
    mix(expected, b, share, None, rig, rotation)
    assert shown(fade, a).equals(expected) or same_rotation(
        shown(fade, a).rotation, expected.rotation, 2e-6
    )
    assert fade.share(tau) == pytest.approx(share)


def test_ends_are_copies(rng):
    a, b = (random_pose(rng, 1) for _ in range(2))
    fade = fade_of(still(a), still(b), 0.3)
    assert shown(fade, a).equals(a)
    run(fade, 0.3)
    assert fade.over(0.3)
    assert shown(fade, a).equals(b)
    assert not fade.over(0.29)
    assert fade_of(still(a), still(b), 0.0).over(0.0)
    assert shown(fade_of(still(a), still(b), 0.0), a).equals(b)


def test_smooth_goes_on_and_frozen_stands():
    for kind, end in (("smooth", 20), ("frozen", 10)):
        old = Moving(spin(Y, 10, 20))
        fade = FadeSource(old, Moving(spin(Y, 100)), 0.0, 1.0, one_joint(), kind=kind)
        run(fade, 0.5)
        middle = same_rotation(shown(fade, rest_pose(1)).rotation, about(Y, (end + 100) / 2), 1e-6)
        assert middle
        assert (old.advanced > 0) == (kind == "smooth")


def follow(old, new, seconds, rate=120, **settings):
    """Degrees about the axis of both that a fade shows, continuously, and those steps."""
    fade = fade_of(old, new, seconds, **settings)
    poses = [shown(fade, rest_pose(1)).rotation[0]]
    count = round(seconds * rate)
    for k in range(count):
        fade.advance(k / rate, (k + 1) / rate)
        poses.append(shown(fade, rest_pose(1)).rotation[0])
    q = np.array(poses, float)
    turns = quat.multiply(quat.conjugate(q[:-1]), q[1:])
    return q, 2 * np.degrees(np.arctan2(np.linalg.norm(turns[:, :3], axis=1), abs(turns[:, 3])))


@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("name", EASES)
@pytest.mark.parametrize("rate", [40, 300, 720, -720])
def test_clips_that_pass_half_a_turn_apart_do_not_flip(rate, name, rotation):
    """From 170 degrees apart to beyond any number of turns: the way grows, and is gone evenly."""
    start = 170 if rate > 0 else -170
    q, steps = follow(spin(Y, 0), spin(Y, start, rate), 1.0, ease=name, rotation=rotation)
    widest = 170 + abs(rate)
    # its own motion, and 1.5 (cubic) × 1.3 (nlerp where it is not yet wide) of the whole way
    assert steps.max() <= (abs(rate) + 2 * widest) / 120
    assert same_rotation(q[-1], about(Y, start + rate), 1e-5)
    # nowhere back, and nowhere round; but a whole turn more is left out where it may be
    assert steps.sum() == pytest.approx(widest, rel=1e-3) or (
        abs(rate) == 720 and steps.sum() == pytest.approx(widest - 360, rel=1e-3)
    )


def test_the_arc_is_the_one_of_the_start():
    """Both leave half a turn behind on the old side; a new fade would take the other."""
    fade = fade_of(spin(Y, 0), spin(Y, 170, 40), 1.0, ease="linear", rotation="slerp")
    run(fade, 0.75)
    assert same_rotation(shown(fade, rest_pose(1)).rotation, about(Y, 0.75 * 200), 1e-5)
    late = FadeSource(
        Moving(spin(Y, 0)), Moving(spin(Y, 200)), 0.0, 1.0, one_joint(), ease="linear"
    )
    run(late, 0.5)
    assert same_rotation(shown(late, rest_pose(1)).rotation, about(Y, -80), 1e-5)


def sway(axis, degrees, rate, tilt):
    """A spin of a character that leans."""

    def show(tau, out):
        lean = about(X, tilt * np.cos(3 * tau))
        out.rotation[..., 0, :] = quat.multiply(about(axis, degrees + rate * tau), lean)

    return show


@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("tilt", [0.1, 3, 20])
def test_a_leaning_spin_past_a_full_turn_apart_does_not_fall_over(tilt, rotation):
    """A full turn apart no axis leads from one to the other; the one at half a turn is kept."""
    q, steps = follow(
        spin(Y, 0), sway(Y, 100, 400, tilt), 1.5, 500, rotation=rotation, ease="linear"
    )
    assert steps.max() <= (400 + 1.2 * 700 / 1.5) / 500
    up = quat.rotate(q, np.array([0.0, 1.0, 0.0]))[:, 1]
    assert up.min() > np.cos(np.radians(3 * tilt + 0.1))


@settings(max_examples=30)
@given(
    st.integers(0, 9999), st.sampled_from(EASES), st.sampled_from(KINDS), st.sampled_from(ROTATIONS)
)
def test_no_spins_make_a_fade_jump(seed, name, kind, rotation):
    """At 1 kHz, any two axes and rates to four turns a second, and a fade in the fade."""
    rng = np.random.default_rng(seed)
    base = rest_pose(1)
    axes = quat.normalize(rng.normal(size=(3, 4)))[:, :3]
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    a, b, c = (Moving(spin(axis, rng.uniform(0, 360), rng.uniform(-1440, 1440))) for axis in axes)
    how = {"ease": name, "kind": kind, "rotation": rotation}
    top = FadeSource(a, b, 0.0, 0.12, one_joint(), **how)
    start = rng.integers(10, 110)
    previous = shown(top, base).rotation[0].astype(float)
    for k in range(200):
        if k == start:
            c.tau = k / 1000
            top = FadeSource(top, c, k / 1000, 0.08, one_joint(), **how)
            assert same_rotation(shown(top, base).rotation[0], previous, 0)
        top.advance(k / 1000, (k + 1) / 1000)
        now = shown(top, base).rotation[0].astype(float)
        moved = 2 * np.degrees(np.arccos(min(abs(now @ previous), 1)))
        assert moved < 1.44 * 3 + 3 * 360 / 80
        previous = now


def test_quaternions_among_the_values_follow_their_arcs():
    def show(degrees):
        def write(tau, out):
            out.values[...] = (7, *about(Y, degrees(tau)))

        return write

    rig = one_joint(5, rotations=(1,))
    fade = fade_of(show(lambda _: 0), show(lambda tau: 170 + 40 * tau), rig=rig, rotation="slerp")
    run(fade, 0.5)
    out = shown(fade, rig.skeleton.rest)
    assert same_rotation(out.values[1:], about(Y, 95), 1e-5)
    assert out.values[0] == 7
    assert same_rotation(out.rotation, (0, 0, 0, 1))


def test_a_batch_fades_as_each_alone():
    def crowd(tau, out):
        for i, degrees in enumerate((90, 170, -170)):
            out.rotation[i, 0] = about(Y, degrees + np.sign(degrees) * 60 * tau)

    fade = fade_of(spin(Y, 0), crowd, 1.0, batch=(3,))
    run(fade, 0.7)
    out = shown(fade, Pose.like(rest_pose(1), (3,)))
    for i, degrees in enumerate((90, 170, -170)):
        alone = fade_of(spin(Y, 0), spin(Y, degrees, np.sign(degrees) * 60), 1.0)
        run(alone, 0.7)
        assert same_rotation(out.rotation[i], shown(alone, rest_pose(1)).rotation, 1e-6)


def test_root_motion_is_weighed_over_the_whole_step():
    """However long the steps: 1 m/s turning into 3 m/s within 1 s is 2 m in that second."""
    for name in EASES:
        for count in (1, 7, 120):
            a, b = Moving(spin(Y, 0), speed=1.0), Moving(spin(Y, 9), speed=3.0)
            fade = FadeSource(a, b, 0.0, 1.0, one_joint(), ease=name)
            gone = turned = 0.0
            for k in range(count):
                fade.advance(2 * k / count, 2 * (k + 1) / count)
                gone += fade.step().travel[0]
                turned += fade.step().turn
            assert gone == pytest.approx(2 + 3)
            assert turned == pytest.approx(10)


def test_root_motion_of_the_ends():
    a, b = Moving(spin(Y, 0), speed=1.0), Moving(spin(Y, 9), speed=3.0)
    fade = FadeSource(a, b, 0.0, 1.0, one_joint())
    fade.advance(0.0, 0.0)
    np.testing.assert_array_equal(fade.step().travel, 0)
    fade.advance(0.0, 1e-12)
    assert fade.step().travel[0] == pytest.approx(1e-12)
    fade.advance(1e-12, 1.0)
    fade.advance(1.0, 1.5)
    assert fade.step().travel[0] == 1.5
    assert fade.step() is b.last
    still_one = FadeSource(a, b, 1.5, 1.0, one_joint(), kind="frozen")
    b.tau = 1.5
    still_one.advance(1.5, 2.5)
    assert still_one.step().travel[0] == pytest.approx(1.5)


def test_events_weigh_what_their_source_shows():
    a, b = Moving(spin(Y, 0), name="a"), Moving(spin(Y, 9), name="b")
    fade = FadeSource(a, b, 0.0, 1.0, one_joint(), ease="linear")
    fade.advance(0.0, 0.25)
    assert [(e.name, e.weight) for e in fade.step().events] == [
        ("a", 0.8 * 0.75),
        ("b", 0.8 * 0.25),
    ]
    b.last.events[0] = dataclasses.replace(b.last.events[0], tau=0.1)
    assert [e.name for e in fade.step().events] == ["b", "a"]
    fade.advance(0.25, 1.0)
    assert [(e.name, e.weight) for e in fade.step().events] == [("b", 0.8)]


def test_four_deep_all_go_on_then_the_oldest_stands():
    """Fades of a second each in each other, one begun every 0.1 s, over spins about Y."""
    base = rest_pose(1)
    sources = [Moving(spin(Y, 10 * k, 5 * k)) for k in range(7)]
    top = sources[0]
    for k, new in enumerate(sources[1:]):
        new.tau = k / 10
        before = shown(top, base)
        top = FadeSource(top, new, k / 10, 1.0, one_joint())
        assert shown(top, base).equals(before)  # nothing moves at that instant
        found, oldest = [top], top.old
        while isinstance(oldest, FadeSource):
            found.append(oldest)
            oldest = oldest.old
        assert [fade.new for fade in found] == sources[k + 1 : max(k - 3, 0) : -1]
        assert isinstance(oldest, StillSource) == (k >= 4)
        top.advance(k / 10, (k + 1) / 10)
    assert [source.advanced for source in sources] == [4, 4, 4, 4, 3, 2, 1]
    frozen = FadeSource(top, Moving(spin(Y, 0)), 0.6, 1.0, one_joint(), kind="frozen")
    assert isinstance(frozen.old, StillSource)


class Wrapped:
    """A fade of another kind, as one in phase is."""

    def __init__(self, fade):
        self.fade = fade
        self.advance, self.sample, self.step = fade.advance, fade.sample, fade.step
        self.restless, self.save, self.restore = fade.restless, fade.save, fade.restore
        self.over = fade.over

    def alone(self, tau):
        self.left = tau
        return self.fade.new


def test_fades_of_other_kinds_count_and_go_when_they_are_over():
    sources = [Moving(spin(Y, 10 * k, 5 * k)) for k in range(6)]
    top = inner = Wrapped(FadeSource(*sources[:2], 0.0, 0.5, one_joint()))
    for new in sources[2:5]:
        top = FadeSource(top, new, 0.0, 1.0, one_joint())
    run(top, 0.5, 5)
    deepest = top.old.old
    assert deepest.old is inner
    sources[5].tau = 0.5
    fifth = FadeSource(top, sources[5], 0.5, 1.0, one_joint())
    assert isinstance(deepest.old, StillSource)
    deepest.old = inner
    fifth.advance(0.5, 0.6)
    assert deepest.old is sources[1]
    assert inner.left == 0.5


def test_a_fade_in_a_fade_is_a_lerp_of_what_shows():
    a, b, c = (Moving(spin(Y, degrees)) for degrees in (0, 40, 100))
    inner = FadeSource(a, b, 0.0, 1.0, one_joint(), ease="linear", rotation="slerp")
    inner.advance(0.0, 0.5)
    outer = FadeSource(inner, c, 0.5, 1.0, one_joint(), ease="linear", rotation="slerp")
    c.tau = 0.5
    outer.advance(0.5, 0.75)
    # the inner one shows 30 of 40, then a quarter of the way to 100
    assert same_rotation(shown(outer, rest_pose(1)).rotation, about(Y, 30 + 70 / 4), 1e-6)
    outer.advance(0.75, 1.25)
    assert same_rotation(shown(outer, rest_pose(1)).rotation, about(Y, 40 + 60 * 0.75), 1e-6)
    assert outer.old is inner
    outer.advance(1.25, 1.3)
    assert outer.old is b  # over, so that it goes
    assert a.advanced == 3


def test_the_old_one_rests_once_the_fade_is_over():
    old, new = Moving(spin(Y, 0)), Moving(spin(Y, 50), hurried=True)
    fade = FadeSource(old, new, 0.0, 0.1, one_joint())
    assert fade.restless(0.0, 1.0)
    run(fade, 0.1, 3)
    count = old.advanced
    fade.advance(0.1, 0.5)
    assert old.advanced == count
    assert fade.restless(0.1, 0.2)
    new.hurried = False
    assert not fade.restless(0.1, 0.2)
    assert fade.restless(0.09, 0.2)


def test_others_may_advance_the_sources():
    a, b = Moving(spin(Y, 0, 30)), Moving(spin(Y, 170, 90))
    c, d = Moving(spin(Y, 0, 30)), Moving(spin(Y, 170, 90))
    fade = FadeSource(a, b, 0.0, 1.0, one_joint())
    led = FadeSource(c, d, 0.0, 1.0, one_joint())
    for k in range(60):
        span = k / 60, (k + 1) / 60
        fade.advance(*span)
        for source in (c, d):
            source.advance(*span)
        led.follow(*span)
        assert shown(led, rest_pose(1)).equals(shown(fade, rest_pose(1)))
    assert c.advanced == 60


def test_back_to_a_state_and_on_again():
    base = rest_pose(1)
    a, b, c = Moving(spin(Y, 0)), Moving(spin(Y, 170, 300)), Moving(spin(Y, 90, 50))
    inner = FadeSource(a, b, 0.0, 0.5, one_joint())
    run(inner, 0.3)
    c.tau = 0.3
    outer = FadeSource(inner, c, 0.3, 1.0, one_joint())
    states, poses = [], []
    for k in range(90):
        states.append(outer.save())
        poses.append(shown(outer, base))
        outer.advance(0.3 + k * TICK, 0.3 + (k + 1) * TICK)
    assert outer.old is b
    for k in (0, 40, 89):
        outer.restore(states[k])
        assert shown(outer, base).equals(poses[k])
        for i in range(k, 90):
            assert shown(outer, base).equals(poses[i])
            outer.advance(0.3 + i * TICK, 0.3 + (i + 1) * TICK)
