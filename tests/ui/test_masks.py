"""Masks by mouse: painted over the rows of the tree, folded, searched, shown on the mesh."""

import numpy as np
import pytest

from rigview.blending.mask import Mask
from rigview.blending.skeleton_channels import Rig
from rigview.model.model import Model
from rigview.motion.document import MaskSettings
from rigview.ui import masks
from tests.support.full_motion_file import DOC
from tests.support.panels import Hands


@pytest.fixture
def hands(gl):
    hands = Hands(gl)
    hands.session.editor.start(DOC)
    hands.key("m")
    hands.click("tab Mask")
    hands.frames(3)
    yield hands
    hands.close()


def joints(hands, mask="upper"):
    return dict(hands.session.editor.document.masks[mask].joints)


def at(hands, name, share):
    left, top, right, bottom = hands.marks[f"mask weight {name}"]
    return left + share * (right - left), (top + bottom) / 2


def test_one_row_is_dragged(hands):
    hands.drag(at(hands, "Spine", 0.3), at(hands, "Spine", 0.5))
    assert joints(hands)["Spine"] == pytest.approx(0.5)
    hands.key("left_ctrl", "z")
    assert hands.session.editor.document == DOC


def test_rows_are_painted_in_one_stroke(hands):
    hands.press(*at(hands, "Spine2", 0.8))
    for name in ("Neck", "Head"):
        hands.move(*at(hands, name, 0.8))
    hands.release()
    painted = joints(hands)
    assert [painted[name] for name in ("Spine2", "Neck", "Head")] == pytest.approx([0.8] * 3)
    assert "Jaw" not in painted
    assert hands.session.editor.history.undo_label == "Paint upper"
    hands.key("left_ctrl", "z")
    assert hands.session.editor.document == DOC


def test_a_fast_stroke_leaves_no_row_out(hands):
    hands.drag(at(hands, "Spine2", 0.8), at(hands, "Head", 0.8))
    painted = joints(hands)
    assert [painted[name] for name in ("Spine2", "Neck", "Head")] == pytest.approx([0.8] * 3)
    assert "Spine1" in painted
    assert painted["Spine1"] == 0.6
    assert "Jaw" not in painted


def test_a_joint_takes_the_weight_above_it_again(hands):
    hands.click("mask weight Spine1", button=1)
    assert "Spine1" not in joints(hands)
    weights = np.array(hands.scene.display.mask)
    find = hands.session.model.skeleton.find
    assert weights[find("Spine1")] == weights[find("Spine")] == np.float32(0.3)


def test_the_mesh_shows_the_mask_while_it_is_open(hands):
    names = {name: k for k, name in enumerate(hands.session.model.skeleton.names)}
    mask = hands.scene.display.mask
    assert mask[names["RightHand"]] == 1.0
    assert mask[names["Head"]] == pytest.approx(0.6)
    assert mask[names["Hips"]] == 0.0
    hands.click("show mask")
    assert hands.scene.display.mask == ()
    hands.click("show mask")
    assert hands.scene.display.mask == mask
    hands.click("tab Space")
    hands.frames(2)
    assert hands.scene.display.mask == ()


def test_masks_are_made_and_taken_out(hands):
    hands.click("new mask")
    hands.frames(2)
    assert joints(hands, "mask") == {}
    hands.drag(at(hands, "Hips", 0.1), at(hands, "Hips", 1.0))
    assert joints(hands, "mask") == {"Hips": 1.0}
    hands.click("mask")
    hands.click("mask upper")
    hands.frames(2)
    hands.click("remove mask")
    document = hands.session.editor.document
    assert list(document.masks) == ["arm", "mask"]
    assert document.layers[1].mask is None


def test_model_space(hands):
    hands.click("mask space")
    hands.click("mask space model")
    assert hands.session.editor.document.masks["upper"].space == "model"


def test_the_tree_is_folded_and_searched(hands):
    assert "mask weight Neck" in hands.marks
    hands.click("fold Spine")
    hands.frames(2)
    assert "mask weight Neck" not in hands.marks
    hands.click("search mask")
    hands.type("left hand")
    rows = [name for name in hands.marks if name.startswith("mask weight ")]
    assert rows
    assert all("Left" in name and "Hand" in name for name in rows)


def test_weights_spread_as_the_mixer_has_them(hands):
    model: Model = hands.session.model
    settings = MaskSettings({"Spine": 0.3, "Head": 0.9, "LeftArm": 1.0, "Hips": 0.1})
    named = masks.named_joints(model, settings)
    weights = masks.spread(model, named, settings)
    rig = Rig.bare(model.skeleton)
    said = {joint: settings.joints[name] for joint, name in named.items()}
    np.testing.assert_array_equal(weights, Mask.downward(rig, said).joints)


def test_every_joint_is_listed_once_under_its_parent(hands):
    model = hands.session.model
    rows = masks.rows(model, set())
    listed = [row.joint for row in rows]
    assert len(listed) == len(set(listed)) == int(masks.shown_joints(model).sum())
    depth = {row.joint: row.depth for row in rows}
    place = {joint: k for k, joint in enumerate(listed)}
    for joint in listed:
        parent = int(model.skeleton.parents[joint])
        if parent in depth:
            assert depth[joint] == depth[parent] + 1
            assert place[parent] < place[joint]
