import numpy as np
import pytest

from rigview.animation.skeleton import BATCH_LAST
from rigview.animation.skin import Skin, bind_pose, skin_points
from rigview.animation.transform import compose
from tests.support.clips import about, f32, make_skeleton, random_pose, rest_pose
from tests.support.skinned_normals import skin_normals, skin_tangents


def make_skin(joints, inverse_bind=None):
    count = len(joints)
    bind = np.tile(np.eye(4), (count, 1, 1)) if inverse_bind is None else inverse_bind
    return Skin("Skin", np.array(joints, np.int32), np.asarray(bind, np.float32))


def influences(rng, vertices, joints, width):
    weights = rng.uniform(size=(vertices, width))
    weights /= weights.sum(axis=1, keepdims=True)
    chosen = rng.integers(0, joints, size=(vertices, width))
    return chosen.astype(np.uint16), weights.astype(np.float32)


@pytest.mark.parametrize("batch", [(), (2,), (BATCH_LAST,), (3, BATCH_LAST)])
def test_palette_is_model_times_inverse_bind(rng, batch):
    skeleton = make_skeleton((-1, 0, 0, 1))
    bind = rng.normal(size=(3, 4, 4))
    bind[:, 3] = (0, 0, 0, 1)
    skin = make_skin((3, 0, 2), bind)
    model = skeleton.to_model(random_pose(rng, 4, batch))
    palette = skin.palette(model)
    assert palette.shape == (*batch, 3, 3, 4)
    out = np.full_like(palette, np.nan)
    assert skin.palette(model, out=out) is out
    np.testing.assert_array_equal(out, palette)
    for row in np.ndindex(batch):
        for s, joint in enumerate((3, 0, 2)):
            expected = model[row][joint].astype(float) @ bind[s]
            np.testing.assert_allclose(palette[row][s], expected[:3], rtol=1e-4, atol=1e-4)


def test_palette_with_world_transform(rng):
    skeleton, skin = make_skeleton((-1, 0)), make_skin((0, 1))
    model = skeleton.to_model(random_pose(rng, 2))
    world = compose(f32(1, 2, 3), about((0, 1, 0), 70), f32(2, 2, 2))
    points = rng.normal(size=(5, 3)).astype(np.float32)
    joints, weights = influences(rng, 5, 2, 4)
    moved = skin_points(points, joints, weights, skin.palette(world @ model))
    there = skin_points(points, joints, weights, skin.palette(model))
    np.testing.assert_allclose(moved, there @ world[:3, :3].T + world[:3, 3], atol=1e-4)


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize("batch", [(), (3,)])
def test_skinned_points_are_weighted_means(rng, width, batch):
    palette = rng.normal(size=(*batch, 6, 3, 4)).astype(np.float32)
    points = rng.normal(size=(10, 3)).astype(np.float32)
    joints, weights = influences(rng, 10, 6, width)
    moved = skin_points(points, joints, weights, palette)
    assert moved.shape == (*batch, 10, 3)
    for row in np.ndindex(batch):
        for v in range(10):
            transformed = [palette[row][j] @ [*points[v], 1] for j in joints[v]]
            np.testing.assert_allclose(moved[row][v], weights[v] @ np.array(transformed), atol=1e-5)


def test_batch_of_points_uses_batch_of_palettes(rng):
    """Morphed points have batch dimensions too."""
    palette = rng.normal(size=(2, 3, 3, 4)).astype(np.float32)
    points = rng.normal(size=(2, 5, 3)).astype(np.float32)
    joints, weights = influences(rng, 5, 3, 4)
    moved = skin_points(points, joints, weights, palette)
    for k in range(2):
        one = skin_points(points[k], joints, weights, palette[k])
        np.testing.assert_allclose(moved[k], one, atol=1e-6)


def test_skinned_normals_stay_perpendicular_under_scale():
    """The normal of a stretched slope is not the normal multiplied by the matrix."""
    joints, weights = np.zeros((1, 4), np.uint16), f32((1, 0, 0, 0))
    stretch = compose(f32(5, 5, 5), about((0, 0, 1), 30), f32(4, 1, 0.5))[None, :3]
    in_plane, across = f32(1, 1, 0), f32(0, 0, 1)
    normal = skin_normals(f32((1, -1, 0)) / np.sqrt(np.float32(2)), joints, weights, stretch)[0]
    assert normal @ (stretch[0, :, :3] @ in_plane) == pytest.approx(0, abs=1e-6)
    assert normal @ (stretch[0, :, :3] @ across) == pytest.approx(0, abs=1e-6)
    assert np.linalg.norm(normal) == pytest.approx(1, abs=1e-6)


def test_normals_of_mirrored_and_flat_joints():
    joints, weights = np.zeros((1, 4), np.uint16), f32((1, 0, 0, 0))
    flat = np.zeros((1, 3, 4), np.float32)
    assert skin_normals(f32((0, 1, 0)), joints, weights, flat).tolist() == [[0, 0, 0]]
    thin = compose(f32(0, 0, 0), f32(0, 0, 0, 1), f32(2, 0, 3))[None, :3]  # a scale of 0 along y
    np.testing.assert_allclose(skin_normals(f32((0, 1, 0)), joints, weights, thin), [[0, 1, 0]])


def test_tangents_rotate_and_keep_handedness(rng):
    joints, weights = np.zeros((2, 4), np.uint16), np.tile(f32(1, 0, 0, 0), (2, 1))
    turn = compose(f32(9, 9, 9), about((0, 0, 1), 90), f32(3, 3, 3))[None, :3]
    moved = skin_tangents(f32((1, 0, 0, -1), (0, 1, 0, 1)), joints, weights, turn)
    np.testing.assert_allclose(moved, [(0, 1, 0, -1), (-1, 0, 0, 1)], atol=1e-6)
    batch = skin_tangents(f32((1, 0, 0, -1), (0, 1, 0, 1)), joints, weights, np.stack([turn] * 3))
    np.testing.assert_array_equal(batch, np.stack([moved] * 3))


def test_mirrored_joint_flips_tangent_handedness():
    """The bitangent follows the joint, so that bumps stay bumps."""
    joints, weights = np.zeros((1, 4), np.uint16), f32((1, 0, 0, 0))
    for scale, w in (((-1, 1, 1), -1), ((1, -1, 1), -1), ((-1, -1, 1), 1), ((-1, -1, -1), -1)):
        mirror = compose(f32(0, 0, 0), f32(0, 0, 0, 1), f32(*scale))[None, :3]
        normal = skin_normals(f32((0, 0, 1)), joints, weights, mirror)[0]
        tangent = skin_tangents(f32((1, 0, 0, 1)), joints, weights, mirror)[0]
        assert tangent[3] == w
        bitangent = np.cross(normal, tangent[:3]) * tangent[3]
        np.testing.assert_allclose(bitangent, np.array((0, 1, 0)) * scale, atol=1e-6)


def test_bind_pose_palette_is_identity(rng):
    skeleton = make_skeleton((-1, 0, 1, 1), random_pose(rng, 4))
    bound = random_pose(rng, 4)
    bound.scale[:] = 1  # so that the inverse holds no shear
    skin = make_skin((0, 1, 2, 3), np.linalg.inv(skeleton.to_model(bound).astype(float)))
    palette = skin.palette(skeleton.to_model(bind_pose(skeleton, skin)))
    np.testing.assert_allclose(palette, np.tile(np.eye(4)[:3], (4, 1, 1)), atol=1e-5)


def test_bind_pose_keeps_rest_transform_of_other_joints(rng):
    skeleton = make_skeleton((-1, 0, 1, 2), random_pose(rng, 4, values=2))
    skeleton.rest.scale[:] = 1
    there = compose(f32(5, 0, 0), about((1, 0, 0), 20), f32(1, 1, 1))
    skin = make_skin((2,), np.linalg.inv(there.astype(float))[None])
    pose = bind_pose(skeleton, skin)
    for joint in (0, 1, 3):
        np.testing.assert_array_equal(pose.translation[joint], skeleton.rest.translation[joint])
        np.testing.assert_array_equal(pose.rotation[joint], skeleton.rest.rotation[joint])
    np.testing.assert_array_equal(pose.values, skeleton.rest.values)
    np.testing.assert_allclose(skeleton.to_model(pose)[2], there, atol=1e-5)


def test_joint_in_two_skins_has_two_bind_poses():
    skeleton = make_skeleton((-1,))
    poses = []
    for x in (1, 2):
        bind = np.eye(4)
        bind[0, 3] = -x
        poses.append(bind_pose(skeleton, make_skin((0,), bind[None])))
    assert [pose.translation[0, 0] for pose in poses] == [1, 2]


@pytest.mark.parametrize("bad", [np.zeros((4, 4)), np.diag([1, 0, 1, 1])])
def test_singular_inverse_bind_matrices_are_ignored(bad):
    rest = rest_pose(2)
    rest.translation[:] = (1, 2, 3)
    skeleton = make_skeleton((-1, 0), rest)
    assert bind_pose(skeleton, make_skin((0, 1), np.stack([bad, bad]))).equals(rest)
