import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.animation.skin import bind_pose
from rigview.loading.load import load
from tests.support.command_files import turned
from tests.support.gltf_documents import Builder

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def pose(rigview, model_file, tmp_path):
    """Run `pose` on the small file and return the arrays of its .npz."""

    def run(*arguments):
        target = tmp_path / "pose.npz"
        ran = rigview("pose", model_file, *arguments, "-o", target)
        assert ran.code == 0, ran.err
        return dict(np.load(target, allow_pickle=False))

    return run


def tip(arrays):
    return arrays["node_local"][:, 2, 3:7]


def test_shapes_and_types(pose):
    arrays = pose("--animation", "Turn", "--time", "0,1,2", "--vertices")
    shapes = {
        "times": (3,),
        "node_names": (4,),
        "node_local": (3, 4, 10),
        "node_global": (3, 4, 4, 4),
        "palette_0": (3, 2, 4, 4),
        "weights_3": (3, 1),
        "vertices_0_0": (3, 3, 3),
        "vertices_3_0": (3, 3, 3),
    }
    assert {name: array.shape for name, array in arrays.items()} == shapes
    assert arrays["node_names"].tolist() == ["Body", "Root", "Tip", "Face"]
    numbers = {array.dtype for name, array in arrays.items() if name != "node_names"}
    assert numbers == {np.dtype(np.float32)}


def test_vertices_only_on_request(pose):
    assert not [name for name in pose("--time", "0") if name.startswith("vertices")]


def test_equals_the_animation_core(pose, model_file):
    model = load(model_file)
    times = np.array([0.0, 0.75, 1.0, 1.7, 9.0])
    arrays = pose("--animation", "0", "--time", ",".join(map(str, times)), "--animation", "Turn")
    expected = Pose.like(model.skeleton.rest, (5,))
    model.clips[0].sample(times, expected)
    sampled = model.clips[0].local_time(times)
    order = model.skeleton.joint_of_node
    matrices = model.skeleton.to_model(expected)
    assert np.array_equal(arrays["times"], sampled.astype(np.float32))
    assert np.array_equal(arrays["node_local"][..., :3], expected.translation[:, order])
    assert np.array_equal(arrays["node_local"][..., 3:7], expected.rotation[:, order])
    assert np.array_equal(arrays["node_local"][..., 7:], expected.scale[:, order])
    assert np.array_equal(arrays["node_global"], matrices[:, order])
    assert np.array_equal(arrays["palette_0"][..., :3, :], model.skins[0].palette(matrices))
    assert np.array_equal(arrays["palette_0"][..., 3, :], np.tile([0, 0, 0, 1], (5, 2, 1)))


def test_one_batch_equals_one_by_one(pose):
    together = pose("--animation", "Turn", "--time", "0,0.8,1.9", "--vertices")
    for row, time in enumerate(("0", "0.8", "1.9")):
        alone = pose("--animation", "Turn", "--time", time, "--vertices")
        for name in set(together) - {"node_names"}:
            assert np.array_equal(together[name][row], alone[name][0]), name


def test_json_equals_npz(pose, rigview, model_file, tmp_path):
    arguments = ("--animation", "Turn", "--time", "0.1,1.3", "--vertices")
    arrays = pose(*arguments)
    target = tmp_path / "pose.json"
    assert rigview("pose", model_file, *arguments, "-o", target).code == 0
    written = json.loads(target.read_text())
    assert list(written) == list(arrays)
    for name, array in arrays.items():
        assert np.array_equal(np.array(written[name], array.dtype), array), name
    printed = rigview("pose", model_file, *arguments)
    assert printed.out == target.read_text()
    assert not printed.err
    assert rigview("pose", model_file, *arguments, "-o", "-").out == printed.out


def test_morphed_and_skinned_vertices(pose):
    arrays = pose("--animation", "#2", "--time", "0,0.5", "--vertices")
    assert np.allclose(arrays["weights_3"], [[0], [0.5]])
    moved = arrays["vertices_3_0"][1] - arrays["vertices_3_0"][0]
    assert np.allclose(moved, [[0, 0, 0.5], [0, 0, 0.5], [0, 0.5, 0]])
    assert np.allclose(arrays["vertices_3_0"][0], [[2, 0, 0], [4, 0, 0], [3, 2, 0]])
    turned_tip = pose("--animation", "Turn", "--time", "1", "--vertices")["vertices_0_0"][0]
    assert np.allclose(turned_tip[2], [-1, 1, 0], atol=1e-6)  # a quarter about (0, 1, 0)


def test_defaults_to_the_start_of_the_first_clip(pose):
    arrays = pose()
    assert arrays["times"].tolist() == [0.0]
    assert np.allclose(tip(arrays), [turned(0)])


@pytest.mark.parametrize(
    ("options", "times"),
    [
        (["--time=-1,0.25,5"], [0, 0.25, 2]),  # plays once: clamps
        (["--time", "-1,0.25"], [0, 0.25]),
        (["--time", "2.5,-0.5", "--loop", "loop"], [0.5, 1.5]),
        (["--time", "2.5,3.9,9", "--loop", "2"], [0.5, 1.9, 2]),
        (["--time", "2.5,4.5", "--loop", "pingpong"], [1.5, 0.5]),
        (["--time", "0.5", "--speed", "2"], [1]),
        (["--time", "0,0.5,9", "--speed", "-1"], [2, 1.5, 0]),
        (["--time", "0,0.5,9", "--trim"], [0.5, 1, 2]),
        (["--time", "1.75", "--trim", "--loop", "loop"], [0.75]),
        (["--phase", "0,0.25,1"], [0, 0.5, 2]),
        (["--phase", "0,0.5,1", "--trim"], [0.5, 1.25, 2]),
        (["--phase", "1", "--loop", "loop", "--speed", "3"], [2]),  # the end, never the start
        (["--frame", "0,30,45"], [0, 1, 1.5]),
        (["--frame", "12", "--frame-rate", "24"], [0.5]),
        (["--time", "0..1:0.25"], [0, 0.25, 0.5, 0.75, 1]),
        (["--time", "0.1..0.7:0.2"], [0.1, 0.3, 0.5, 0.7]),
        (["--time", "0..1:0.4"], [0, 0.4, 0.8]),
        (["--time=-0.5..0.5:0.5", "--loop", "loop"], [1.5, 0, 0.5]),
        (["--time", "1..1.5", "--frame-rate", "4"], [1, 1.25, 1.5]),
        (["--frames", "0..30:15"], [0, 0.5, 1]),
        (["--frames", "2..4", "--frame-rate", "4"], [0.5, 0.75, 1]),
    ],
)
def test_times(pose, options, times):
    assert np.allclose(pose("--animation", "Turn", *options)["times"], times, atol=1e-6)


def test_rotation_between_keys(rigview, tmp_path):
    """`--key-rotation nlerp` is the normalised mean on the shorter arc; slerp is the default."""
    file, target, times = tmp_path / "turns.glb", tmp_path / "pose.npz", [0.1, 0.25, 0.9, 1.3]
    keys = np.array([turned(0), turned(150), turned(-80)]) * [[1], [-1], [1]]
    b = Builder()
    b.add("nodes", name="Arm")
    b.animation((0, "rotation", [0, 1, 2], keys))
    file.write_bytes(b.glb())

    def rotations(*words):
        words = (*words, "--time", ",".join(map(str, times)), "-o", target)
        assert rigview("pose", file, *words).code == 0
        return np.load(target)["node_local"][:, 0, 3:7]

    expected = []
    for time in times:
        a, b = keys[int(time)], keys[int(time) + 1]
        q = a + (b * np.copysign(1.0, a @ b) - a) * (time - int(time))
        expected.append(q / np.sqrt(q @ q))
    found = rotations("--key-rotation", "nlerp")
    np.testing.assert_allclose(
        found * np.sign((found * expected).sum(1))[:, None], expected, atol=2e-7
    )
    default = rotations()
    np.testing.assert_array_equal(rotations("--key-rotation", "slerp"), default)
    assert np.abs(found - default).max() > 0.02


@pytest.mark.parametrize("name", ["rest", "bind"])
def test_still_poses(pose, model_file, name):
    arrays = pose("--animation", "Turn", "--time", "1,2", "--pose", name)
    skeleton = load(model_file).skeleton
    bound = bind_pose(skeleton, load(model_file).skins[0])
    expected = skeleton.rest if name == "rest" else bound
    order = skeleton.joint_of_node
    for row in range(2):
        assert np.allclose(arrays["node_local"][row, :, :3], expected.translation[order])
        assert np.allclose(arrays["node_local"][row, :, 3:7], expected.rotation[order])
    assert np.allclose(arrays["weights_3"], 0.25)
    if name == "bind":
        assert np.allclose(arrays["palette_0"], np.eye(4), atol=1e-6)


def test_keys_by_number(pose):
    arrays = pose("--animation", "Turn", "--key", "0,1,2")
    assert arrays["times"].tolist() == [0.5, 1.0, 2.0]
    assert np.allclose(tip(arrays), [turned(0), turned(90), turned(45)])


def test_held_keys(pose):
    arrays = pose("--animation", "Turn", "--time", "0,0.9,1,1.99,3", "--hold")
    assert arrays["times"].tolist() == [0.5, 0.5, 1.0, 1.0, 2.0]
    held = [turned(0), turned(0), turned(90), turned(90), turned(45)]
    assert np.allclose(tip(arrays), held)


def test_file_without_clips_is_at_rest(rigview, tmp_path):
    path = tmp_path / "still.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "nodes": [{"translation": [1, 2, 3]}]}')
    ran = rigview("pose", path, "--time", "0,4")
    assert ran.code == 0
    arrays = json.loads(ran.out)
    assert arrays["times"] == [0, 4]
    assert np.allclose(np.array(arrays["node_local"])[:, 0, :3], [1, 2, 3])
    assert rigview("pose", path, "--key", "0").code == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--animation", "Trun"], "no animation 'Trun'; did you mean 'Turn'"),
        (["--time", "1", "--phase", "0"], "--time and --phase"),
        (["--frame", "1", "--key", "0"], "--frame and --key"),
        (["--key", "0", "--hold"], "--key and --hold"),
        (["-o", "pose.txt"], "pose.txt"),
        (["--root", "no/such/folder"], "--root"),
        (["--root", "r" * 300], "--root"),
        (["--key", "9" * 30], "--key"),
        (["--key", "2,9999"], "--key: 'Turn' has no key 9999; its last is 2"),
        (["--frames", "0..3", "--time", "1"], "--frames and --time"),
        (["--frames", "0..3", "--key", "1"], "--frames and --key"),
        (["--time", "1..0"], "ends before"),
        (["--time", "0..1:0"], "above 0"),
        (["--time", "0..1:1e-9"], "more than"),
    ],
)
def test_wrong_use(rigview, model_file, options, words):
    ran = rigview("pose", model_file, *options)
    assert ran.code == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1


def test_warnings_and_quiet(rigview, model_file):
    assert (
        "warning: 'Turn*' matches 2 animations"
        in rigview("pose", model_file, "--animation", "Turn*").err
    )
    assert not rigview("pose", model_file, "--animation", "Turn*", "--quiet").err


def test_target_is_checked_before_the_file_is_read(rigview, tmp_path):
    ran = rigview("pose", tmp_path / "missing.glb", "-o", tmp_path / "missing" / "pose.npz")
    assert ran.code == 5
    assert "does not exist" in ran.err


def test_standard_input(model_file):
    ran = subprocess.run(
        [sys.executable, "-m", "rigview", "pose", "-", "--time", "1"],
        cwd=ROOT,
        input=model_file.read_bytes(),
        capture_output=True,
        check=True,
    )
    assert json.load(io.BytesIO(ran.stdout))["times"] == [1]


def test_broken_standard_input_is_named():
    ran = subprocess.run(
        [sys.executable, "-m", "rigview", "pose", "-"],
        cwd=ROOT,
        input=b"glTF",
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 3
    assert ran.stderr.startswith(b"rigview: standard input: ")
