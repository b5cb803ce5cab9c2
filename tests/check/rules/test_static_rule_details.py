"""Amounts, sentences and exceptions of the rules about a file's meshes, skins and names."""

import numpy as np
import pytest

from rigview.check.examine import examine
from rigview.check.rule_settings import Settings
from rigview.check.rules.weight_reach import _steps, _trunk, used_joints
from tests.check.cases_data import picture, scaled, textured, triangles
from tests.check.cases_names import chain, clip
from tests.support.rule_figure import LEFT_ARM, LEFT_HAND, context, document_change, extra_vertices


def found(make, *rules):
    return [each.message for each in examine(make(), Settings(only=rules))]


def test_hierarchy_distance_between_joints_of_two_trees():
    above = np.array([-1, 0, 0, 1, 2, -1])
    steps = _steps(above)
    assert steps[:5, :5].tolist() == [
        [0, 1, 1, 2, 2],
        [1, 0, 2, 1, 3],
        [1, 2, 0, 3, 1],
        [2, 1, 3, 0, 4],
        [2, 3, 1, 4, 0],
    ]
    assert (steps[5, :5] > 4).all()
    assert _trunk(above).tolist() == [True, False, False, False, False, False]


def test_palette_of_342_joints():
    assert found(context(chain(335)), "budget-palette") == [
        "the palette of skin “Figure” needs 16 KiB with 3 × 4 matrices and 21.4 KiB with 4 × 4 "
        "(1368 vec4); 16 KiB hold 341 of its 342 joints"
    ]


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (100, "180 m tall: its units are probably centimetres"),
        (1000, "1800 m tall: its units are probably millimetres"),
        (0.01, "0.018 m tall: it was probably scaled down twice"),
        (0.06, None),
    ],
)
def test_units(size, said):
    assert found(context(scaled(size)), "units") == ([f"the character is {said}"] if said else [])


def test_units_of_files_without_skin_are_not_checked():
    unskinned = document_change(lambda b: (b.json.pop("skins"), b.json["nodes"][7].pop("skin")))
    assert not found(context(scaled(100), unskinned), "units")


def test_primitives_without_indices():
    plain = document_change(lambda b: b.json["meshes"][0]["primitives"][0].pop("indices"))
    assert not found(context(plain, extra_vertices(3)), "mesh-unused")
    (message,) = found(context(plain, extra_vertices(3)), "mesh-degenerate")
    assert message == "1 of 25 triangles of mesh “Body” has no area"


def test_bytes_of_unused_vertices():
    (message,) = found(context(extra_vertices(10)), "mesh-unused")
    each = 12 + 12 + 8 + 8 + 16  # position, normal, UV, joints, weights
    assert message == (f"10 of 82 vertices of mesh “Body” are in no triangle: {10 * each} bytes")


def test_few_degenerate_triangles_are_accepted():
    assert not found(context(*[triangles(0, 1, 2)] * 50, triangles(0, 0, 1)), "mesh-degenerate")


def test_ancestors_of_used_joints_are_used():
    def bind(figure):
        figure.joints[figure.joints == LEFT_ARM] = LEFT_HAND

    make = context(bind)()
    assert used_joints(make)[make.model.skeleton.find("LeftArm")]
    assert not used_joints(make)[make.model.skeleton.find("BodyMesh")]


def test_scale_of_ancestors_of_a_skin_counts_and_of_other_nodes_does_not():
    @document_change
    def above(b):
        b.add("nodes", name="Armature", children=[0], scale=[1, 2, 1])
        b.json["scenes"][0]["nodes"][0] = 8

    beside = document_change(lambda b: b.json["nodes"][7].update(scale=[1, 2, 1]))
    assert found(context(above), "rest-scale-uneven") == [
        "1 joint has a non-uniform rest scale, 1 × 2 × 1 at worst: “Armature”"
    ]
    assert not found(context(beside), "rest-*")


def test_clips_without_names():
    assert found(context(clip("", "Nod")), "clip-name-missing") == ["1 of 2 animations has no name"]


def test_invalid_webp():
    assert found(context(textured(b"RIFF" + bytes(100))), "texture-missing") == [
        "image “Grey” cannot be displayed: it is neither PNG, JPEG, WebP nor KTX 2"
    ]


def test_repeated_and_mipmapped_pictures():
    still = {"wrapS": 33071, "wrapT": 33071, "minFilter": 9987}
    assert found(context(textured(picture(64, 60))), "texture-power") == [
        "image “Grey” is repeated, but its 64 × 60 pixels are not powers of two"
    ]
    assert found(context(textured(picture(64, 60), sampler=still)), "texture-power") == [
        "image “Grey” has mipmaps, but its 64 × 60 pixels are not powers of two"
    ]
