import numpy as np
import pytest

from rigview.animation.pose import Pose
from rigview.errors import GltfError
from tests.support.gltf_documents import Builder

UP = [[0, 0, 0], [0, 1, 0]]
TURN = [[0, 0, 0, 1], [0, 1, 0, 0]]


def rig(*channels, nodes=2, **row):
    b = Builder()
    for _ in range(nodes):
        b.add("nodes")
    b.animation(*channels, **row)
    return b


def only(model):
    (clip,) = model.clips
    return clip


def test_translation_rotation_and_scale_tracks():
    model = rig(
        (1, "translation", [0, 1], UP),
        (0, "rotation", [0, 2], TURN, "STEP"),
        (1, "scale", [0.5, 1], [[1, 1, 1], [2, 2, 2]], "LINEAR"),
        name="Jump",
    ).load()
    clip = only(model)
    assert (clip.name, clip.start, clip.end) == ("Jump", 0, 2)
    found = [(t.target, t.path, t.interpolation, t.begin, t.end) for t in clip.tracks]
    assert found == [
        (1, "translation", "LINEAR", 0, 1),
        (0, "rotation", "STEP", 0, 2),
        (1, "scale", "LINEAR", 0.5, 1),
    ]
    for track in clip.tracks:
        assert track.values.dtype == track.times.dtype == np.float32
        assert track.tangents is None
    np.testing.assert_array_equal(clip.tracks[0].values, UP)
    assert model.warnings == []


def test_targets_are_joints_not_nodes():
    b = Builder()
    b.add("nodes")
    b.add("nodes", children=[0])
    b.animation((0, "translation", [0, 1], UP))
    model = b.load()
    assert only(model).tracks[0].target == model.skeleton.joint_of_node[0] == 1


def test_cubic_keys_have_tangents_and_are_not_normalized():
    keys = np.arange(24, dtype=np.float32).reshape(6, 4)
    track = only(rig((0, "rotation", [0, 1], keys, "CUBICSPLINE")).load()).tracks[0]
    np.testing.assert_array_equal(track.values, keys[1::3])
    np.testing.assert_array_equal(track.tangents, np.stack([keys[0::3], keys[2::3]], axis=1))
    assert track.values.flags.c_contiguous
    assert track.tangents.flags.c_contiguous


def test_rotations_are_normalized():
    for interpolation in ("LINEAR", "STEP"):
        model = rig((0, "rotation", [0, 1], [[0, 0, 0, 2], [0.707, 0, 0, 0.707]], interpolation))
        values = only(model.load()).tracks[0].values
        np.testing.assert_allclose(np.linalg.norm(values, axis=1), 1, atol=1e-7)


ZERO = "/accessors/3: key 1 of node 1 rotation in animation 0 has zero length; the identity is used"


def test_zero_rotation_becomes_identity():
    model = rig(
        (0, "rotation", [0, 1], TURN), (1, "rotation", [0, 1], [[0, 0, 0, 0], [0, 0, 0, 1]])
    ).load()
    np.testing.assert_array_equal(only(model).tracks[1].values, [[0, 0, 0, 1]] * 2)
    assert model.warnings == [ZERO]


def test_normalized_integer_rotations():
    b = rig((0, "rotation", [0, 1], TURN))
    sampler = b.json["animations"][0]["samplers"][0]
    sampler["output"] = b.accessor([[0, 0, 0, 32767], [0, -32768, 0, 0]], "int16", normalized=True)
    np.testing.assert_array_equal(only(b.load()).tracks[0].values, [[0, 0, 0, 1], [0, -1, 0, 0]])


def test_strided_keys_load():
    b = rig((0, "translation", [0, 1], UP))
    view = b.view(np.array([0, 9, 0.5, 9], np.float32).tobytes(), byteStride=8)
    sampler = b.json["animations"][0]["samplers"][0]
    sampler["input"] = b.add(
        "accessors", bufferView=view, count=2, componentType=5126, type="SCALAR"
    )
    model = b.load()
    assert only(model).tracks[0].times.tolist() == [0, 0.5]
    assert model.warnings == [
        f"/bufferViews/{view}/byteStride: not allowed for animation keys; the stride is applied"
    ]


def test_tracks_with_the_same_input_share_their_times():
    b = rig((0, "translation", [0, 1], UP), (1, "translation", [0, 1], UP))
    samplers = b.json["animations"][0]["samplers"]
    samplers[1]["input"] = samplers[0]["input"]
    one, two = only(b.load()).tracks
    assert one.times is two.times


def test_one_sampler_for_many_channels():
    b = rig((0, "translation", [0, 1], UP))
    b.json["animations"][0]["channels"].append(
        {"sampler": 0, "target": {"node": 1, "path": "translation"}}
    )
    assert [t.target for t in only(b.load()).tracks] == [0, 1]


def test_last_of_two_channels_with_one_target_is_used():
    model = rig(
        (0, "translation", [0, 9], UP),
        (1, "translation", [0, 1], UP),
        (0, "translation", [2, 3], [[1, 1, 1], [2, 2, 2]]),
    ).load()
    clip = only(model)
    assert len(clip.tracks) == 2
    assert (clip.start, clip.end) == (0, 3)
    assert [t.begin for t in clip.tracks if t.target == 0] == [2]
    assert len(model.warnings) == 1
    assert "/animations/0/channels/2" in model.warnings[0]


def test_ignored_channels_do_not_affect_the_clip():
    model = rig(
        (None, "translation", [0, 9], UP),
        (None, "pointer", [0, 9], UP),
        (0, "weights", [0, 9], [[0], [1]]),
        (0, "colour", [0, 9], UP),
        (0, "translation", [1, 2], UP),
    ).load()
    clip = only(model)
    assert len(clip.tracks) == 1
    assert (clip.start, clip.end) == (1, 2)
    places = [w.split(":")[0] for w in model.warnings]
    assert places == [f"/animations/0/channels/{c}/target" for c in range(4)]


def test_ignored_channels_may_have_invalid_keys():
    model = rig((None, "translation", [np.nan], [[np.inf, 0, 0]])).load()
    assert only(model).tracks == ()


def test_clip_without_tracks_has_no_duration():
    b = Builder()
    b.add("animations", channels=[], samplers=[])
    clip = only(b.load())
    assert (clip.name, clip.start, clip.end, clip.tracks) == ("Animation 0", 0, 0, ())


def test_clip_names():
    b = Builder()
    for name in ("Walk", "", "Walk"):
        b.add("animations", channels=[], samplers=[], name=name)
    assert [c.name for c in b.load().clips] == ["Walk", "Animation 1", "Walk #2"]


def morphing(keys, interpolation="LINEAR", width=2):
    b = Builder()
    target = {"POSITION": b.accessor([[0, 0, 1]] * 3)}
    b.mesh(targets=[target] * width)
    b.add("nodes", mesh=0)
    b.add("nodes", mesh=0)
    b.animation((1, "weights", [0, 1], keys, interpolation))
    return b


def test_morph_weight_tracks():
    model = morphing([[0, 1], [0.5, 0]]).load()
    (track,) = only(model).tracks
    assert (track.target, track.path, track.start) == (1, "values", 2)
    np.testing.assert_array_equal(track.values, [[0, 1], [0.5, 0]])
    pose = Pose.like(model.skeleton.rest)
    only(model).sample(0.5, pose)
    np.testing.assert_allclose(pose.values, [0, 0, 0.25, 0.5])


def test_cubic_morph_weights():
    keys = np.arange(12).reshape(6, 2)
    (track,) = only(morphing(keys, "CUBICSPLINE").load()).tracks
    np.testing.assert_array_equal(track.values, [[2, 3], [8, 9]])
    np.testing.assert_array_equal(track.tangents, [[[0, 1], [4, 5]], [[6, 7], [10, 11]]])


def test_normalized_morph_weights():
    b = morphing([[0, 1], [1, 0]])
    b.json["animations"][0]["samplers"][0]["output"] = b.accessor(
        [0, 255, 51, 0], "uint8", normalized=True
    )
    np.testing.assert_allclose(only(b.load()).tracks[0].values, [[0, 1], [0.2, 0]])


def test_too_few_values_raise_and_too_many_warn():
    with pytest.raises(GltfError, match="2 values, but the key times need 3") as caught:
        rig((0, "translation", [0, 1, 2], UP)).load()
    assert caught.value.place == "/animations/0/samplers/0/output"
    model = rig((0, "translation", [0], UP)).load()
    assert only(model).tracks[0].values.shape == (1, 3)
    assert "2 values, but the key times need 1" in model.warnings[0]
    with pytest.raises(GltfError, match="values, but the key times need 4"):
        morphing([[0], [1]]).load()
    with pytest.raises(GltfError, match="need 6"):
        rig((0, "translation", [0, 1], UP, "CUBICSPLINE")).load()


@pytest.mark.parametrize(
    ("path", "values"), [("translation", TURN), ("rotation", UP), ("scale", [[1], [1]])]
)
def test_wrong_value_type_raises(path, values):
    with pytest.raises(GltfError, match="not VEC") as caught:
        rig((0, path, [0, 1], values)).load()
    assert caught.value.place == "/animations/0/samplers/0/output"


def test_wrong_time_type_raises():
    with pytest.raises(GltfError, match="not SCALAR") as caught:
        rig((0, "translation", [[0, 0], [1, 1]], UP)).load()
    assert caught.value.place == "/animations/0/samplers/0/input"


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30])
def test_invalid_key_times_raise(bad):
    with pytest.raises(GltfError, match="the time of key") as caught:
        rig((0, "scale", [0, 1], UP), (1, "scale", [0, bad], UP)).load()
    assert caught.value.place == "/animations/0/samplers/1/input"


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e30])
@pytest.mark.parametrize("path", ["translation", "rotation"])
def test_invalid_key_values_raise(bad, path):
    values = np.zeros((2, 4 if path == "rotation" else 3))
    values[1, 1] = bad
    fine = np.ones_like(values)
    with pytest.raises(GltfError, match=r"(is not a number|is infinite|is too large)$") as caught:
        rig((0, path, [0, 1], fine), (1, path, [0, 1], values)).load()
    assert caught.value.place == "/accessors/3"
    assert caught.value.message.startswith(f"key 2 of node 1 {path} in animation 0 is ")


@pytest.mark.parametrize(
    ("row", "name"),
    [(3, "a tangent of key 2"), (4, "key 2"), (5, "a tangent of key 2")],
)
def test_invalid_key_is_named(row, name):
    """In a spline each key has a value between two tangents."""
    values = np.ones((6, 4))
    values[row] = np.nan
    b = rig((1, "rotation", [0, 1], values, "CUBICSPLINE"))
    b.json["nodes"][1]["name"], b.json["animations"][0]["name"] = "LeftArm", "Walk"
    with pytest.raises(GltfError) as caught:
        b.load()
    assert caught.value.message == f"{name} of “LeftArm” rotation in “Walk” is not a number"


def test_two_keys_at_the_same_time_warn():
    model = rig((0, "scale", [0, 1, 1], [*UP, [5, 5, 5]]), (1, "scale", [0, 1], UP)).load()
    assert "two keys at the same time" in model.warnings[0]
    assert "samplers/0" in model.warnings[0]
    assert only(model).tracks[0].sample(1.0).tolist() == [5, 5, 5]


@pytest.mark.parametrize("interpolation", ["LINEAR", "CUBICSPLINE"])
def test_unsorted_keys_are_sorted_with_a_warning(interpolation):
    values = np.arange(9).reshape(3, 3)
    if interpolation == "CUBICSPLINE":
        values = np.arange(27).reshape(9, 3)
    model = rig((0, "scale", [0, 2, 1], values, interpolation)).load()
    (track,) = only(model).tracks
    assert track.times.tolist() == [0, 1, 2]
    middle = values if interpolation == "LINEAR" else values[1::3]
    np.testing.assert_array_equal(track.values, middle[[0, 2, 1]])
    assert "key 3 is out of order" in model.warnings[0]


def test_keys_before_zero_warn():
    model = rig((0, "scale", [-1, 1], UP)).load()
    clip = only(model)
    assert (clip.start, clip.end) == (0, 1)
    assert clip.tracks[0].times.tolist() == [-1, 1]
    assert "before 0 s" in model.warnings[0]
    assert only(rig((0, "scale", [-2, -1], UP)).load()).end == 0


def test_a_single_key():
    clip = only(rig((0, "scale", [0.5], [[2, 2, 2]])).load())
    assert (clip.start, clip.end) == (0.5, 0.5)


def test_keys_of_sparse_values_only():
    b = rig((0, "translation", [0, 1], UP))
    b.json["animations"][0]["samplers"][0]["output"] = b.add(
        "accessors", count=2, componentType=5126, type="VEC3"
    )
    assert not only(b.load()).tracks[0].values.any()


def test_a_channel_without_keys_is_ignored():
    b = rig((0, "translation", [0, 1], UP), (1, "translation", [0, 1], UP))
    b.json["animations"][0]["samplers"][1]["input"] = b.add(
        "accessors", count=0, componentType=5126, type="SCALAR"
    )
    model = b.load()
    assert [t.target for t in only(model).tracks] == [0]
    assert model.warnings == [
        "/animations/0/channels/1: the sampler has no keys; the channel is ignored"
    ]
