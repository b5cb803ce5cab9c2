"""The bundled character is sound: its skin, its clips, and the program that makes it."""

import subprocess
import sys

import numpy as np
import pytest

from app.animation.pose import Pose
from app.animation.skin import bind_pose, skin_points
from app.gltf.load import load
from app.resources import asset_path

MANNEQUIN = asset_path("mannequin.glb")
HUMANOID = ["Hips", "Spine", "Neck", "Head"] + [
    side + joint
    for side in ("Left", "Right")
    for joint in ("Shoulder", "Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "ToeBase")
]


@pytest.fixture(scope="module")
def model():
    return load(MANNEQUIN)


@pytest.fixture(scope="module")
def body(model):
    (instance,) = model.instances
    (primitive,) = model.meshes[instance.mesh].primitives
    return primitive


def poses(model, clip, times):
    pose = Pose.like(model.skeleton.rest, np.shape(times))
    pose.assign(model.skeleton.rest)
    clip.sample(np.asarray(times, np.float64), pose)
    return pose


def joint_places(model, clip, times):
    """[T, J, 3] metres, model space."""
    return model.skeleton.to_model(poses(model, clip, times))[..., :3, 3]


def vertices(model, body, pose):
    """[..., V, 3] metres, model space."""
    palette = model.skins[0].palette(model.skeleton.to_model(pose))
    return skin_points(body.positions, body.joints, body.weights, palette)


def clip_named(model, name):
    return next(clip for clip in model.clips if clip.name == name)


def test_holds_what_it_promises(model):
    assert not model.warnings
    assert not model.facts.extensions_used
    assert set(HUMANOID) <= set(model.skeleton.names)
    assert [clip.name for clip in model.clips] == ["Idle", "Walk", "Wave"]
    assert MANNEQUIN.stat().st_size < 1_000_000


def test_stands_on_the_floor_and_faces_forward(model, body):
    low, high = body.positions.min(axis=0), body.positions.max(axis=0)
    np.testing.assert_allclose((low[1], high[1]), (0.0, 1.75), atol=0.005)
    np.testing.assert_allclose(low[0], -high[0], atol=1e-5)
    feet = body.positions[body.positions[:, 1] < 0.05]
    assert feet[:, 2].max() > 2.0 * -feet[:, 2].min()  # toes are longer than heels


def test_rest_pose_is_the_bind_pose(model, body):
    rest, bind = model.skeleton.rest, bind_pose(model.skeleton, model.skins[0])
    np.testing.assert_allclose(bind.translation, rest.translation, atol=2e-6)
    np.testing.assert_allclose(bind.rotation, rest.rotation, atol=2e-6)
    np.testing.assert_allclose(vertices(model, body, rest), body.positions, atol=2e-6)


def test_surface_is_closed_and_its_normals_point_out(body):
    corners = body.indices.reshape(-1, 3).astype(np.int64)
    edges = np.concatenate([corners[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
    forward = np.unique(edges[:, 0] * len(body.positions) + edges[:, 1])
    back = np.unique(edges[:, 1] * len(body.positions) + edges[:, 0])
    np.testing.assert_array_equal(forward, back)  # every edge is walked both ways
    a, b, c = body.positions.astype(np.float64)[corners.T]
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 == pytest.approx(0.053, abs=0.01)  # m³
    np.testing.assert_allclose(np.linalg.norm(body.normals, axis=1), 1.0, atol=1e-5)
    facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), body.normals[corners[:, 0]])
    assert (facing > 0.0).mean() > 0.995


def test_weights(model, body):
    assert body.weights.shape[1] == 4
    np.testing.assert_allclose(body.weights.sum(axis=1), 1.0, atol=1e-6)
    assert (body.weights >= 0.0).all()
    moved = np.bincount(body.joints.ravel(), body.weights.ravel(), len(model.skins[0].joints))
    assert (moved > 20.0).all()  # every joint has vertices of its own
    names = np.array(model.skeleton.names)[model.skins[0].joints]
    left = [i for i, name in enumerate(names) if name.startswith("Left")]
    on_left = np.where(np.isin(body.joints, left), body.weights, 0.0).sum(axis=1)
    assert on_left[body.positions[:, 0] < -0.03].max() < 0.02  # nothing pulls across the middle


@pytest.mark.parametrize("name", ["Idle", "Walk", "Wave"])
def test_loop_closes_without_a_seam(model, name):
    clip = clip_named(model, name)
    times = next(track.times for track in clip.tracks).astype(np.float64)
    assert clip.start == 0.0
    places = joint_places(model, clip, times)
    assert np.abs(places[-1] - places[0]).max() < 1e-4

    # Speed at the seam, from the keys after it and from those before it, to second order.
    step = np.diff(times)[0]
    after = (-3.0 * places[0] + 4.0 * places[1] - places[2]) / (2.0 * step)
    before = (3.0 * places[-1] - 4.0 * places[-2] + places[-3]) / (2.0 * step)
    fastest = np.linalg.norm(np.diff(places, axis=0), axis=-1).max() / step
    assert np.linalg.norm(after - before, axis=-1).max() < 0.05 * fastest


def test_nothing_sinks_into_the_floor(model, body):
    for clip in model.clips:
        times = np.linspace(0.0, clip.end, 41)
        lowest = [vertices(model, body, poses(model, clip, time))[:, 1].min() for time in times]
        assert min(lowest) > -0.005
        assert max(lowest) < 0.01, "one foot is always on the ground"


def test_walk_is_a_walk(model):
    skeleton, clip = model.skeleton, clip_named(model, "Walk")
    times = np.linspace(0.0, clip.end, 64, endpoint=False)
    places = joint_places(model, clip, times)

    def place(name):
        return places[:, skeleton.find(name)]

    for side, other in (("Left", "Right"), ("Right", "Left")):
        hip, knee, ankle = (place(side + name) for name in ("UpLeg", "Leg", "Foot"))
        straight = hip + (ankle - hip) * 0.5
        assert (knee - straight)[:, 2].min() > 0.0, "knees bend forward"
        hand, foot = place(f"{side}Hand")[:, 2], ankle[:, 2]
        assert np.corrcoef(hand, foot)[0, 1] < -0.8, "an arm swings against its leg"
        assert np.corrcoef(hand, place(f"{other}Hand")[:, 2])[0, 1] < -0.8
        toes = place(f"{side}ToeBase")
        grounded = toes[:, 1] < 0.0302
        assert 0.4 < grounded.mean() < 0.6
        speed = (np.roll(toes, -1, axis=0) - toes)[:, 2] / (times[1] - times[0])
        flat = grounded & np.roll(grounded, -1) & np.roll(grounded, 1)
        assert np.ptp(speed[flat]) < 0.05 * abs(speed[flat].mean()), "no sliding on the ground"
    height = place("Hips")[:, 1]
    turns = np.sign(height - np.roll(height, 1))
    assert (turns != np.roll(turns, 1)).sum() == 4, "the hips rise and fall twice"


def test_program_makes_the_same_file_again(tmp_path):
    again = tmp_path / "again.glb"
    program = MANNEQUIN.with_name("make_mannequin.py")
    subprocess.run([sys.executable, program, again], check=True, capture_output=True)
    if again.read_bytes() == MANNEQUIN.read_bytes():
        return
    made, stored = load(again), load(MANNEQUIN)  # another numpy may round another way
    (one,), (two,) = made.meshes[0].primitives, stored.meshes[0].primitives
    np.testing.assert_array_equal(one.indices, two.indices)
    np.testing.assert_allclose(one.positions, two.positions, atol=1e-5)
    np.testing.assert_allclose(one.weights, two.weights, atol=2e-5)
    for mine, theirs in zip(made.clips, stored.clips, strict=True):
        for track, other in zip(mine.tracks, theirs.tracks, strict=True):
            np.testing.assert_allclose(track.values, other.values, atol=1e-5)
