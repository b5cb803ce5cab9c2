"""Morph weights by KHR_animation_pointer: all of a node or a mesh, and single ones."""

import numpy as np

from rigview.curves.from_tracks import channel_curves
from rigview.loading.import_clips import import_clips
from tests.gltf.pointer_channels import sampled_values, target_warnings
from tests.support.animated_value_files import morphed_nodes


def test_weights_of_a_node_by_pointer():
    b = morphed_nodes()
    b.pointer(("/nodes/2/weights", [0, 1], [0, 0.5, 1, 0.5]))
    model = b.load()
    assert model.warnings == []
    values = sampled_values(model, 0.5)
    np.testing.assert_allclose(values["/nodes/2/weights"], [0.5, 0.5])
    np.testing.assert_allclose(values["/nodes/0/weights"], [0.25, 0])


def test_mesh_weights_animate_nodes_without_weights():
    b = morphed_nodes()
    b.pointer(("/meshes/0/weights", [0, 1], [0, 0, 1, 0.5]))
    model = b.load()
    assert model.warnings == []
    values = sampled_values(model, 1.0)
    for node, weights in enumerate([[1, 0.5], [1, 0.5], [0, 0.5]]):
        np.testing.assert_allclose(values[f"/nodes/{node}/weights"], weights)


def test_single_weights_leave_the_others_at_rest():
    b = morphed_nodes()
    b.pointer(("/nodes/2/weights/1", [0, 1], [0, 1]), ("/nodes/0/weights/0", [0, 2], [0, 1]))
    model = b.load()
    assert model.warnings == []
    values = sampled_values(model, 0.5)
    np.testing.assert_allclose(values["/nodes/2/weights"], [0, 0.5])
    np.testing.assert_allclose(values["/nodes/0/weights"], [0.25, 0])
    np.testing.assert_allclose(values["/nodes/1/weights"], [0.25, 0])


def test_weights_of_a_node_may_differ_in_keys_and_interpolation():
    b = morphed_nodes()
    b.pointer(
        ("/nodes/2/weights/0", [0, 1], [0, 0, 0, 0, 1, 0], "CUBICSPLINE"),
        ("/nodes/2/weights/1", [0, 0.25, 0.5], [0, 1, 0.5], "STEP"),
    )
    model = b.load()
    at = {t: sampled_values(model, t)["/nodes/2/weights"] for t in (0.25, 0.75)}
    np.testing.assert_allclose(at[0.25], [3 / 16 - 2 / 64, 1], atol=1e-6)
    np.testing.assert_allclose(at[0.75], [27 / 16 - 54 / 64, 0.5], atol=1e-6)


def test_single_mesh_weight_animates_nodes_without_weights():
    b = morphed_nodes()
    b.pointer(("/meshes/0/weights/1", [0, 1], [0, 1]))
    values = sampled_values(b.load(), 1.0)
    for node, weights in enumerate([[0.25, 1], [0.25, 1], [0, 0.5]]):
        np.testing.assert_allclose(values[f"/nodes/{node}/weights"], weights)


def test_channel_for_all_weights_overrides_a_single_one():
    for single_first in (True, False):
        b = morphed_nodes()
        channels = [
            ("/nodes/2/weights/0", [0, 1], [9, 9]),
            ("/nodes/2/weights", [0, 1], [0, 0.5, 1, 0.5]),
        ]
        b.pointer(*channels[:: 1 if single_first else -1])
        model = b.load()
        np.testing.assert_allclose(sampled_values(model, 1.0)["/nodes/2/weights"], [1, 0.5])
        assert model.warnings == [
            "/animations/0: channels for weights/0 of node 2 and for all weights; the one for "
            "all is used"
        ]


def test_missing_weights_warn():
    b = morphed_nodes()
    b.json["nodes"] = b.json["nodes"][2:]
    b.pointer(
        ("/nodes/0/weights/2", [0, 1], [0, 1]),
        ("/meshes/0/weights", [0, 1], [0, 0, 1, 1]),
        ("/meshes/0/weights/0", [0, 1], [0, 1]),
    )
    assert target_warnings(b) == [
        "node 0 has no morph weight 2 (it has 2)",
        "no node uses the weights of mesh 0",
        "no node uses the weights of mesh 0",
    ]


def test_curves_of_a_single_weight():
    b = morphed_nodes()
    b.pointer(("/nodes/2/weights/1", [0, 1], [0, 1]), ("/nodes/2/weights/0", [0, 2], [1, 0]))
    model = b.load()
    (number,) = [c for c, each in enumerate(model.channels) if each.pointer == "/nodes/2/weights"]
    (chart,) = channel_curves(model, model.clips[0], number).charts
    assert [line.label for line in chart.lines] == ["Target 0", "Target 1"]
    assert [line.keys[-1].tolist() for line in chart.lines] == [[2, 0], [1, 1]]
    (chart,) = channel_curves(model, model.clips[0], number, column=1).charts
    assert [line.label for line in chart.lines] == ["Target 1"]
    b.json["animations"][0]["channels"].pop()
    model = b.load()
    assert channel_curves(model, model.clips[0], number, column=0).charts == ()


def test_import_of_a_single_weight(tmp_path):
    b = morphed_nodes()
    b.pointer(("/nodes/2/weights/1", [0, 1], [0, 1]), name="Blink")
    source = b.path(tmp_path)
    other = morphed_nodes()
    other.json["meshes"][0]["extras"] = {"targetNames": ["Target 1", "Open"]}
    model, _ = import_clips(other.load(), [source])
    (clip,) = model.clips
    values = sampled_values(model, 0.5)["/nodes/0/weights"]
    np.testing.assert_allclose(values, [0.5, 0])
    assert [(track.start, track.values.shape[1]) for track in clip.tracks][:1] == [(0, 1)]
