"""Rotation arcs of fades: chosen at the start, tracked, and continuous."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.pose import Pose
from rigview.blending.cross_fade import FadeSettings, FadeSource
from tests.blending.fade_sources import (
    EASES,
    KINDS,
    ROTATIONS,
    X,
    Y,
    advance_fade,
    make_fade,
    one_joint_rig,
)
from tests.support.clips import about, rest_pose, same_rotation
from tests.support.function_sources import FunctionSource, sampled, spin


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
