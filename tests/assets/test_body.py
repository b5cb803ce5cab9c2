"""The mannequin's body: a valid mesh, weights that keep its volume in extreme poses, a face.

Making the body takes many seconds, so what is made of it is made here too: the whole file.
"""

import runpy
import sys

import numpy as np
import pytest

from rigview.animation.skin import skin_points
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.assets.clip_poses import frame_times, joint_matrices

MANNEQUIN = asset_path("mannequin.glb")
ASSETS = str(MANNEQUIN.parent)


@pytest.fixture(scope="module")
def program():
    """Return the modules of the generator of the mannequin."""
    if not asset_path("mannequin").joinpath("body.py").is_file():
        pytest.skip("no program here that makes the mannequin")
    sys.path.insert(0, ASSETS)
    from mannequin import body as mannequin_body
    from mannequin import bones as mannequin_bones
    from mannequin import mouth as mannequin_mouth
    from mannequin import puppet as mannequin_puppet

    yield mannequin_body, mannequin_bones, mannequin_puppet, mannequin_mouth
    sys.path.remove(ASSETS)


@pytest.fixture(scope="module")
def bones(program):
    return program[1]


@pytest.fixture(scope="module")
def body(program):
    return program[0].build()


def turn(axis, degrees):
    x, y, z = np.asarray(axis, np.float64) / np.linalg.norm(axis)
    cross = np.array(((0, -z, y), (z, 0, -x), (-y, x, 0)))
    angle = np.radians(degrees)
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def posed(program, body, **turns):
    """Return the skin [V, 3], metres, with rotated joints and distributed twist."""
    _, bones, puppet, _ = program
    local = np.tile(np.eye(3), (1, len(bones.NAMES), 1, 1))
    for name, rotation in turns.items():
        local[0, bones.INDEX[name]] = rotation
    puppet.distribute_twist(local)
    model = np.tile(np.eye(4), (len(bones.NAMES), 1, 1))
    for j, parent in enumerate(bones.PARENTS):
        model[j, :3, :3], model[j, :3, 3] = local[0, j], bones.OFFSETS[j]
        if parent >= 0:
            model[j] = model[parent] @ model[j]
    palette = model.copy()
    palette[:, :3, 3] -= np.einsum("jab,jb->ja", model[:, :3, :3], bones.REST)
    joints = np.argsort(-body.weights, axis=1, kind="stable")[:, :4]
    weights = np.take_along_axis(body.weights, joints, axis=1)
    return skin_points(
        body.points.astype(np.float32),
        joints.astype(np.uint16),
        weights.astype(np.float32),
        palette[:, :3].astype(np.float32),
    )


def areas(points, triangles):
    """Return normals [T, 3] with twice the triangles' areas as lengths."""
    a, b, c = (points[triangles[:, i]].astype(np.float64) for i in range(3))
    return np.cross(b - a, c - a)


def volume(points, triangles):
    corners = points[triangles].astype(np.float64)
    return np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0


def skinned(body):
    """Return which triangles are of trunk, head, arms and legs, whose skin bends."""
    return body.part < 4


def stretch_of(bones, body, joint, start, end):
    """Return the triangles of the skin from `start` to `end` metres along a joint's limb."""
    place = bones.REST[bones.INDEX[joint]]
    skin = body.triangles[skinned(body)]
    middle = body.points[skin].mean(axis=1)
    along = ARM if "Arm" in joint else -UP
    where = (middle - place) @ along
    side = {"LeftForeArm": 0.2, "LeftArm": 0.08, "LeftUpLeg": 0.0, "LeftLeg": 0.0}.get(joint, -1.0)
    near = np.linalg.norm(middle - place, axis=1) < max(-start, end) + 0.1
    return skin[(where > start) & (where < end) & near & (middle[:, 0] > side)]


def held(points, triangles):
    """Return the volume of an open piece of skin, closed by fans, cubic metres."""
    count = len(points)
    edges = np.concatenate([triangles[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
    open_ = edges[~np.isin(edges @ (count, 1), edges @ (1, count))]
    loop = np.arange(count)  # the least point of the loop that a point is on
    while True:
        least = np.minimum(loop[open_[:, 0]], loop[open_[:, 1]])
        before = loop.copy()
        np.minimum.at(loop, open_[:, 0], least)
        np.minimum.at(loop, open_[:, 1], least)
        if (loop == before).all():
            break
    centres, fans = [], []
    for one in np.unique(loop[open_[:, 0]]):
        ring = open_[loop[open_[:, 0]] == one]
        fans.append(np.column_stack((ring[:, ::-1], np.full(len(ring), count + len(centres)))))
        centres.append(points[ring[:, 0]].mean(axis=0))
    return volume(np.concatenate((points, centres)), np.concatenate((triangles, *fans)))


# --- the mesh ------------------------------------------------------------------------------------


def test_mesh_is_closed_with_even_triangles(body):
    assert 8_000 <= len(body.triangles) <= 25_000
    edges = np.concatenate([body.triangles[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
    count = len(body.points)
    forward, back = edges @ (count, 1), edges @ (1, count)
    assert len(np.unique(forward)) == len(forward), "no edge is walked twice the same way"
    np.testing.assert_array_equal(np.sort(forward), np.sort(back))
    skin = body.triangles[skinned(body)]
    around = np.linalg.norm(body.points[skin] - np.roll(body.points[skin], -1, axis=1), axis=2)
    shape = 2.0 * np.sqrt(3.0) * np.linalg.norm(areas(body.points, skin), axis=1)
    shape /= (around**2).sum(axis=1)  # 1 for an even triangle
    assert np.median(shape) > 0.9
    assert (shape > 0.4).mean() > 0.99
    facing = np.einsum(
        "ij,ij->i", areas(body.points, body.triangles), body.normals[body.triangles].sum(axis=1)
    )
    assert (facing > 0.0).mean() > 0.997
    np.testing.assert_allclose(np.linalg.norm(body.normals, axis=1), 1.0, atol=1e-9)


def test_edges_run_along_the_borders_of_wood(program, body):
    """No triangle crosses a border, and rows of edges follow it closely."""
    from mannequin.joinery import bands, sockets, tread

    parts = program[0].PARTS
    for names, border in (
        (("trunk", "arm", "leg"), bands),
        (("trunk", "arm", "leg"), sockets),
        (("leg",), tread),
    ):
        own = np.isin(body.part, [parts.index(name) for name in names])
        triangles = body.triangles[own]
        away = border(body.points)
        away[np.abs(away) < 5e-6] = 0.0
        values = away[triangles]
        assert not ((values.min(axis=1) < 0.0) & (values.max(axis=1) > 0.0)).any()
        ends = np.concatenate([triangles[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
        ends = ends[(away[ends] == 0.0).all(axis=1)]
        assert len(ends) > 200
        off = np.abs(border(body.points[ends].mean(axis=1)))
        assert np.quantile(off, 0.95) < 0.0006, "metres from the curve"
        assert off.max() < 0.002


def test_height(body):
    low, high = body.points.min(axis=0), body.points.max(axis=0)
    np.testing.assert_allclose((low[1], high[1]), (0.0, 1.75), atol=0.003)
    np.testing.assert_allclose(low[0], -high[0], atol=1e-9)
    assert 0.05 < volume(body.points, body.triangles) < 0.07, "cubic metres"


def test_is_symmetric(body):
    keys = np.round(body.points * 1e5).astype(np.int64)
    mirrored = np.round(body.points * (-1e5, 1e5, 1e5)).astype(np.int64)
    left, right = {tuple(k) for k in keys.tolist()}, {tuple(k) for k in mirrored.tolist()}
    assert len(left ^ right) < 0.002 * len(left)


def test_prop_is_small_and_held_by_the_hand(program, bones):
    points, normals, triangles, part = program[0].prop()
    assert len(triangles) < 1_000
    assert len(part) == len(triangles)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-9)
    away = points - bones.REST[bones.INDEX["Prop"]]
    assert 0.5 < np.ptp(away[:, 2]) < 0.9
    assert np.linalg.norm(away[np.abs(away[:, 2]) < 0.06], axis=1).max() < 0.09
    assert points[:, 1].min() > 0.7


# --- weights -------------------------------------------------------------------------------------


def test_weights(body, bones):
    assert ((body.weights > 0.0).sum(axis=1) <= 4).all()
    np.testing.assert_allclose(body.weights.sum(axis=1), 1.0, atol=1e-9)
    moved = body.weights.sum(axis=0)
    for name in bones.NAMES:
        if name != "Root" and name not in bones.LOCATORS:
            assert moved[bones.INDEX[name]] > 10.0, name
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        own = [j for j, name in enumerate(bones.NAMES) if name.startswith(side)]
        beyond = sign * body.points[:, 0] < -0.03
        assert body.weights[beyond][:, own].sum(axis=1).max() < 0.02, "none across the middle"


FRONT, UP, SIDE = np.array((0, 0, 1.0)), np.array((0, 1.0, 0)), np.array((1.0, 0, 0))
ARM = np.array((np.cos(np.radians(50.0)), -np.sin(np.radians(50.0)), 0.0))
HINGE = np.cross(ARM, FRONT)
# what is turned; the stretch that is measured: about a joint, from … to metres; the least share
# of its volume that is left
POSES = {
    "arm level": (
        {"LeftShoulder": turn(FRONT, 8), "LeftArm": turn(FRONT, 42)},
        "LeftArm",
        -0.1,
        0.12,
        0.9,
    ),
    "arm overhead": (
        {"LeftShoulder": turn(FRONT, 25), "LeftArm": turn(FRONT, 110)},
        "LeftArm",
        -0.1,
        0.12,
        0.9,
    ),
    "arm forward": (
        {"LeftShoulder": turn(UP, -12), "LeftArm": turn(UP, -78) @ turn(FRONT, 50)},
        "LeftArm",
        -0.1,
        0.12,
        0.8,
    ),
    "elbow": ({"LeftForeArm": turn(HINGE, 120)}, "LeftForeArm", -0.08, 0.08, 0.8),
    "forearm": ({"LeftHand": turn(ARM, 90)}, "LeftForeArm", 0.02, 0.22, 0.9),
    "leg forward": ({"LeftUpLeg": turn(SIDE, -90)}, "LeftUpLeg", -0.12, 0.2, 0.85),
    "knee": ({"LeftLeg": turn(SIDE, 120)}, "LeftLeg", -0.1, 0.1, 0.75),
    "head": ({"Neck": turn(UP, 25), "Head": turn(UP, 35)}, "Neck", -0.12, 0.04, 0.9),
    "back": (
        {name: turn(UP, 15) for name in ("Spine", "Spine1", "Spine2")},
        "Spine1",
        -0.2,
        0.2,
        0.95,
    ),
}


@pytest.mark.parametrize("name", POSES)
def test_extreme_pose_keeps_its_volume(program, bones, body, name):
    turns, joint, start, end, least = POSES[name]
    points = posed(program, body, **turns)
    stretch = stretch_of(bones, body, joint, start, end)
    skin = skinned(body)
    share = held(points, stretch) / held(body.points, stretch)
    assert least < share < 1.25, f"{share:.3f}"
    before, after = areas(body.points, body.triangles[skin]), areas(points, body.triangles[skin])
    ratio = np.linalg.norm(after, axis=1) / np.linalg.norm(before, axis=1)
    assert (ratio < 0.1).mean() < 0.004, "few triangles vanish"
    assert ratio.max() < 4.0, "none is drawn out"


def test_forearm_twist_keeps_its_volume(program, bones, body):
    """Each ring of the forearm keeps its distance from the bone when the hand rotates by 90°."""
    points = posed(program, body, LeftHand=turn(ARM, 90)).astype(np.float64)
    start = bones.REST[bones.INDEX["LeftForeArm"]]
    along = (body.points - start) @ ARM
    mine = (body.points[:, 0] > 0.2) & (along > 0.02) & (along < 0.26) & (body.points[:, 1] > 0.9)

    def from_bone(where):
        away = where[mine] - start
        return np.linalg.norm(away - (away @ ARM)[:, None] * ARM, axis=1)

    assert (from_bone(points) / from_bone(body.points)).min() > 0.9


# --- the face ------------------------------------------------------------------------------------


def test_morph_targets_move_their_features(program, body):
    assert list(body.morphs) == ["smile", "frown", "blinkLeft", "blinkRight", "jawOpen"]
    parts = program[0].PARTS
    eyes = np.unique(body.triangles[body.part == parts.index("eye")])
    lids = np.unique(body.triangles[body.part == parts.index("lid")])
    for name, target in body.morphs.items():
        move = np.linalg.norm(target - body.points, axis=1)
        assert 0.004 < move.max() < 0.04, name
        assert move[body.points[:, 1] < 1.48].max() == 0.0, "only the face moves"
        assert move[eyes].max() == 0.0
        if name.startswith("blink"):
            others = np.setdiff1d(np.flatnonzero(move), lids)
            assert not len(others)
            sign = 1.0 if name.endswith("Left") else -1.0
            assert (sign * body.points[move > 0.0, 0] > 0.0).all()
        else:
            right, left = move[body.points[:, 0] < -1e-6], move[body.points[:, 0] > 1e-6]
            np.testing.assert_allclose(np.sort(right), np.sort(left), atol=1e-9)


@pytest.mark.parametrize("weight", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_lids_do_not_intersect_the_eye_and_close_over_it(program, bones, body, weight):
    mannequin = program[0]
    points = body.points + weight * (body.morphs["blinkLeft"] - body.points)
    lids = body.triangles[body.part == mannequin.PARTS.index("lid")]
    lids = lids[body.points[lids][:, :, 0].min(axis=1) > 0.0]
    centre = bones.REST[bones.INDEX["LeftEye"]]
    outer = np.linalg.norm(body.points[lids] - centre, axis=2).min(axis=1)
    shell = lids[outer > mannequin.EYE_RADIUS + 0.0015]
    assert len(shell) > 100
    away = np.linalg.norm(points[shell].mean(axis=1) - centre, axis=1)
    assert away.min() > mannequin.EYE_RADIUS + 0.0005
    if weight == 1.0:  # every way out of the eye to the front meets a lid
        for height in np.linspace(-30.0, 30.0, 25):
            way = np.array((0.0, np.sin(np.radians(height)), np.cos(np.radians(height))))
            assert _meets(centre, way, points[lids]), height


def _meets(start, way, corners):
    """Return whether a ray intersects one of the triangles [T, 3, 3]."""
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(way, two)
    scale = np.einsum("ij,ij->i", one, across)
    scale = np.where(np.abs(scale) < 1e-15, np.inf, scale)
    away = start - corners[:, 0]
    u = np.einsum("ij,ij->i", away, across) / scale
    turned = np.cross(away, one)
    v, far = turned @ way / scale, np.einsum("ij,ij->i", two, turned) / scale
    return bool(((u >= 0) & (v >= 0) & (u + v <= 1) & (far > 0)).any())


def test_mouth_opens(program, body):
    target = body.morphs["jawOpen"]
    x, y, z = body.points.T
    mouth = np.abs(y - 1.575 - program[3].mouth_height(x)) < 1e-6
    lips = np.flatnonzero(mouth & (np.abs(x) < 0.016) & (z > 0.07))
    assert len(lips) >= 10
    heights = target[lips, 1]
    assert np.ptp(heights) > 0.012, "the lips part"
    assert (body.part == program[0].PARTS.index("mouth")).sum() > 50


# --- the file ------------------------------------------------------------------------------------


def nearest(points, others):
    """Return the distance [N] of each point [N, 3] to the nearest other one, metres."""
    others = others[np.argsort(others[:, 1], kind="stable")]
    found = np.empty(len(points))
    for i, point in enumerate(points):
        low, high = np.searchsorted(others[:, 1], (point[1] - 1e-4, point[1] + 1e-4))
        close = np.linalg.norm(others[low:high] - point, axis=1)
        found[i] = close.min() if len(close) else np.inf
    return found


def test_generator_is_deterministic(program, body, tmp_path, monkeypatch):
    pytest.importorskip("xatlas", reason="needs the extra [assets]")
    again = tmp_path / "again.glb"
    script = str(MANNEQUIN.with_name("make_mannequin.py"))
    monkeypatch.setattr(program[0], "build", lambda: body)
    monkeypatch.setattr(sys, "argv", [script, str(again)])
    runpy.run_path(script, run_name="__main__")
    if again.read_bytes() == MANNEQUIN.read_bytes():
        return
    made, stored = load(again), load(MANNEQUIN)  # another numpy may round another way
    (one, two) = (file.meshes[0].primitives[0] for file in (made, stored))
    assert len(one.indices) == len(two.indices)
    assert nearest(one.positions, two.positions).max() < 1e-5  # charts may be cut another way
    assert nearest(two.positions, one.positions).max() < 1e-5
    for mine, theirs in zip(made.clips, stored.clips, strict=True):
        times = frame_times(mine)
        a, b = (
            joint_matrices(file, clip, times) for file, clip in ((made, mine), (stored, theirs))
        )
        np.testing.assert_allclose(a[..., :3, 3], b[..., :3, 3], atol=1e-5)
