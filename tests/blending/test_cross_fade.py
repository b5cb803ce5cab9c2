import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.pose import Pose
from rigview.blending.blend import lerp_pose
from rigview.blending.cross_fade import FadeSettings, FadeSource, ease, linear
from rigview.blending.sources import Source, StillSource
from tests.blending.fade_sources import (
    EASES,
    KINDS,
    ROTATIONS,
    STEP,
    X,
    Y,
    advance_fade,
    make_fade,
    one_joint_rig,
)
from tests.support.clips import about, random_pose, rest_pose, same_rotation
from tests.support.function_sources import FunctionSource, constant_pose, sampled, spin


def test_easing_values():
    assert [ease(u) for u in (-1, 0, 0.5, 1, 2)] == [0, 0, 0.5, 1, 1]
    assert ease(0.25) == 3 * 0.75 * 0.25**2 + 0.25**3
    assert ease(0.25, 10, 2) == pytest.approx(10 - 8 * ease(0.25))
    assert [linear(u) for u in (-1, 0.25, 2)] == [0, 0.25, 1]
    assert linear(0.25, 10, 2) == 8


@given(st.floats(0, 1), st.floats(-5, 5), st.floats(-5, 5))
def test_easing_goes_from_start_to_end(u, start, end):
    v = 1 - u
    bezier = (v**3 + 3 * v**2 * u) * start + (3 * v * u**2 + u**3) * end
    assert ease(u, start, end) == pytest.approx(bezier)
    assert ease(1 - u, end, start) == pytest.approx(ease(u, start, end))
    slope = abs(ease(u + 1e-6) - ease(u)) / 1e-6
    assert slope <= 1.5 + 1e-6


@given(st.integers(0, 99), st.floats(0, 1.2), st.sampled_from(EASES), st.sampled_from(ROTATIONS))
def test_fade_between_still_poses_is_a_lerp(seed, tau, name, rotation):
    rng = np.random.default_rng(seed)
    rig = one_joint_rig(2, step=[1])
    a, b = (random_pose(rng, 1, values=2) for _ in range(2))
    fade = make_fade(constant_pose(a), constant_pose(b), 1.0, rig, ease=name, rotation=rotation)
    advance_fade(fade, tau)
    expected = a.copy()
    share = {"cubic": ease, "linear": linear}[name](tau)
    lerp_pose(expected, b, share, None, rig, rotation)
    assert sampled(fade, a).equals(expected) or same_rotation(
        sampled(fade, a).rotation, expected.rotation, 2e-6
    )
    assert fade.share(tau) == pytest.approx(share)


def test_fade_ends_are_copies(rng):
    a, b = (random_pose(rng, 1) for _ in range(2))
    fade = make_fade(constant_pose(a), constant_pose(b), 0.3)
    assert sampled(fade, a).equals(a)
    advance_fade(fade, 0.3)
    assert fade.is_complete(0.3)
    assert sampled(fade, a).equals(b)
    assert not fade.is_complete(0.29)
    assert make_fade(constant_pose(a), constant_pose(b), 0.0).is_complete(0.0)
    assert sampled(make_fade(constant_pose(a), constant_pose(b), 0.0), a).equals(b)


def test_smooth_fade_advances_and_frozen_fade_stops_old_source():
    for kind, end in (("smooth", 20), ("frozen", 10)):
        old = FunctionSource(spin(Y, 10, 20))
        fade = FadeSource(
            old, FunctionSource(spin(Y, 100)), 0.0, FadeSettings(1.0, kind=kind), one_joint_rig()
        )
        advance_fade(fade, 0.5)
        middle = same_rotation(
            sampled(fade, rest_pose(1)).rotation, about(Y, (end + 100) / 2), 1e-6
        )
        assert middle
        assert (old.advanced > 0) == (kind == "smooth")


def test_root_motion_is_blended_over_whole_step():
    """For any step size: a fade from 1 m/s to 3 m/s within 1 s moves 2 m."""
    for name in EASES:
        for count in (1, 7, 120):
            a, b = FunctionSource(spin(Y, 0), speed=1.0), FunctionSource(spin(Y, 9), speed=3.0)
            fade = FadeSource(a, b, 0.0, FadeSettings(1.0, ease=name), one_joint_rig())
            gone = turned = 0.0
            for k in range(count):
                fade.advance(2 * k / count, 2 * (k + 1) / count)
                gone += fade.step().translation[0]
                turned += fade.step().yaw
            assert gone == pytest.approx(2 + 3)
            assert turned == pytest.approx(10)


def test_root_motion_at_ends_of_fade():
    a, b = FunctionSource(spin(Y, 0), speed=1.0), FunctionSource(spin(Y, 9), speed=3.0)
    fade = FadeSource(a, b, 0.0, FadeSettings(1.0), one_joint_rig())
    fade.advance(0.0, 0.0)
    np.testing.assert_array_equal(fade.step().translation, 0)
    fade.advance(0.0, 1e-12)
    assert fade.step().translation[0] == pytest.approx(1e-12)
    fade.advance(1e-12, 1.0)
    fade.advance(1.0, 1.5)
    assert fade.step().translation[0] == 1.5
    assert fade.step() is b.last
    still_one = FadeSource(a, b, 1.5, FadeSettings(1.0, kind="frozen"), one_joint_rig())
    b.tau = 1.5
    still_one.advance(1.5, 2.5)
    assert still_one.step().translation[0] == pytest.approx(1.5)


def test_events_have_weight_of_their_source():
    a, b = FunctionSource(spin(Y, 0), name="a"), FunctionSource(spin(Y, 9), name="b")
    fade = FadeSource(a, b, 0.0, FadeSettings(1.0, ease="linear"), one_joint_rig())
    fade.advance(0.0, 0.25)
    assert [(e.name, e.weight) for e in fade.step().events] == [
        ("a", 0.8 * 0.75),
        ("b", 0.8 * 0.25),
    ]
    b.last.events[0] = b.last.events[0]._replace(tau=0.1)
    assert [e.name for e in fade.step().events] == ["b", "a"]
    a.last.events[0] = a.last.events[0]._replace(tau=0.05)
    weights = [(e.name, e.weight) for e in fade.step().events]
    assert weights == [("a", 0.8 * 0.95), ("b", 0.8 * 0.1)]
    fade.advance(0.25, 1.0)
    assert [(e.name, e.weight) for e in fade.step().events] == [("b", 0.8)]


def test_oldest_of_more_than_four_fades_stops():
    """Nested fades of one second between spins about Y, a new one every 0.1 s."""
    base = rest_pose(1)
    sources = [FunctionSource(spin(Y, 10 * k, 5 * k)) for k in range(7)]
    top = sources[0]
    for k, new in enumerate(sources[1:]):
        new.tau = k / 10
        before = sampled(top, base)
        top = FadeSource(top, new, k / 10, FadeSettings(1.0), one_joint_rig())
        assert sampled(top, base).equals(before)  # nothing moves at that instant
        fades, oldest = [top], top.old
        while isinstance(oldest, FadeSource):
            fades.append(oldest)
            oldest = oldest.old
        assert [fade.new for fade in fades] == sources[k + 1 : max(k - 3, 0) : -1]
        assert isinstance(oldest, StillSource) == (k >= 4)
        top.advance(k / 10, (k + 1) / 10)
    assert [source.advanced for source in sources] == [4, 4, 4, 4, 3, 2, 1]
    frozen = FadeSource(
        top, FunctionSource(spin(Y, 0)), 0.6, FadeSettings(1.0, kind="frozen"), one_joint_rig()
    )
    assert isinstance(frozen.old, StillSource)


class Wrapped(Source):
    """A fade of another class, such as a fade in phase."""

    fades = True

    def __init__(self, fade):
        self.fade = fade
        self.advance, self.step = fade.advance, fade.step
        self.needs_small_steps = fade.needs_small_steps

    def sample(self, out):
        self.fade.sample(out)

    def parts(self):
        return (("fade", self.fade),)

    def remaining(self, tau):
        if not self.fade.is_complete(tau):
            return self
        self.left = tau
        return self.fade.new


def test_fades_of_other_classes_count_and_are_removed_at_their_end():
    sources = [FunctionSource(spin(Y, 10 * k, 5 * k)) for k in range(6)]
    top = inner = Wrapped(FadeSource(*sources[:2], 0.0, FadeSettings(0.5), one_joint_rig()))
    for new in sources[2:5]:
        top = FadeSource(top, new, 0.0, FadeSettings(1.0), one_joint_rig())
    advance_fade(top, 0.5, 5)
    deepest = top.old.old
    assert deepest.old is inner
    sources[5].tau = 0.5
    fifth = FadeSource(top, sources[5], 0.5, FadeSettings(1.0), one_joint_rig())
    assert isinstance(deepest.old, StillSource)
    deepest.old = inner
    fifth.advance(0.5, 0.6)
    assert deepest.old is sources[1]
    assert inner.left == 0.5


def test_nested_fade_is_a_lerp_of_the_visible_pose():
    a, b, c = (FunctionSource(spin(Y, degrees)) for degrees in (0, 40, 100))
    inner = FadeSource(
        a, b, 0.0, FadeSettings(1.0, ease="linear", rotation="slerp"), one_joint_rig()
    )
    inner.advance(0.0, 0.5)
    outer = FadeSource(
        inner, c, 0.5, FadeSettings(1.0, ease="linear", rotation="slerp"), one_joint_rig()
    )
    c.tau = 0.5
    outer.advance(0.5, 0.75)
    # the inner one shows 30 of 40, then a quarter of the way to 100
    assert same_rotation(sampled(outer, rest_pose(1)).rotation, about(Y, 30 + 70 / 4), 1e-6)
    outer.advance(0.75, 1.25)
    assert same_rotation(sampled(outer, rest_pose(1)).rotation, about(Y, 40 + 60 * 0.75), 1e-6)
    assert outer.old is inner
    outer.advance(1.25, 1.3)
    assert outer.old is b  # finished, therefore removed
    assert a.advanced == 3


def test_old_source_stops_after_fade():
    old, new = FunctionSource(spin(Y, 0)), FunctionSource(spin(Y, 50), hurried=True)
    fade = FadeSource(old, new, 0.0, FadeSettings(0.1), one_joint_rig())
    assert fade.needs_small_steps(0.0, 1.0)
    advance_fade(fade, 0.1, 3)
    count = old.advanced
    fade.advance(0.1, 0.5)
    assert old.advanced == count
    assert fade.needs_small_steps(0.1, 0.2)
    new.hurried = False
    assert not fade.needs_small_steps(0.1, 0.2)
    assert fade.needs_small_steps(0.09, 0.2)


def test_sources_may_be_advanced_elsewhere():
    a, b = FunctionSource(spin(Y, 0, 30)), FunctionSource(spin(Y, 170, 90))
    c, d = FunctionSource(spin(Y, 0, 30)), FunctionSource(spin(Y, 170, 90))
    fade = FadeSource(a, b, 0.0, FadeSettings(1.0), one_joint_rig())
    led = FadeSource(c, d, 0.0, FadeSettings(1.0), one_joint_rig())
    for k in range(60):
        span = k / 60, (k + 1) / 60
        fade.advance(*span)
        for source in (c, d):
            source.advance(*span)
        led.follow(*span)
        assert sampled(led, rest_pose(1)).equals(sampled(fade, rest_pose(1)))
    assert c.advanced == 60


def test_restored_state_replays_identically():
    base = rest_pose(1)
    a, b, c = (
        FunctionSource(spin(Y, 0)),
        FunctionSource(spin(Y, 170, 300)),
        FunctionSource(spin(Y, 90, 50)),
    )
    inner = FadeSource(a, b, 0.0, FadeSettings(0.5), one_joint_rig())
    advance_fade(inner, 0.3)
    c.tau = 0.3
    outer = FadeSource(inner, c, 0.3, FadeSettings(1.0), one_joint_rig())
    states, poses = [], []
    for k in range(90):
        states.append(outer.save())
        poses.append(sampled(outer, base))
        outer.advance(0.3 + k * STEP, 0.3 + (k + 1) * STEP)
    assert outer.old is b
    for k in (0, 40, 89):
        outer.restore(states[k])
        assert sampled(outer, base).equals(poses[k])
        for i in range(k, 90):
            assert sampled(outer, base).equals(poses[i])
            outer.advance(0.3 + i * STEP, 0.3 + (i + 1) * STEP)


def follow(old, new, seconds, rate=120, **settings):
    """Return the unwrapped angle of a fade about the common axis, degrees, and its steps."""
    fade = make_fade(old, new, seconds, **settings)
    poses = [sampled(fade, rest_pose(1)).rotation[0]]
    count = round(seconds * rate)
    for k in range(count):
        fade.advance(k / rate, (k + 1) / rate)
        poses.append(sampled(fade, rest_pose(1)).rotation[0])
    q = np.array(poses, float)
    turns = quat.multiply(quat.conjugate(q[:-1]), q[1:])
    return q, 2 * np.degrees(np.arctan2(np.linalg.norm(turns[:, :3], axis=1), abs(turns[:, 3])))


@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("name", EASES)
@pytest.mark.parametrize("rate", [40, 300, 720, -720])
def test_fade_is_continuous_beyond_half_a_turn(rate, name, rotation):
    """From 170 degrees to several turns apart: the arc grows, and the fade follows it evenly."""
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


def test_fade_keeps_arc_chosen_at_start():
    """Both clips pass half a turn; a fade started then would take the other arc."""
    fade = make_fade(spin(Y, 0), spin(Y, 170, 40), 1.0, ease="linear", rotation="slerp")
    advance_fade(fade, 0.75)
    assert same_rotation(sampled(fade, rest_pose(1)).rotation, about(Y, 0.75 * 200), 1e-5)
    late = FadeSource(
        FunctionSource(spin(Y, 0)),
        FunctionSource(spin(Y, 200)),
        0.0,
        FadeSettings(1.0, ease="linear"),
        one_joint_rig(),
    )
    advance_fade(late, 0.5)
    assert same_rotation(sampled(late, rest_pose(1)).rotation, about(Y, -80), 1e-5)


def sway(axis, degrees, rate, tilt):
    """Return the rotation of a spinning character with a tilted axis."""

    def show(tau, out):
        lean = about(X, tilt * np.cos(3 * tau))
        out.rotation[..., 0, :] = quat.multiply(about(axis, degrees + rate * tau), lean)

    return show


@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("tilt", [0.1, 3, 20])
def test_fade_beyond_full_turn_keeps_tilted_character_upright(tilt, rotation):
    """At a full turn the arc has no axis; the axis at half a turn is kept."""
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
def test_fades_between_random_spins_are_continuous(seed, name, kind, rotation):
    """At 1 kHz: random axes, up to four turns per second, and a nested fade."""
    rng = np.random.default_rng(seed)
    base = rest_pose(1)
    axes = quat.normalize(rng.normal(size=(3, 4)))[:, :3]
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    a, b, c = (
        FunctionSource(spin(axis, rng.uniform(0, 360), rng.uniform(-1440, 1440))) for axis in axes
    )
    how = {"ease": name, "kind": kind, "rotation": rotation}
    top = FadeSource(a, b, 0.0, FadeSettings(0.12, **how), one_joint_rig())
    start = rng.integers(10, 110)
    previous = sampled(top, base).rotation[0].astype(float)
    for k in range(200):
        if k == start:
            c.tau = k / 1000
            top = FadeSource(top, c, k / 1000, FadeSettings(0.08, **how), one_joint_rig())
            assert same_rotation(sampled(top, base).rotation[0], previous, 0)
        top.advance(k / 1000, (k + 1) / 1000)
        now = sampled(top, base).rotation[0].astype(float)
        moved = 2 * np.degrees(np.arccos(min(abs(now @ previous), 1)))
        assert moved < 1.44 * 3 + 3 * 360 / 80
        previous = now


def test_fade_ignores_quaternion_signs_of_sources():
    def flipping(show, often):
        def write(tau, out):
            show(tau, out)
            out.rotation *= -1 if int(tau * often) % 2 else 1

        return write

    old, new = spin(Y, 0, -50), spin(Y, 170, 250)
    plain, flipped = make_fade(old, new), make_fade(flipping(old, 37), flipping(new, 23))
    for k in range(119):
        for fade in (plain, flipped):
            fade.advance(k / 120, (k + 1) / 120)
        shows = [sampled(fade, rest_pose(1)).rotation for fade in (plain, flipped)]
        assert same_rotation(*shows, 1e-6)


def test_rotation_values_follow_their_arcs():
    def show(degrees):
        def write(tau, out):
            out.values[...] = (7, *about(Y, degrees(tau)))

        return write

    rig = one_joint_rig(5, rotations=(1,))
    fade = make_fade(show(lambda _: 0), show(lambda tau: 170 + 40 * tau), rig=rig, rotation="slerp")
    advance_fade(fade, 0.5)
    out = sampled(fade, rig.skeleton.rest)
    assert same_rotation(out.values[1:], about(Y, 95), 1e-5)
    assert out.values[0] == 7
    assert same_rotation(out.rotation, (0, 0, 0, 1))


def test_batch_equals_single():
    def crowd(tau, out):
        for i, degrees in enumerate((90, 170, -170)):
            out.rotation[i, 0] = about(Y, degrees + np.sign(degrees) * 60 * tau)

    fade = make_fade(spin(Y, 0), crowd, 1.0, batch=(3,))
    advance_fade(fade, 0.7)
    out = sampled(fade, Pose.like(rest_pose(1), (3,)))
    for i, degrees in enumerate((90, 170, -170)):
        alone = make_fade(spin(Y, 0), spin(Y, degrees, np.sign(degrees) * 60), 1.0)
        advance_fade(alone, 0.7)
        assert same_rotation(out.rotation[i], sampled(alone, rest_pose(1)).rotation, 1e-6)
