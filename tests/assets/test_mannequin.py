"""The bundled character is valid: skin, textures, morph targets, clips."""

import json

import numpy as np
import pytest

from rigview.animation.skin import bind_pose, skin_points
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.assets.clip_poses import frame_times, joint_matrices, poses_at
from tests.support.gltf_documents import split_glb

MANNEQUIN = asset_path("mannequin.glb")

HUMANOID = ["Root", "Hips", "Spine", "Spine1", "Spine2", "Neck", "Head", "Jaw"] + [
    side + joint
    for side in ("Left", "Right")
    for joint in (
        "Shoulder",
        "Arm",
        "ForeArm",
        "ForeArmTwist1",
        "Hand",
        "HandThumb1",
        "HandMiddle1",
        "UpLeg",
        "Leg",
        "Foot",
        "ToeBase",
        "Eye",
    )
]
LOCATORS = ["HeadCamera", "LeftHandLocator", "RightHandLocator", "Prop"]
CLIPS = [
    "Idle",
    "Walk",
    "Run",
    "StrafeLeft",
    "StrafeRight",
    "StrafeLeftBack",
    "StrafeRightBack",
    "WalkBack",
    "TurnStep",
    "LeanLeft",
    "LeanRight",
    "Limp",
    "Crouch",
    "Stand",
    "Prone",
    "Jump",
    "Wave",
    "Nod",
    "AimLeft",
    "AimRight",
    "AimUp",
    "AimDown",
    "AimCentre",
    "Breathe",
    "Fidget",
    "Fall",
]
MORPHS = ("smile", "frown", "blinkLeft", "blinkRight", "jawOpen")


def said_of_clips():
    """Return the extras of every clip: {name: {"loop", "speed", "turn"}}."""
    text, _ = split_glb(MANNEQUIN.read_bytes())
    document = json.loads(text)
    return {clip["name"]: clip["extras"]["rigview"] for clip in document["animations"]}


SAID = said_of_clips()
LOOPS = [name for name, said in SAID.items() if said["loop"]]


@pytest.fixture(scope="module")
def model():
    return load(MANNEQUIN)


@pytest.fixture(scope="module")
def body(model):
    return model.meshes[model.instances[0].mesh].primitives[0]


@pytest.fixture(scope="module")
def staff(model):
    return model.meshes[model.instances[1].mesh].primitives[0]


def vertices(model, body, pose):
    """Return the vertices [..., V, 3], model space, metres."""
    palette = model.skins[0].palette(model.skeleton.to_model(pose))
    return skin_points(body.positions, body.joints, body.weights, palette)


def heights(model, part, matrices, joint=-1):
    """Return heights [T, V] above the floor, metres; a rigid part is moved by its joint."""
    points = np.concatenate((part.positions, np.ones((len(part.positions), 1))), axis=1)
    if joint >= 0:
        return matrices[:, joint, 1] @ points.T
    rows = model.skins[0].palette(matrices.astype(np.float32))[:, :, 1]
    found = np.empty((len(rows), len(points)))
    for t, row in enumerate(rows):
        by_joint = points @ row.T
        found[t] = (np.take_along_axis(by_joint, part.joints.astype(int), 1) * part.weights).sum(1)
    return found


def clip_named(model, name):
    return next(clip for clip in model.clips if clip.name == name)


# --- skeleton, surface and skin -------------------------------------------------------------------


def test_contents(model):
    assert not model.warnings
    assert not model.facts.extensions_used
    assert set(HUMANOID + LOCATORS) <= set(model.skeleton.names)
    assert 50 <= len(model.skins[0].joints) <= 70
    names = [clip.name for clip in model.clips]
    assert names[:3] == ["Idle", "Walk", "Run"]
    assert set(CLIPS) <= set(names)
    assert {track.interpolation for clip in model.clips for track in clip.tracks} == {
        "STEP",
        "LINEAR",
        "CUBICSPLINE",
    }
    (camera,) = model.cameras
    assert model.skeleton.names[model.skeleton.parents[camera.joint]] == "HeadCamera"


def test_file_size():
    assert MANNEQUIN.stat().st_size < 4_500_000
    folder = MANNEQUIN.parent
    files = [each for each in folder.rglob("*") if each.is_file() and each.suffix != ".pyc"]
    assert sum(file.stat().st_size for file in files) < 6_700_000


def test_stands_on_the_floor_and_faces_forward(body):
    low, high = body.positions.min(axis=0), body.positions.max(axis=0)
    np.testing.assert_allclose((low[1], high[1]), (0.0, 1.75), atol=0.005)
    np.testing.assert_allclose(low[0], -high[0], atol=1e-4)
    feet = body.positions[body.positions[:, 1] < 0.05]
    assert feet[:, 2].max() > 2.0 * -feet[:, 2].min()  # toes are longer than heels
    assert 8000 <= len(body.indices) // 3 <= 25000


def test_rest_pose_is_the_bind_pose(model, body):
    rest, bind = model.skeleton.rest, bind_pose(model.skeleton, model.skins[0])
    np.testing.assert_allclose(bind.translation, rest.translation, atol=2e-6)
    same = np.abs(np.einsum("ji,ji->j", bind.rotation, rest.rotation))
    np.testing.assert_allclose(same, 1.0, atol=2e-6)
    np.testing.assert_allclose(vertices(model, body, rest), body.positions, atol=2e-6)


def test_rest_pose_is_an_a_pose_and_bones_point_along_y(model):
    matrices = model.skeleton.to_model(model.skeleton.rest)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        arm, elbow = (model.skeleton.find(side + name) for name in ("Arm", "ForeArm"))
        along = matrices[elbow][:3, 3] - matrices[arm][:3, 3]
        along /= np.linalg.norm(along)
        assert 40.0 < np.degrees(np.arcsin(-along[1])) < 60.0
        assert along[0] * sign > 0.5
        for bone, end in (("Arm", "ForeArm"), ("Leg", "Foot"), ("ForeArm", "Hand")):
            a, b = (matrices[model.skeleton.find(side + name)] for name in (bone, end))
            way = (b[:3, 3] - a[:3, 3]) / np.linalg.norm(b[:3, 3] - a[:3, 3])
            np.testing.assert_allclose(a[:3, 1], way, atol=1e-4)


def test_surface_is_closed_and_its_normals_point_out(body):
    """Vertices duplicated on borders of charts are merged here."""
    places, number = np.unique(body.positions, axis=0, return_inverse=True)
    drawn = body.indices.reshape(-1, 3).astype(np.int64)
    corners = number.reshape(-1)[drawn]
    edges = np.concatenate([corners[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
    forward = np.sort(edges[:, 0] * len(places) + edges[:, 1])
    back = np.sort(edges[:, 1] * len(places) + edges[:, 0])
    np.testing.assert_array_equal(forward, back)  # every edge is walked both ways
    a, b, c = places.astype(np.float64)[corners.T]
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
    assert 0.045 < volume < 0.075  # m³
    np.testing.assert_allclose(np.linalg.norm(body.normals, axis=1), 1.0, atol=1e-5)
    facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), body.normals[drawn[:, 0]])
    assert (facing > 0.0).mean() > 0.99


def test_weights(model, body):
    assert body.weights.shape[1] == 4
    np.testing.assert_allclose(body.weights.sum(axis=1), 1.0, atol=1e-6)
    assert (body.weights >= 0.0).all()
    names = np.array(model.skeleton.names)[model.skins[0].joints]
    moved = np.bincount(body.joints.ravel(), body.weights.ravel(), len(names))
    bare = {name for name, share in zip(names, moved, strict=True) if share < 2.0}
    assert bare <= {"Root", "LeftToeEnd", "RightToeEnd", *LOCATORS}
    left = [i for i, name in enumerate(names) if name.startswith("Left")]
    on_left = np.where(np.isin(body.joints, left), body.weights, 0.0).sum(axis=1)
    assert on_left[body.positions[:, 0] < -0.06].max() < 0.02  # nothing pulls across the middle


# --- pictures -------------------------------------------------------------------------------------


def test_material_textures(model):
    (material,) = model.materials
    refs = (
        material.base_color_texture,
        material.normal_texture,
        material.metallic_roughness_texture,
    )
    for ref in refs:
        pixels = model.images[ref.image].pixels.astype(float)
        assert min(pixels.shape[:2]) >= 1024
        assert pixels[..., :3].std() > 3.0
    normals = model.images[material.normal_texture.image].pixels[..., :3] / 127.5 - 1.0
    np.testing.assert_allclose(np.linalg.norm(normals, axis=-1), 1.0, atol=0.35)
    assert (normals[..., 2] < 0.3).mean() < 1e-5  # JPEG rings a little
    assert not model.warnings


def test_charts_do_not_overlap(body, staff):
    size = 1024
    seen = np.zeros((size, size), np.uint8)
    for part in (body, staff):
        (uv,) = part.texcoords
        assert uv.min() > 0.0
        assert uv.max() < 1.0
        for a, b, c in (uv.astype(float) * size)[part.indices.reshape(-1, 3)]:
            low = np.floor(np.minimum(np.minimum(a, b), c)).astype(int)
            high = np.ceil(np.maximum(np.maximum(a, b), c)).astype(int)
            x, y = np.meshgrid(
                np.arange(*(low[0], high[0])) + 0.5, np.arange(low[1], high[1]) + 0.5
            )
            area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
            if abs(area) < 1e-6:
                continue
            first = ((b[0] - x) * (c[1] - y) - (c[0] - x) * (b[1] - y)) / area
            second = ((c[0] - x) * (a[1] - y) - (a[0] - x) * (c[1] - y)) / area
            inside = np.minimum(np.minimum(first, second), 1.0 - first - second) > 0.02
            seen[low[1] : high[1], low[0] : high[0]] += inside
    assert (seen > 0).mean() > 0.35, "the charts fill the square"
    assert (seen > 1).sum() < 10  # texels


def test_tangents(body, staff):
    for part in (body, staff):
        along, side = part.tangents[:, :3], part.tangents[:, 3]
        np.testing.assert_allclose(np.linalg.norm(along, axis=1), 1.0, atol=1e-5)
        np.testing.assert_allclose(np.einsum("ij,ij->i", along, part.normals), 0.0, atol=1e-5)
        assert set(np.unique(side)) <= {-1.0, 1.0}
        (uv,) = part.texcoords
        a, b, c = part.indices.reshape(-1, 3).T
        e, f = part.positions[b] - part.positions[a], part.positions[c] - part.positions[a]
        g, h = uv[b] - uv[a], uv[c] - uv[a]
        area = (g[:, 0] * h[:, 1] - h[:, 0] * g[:, 1])[:, None]
        across = (e * h[:, 1:] - f * g[:, 1:]) * np.sign(area)
        upwards = (e * h[:, :1] - f * g[:, :1]) * np.sign(area)
        assert (np.einsum("ij,ij->i", across, along[a]) > 0.0).mean() > 0.99
        bitangent = np.cross(part.normals[a], along[a]) * side[a, None]
        assert (np.einsum("ij,ij->i", upwards, bitangent) > 0.0).mean() > 0.99


# --- the face -------------------------------------------------------------------------------------


def test_morph_targets(body):
    morph = body.morph
    assert morph.names == MORPHS
    assert morph.normals is not None
    moved = dict(zip(MORPHS, morph.positions, strict=True))
    for name, way in moved.items():
        far = np.linalg.norm(way, axis=1)
        assert 0.002 < far.max() < 0.05, name
        assert body.positions[far > 1e-4][:, 1].min() > 1.4, "only the head moves"
    for name, sign in (("blinkLeft", 1.0), ("blinkRight", -1.0)):
        far = np.linalg.norm(moved[name], axis=1)
        assert (body.positions[far > 1e-4][:, 0] * sign > 0.0).all()
    np.testing.assert_allclose(
        moved["blinkLeft"].min(axis=0)[1], moved["blinkRight"].min(axis=0)[1], atol=1e-4
    )
    assert moved["jawOpen"][:, 1].min() < -0.005
    corners = np.abs(body.positions[:, 0]) > 0.015
    mouth = corners & (np.abs(moved["smile"][:, 1]) > 0.002)
    assert moved["smile"][mouth][:, 1].mean() > 0.0
    mouth = corners & (np.abs(moved["frown"][:, 1]) > 0.002) & (body.positions[:, 1] < 1.61)
    assert moved["frown"][mouth][:, 1].mean() < 0.0


def test_some_clips_move_the_face(model):
    (channel,) = model.channels
    moving = set()
    for clip in model.clips:
        values = poses_at(model, clip, frame_times(clip)).values[:, channel.slice]
        assert values.min() > -0.05
        assert values.max() < 1.05
        moving |= set(np.flatnonzero(np.ptp(values, axis=0) > 0.3).tolist())
    assert moving == set(range(len(MORPHS)))


# --- the clips ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LOOPS)
def test_loop_is_seamless(model, name):
    clip = clip_named(model, name)
    assert clip.start == 0.0
    straight = [track.times for track in clip.tracks if track.interpolation == "LINEAR"]
    gaps = [np.diff(times.astype(np.float64)).min() for times in straight if len(times) > 2]
    step = min(gaps, default=1.0 / 240.0)  # of keys; between a spline's keys, too
    first = joint_matrices(model, clip, step * np.arange(3))
    last = joint_matrices(model, clip, clip.end - step * np.arange(3))
    assert np.linalg.norm(first[0] - last[0], axis=(1, 2)).max() < 0.5  # no half turns
    places = first[0][:, :3, 3] - last[0][:, :3, 3]
    assert np.linalg.norm(places, axis=1).max() < 1e-4
    turned = np.einsum("jba,jbc->jac", first[0][:, :3, :3], last[0][:, :3, :3])
    sine = np.linalg.norm(turned - np.swapaxes(turned, 1, 2), axis=(1, 2)) / np.sqrt(8.0)
    assert np.degrees(np.arcsin(np.minimum(sine, 1.0))).max() < 0.1

    # Speed at the seam, from the keys after it and from those before it, to second order.
    a, b = first[..., :3, 3], last[..., :3, 3]
    after = (-3.0 * a[0] + 4.0 * a[1] - a[2]) / (2.0 * step)
    before = (3.0 * b[0] - 4.0 * b[1] + b[2]) / (2.0 * step)
    all_of_it = joint_matrices(model, clip, frame_times(clip))[..., :3, 3]
    speeds = np.linalg.norm(np.diff(all_of_it, axis=0), axis=-1) * 30.0
    assert np.linalg.norm(after - before, axis=-1).max() < 0.05 * speeds.max() + 1e-3  # m/s
    weights = poses_at(model, clip, np.array((0.0, clip.end))).values
    np.testing.assert_allclose(weights[0], weights[1], atol=1e-3)


def over_the_ground(points, times, said):
    """Move points [T, ..., 3] of a clip in place along the arc that its speed and turn make."""
    x, z = said["speed"]
    angle = np.radians(said["turn"]) * times
    far = times * np.sinc(angle / (2.0 * np.pi))  # of a chord
    sine, cosine = np.sin(angle / 2.0), np.cos(angle / 2.0)
    gone = np.stack((cosine * x + sine * z, np.zeros_like(times), cosine * z - sine * x), axis=1)
    around = (len(times), *[1] * (points.ndim - 2))
    sine, cosine = np.sin(angle).reshape(around), np.cos(angle).reshape(around)
    turned = points.copy()
    turned[..., 0] = cosine * points[..., 0] + sine * points[..., 2]
    turned[..., 2] = cosine * points[..., 2] - sine * points[..., 0]
    return turned + (gone * far[:, None]).reshape(*around, 3)


@pytest.mark.parametrize("name", SAID)
def test_planted_feet_do_not_slide(model, name):
    """While the ball of a foot is at its standing height, it does not move."""
    clip, said = clip_named(model, name), SAID[name]
    times = frame_times(clip, 60.0)
    places = over_the_ground(joint_matrices(model, clip, times)[..., :3, 3], times, said)
    rest = model.skeleton.to_model(model.skeleton.rest)
    for side in ("Left", "Right"):
        toes = model.skeleton.find(f"{side}ToeBase")
        down = np.abs(places[:, toes, 1] - rest[toes, 1, 3]) < 0.0005
        spans = np.split(np.arange(len(times)), np.flatnonzero(np.diff(down.astype(int))) + 1)
        for span in (span for span in spans if down[span[0]]):
            way = places[span][:, toes][:, (0, 2)]
            assert np.ptp(way, axis=0).max() < 0.005, (side, times[span[[0, -1]]])


@pytest.mark.parametrize("name", SAID)
def test_nothing_passes_through_the_floor(model, body, staff, name):
    """Within 3 mm: the sole bends less than a rolling foot, and interpolation may dip slightly."""
    clip = clip_named(model, name)
    matrices = joint_matrices(model, clip, frame_times(clip, 20.0))
    assert heights(model, body, matrices).min() > -0.003
    assert heights(model, staff, matrices, model.instances[1].joint).min() > -0.003
