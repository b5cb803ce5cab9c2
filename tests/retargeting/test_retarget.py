from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.animation.model_space import about_y, arc, to_model_rotations
from rigview.animation.skeleton import Skeleton
from rigview.animation.track import Track
from rigview.animation.vectors import dot
from rigview.retargeting.leg_ik import STRETCH
from rigview.retargeting.reference_pose import (
    RetargetSkeleton,
    bind_reference_pose,
    quarter,
    reference_pose_of,
)
from rigview.retargeting.retarget import JointMapping, Retarget, key_times
from tests.support.clips import about, make_track, same_rotation
from tests.support.humanoids import HUMANOID, humanoid, joint_positions, random_clip, sampled_pose

TIMES = np.linspace(0, 1, 33)


def figure(model, stance=None):
    joints = np.arange(model.skeleton.count, dtype=np.int32)
    stance = stance or reference_pose_of(model.skeleton, model.skeleton.rest)
    return RetargetSkeleton(model.skeleton, joints, 0, stance)


def make_retarget(source, target, **settings):
    sides = {
        j: "left" if "Left" in name else "right"
        for j, name in enumerate(source.skeleton.names)
        if "Left" in name or "Right" in name
    }
    led = np.arange(target.skeleton.count, dtype=np.int32)
    mapping = JointMapping(led, settings.pop("sides", sides), settings.pop("mirrored", ()))
    return Retarget(figure(source), figure(target), mapping, **settings)


@given(st.integers(0, 10**6), st.sampled_from(["LINEAR", "STEP"]), st.booleans())
@settings(max_examples=25, deadline=None)
def test_retarget_onto_itself_is_identity(seed, interpolation, stance):
    model = humanoid(seed=seed)
    clip = random_clip(model.skeleton, seed, interpolation=interpolation)
    converted = make_retarget(model, model, align_poses=stance).convert(clip)
    a, b = sampled_pose(model, clip, TIMES), sampled_pose(model, converted, TIMES)
    assert same_rotation(a.rotation, b.rotation, 1e-5)
    np.testing.assert_allclose(b.translation, a.translation, atol=1e-5)


@given(st.integers(0, 10**6), st.sampled_from([0.01, 0.5, 3.0]), st.booleans())
@settings(max_examples=25, deadline=None)
def test_retarget_to_scaled_copy_scales_positions(seed, size, legs):
    """Joint axes differ too, so positions in model space are compared.

    Leg IK does not stretch a leg beyond STRETCH of its length, so straighter legs are left out.
    """
    source, target = humanoid(seed=seed), humanoid(seed=seed + 1, size=size)
    clip = random_clip(source.skeleton, seed, wild=0.2)
    assume(not legs or leg_extension(source, clip) < STRETCH)
    converted = make_retarget(source, target, leg_ik=legs).convert(clip)
    there = joint_positions(target, converted, clip.key_times) / size
    np.testing.assert_allclose(there, joint_positions(source, clip, clip.key_times), atol=1e-3)


def leg_extension(model, clip):
    """Return the greatest distance from hip to ankle, as a fraction of the leg's length."""
    positions = joint_positions(model, clip, clip.key_times)
    extensions = []
    for side in ("Left", "Right"):
        hip, knee, ankle = (
            positions[:, model.skeleton.find(side + name)] for name in ("UpLeg", "Leg", "Foot")
        )
        length = np.linalg.norm(knee - hip, axis=-1) + np.linalg.norm(ankle - knee, axis=-1)
        extensions.append(np.linalg.norm(ankle - hip, axis=-1) / length)
    return np.max(extensions)


@given(st.integers(0, 10**6), st.sampled_from([0.01, 3.0]))
@settings(max_examples=20, deadline=None)
def test_feet_outside_hips_hierarchy_follow_the_source(seed, size):
    joints = {"Root": ("", (0, 0.0, 0))} | HUMANOID
    for name in ("Hips", "LeftFoot", "RightFoot"):
        joints[name] = ("Root", HUMANOID[name][1])
    source, target = humanoid(joints, seed=seed), humanoid(joints, seed=seed + 1, size=size)
    foot, toe, hips = (source.skeleton.find(name) for name in ("LeftFoot", "LeftToe", "Hips"))
    clip = random_clip(source.skeleton, seed, wild=0.2)
    path = source.skeleton.rest.translation[foot] + np.eye(3, dtype=np.float32)
    tracks = [track for track in clip.tracks if track.path == "rotation"]
    tracks.append(make_track("translation", "LINEAR", [0, 0.5, 1], path, target=foot))
    clip = Clip.of("Step", tracks)
    led = np.arange(target.skeleton.count, dtype=np.int32)
    figures = [replace(figure(model), hips=hips) for model in (source, target)]
    converted = Retarget(*figures, JointMapping(led, {}, ())).convert(clip)
    there = joint_positions(target, converted, clip.key_times) / size
    wanted = joint_positions(source, clip, clip.key_times)
    np.testing.assert_allclose(there[:, [foot, toe]], wanted[:, [foot, toe]], atol=1e-4)


def test_retarget_formula_with_rotated_reference():
    """G_d = (G_s G_s,ref⁻¹) G_d,ref for a bone rotated by 90° in one reference pose."""
    source, target = humanoid(), humanoid()
    joint = source.skeleton.find("LeftArm")
    target.skeleton.rest.rotation[joint] = about((0, 1, 0), 90)
    turn = about((0, 0, 1), 30)
    clip = Clip.of("c", [make_track("rotation", "LINEAR", [0], [turn], target=joint)])
    converted = make_retarget(source, target, align_poses=False).convert(clip)
    pose = sampled_pose(target, converted, 0.0)
    want = quat.multiply(turn, about((0, 1, 0), 90))
    assert same_rotation(pose.rotation[joint], want)
    others = [j for j in range(target.skeleton.count) if j != joint]
    rest = target.skeleton.rest.rotation
    child = target.skeleton.find("LeftForeArm")
    others.remove(child)  # its parent's reference is another one, its own is not
    assert same_rotation(pose.rotation[others], rest[others])


def lowered(joints, degrees):
    """Return the humanoid with lowered arms: an A pose."""
    joints = dict(joints)
    for side, sign in (("Left", 1), ("Right", -1)):
        root = np.array(joints[f"{side}Arm"][1])
        turn = about((0, 0, 1), -sign * degrees).astype(np.float64)
        for part in ("ForeArm", "Hand"):
            parent, at = joints[side + part]
            joints[side + part] = (parent, tuple(root + quat.rotate(turn, np.array(at) - root)))
    return joints


@given(st.integers(0, 1000), st.floats(20, 80))
@settings(max_examples=20, deadline=None)
def test_a_pose_and_t_pose_arms_are_aligned(seed, degrees):
    source, target = humanoid(seed=1), humanoid(lowered(HUMANOID, degrees), seed=2)
    clip = random_clip(source.skeleton, seed)
    converted = make_retarget(source, target).convert(clip)
    a, b = joint_positions(source, clip, TIMES), joint_positions(target, converted, clip.key_times)
    a = joint_positions(source, clip, clip.key_times)
    np.testing.assert_allclose(b, a, atol=1e-4)  # bones are equally long
    apart = make_retarget(source, target, align_poses=False).convert(clip)
    assert np.abs(joint_positions(target, apart, clip.key_times) - a).max() > 0.1


@pytest.mark.parametrize("degrees", [0, 90, 180, -90, 37])
def test_rotated_bind_pose_faces_like_the_rest_pose(degrees):
    """The bind pose is the rotated rest pose: the reference pose is the rest pose."""
    model = humanoid(seed=3)
    turned = humanoid(seed=3)
    turn = np.eye(4, dtype=np.float32)
    turn[:3, :3] = quat.to_matrix(about((0, 1, 0), degrees))
    turned.skins[0].inverse_bind[...] = turned.skins[0].inverse_bind @ np.linalg.inv(turn)
    stance = bind_reference_pose(turned.skeleton, turned.skins, 0)
    want = reference_pose_of(model.skeleton, model.skeleton.rest)
    assert same_rotation(stance.rotation, want.rotation)
    np.testing.assert_allclose(stance.position, want.position, atol=1e-6)


@pytest.mark.parametrize("degrees", [90, 180])
@pytest.mark.parametrize("size", [1.0, 100.0])
def test_bind_pose_faces_like_animated_rest_pose(degrees, size):
    """The bind pose has another direction and unit: quarter turns are corrected, not 84°."""
    model = humanoid(seed=4)
    want = reference_pose_of(model.skeleton, model.skeleton.rest)
    turn = np.eye(4, dtype=np.float32)
    turn[:3, :3] = quat.to_matrix(about((0, 1, 0), degrees)) * size
    inverse = model.skins[0].inverse_bind @ np.linalg.inv(turn)
    inverse[:, :3] *= size  # axes of the joints at unit length
    model.skins[0].inverse_bind[...] = inverse
    clip = random_clip(model.skeleton, 5, wild=0.15)
    model.skeleton.rest.assign(sampled_pose(model, clip, 0.5))
    stance = bind_reference_pose(model.skeleton, model.skins, 0)
    assert same_rotation(stance.rotation, want.rotation, 1e-5)
    np.testing.assert_allclose(stance.position[:, 1], want.position[:, 1], atol=2e-3)


def test_target_with_opposite_facing_walks_in_its_own_direction():
    joints = {name: (up, (-x, y, -z)) for name, (up, (x, y, z)) in HUMANOID.items()}
    source, target = humanoid(seed=1), humanoid(joints, seed=2)
    clip = random_clip(source.skeleton, 3)
    pair = tuple(source.skeleton.find(name) for name in ("LeftUpLeg", "RightUpLeg"))
    converted = make_retarget(source, target, mirrored=(pair,)).convert(clip)
    there = joint_positions(target, converted, clip.key_times) * [-1, 1, -1]
    np.testing.assert_allclose(there, joint_positions(source, clip, clip.key_times), atol=1e-4)


def test_unmatched_joints_rest_and_matched_keep_translation():
    source, target = humanoid(seed=1), humanoid(seed=2)
    clip = random_clip(source.skeleton, 3)
    moved = make_track("translation", "LINEAR", [0, 1], [[0, 0, 0], [1, 1, 1]], target=5)
    clip = Clip.of("c", [*clip.tracks, moved])
    led = np.arange(target.skeleton.count, dtype=np.int32)
    led[6] = -1
    converted = Retarget(figure(source), figure(target), JointMapping(led, {}, ())).convert(clip)
    assert {track.target for track in converted.tracks if track.path == "translation"} == {0}
    assert 6 not in {track.target for track in converted.tracks}


def other_leg_lengths(factor):
    """Return the humanoid with other leg lengths: long shins and short thighs."""
    joints = dict(HUMANOID)
    lift = 0.0
    for side in ("Left", "Right"):
        hip, knee, foot, toe = (
            np.array(HUMANOID[side + part][1], float) for part in ("UpLeg", "Leg", "Foot", "Toe")
        )
        knee2 = hip + (knee - hip) * factor * 0.7
        foot2 = knee2 + (foot - knee) * factor * 1.3
        toe2 = foot2 + (toe - foot) * [1, 1, 1.3]
        lift = -toe2[1]
        for part, at in zip(("Leg", "Foot", "Toe"), (knee2, foot2, toe2), strict=True):
            joints[side + part] = (HUMANOID[side + part][0], tuple(at))
    return {name: (up, (x, y + lift, z)) for name, (up, (x, y, z)) in joints.items()}


def squat(skeleton):
    """Return a squat: hips move down and up, knees bend so that the feet nearly stay."""
    times = np.linspace(0, 1, 9).astype(np.float32)
    bend = 40 * np.sin(np.pi * times) ** 2
    tracks = []
    for side in ("Left", "Right"):
        for part, share in (("UpLeg", -1), ("Leg", 1.4), ("Foot", -0.4)):
            turns = np.stack([about((1, 0, 0), share * angle) for angle in bend])
            tracks.append(Track(skeleton.find(side + part), "rotation", "LINEAR", times, turns))
    thigh, shin = np.cos(np.radians(bend)), np.cos(np.radians(0.4 * bend))
    drop = 0.43 * (1 - thigh) + 0.44 * (1 - shin)
    path = np.stack([0 * times, 1.0 - drop, 0.3 * times], axis=1).astype(np.float32)
    return Clip.of("Squat", [*tracks, Track(0, "translation", "LINEAR", times, path)])


@pytest.mark.parametrize("factor", [0.6, 0.8, 1.4])
def test_leg_ik_keeps_feet_on_ground_for_other_leg_lengths(factor):
    source, target = humanoid(), humanoid(other_leg_lengths(factor), seed=3)
    clip = squat(source.skeleton)
    converted = make_retarget(source, target, leg_ik=True).convert(clip)
    times = np.linspace(0, 1, 50)
    toes = [source.skeleton.find(name) for name in ("LeftToe", "RightToe")]
    theirs = joint_positions(source, clip, times)[:, toes, 1]
    own = joint_positions(target, converted, times)[:, toes, 1]
    assert np.abs(theirs).max() < 0.015
    assert np.abs(own - theirs * factor).max() < 0.01
    normalized_name = make_retarget(source, target).convert(clip)
    assert (
        np.abs(joint_positions(target, normalized_name, times)[:, toes, 1] - theirs * factor).max()
        > 0.02
    )


def test_leg_ik_ankles_follow_scaled_path():
    source, target = humanoid(), humanoid(other_leg_lengths(1.4), seed=3)
    clip = squat(source.skeleton)
    to = make_retarget(source, target, leg_ik=True)
    feet = [source.skeleton.find(name) for name in ("LeftFoot", "RightFoot")]
    times = clip.key_times
    theirs = joint_positions(source, clip, times)[:, feet]
    own = joint_positions(target, to.convert(clip), times)[:, feet]
    np.testing.assert_allclose(own[..., [0, 2]], theirs[..., [0, 2]] * to.scale, atol=2e-3)


def test_retargeted_keys_have_source_times():
    track = make_track("rotation", "LINEAR", [0, 0.5, 2], [[0, 0, 0, 1]] * 3)
    other = make_track("rotation", "LINEAR", [0.25, 2], [[0, 0, 0, 1]] * 2, target=1)
    clip = Clip.of("c", [track, other])
    np.testing.assert_array_equal(key_times(clip, fill=False), [0, 0.25, 0.5, 2])
    filled = key_times(clip, fill=True)
    assert set(key_times(clip, fill=False)) <= set(filled)
    assert np.diff(filled).max() <= 1 / 120 + 1e-6


def test_step_track_stays_discontinuous():
    model = humanoid(seed=1)
    joint = model.skeleton.find("Head")
    turns = [about((0, 1, 0), 0), about((0, 1, 0), 90)]
    clip = Clip.of("c", [make_track("rotation", "STEP", [0, 1], turns, target=joint)])
    converted = make_retarget(model, humanoid(seed=2)).convert(clip)
    before, after = sampled_pose(model, converted, np.array([0.99, 1.0])).rotation[:, joint]
    start = sampled_pose(model, converted, 0.0).rotation[joint]
    assert same_rotation(before, start)
    assert not same_rotation(after, start, 0.1)


def test_retargeted_keys_have_aligned_signs():
    model = humanoid(seed=1)
    clip = random_clip(model.skeleton, 7, keys=40, wild=3.0)
    converted = make_retarget(model, humanoid(seed=2)).convert(clip)
    for track in converted.tracks:
        if track.path == "rotation":
            assert (dot(track.values[1:], track.values[:-1]) >= 0).all()


def test_blocks_of_long_clip_are_continuous(monkeypatch):
    model = humanoid(seed=1)
    clip = random_clip(model.skeleton, 7, keys=50)
    whole = make_retarget(model, humanoid(seed=2)).convert(clip)
    monkeypatch.setattr("rigview.retargeting.retarget.BLOCK", 7)
    parts = make_retarget(model, humanoid(seed=2)).convert(clip)
    for one, two in zip(whole.tracks, parts.tracks, strict=True):
        np.testing.assert_array_equal(one.times, two.times)
        np.testing.assert_allclose(one.values, two.values, atol=1e-6)


def test_quarter_rounds_to_quarter_turns():
    assert quarter(np.radians(84)) == pytest.approx(np.pi / 2)
    assert quarter(np.radians(-3)) == 0
    assert quarter(np.radians(45)) == pytest.approx(np.pi / 4)


def test_arc_between_opposite_directions_is_a_half_turn():
    a = np.array([[0.0, 1, 0], [1, 2, 3]])
    np.testing.assert_allclose(quat.rotate(arc(a, -a), a), -a, atol=1e-9)
    np.testing.assert_allclose(arc(a, 2 * a), [[0, 0, 0, 1]] * 2, atol=1e-9)


def test_model_rotations_ignore_scale():
    model = humanoid(seed=1)
    model.skeleton.rest.scale[:] = [1, 2, 3]
    assert isinstance(model.skeleton, Skeleton)
    rotation = model.skeleton.rest.rotation.astype(np.float64)
    product = to_model_rotations(model.skeleton, rotation)
    np.testing.assert_allclose(np.linalg.norm(product, axis=-1), 1, atol=1e-6)
    assert about_y(0.0).tolist() == [0, 0, 0, 1]
