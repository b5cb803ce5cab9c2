"""Comparison of poses: the sentence for each kind of array, and equal poses."""

import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.golden.pose_comparison import Limits, differences
from rigview.loading.load import load
from rigview.model.pose_arrays import pose_arrays
from rigview.resources import asset_path

TIMES = np.array([0.0, 0.25, 0.5])


@pytest.fixture(scope="module")
def walk():
    model = load(asset_path("mannequin.glb"))
    pose = Pose.like(model.skeleton.rest, TIMES.shape)
    next(clip for clip in model.clips if clip.name == "Walk").sample(TIMES, pose)
    return pose_arrays(model, pose, TIMES)


def changed(arrays, key):
    """A copy of a pose, and its array of that name."""
    copy = {name: array.copy() for name, array in arrays.items()}
    return copy, copy[key]


def node(arrays, name):
    return list(arrays["node_names"]).index(name)


def turn_about_x(degrees):
    half = np.radians(degrees) / 2
    return np.array([np.sin(half), 0.0, 0.0, np.cos(half)], np.float32)


def test_nothing_differs(walk):
    assert differences(walk, changed(walk, "times")[0]) == []


def test_negated_quaternions_are_equal(walk):
    other, local = changed(walk, "node_local")
    local[..., 3:7] *= -1
    assert differences(walk, other) == []


@pytest.mark.parametrize(("mm", "reported"), [(0.009, 0), (0.011, 1)])
def test_position_in_millimetres(walk, mm, reported):
    other, local = changed(walk, "node_local")
    local[1, node(walk, "LeftArm"), 0] += mm / 1e3
    assert len(differences(walk, other)) == reported


def test_position_difference_has_node_time_and_amount(walk):
    other, local = changed(walk, "node_local")
    local[1, node(walk, "LeftArm"), 1] += 0.012
    assert differences(walk, other) == [
        "node_local: 'LeftArm' moved by 12 mm (local) at 0.25 s (at most 0.01 mm)"
    ]


@pytest.mark.parametrize(("degrees", "reported"), [(0.009, 0), (0.011, 1), (179.0, 1)])
def test_rotation_in_degrees(walk, degrees, reported):
    other, local = changed(walk, "node_local")
    local[2, node(walk, "Head"), 3:7] = turn_about_x(degrees)
    before = changed(walk, "times")[0]
    before["node_local"][2, node(walk, "Head"), 3:7] = turn_about_x(0.0)
    found = differences(before, other)
    assert len(found) == reported
    if reported:
        assert f"'Head' rotated by {degrees:.4g}° (local) at 0.5 s" in found[0]


def test_the_worst_is_named_and_the_others_are_counted(walk):
    other, local = changed(walk, "node_local")
    for name, metres in (("Hips", 0.001), ("LeftFoot", 0.1), ("Spine", 0.01)):
        local[:, node(walk, name), 2] += metres
    (found,) = differences(walk, other)
    assert "'LeftFoot' moved by 100 mm" in found
    assert found.endswith("and 2 more")


@pytest.mark.parametrize("axis", [7, 8, 9])
def test_scale(walk, axis):
    other, local = changed(walk, "node_local")
    local[0, node(walk, "Head"), axis] = 1.00005
    assert differences(walk, other) == []
    local[0, node(walk, "Head"), axis] = 1.001
    assert differences(walk, other)[0].startswith("node_local: 'Head' scaled by 0.001 (local)")


def test_matrices_of_the_scene(walk):
    other, matrices = changed(walk, "node_global")
    head = node(walk, "Head")
    matrices[1, head, :3, 3] += 0.003
    turned = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], np.float32)
    matrices[0, head, :3, :3] = matrices[0, head, :3, :3] @ turned
    matrices[2, head, :3, :3] *= 2
    place, turn, scale = differences(walk, other)
    assert "'Head' 5.196 mm off at 0.25 s" in place
    assert "'Head' rotated by 90° at 0 s" in turn
    assert "'Head' scaled by 1 at 0.5 s" in scale


def test_changed_bind_pose_shows_in_the_palette_only(walk):
    other, palette = changed(walk, "palette_0")
    palette[:, 3, 1, 3] += 0.0001  # less than what a joint that may be turned off makes of it
    assert differences(walk, other) == []
    palette[:, 3, 1, 3] += 0.0499
    (found,) = differences(walk, other)
    assert found.startswith("palette_0: joint 3 of skin 0 50 mm off")
    (found,) = differences(walk, other, joint_names=walk.joint_names)
    assert found.startswith(f"palette_0: joint {walk.joint_names[0][3]!r} of skin 0 50 mm off")


def test_missing_arrays_and_nodes_are_reported_first(walk):
    other, names = changed(walk, "node_names")
    names[node(walk, "Head")] = "Kopf"
    other["node_local"] += 1
    assert differences(walk, other) == ["missing nodes: 'Head'", "new nodes: 'Kopf'"]
    del other["palette_0"]
    assert differences(walk, other)[0] == "missing arrays: 'palette_0'"


def test_new_arrays_are_no_difference(walk):
    other, local = changed(walk, "node_local")
    other |= {"world": np.eye(4)[None], "event_time": np.zeros(2)}
    assert differences(walk, other) == []
    local[1, node(walk, "LeftArm"), 1] += 0.012
    assert len(differences(walk, other)) == 1


def test_order_of_nodes(walk):
    other, names = changed(walk, "node_names")
    names[[1, 2]] = names[[2, 1]]
    (found,) = differences(walk, other)
    assert found.startswith("nodes in a different order: number 1 was")


def test_number_of_times(walk):
    other = {key: a if key == "node_names" else a[:2] for key, a in walk.items()}
    assert "times is [2], not [3]" in differences(walk, other)


def test_times(walk):
    other, times = changed(walk, "times")
    times[1] += 0.01
    assert differences(walk, other) == ["times: number 1 0.01 s off (at most 1e-06 s)"]


def test_custom_limits(walk):
    other, local = changed(walk, "node_local")
    local[..., 0] += 0.004
    assert differences(walk, other, Limits(mm=5.0)) == []
    assert differences(walk, other, Limits(mm=3.0)) != []


def test_limits_grow_with_large_characters(walk):
    giant = {key: array.copy() for key, array in walk.items() if key != "palette_0"}
    giant["node_global"][..., :3, 3] *= 100
    other, matrices = changed(giant, "node_global")
    matrices[..., 0, 3] += 0.0005  # half a millimetre of 180 metres
    assert differences(giant, other) == []
    matrices[..., 0, 3] += 0.0015
    assert differences(giant, other) != []


def test_nan_is_a_difference(walk):
    other, local = changed(walk, "node_local")
    local[0, 5, 0] = np.nan
    assert "moved by inf mm" in differences(walk, other)[0]


def test_arrays_with_unknown_names():
    one = {"event_name": np.array(["left"]), "event_time": np.array([0.5]), "weights_4": [[0.25]]}
    other = {"event_name": np.array(["right"]), "event_time": np.array([0.6]), "weights_4": [[0.5]]}
    reported = differences(one, other)
    assert reported[0] == "event_name differs"
    assert reported[1] == "event_time: number 0 0.1 s off (at most 1e-06 s)"
    assert reported[2].startswith("weights_4: morph weight 0 0.25 off")


def test_empty_arrays_are_equal():
    nothing = {"event_time": np.zeros(0), "node_local": np.zeros((0, 3, 10))}
    assert differences(nothing, nothing) == []
