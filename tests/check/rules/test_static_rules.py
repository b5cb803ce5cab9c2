"""What the rules about a file at rest say, and what they do not let themselves be misled by."""

import numpy as np
import pytest

from rigview.check.examine import examine
from rigview.check.rule_settings import Settings
from rigview.check.rules.textures import pictures
from rigview.check.subject import Subject
from rigview.loading.load import load_document
from tests.check.cases_data import lone_mesh, picture, scaled, textured
from tests.check.cases_skin import BIND, hands, node, weigh
from tests.support.rule_figure import HIPS, LEFT_HAND, RIGHT_HAND, subject, written


def found(make, *rules):
    return examine(make(), Settings(only=rules))


def one(make, rule):
    (finding,) = found(make, rule)
    return finding


@written
def two_parts(b):
    """A second primitive with the same vertices, and a third with vertices of its own."""
    primitives = b.json["meshes"][0]["primitives"]
    shared = primitives[0]
    again = shared["attributes"] | {"POSITION": b.accessor(np.zeros((72, 3)))}
    primitives += [shared, shared | {"attributes": again}]


def test_vertices_of_a_mesh_are_told_together_and_shared_ones_once():
    finding = one(subject(weigh([0.82, 0, 0, 0]), two_parts), "weights-sum")
    assert finding.sentence == (
        "2 of 144 vertices of mesh “Body” have weights that sum to 0.82 at worst"
    )
    assert finding.item == "Body"
    assert finding.limit == 0.01


@pytest.mark.parametrize(("total", "bad"), [(255, 0), (254, 0), (250, 1)])
def test_rounding_of_8_bit_weights_is_no_fault(total, bad):
    def change(figure):
        figure.joints[0] = [0, 1, 2, 3]
        weights = (figure.weights * 255).astype(np.uint8)
        weights[0] = [total - 120, 40, 40, 40]

        @written
        def put(b):
            attributes = b.json["meshes"][0]["primitives"][0]["attributes"]
            attributes["WEIGHTS_0"] = b.accessor(weights, "uint8", normalized=True)

        put(figure)

    assert len(found(subject(change), "weights-sum")) == bad


def test_a_vertex_without_weight_has_one_fault_not_two():
    findings = found(subject(weigh([0, 0, 0, 0], [np.nan] * 4)), "weights-*")
    assert {each.rule for each in findings} == {"weights-zero", "weights-nan"}


def test_the_loader_does_not_say_it_again():
    findings = examine(subject(weigh([0.5, 0, 0, 0], [1.5, -0.5, 0, 0], [0] * 4))())
    assert {each.rule for each in findings} == {"weights-sum", "weights-negative", "weights-zero"}


def test_far_vertices_in_centimetres():
    finding = one(subject(hands(RIGHT_HAND), scaled(100)), "weights-far")
    assert finding.amount == pytest.approx(140_089.2, rel=1e-4)
    assert finding.limit == pytest.approx(10_000)
    assert finding.sentence.startswith("2 of 72 vertices")
    assert finding.joint == "RightHand"


def test_glove_of_the_wrong_hand():
    assert one(subject(hands(RIGHT_HAND, None)), "weights-far").sentence.startswith("6 of 72")


@pytest.mark.parametrize("change", [np.float64, lambda points: points - [0, 0, 1]])
def test_a_part_that_hangs_from_the_trunk_is_none(change):
    """The hand as a part of its own, near and away, that moves with the hips."""

    def cut(figure):
        hand = figure.hand
        keep = ~np.isin(figure.indices.reshape(-1, 3), hand).any(axis=1)
        inside = np.isin(figure.indices.reshape(-1, 3), hand).all(axis=1)
        figure.indices = figure.indices.reshape(-1, 3)[keep | inside].reshape(-1)
        figure.joints[hand, 0] = HIPS
        figure.positions[hand] = change(figure.positions[hand])

    assert not found(subject(cut), "weights-far")


def test_mannequin_with_a_glove_of_the_wrong_hand():
    subject = Subject(*load_document("assets/mannequin.glb"))
    (bound,) = (each for each in subject.raw.bound if each.joints.max() > 1)
    joints = subject.model.skins[0].joints.tolist()
    left, right = (joints.index(subject.model.skeleton.find(f"{s}Hand")) for s in ("Left", "Right"))
    glove = ((bound.joints == left) & (bound.weights > 0.5)).any(axis=1)
    bound.joints = np.where(glove[:, None] & (bound.joints == left), right, bound.joints)
    (finding,) = examine(subject, Settings(only=("weights-far",)))
    assert finding.sentence.startswith(f"{np.count_nonzero(glove)} of 11979 vertices")


def test_bind_pose_of_a_turned_and_scaled_armature_fits():
    turned = node(HIPS, rotation=[0, 0.6, 0, 0.8], scale=[0.01] * 3)
    assert not found(subject(turned), "bind-*")


def test_where_the_rest_pose_is_another():
    finding = one(subject(node(3, rotation=[0, 0, 0.6, 0.8])), "bind-differs")
    assert finding.place == BIND
    assert finding.sentence == (
        "2 of 7 joints of skin “Figure” do not rest where they were bound: “LeftHand” is 480 mm "
        "away, “LeftArm” turned by 73.7°"
    )


def test_bone_of_another_length():
    finding = one(subject(node(LEFT_HAND, translation=[0.5, 0, 0])), "bind-length")
    assert finding.sentence.endswith(
        "from “LeftArm” to “LeftHand” it is 500 mm at rest, 400 mm when bound"
    )


def test_two_skins_of_the_same_joints_are_told_once():
    def change(figure):
        figure.names[3] = figure.names[5] = "Arm"
        written(lambda b: b.json["skins"].append(dict(b.json["skins"][0])))(figure)

    assert one(subject(change), "name-*").sentence == (
        "1 name of skin “Figure” belongs to more than one joint: “Arm”"
    )


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_size_of_a_picture(kind):
    (each,) = pictures(subject(textured(picture(60, 24, kind)))())
    assert (each.width, each.height, each.fault) == (60, 24, "")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (picture()[:-30], "the PNG is cut off"),
        (picture(kind="JPEG")[:-30], "the JPEG is cut off"),
        (picture(kind="WEBP")[:-8], "the WebP is cut off"),
        (b"\xff\xd8\xff\xd9", "the JPEG has no frame"),
        (b"\xff\xd8\xff\xe0\0\x04" + bytes(20) + b"\xff\xd9", "the JPEG is broken"),
        (b"GIF89a", "it is neither PNG, JPEG, WebP nor KTX 2"),
    ],
)
def test_broken_picture(data, fault):
    finding = one(subject(textured(data)), "texture-missing")
    assert finding.sentence == f"image “Grey” cannot be shown: {fault}"
    assert finding.item == "Grey"


def test_missing_picture_is_told_once(tmp_path):
    make = subject(written(lambda b: b.add("images", name="Skin", uri="skin.png")))
    findings = [each for each in examine(make()) if each.place.startswith("/images")]
    assert [each.rule for each in findings] == ["texture-missing", "unused-images"]
    assert not list(tmp_path.iterdir())


def test_what_an_unused_mesh_needs_is_told_with_it():
    findings = found(subject(lone_mesh), "unused-*")
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
def test_nothing_is_unused_where_an_extension_may_use_it(extensions):
    @written
    def change(b):
        b.view(b"12345678")
        b.json["nodes"][7]["extensions"] = extensions

    assert not found(subject(change), "unused-*")


def test_motion_capture_has_no_file_to_look_at(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
        "End Site\n{\nOFFSET 0 10 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n9 9 9\n"
    )
    rules = ("weights-*", "bind-*", "rest-*", "name-*", "mesh-*", "texture-*", "unused-*", "units")
    assert not examine(Subject(*load_document(path)), Settings(only=rules))
