"""Blending features, as numbers from `rigview pose --motion`."""

import json
import shutil

import numpy as np
import pytest

from rigview.loading.load import load
from rigview.resources import asset_path

MANNEQUIN = asset_path("mannequin.glb")
BASE = '[[layers]]\nname = "base"\nplay = "{}"\n'
EXACT = 2e-6


@pytest.fixture(scope="module")
def names():
    return list(load(MANNEQUIN).skeleton.names)


@pytest.fixture
def pose(rigview, tmp_path):
    """Run `rigview pose` with a motion file; return the arrays."""

    def run(text, times, *options):
        file, out = tmp_path / "m.motion.toml", tmp_path / "out.npz"
        file.write_text(f"version = 1\n{text}", encoding="utf-8")
        ran = rigview(
            *("pose", MANNEQUIN, "--motion", file, "--time", times, "-o", out, "--quiet"), *options
        )
        assert ran.code == 0, ran.err
        with np.load(out) as arrays:
            return dict(arrays)

    return run


@pytest.fixture
def still(rigview, tmp_path):
    """The local transforms [N, 10] of one clip at one time, without a motion file."""

    def run(clip, time):
        out = tmp_path / "still.npz"
        where = ("--pose", "rest") if clip is None else ("--animation", clip, "--time", f"{time}")
        assert rigview("pose", MANNEQUIN, "--no-motion", *where, "-o", out, "--quiet").code == 0
        with np.load(out) as arrays:
            return arrays["node_local"][0].astype(np.float64)

    return run


def nodes(arrays):
    return list(arrays["node_names"])


def mean(poses, weights):
    """The weighted mean; quaternions are summed in the hemisphere of the heaviest pose."""
    weights = np.asarray(weights, np.float64) / np.sum(weights)
    heaviest = poses[int(np.argmax(weights))][:, 3:7]
    out = sum(w * p for w, p in zip(weights, poses, strict=True))
    turned = sum(
        w * p[:, 3:7] * np.where(np.sum(p[:, 3:7] * heaviest, -1) < 0, -1, 1)[:, None]
        for w, p in zip(weights, poses, strict=True)
    )
    out[:, 3:7] = turned / np.linalg.norm(turned, axis=-1, keepdims=True)
    return out


def lerp(a, b, t):
    """Two poses, the shorter arc; t is a number or one for each node [N, 1]."""
    t = np.broadcast_to(t, (len(a), 1))
    sign = np.where(np.sum(a[:, 3:7] * b[:, 3:7], -1, keepdims=True) < 0, -1, 1)
    out = a * (1 - t) + b * t
    turned = a[:, 3:7] * (1 - t) + b[:, 3:7] * sign * t
    out[:, 3:7] = turned / np.linalg.norm(turned, axis=-1, keepdims=True)
    return out


def same(found, expected, atol=EXACT):
    """Compare poses; q and -q are one rotation."""
    found = np.array(found, np.float64)
    flip = np.sum(found[..., 3:7] * expected[..., 3:7], -1, keepdims=True) < 0
    found[..., 3:7] = np.where(flip, -found[..., 3:7], found[..., 3:7])
    np.testing.assert_allclose(found, expected, atol=atol)


def product(a, b):
    """Hamilton's product of quaternions xyzw."""
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        -1,
    )


def inverse(q):
    return q * [-1, -1, -1, 1]


def rotated(q, v):
    """Vectors turned by quaternions."""
    return product(product(q, np.pad(v, ((0, 0), (0, 1)))), inverse(q))[:, :3]


def unturned(poses, v):
    """Vectors in the turned and scaled axes of each node."""
    return rotated(inverse(poses[:, 3:7]), v) / poses[:, 7:]


def line(kind, clips, x=0.0, extra=""):
    listed = ", ".join(f"{{ clip = '{clip}', at = {at} }}" for clip, at in clips)
    return f"[spaces.s]\nkind = '{kind}'\nx = {x}\nclips = [{listed}]\n{extra}" + BASE.format("s")


def test_one_layer_equals_its_clip(pose, still):
    found = pose(BASE.format("Walk"), "0.3,1.3")["node_local"]
    np.testing.assert_array_equal(found[0], still("Walk", 0.3).astype(np.float32))
    same(found[1], still("Walk", 0.3), 1e-5)


def test_weighted_mean_of_three(pose, still):
    clips = [("Walk", [0, 0]), ("Wave", [1, 0]), ("Crouch", [0, 1])]
    found = pose(line("points", clips, 0.25, "y = 0.3\n"), "0.4")["node_local"][0]
    poses = [still(clip, 0.4) for clip, _ in clips]
    same(found, mean(poses, [0.45, 0.25, 0.3]))


@pytest.mark.parametrize("kind", ["smooth", "frozen"])
@pytest.mark.parametrize("ease", ["cubic", "linear"])
def test_fades(pose, still, kind, ease):
    at = f"0.2:fade:base=Crouch,0.4,{kind},{ease}"
    found = pose(BASE.format("Walk"), "0.1,0.3,0.4,0.7", "--at", at)["node_local"]
    same(found[0], still("Walk", 0.1))
    for row, tau in ((1, 0.3), (2, 0.4)):
        u = (tau - 0.2) / 0.4
        beta = 3 * u**2 - 2 * u**3 if ease == "cubic" else u
        old = still("Walk", tau if kind == "smooth" else 0.2)
        same(found[row], lerp(old, still("Crouch", tau - 0.2), beta), 1e-5)
    same(found[3], still("Crouch", 0.5))


def test_line_and_ring_spaces(pose, still):
    clips = [("Stand", 0), ("Crouch", 2)]
    stand, crouch = still("Stand", 0.5), still("Crouch", 0.5)
    for x, weight in ((-1, 0), (0, 0), (0.5, 0.25), (2, 1), (9, 1)):
        found = pose(line("line", clips, x), "0.5")["node_local"][0]
        same(found, lerp(stand, crouch, weight))
    ring = "[parameters]\nd = { default = -170, angle = true }\n"
    ring += line("line", [("Stand", 0), ("Crouch", 170), ("Prone", -150)], "'d'")
    same(
        pose(ring, "0.5")["node_local"][0],
        lerp(crouch, still("Prone", 0.5), 20 / 40),
    )


def test_two_clips_at_one_position_are_an_error(rigview, tmp_path):
    file = tmp_path / "m.toml"
    file.write_text("version = 1\n" + line("line", [("Walk", 1), ("Run", 1)]))
    ran = rigview("pose", MANNEQUIN, "--motion", file)
    assert ran.code == 3
    assert f'{file}:5: spaces.s.clips[1].at: "Walk" and "Run" have the same position 1' in ran.err


def test_corners_space_and_clamping(pose, still):
    corners = [("Walk", [0, 0]), ("Wave", [2, 0]), ("Crouch", [0, 1]), ("Stand", [2, 1])]
    poses = [still(clip, 0.3) for clip, _ in corners]
    found = pose(line("corners", corners, 0.5, "y = 0.4\n"), "0.3")["node_local"][0]
    same(found, mean(poses, [0.75 * 0.6, 0.25 * 0.6, 0.75 * 0.4, 0.25 * 0.4]))
    outside = pose(line("corners", corners, -3, "y = 0.4\n"), "0.3")["node_local"][0]
    same(outside, mean([poses[0], poses[2]], [0.6, 0.4]))


def test_strafe_space_and_pivot(pose, still):
    roles = ("forward", "left", "right", "back", "left_back", "right_back")
    clips = ("Walk", "StrafeLeft", "StrafeRight", "WalkBack", "StrafeLeftBack", "StrafeRightBack")
    table = ", ".join(f"{role} = '{clip}'" for role, clip in zip(roles, clips, strict=True))
    space = f"[spaces.s]\nkind = 'strafe'\nx = {{}}\nclips = {{{{ {table} }}}}\n" + BASE.format("s")
    found = pose(space.format(45), "0.38")["node_local"][0]
    u = 0.38 / (0.5 * 1.0 + 0.5 * 0.9)  # rate of the phase: 1 / (weighted mean of the lengths)
    same(found, lerp(still("Walk", u), still("StrafeLeft", 0.9 * u), 0.5), 2e-5)
    same(
        pose(space.format(135), "0")["node_local"][0], mean_of(still, "WalkBack", "StrafeLeftBack")
    )
    turned = pose("[pivot]\nrate = 30\n" + BASE.format("Walk"), "0,1")["node_global"]
    root = nodes(pose(BASE.format("Walk"), "0")).index("Root")
    yaw = np.degrees(np.arctan2(turned[:, root, 0, 2], turned[:, root, 2, 2]))
    assert np.diff(yaw) == pytest.approx(30, abs=1e-3)


def mean_of(still, *clips):
    return mean([still(clip, 0) for clip in clips], np.ones(len(clips)))


def test_mask_weights_joints(pose, still, names):
    text = (
        BASE.format("Walk") + '[[layers]]\nname = "up"\nplay = "Wave"\nmask = "m"\nweight = 0.5\n'
    )
    text += "[masks.m]\njoints = { Spine = 0.2, Spine2 = 0.6, LeftShoulder = 1 }\n"
    arrays = pose(text, "0.9")
    walk, wave = still("Walk", 0.9), still("Wave", 0.9)
    found, order = arrays["node_local"][0], nodes(arrays)
    for joint, weight in {"Spine": 0.2, "Spine1": 0.2, "Head": 0.6, "LeftHand": 1.0}.items():
        k = [order.index(joint)]
        same(found[k], lerp(walk[k], wave[k], 0.5 * weight))
    for joint in ("Hips", "LeftUpLeg", "RightFoot"):
        k = order.index(joint)
        np.testing.assert_array_equal(found[k], walk[k].astype(np.float32))


LEAN = '[additives.a]\nsource = "LeanLeft"\nreference = { clip = "Walk" }\n'
ADDED = '[[layers]]\nname = "a"\nplay = "a"\nweight = '


def test_additive(pose, still):
    base, source, reference = still("Crouch", 0.3), still("LeanLeft", 0.3), still("Walk", 0.3)
    text = LEAN + BASE.format("Crouch") + ADDED
    none = pose(text + "0", "0.3")["node_local"][0]
    np.testing.assert_array_equal(none, base.astype(np.float32))
    whole = pose(text + "1", "0.3")["node_local"][0]
    turned = product(base[:, 3:7], product(inverse(reference[:, 3:7]), source[:, 3:7]))
    expected = base.copy()
    expected[:, 3:7] = turned
    expected[:, 7:] = base[:, 7:] * source[:, 7:] / reference[:, 7:]
    moved = source[:, :3] - reference[:, :3]
    expected[:, :3] += rotated(base[:, 3:7], base[:, 7:] * unturned(reference, moved))
    same(whole, expected, 1e-5)
    on_reference = pose(LEAN + BASE.format("Walk") + ADDED + "1", "0.3")["node_local"][0]
    same(on_reference, source, 1e-5)
    parent = pose(LEAN + "space = 'parent'\n" + BASE.format("Crouch") + ADDED + "1", "0.3")
    turned = product(product(source[:, 3:7], inverse(reference[:, 3:7])), base[:, 3:7])
    expected = base.copy()
    expected[:, 3:7] = turned
    expected[:, :3] += source[:, :3] - reference[:, :3]
    same(parent["node_local"][0], expected, 1e-5)


def test_joint_limit_clamps(pose, still):
    nod = "[additives.a]\nsource = 'Nod'\nreference = { clip = 'Nod', time = 0 }\nspace = 'joint'\n"
    free = pose(nod + BASE.format("Stand") + ADDED + "3", "0.4")
    held = pose(nod + "limits = { Head = 2 }\n" + BASE.format("Stand") + ADDED + "3", "0.4")
    head = nodes(free).index("Head")
    away = still("Nod", 0)[head, 3:7]

    def angle(arrays):
        turned = arrays["node_local"][0, head, 3:7]
        return np.degrees(2 * np.arccos(min(1.0, abs(float(turned @ away)))))

    assert angle(free) > 15
    assert angle(held) == pytest.approx(2, abs=0.01)


def test_layers_in_order(pose, still):
    rest, walk, wave = still(None, 0), still("Walk", 0.9), still("Wave", 0.9)
    half = BASE.format("Walk") + "weight = 0.25\n"
    same(pose(half, "0.9")["node_local"][0], lerp(rest, walk, 0.25))
    over = BASE.format("Walk") + '[[layers]]\nname = "b"\nplay = "Wave"\nweight = 0.5\n'
    over += '[[layers]]\nname = "c"\nplay = { pose = "rest" }\nweight = 0.5\n'
    found = pose(over, "0.9")["node_local"][0]
    same(found, lerp(lerp(walk, wave, 0.5), rest, 0.5), 1e-5)
    np.testing.assert_array_equal(
        pose(over + "mute = true\n", "0.9")["node_local"][0],
        pose(over.rpartition("[[layers]]")[0], "0.9")["node_local"][0],
    )
    same(pose(over + "solo = true\n", "0.9")["node_local"][0], lerp(rest, rest, 0.5))


def test_aim_and_ik(pose):
    text = BASE.format("Stand") + '[[layers]]\nname = "look"\nplay = "head"\n'
    text += '[[layers]]\nname = "reach"\nplay = "arm"\n'
    text += "[aims.head]\nchain = { Spine2 = 0.2, Neck = 0.5, Head = 1 }\ntarget = 'at'\n"
    text += "[iks.arm]\nchain = ['LeftArm', 'LeftForeArm', 'LeftHand']\ntarget = 'hand'\n"
    text += "[parameters]\nat = { default = [2, 1.2, 2] }\nhand = { default = [0.35, 1.2, 0.35] }\n"
    arrays = pose(text, "0.5", "--set", "at=[1.5,1.4,2]")
    order, world = nodes(arrays), arrays["node_global"][0]
    head = world[order.index("Head")]
    towards = np.array([1.5, 1.4, 2]) - head[:3, 3]
    assert head[:3, 2] @ towards / np.linalg.norm(towards) == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(world[order.index("LeftHand"), :3, 3], [0.35, 1.2, 0.35], atol=1e-4)
    limited = pose(text.replace("target = 'at'", "target = 'at'\nlimit = 10"), "0.5")
    plain = pose(BASE.format("Stand"), "0.5")["node_global"][0, order.index("Head"), :3, 2]
    held = limited["node_global"][0, order.index("Head"), :3, 2]
    assert np.degrees(np.arccos(held @ plain)) == pytest.approx(10, abs=0.05)


def test_synchronised_clips(pose, still):
    space = line("line", [("Walk", 0), ("Run", 1)], 0.5, "sync = true\n")
    found = pose(space, "0.5,2.2")["node_local"]
    for row, tau in ((0, 0.5), (1, 2.2)):
        u = (tau / (0.5 * 1.0 + 0.5 * 0.7)) % 1
        same(found[row], lerp(still("Walk", u), still("Run", 0.7 * u), 0.5), 3e-5)
    alone = pose(line("line", [("Walk", 0), ("Run", 1)], 0.5), "0.5")["node_local"][0]
    same(alone, lerp(still("Walk", 0.5), still("Run", 0.5), 0.5))


def test_events_with_the_pose(pose, rigview, tmp_path):
    text = "[clips.Walk]\nevents = [{ name = 'step', phase = 0.5 }]\n" + BASE.format("Walk")
    arrays = pose(text, "0,2")
    assert arrays["event_time"].tolist() == pytest.approx([0.5, 1.5])
    assert arrays["event_name"].tolist() == ["step", "step"]
    out = tmp_path / "x.json"
    file = tmp_path / "m.motion.toml"
    ran = rigview("pose", MANNEQUIN, "--motion", file, "--time", "1,2", "-o", out)
    assert ran.code == 0
    events = json.loads(out.read_text())["events"]
    assert [(event["name"], event["clip"], event["layer"]) for event in events] == [
        ("step", "Walk", "base")
    ]


def test_driven_clip(pose, still):
    text = "[parameters]\nyaw = { default = 0 }\n[clips.Wave]\n"
    text += "drive = { by = 'yaw', from = [-60, 60], to = [0.5, 1.5] }\n" + BASE.format("Wave")
    for yaw, time in ((-90, 0.5), (-60, 0.5), (0, 1.0), (30, 1.25), (60, 1.5), (200, 1.5)):
        found = pose(text, "0.7", "--set", f"yaw={yaw}")["node_local"][0]
        same(found, still("Wave", time))


def test_imported_clips(pose, still, tmp_path):
    shutil.copy(MANNEQUIN, tmp_path / "other.glb")
    text = 'anims = { files = ["other.glb"] }\n' + BASE.format("other:Walk")
    same(pose(text, "0.3")["node_local"][0], still("Walk", 0.3), 1e-5)


def test_a_name_that_the_character_lacks(rigview, tmp_path):
    file = tmp_path / "m.toml"
    file.write_text("version = 1\n" + BASE.format("Walc"))
    ran = rigview("pose", MANNEQUIN, "--motion", file)
    assert ran.code == 3
    assert ran.err.startswith(
        f'rigview: {file}:4: layers[0].play: nothing has the name "Walc"; did'
    )
    file.write_text("version = 1\n[masks.m]\njoints = { Spin = 1 }\n" + BASE.format("Walk"))
    with file.open("a") as more:
        more.write("mask = 'm'\n")
    ran = rigview("pose", MANNEQUIN, "--motion", file)
    assert ran.err.startswith(f'rigview: {file}:3: masks.m.joints.Spin: no joint "Spin"; did you')


def test_root_motion_after_a_day_is_exact(pose):
    root = 'root = { joint = "Hips", mode = "accumulate" }\n'
    text = f"[clips.WalkForward]\n{root}" + BASE.format("WalkForward")
    clip = next(clip for clip in load(MANNEQUIN).clips if clip.name == "WalkForward")
    passes = 90_000
    world = pose(text, f"{clip.end},{passes * clip.end}")["world"]
    assert world.dtype == np.float64
    stride, walked = world[:, :3, 3]
    assert stride[2] == pytest.approx(1.4, abs=1e-6)
    np.testing.assert_allclose(walked, passes * stride, rtol=0, atol=1e-4)
