"""Sentences and false positives of the rules about a file's meshes, skins and textures."""

import numpy as np
import pytest

from rigview.check.check_context import CheckContext
from rigview.check.examine import examine
from rigview.check.rule_settings import Settings
from rigview.check.rules import weight_reach
from rigview.check.rules.textures import image_headers
from rigview.loading.load import load_document
from tests.check.cases_data import lone_mesh, picture, scaled, textured
from tests.check.cases_skin import BIND, bind_fingertips, node, weigh
from tests.support.rule_figure import HIPS, LEFT_HAND, RIGHT_HAND, context, document_change


def found(make, *rules):
    return examine(make(), Settings(only=rules))


def one(make, rule):
    (finding,) = found(make, rule)
    return finding


@document_change
def two_parts(b):
    """Add a second primitive with the same vertices, and a third with separate vertices."""
    primitives = b.json["meshes"][0]["primitives"]
    shared = primitives[0]
    again = shared["attributes"] | {"POSITION": b.accessor(np.zeros((72, 3)))}
    primitives += [shared, shared | {"attributes": again}]


def test_vertices_of_a_mesh_share_one_finding_and_shared_vertices_count_once():
    finding = one(context(weigh([0.82, 0, 0, 0]), two_parts), "weights-sum")
    assert finding.message == (
        "2 of 144 vertices of mesh “Body” have weights that sum to 0.82 at worst"
    )
    assert finding.item == "Body"
    assert finding.limit == 0.01


@pytest.mark.parametrize(("total", "bad"), [(255, 0), (254, 0), (250, 1)])
def test_rounding_of_8_bit_weights_is_accepted(total, bad):
    def change(figure):
        figure.joints[0] = [0, 1, 2, 3]
        weights = (figure.weights * 255).astype(np.uint8)
        weights[0] = [total - 120, 40, 40, 40]

        @document_change
        def put(b):
            attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
            attributes["WEIGHTS_0"] = b.accessor(weights, "uint8", normalized=True)

        put(figure)

    assert len(found(context(change), "weights-sum")) == bad


def test_a_vertex_without_weight_has_one_finding():
    findings = found(context(weigh([0, 0, 0, 0], [np.nan] * 4)), "weights-*")
    assert {each.rule for each in findings} == {"weights-zero", "weights-nan"}


def test_load_warnings_that_rules_report_are_omitted():
    findings = examine(context(weigh([0.5, 0, 0, 0], [1.5, -0.5, 0, 0], [0] * 4))())
    assert {each.rule for each in findings} == {"weights-sum", "weights-negative", "weights-zero"}


def test_distant_vertices_in_centimetres():
    finding = one(context(bind_fingertips(RIGHT_HAND), scaled(100)), "weights-far")
    assert finding.amount == pytest.approx(140_089.2, rel=1e-4)
    assert finding.limit == pytest.approx(10_000)
    assert finding.message.startswith("2 of 72 vertices")
    assert finding.joint == "RightHand"


def test_glove_bound_to_the_wrong_hand():
    assert one(context(bind_fingertips(RIGHT_HAND, None)), "weights-far").message.startswith(
        "6 of 72"
    )


def test_distant_vertices_of_a_huge_skin_are_not_searched(monkeypatch):
    """The distances of all pairs of 65,000 joints would take 24 GB."""
    monkeypatch.setattr(weight_reach, "MAX_JOINTS", 3)
    assert not found(context(bind_fingertips(RIGHT_HAND)), "weights-far")


@pytest.mark.parametrize("change", [np.float64, lambda points: points - [0, 0, 1]])
def test_a_separate_part_bound_to_the_trunk_is_accepted(change):
    """The hand is a separate part, close or far, that is bound to the hips."""

    def cut(figure):
        hand = figure.hand
        keep = ~np.isin(figure.indices.reshape(-1, 3), hand).any(axis=1)
        inside = np.isin(figure.indices.reshape(-1, 3), hand).all(axis=1)
        figure.indices = figure.indices.reshape(-1, 3)[keep | inside].reshape(-1)
        figure.joints[hand, 0] = HIPS
        figure.positions[hand] = change(figure.positions[hand])

    assert not found(context(cut), "weights-far")


def test_mannequin_with_a_glove_bound_to_the_wrong_hand():
    context = CheckContext(*load_document("assets/mannequin.glb"))
    (influences,) = (each for each in context.stored.influences if each.joints.max() > 1)
    joints = context.model.skins[0].joints.tolist()
    left, right = (joints.index(context.model.skeleton.find(f"{s}Hand")) for s in ("Left", "Right"))
    glove = ((influences.joints == left) & (influences.weights > 0.5)).any(axis=1)
    influences.joints = np.where(
        glove[:, None] & (influences.joints == left), right, influences.joints
    )
    (finding,) = examine(context, Settings(only=("weights-far",)))
    vertices = f"{np.count_nonzero(glove)} of {len(glove)} vertices"
    assert finding.message.startswith(vertices)


def test_bind_pose_of_a_rotated_and_scaled_armature_is_accepted():
    turned = node(HIPS, rotation=[0, 0.6, 0, 0.8], scale=[0.01] * 3)
    assert not found(context(turned), "bind-*")


def test_rest_pose_that_differs_from_the_bind_pose():
    finding = one(context(node(3, rotation=[0, 0, 0.6, 0.8])), "bind-differs")
    assert finding.place == BIND
    assert finding.message == (
        "2 of 7 joints of skin “Figure” differ between rest and bind pose: “LeftHand” is "
        "displaced by 480 mm, “LeftArm” is rotated by 73.7°"
    )


def test_a_rest_rotation_that_differs_names_the_rotated_joint_only():
    finding = one(context(node(LEFT_HAND, rotation=[0, 0, 0.6, 0.8])), "bind-differs")
    assert finding.message.endswith("rest and bind pose: “LeftHand” is rotated by 73.7°")
    assert (finding.joint, finding.unit) == ("LeftHand", "°")
    assert finding.amount == pytest.approx(73.74, abs=0.01)


def test_bone_with_a_changed_length():
    finding = one(context(node(LEFT_HAND, translation=[0.5, 0, 0])), "bind-length")
    assert finding.message.endswith(
        "“LeftArm” to “LeftHand” is 500 mm at rest, 400 mm in the bind pose"
    )


def test_two_skins_with_the_same_joints_have_one_finding():
    def change(figure):
        figure.names[3] = figure.names[5] = "Arm"
        document_change(lambda b: b.json["skins"].append(dict(b.json["skins"][0])))(figure)

    assert one(context(change), "name-*").message == (
        "1 name of skin “Figure” belongs to more than one joint: “Arm”"
    )


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_size_of_a_picture(kind):
    (each,) = image_headers(context(textured(picture(60, 24, kind)))())
    assert (each.width, each.height, each.error) == (60, 24, "")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (picture()[:-30], "the PNG is truncated"),
        (picture(kind="JPEG")[:-30], "the JPEG is truncated"),
        (picture(kind="WEBP")[:-8], "the WebP is truncated"),
        (b"\xff\xd8\xff\xd9", "the JPEG has no frame header"),
        (b"\xff\xd8\xff\xe0\0\x04" + bytes(20) + b"\xff\xd9", "the JPEG is broken"),
        (b"GIF89a", "it is neither PNG, JPEG, WebP nor KTX 2"),
    ],
)
def test_broken_picture(data, fault):
    finding = one(context(textured(data)), "texture-missing")
    assert finding.message == f"image “Grey” cannot be displayed: {fault}"
    assert finding.item == "Grey"


def test_missing_picture_has_one_finding(tmp_path):
    make = context(document_change(lambda b: b.add("images", name="Skin", uri="skin.png")))
    findings = [each for each in examine(make()) if each.place.startswith("/images")]
    assert [each.rule for each in findings] == ["texture-missing", "unused-images"]
    assert not list(tmp_path.iterdir())


def test_data_of_an_unused_mesh_counts_for_the_mesh():
    findings = found(context(lone_mesh), "unused-*")
    assert [(each.rule, each.amount, each.unit) for each in findings] == [
        ("unused-meshes", 36, "bytes")
    ]


@pytest.mark.parametrize(
    "extensions",
    [
        {"ACME_anything": {"accessor": 3}},
        {"ACME_anything": 7},
        {"EXT_mesh_gpu_instancing": {"attributes": [1]}},
    ],
)
def test_nothing_is_unused_if_an_unknown_extension_may_use_it(extensions):
    @document_change
    def change(b):
        b.view(b"12345678")
        b.json["nodes"][7]["extensions"] = extensions

    assert not found(context(change), "unused-*")


def test_motion_capture_has_no_findings_about_the_document(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
        "End Site\n{\nOFFSET 0 10 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n9 9 9\n"
    )
    rules = ("weights-*", "bind-*", "rest-*", "name-*", "mesh-*", "texture-*", "unused-*", "units")
    assert not examine(CheckContext(*load_document(path)), Settings(only=rules))
