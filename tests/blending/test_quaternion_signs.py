"""Quaternion signs of clips are aligned when they are loaded, so that a mean is a plain sum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.vectors import dot
from rigview.blending import blend
from rigview.blending.blend import PoseStack
from rigview.blending.pose_layout import PoseLayout
from rigview.loading.load import load
from tests.support.clips import f32, make_skeleton, make_track, rest_pose, same_rotation, tracks
from tests.support.five_joint_model import rotation_about

TIMES = np.linspace(-0.5, 6, 40)


def turned_rest(rotation):
    """A rest pose of one joint with a rotation."""
    pose = rest_pose(1)
    pose.rotation[...] = f32(rotation)
    return pose


def sampled(clip, times, count=1):
    out = Pose.like(rest_pose(count), np.shape(times))
    clip.sample(times, out)
    return out.rotation


@given(tracks(path="rotation", target=0), st.integers(0, 99))
def test_alignment_keeps_rotations(track, seed):
    rest = quat.normalize(np.random.default_rng(seed).normal(size=(1, 4)).astype(np.float32))
    plain, turned = Clip.of("A", [track]), Clip.of("A", [track], turned_rest(rest))
    before, after = sampled(plain, TIMES), sampled(turned, TIMES)
    assert np.array_equal(np.abs(before), np.abs(after)) or same_rotation(before, after, 1e-6)
    assert turned.tracks[0] is track  # the numbers of the file are as they were
    if track.interpolation != "CUBICSPLINE":
        keys = Pose.like(rest_pose(1), (len(track.times),))
        turned.sample_key(np.arange(len(track.times)), keys)
        assert (dot(keys.rotation, rest) >= 0).all()


def test_spline_is_negated_as_a_whole():
    tangents = np.zeros((3, 2, 4))
    tangents[:, :, 0] = 0.7
    keys = [rotation_about("x", -20), rotation_about("x", 10), -rotation_about("x", 40)]
    track = make_track("rotation", "CUBICSPLINE", [0, 1, 2], -np.array(keys), tangents)
    before = sampled(Clip.of("A", [track]), TIMES)
    after = sampled(Clip.of("A", [track], turned_rest([0, 0, 0, 1])), TIMES)
    np.testing.assert_array_equal(after, -before)
    assert after[0, 0, 3] > 0


@pytest.mark.parametrize("interpolation", ["STEP", "LINEAR", "CUBICSPLINE"])
def test_track_with_one_key_is_aligned(interpolation):
    tangents = np.zeros((1, 2, 4)) if interpolation == "CUBICSPLINE" else None
    track = make_track("rotation", interpolation, [0], [-rotation_about("x", 30)], tangents)
    q = sampled(Clip.of("A", [track], turned_rest([0, 0, 0, 1])), 0.3)
    np.testing.assert_allclose(q[0], rotation_about("x", 30), atol=1e-7)


def test_clips_of_files_are_aligned_with_rest_pose():
    model = load("assets/mannequin.glb")
    rest = model.skeleton.rest
    for clip in model.clips:
        pose = Pose.like(rest)
        clip.sample(clip.start, pose)
        assert (dot(pose.rotation, rest.rotation) >= 0).all()


@given(st.integers(0, 9999), st.integers(2, 5))
def test_all_quaternions_of_long_sums_agree_with_the_heaviest(seed, count):
    rng = np.random.default_rng(seed)
    weights = np.sort(rng.uniform(0.01, 1, count))
    weights /= weights.sum()
    behind = rng.integers(count - 1)
    q = rng.normal(size=4) + rng.choice([0.1, 0.5, 2]) * rng.normal(size=(count, 4))
    q[behind] -= q[-1] * (q[behind] @ q[-1]) / (q[-1] @ q[-1])  # just at a right angle
    q[behind] -= 1e-6 * q[-1]
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    total = weights @ q
    assert total @ total <= blend._least_square(weights[0], weights[-1])


def test_bound_of_long_sums_is_reached():
    """One quaternion is perpendicular to the heaviest, one between them at the worst angle."""
    light, middle, heavy = 0.2, 0.3, 0.5
    a = np.arctan2(heavy, light)
    angles = np.array([0, a, np.pi / 2])
    total = np.array([light, middle, heavy]) @ np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    assert blend._least_square(light, heavy) == pytest.approx(total @ total, abs=2e-5)


def test_changed_weights_apply_immediately(rng):
    stack = PoseStack(PoseLayout.bare(make_skeleton([-1])), 3)
    for k, row in enumerate(stack.rows):
        row.translation[...] = [k, 0, 0]
    out = rest_pose(1)
    weights = np.zeros(3)
    for _ in range(20):
        weights[:] = rng.choice([0, 0.5, 1, 2], 3)
        stack.mean(weights, out)
        total = weights.sum()
        expected = weights @ [0, 1, 2] / total if total else 0
        assert out.translation[0, 0] == pytest.approx(expected, abs=1e-6)
