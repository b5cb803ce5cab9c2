"""Masks by mouse: painting rows of the tree, folding, searching, display on the mesh."""

import numpy as np
import pytest

from rigview.blending.mask import Mask
from rigview.model.model import Model
from rigview.motion.document import MaskSettings
from rigview.scene.drawn_joints import shown_joints
from rigview.scene.selected import Selected
from rigview.session.character_files import open_file
from rigview.session.outliner import tree_rows
from rigview.ui.mask_panel import weights_of
from rigview.window.input_queue import MouseMove, MouseWheel
from tests.support.full_motion_file import DOCUMENT
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    driver.session.editor.start(DOCUMENT)
    driver.key("m")
    driver.click("tab Mask")
    driver.frames(3)
    yield driver
    driver.close()


def joints(driver, mask="upper"):
    return dict(driver.session.editor.document.masks[mask].joints)


def at(driver, name, share):
    left, top, right, bottom = driver.marks[f"mask weight {name}"]
    return left + share * (right - left), (top + bottom) / 2


def test_dragging_one_row(driver):
    driver.drag(at(driver, "Spine", 0.3), at(driver, "Spine", 0.5))
    assert joints(driver)["Spine"] == pytest.approx(0.5)
    driver.key("left_ctrl", "z")
    assert driver.session.editor.document == DOCUMENT


def test_painting_several_rows(driver):
    driver.press(*at(driver, "Spine2", 0.8))
    for name in ("Neck", "Head"):
        driver.move(*at(driver, name, 0.8))
    driver.release()
    painted = joints(driver)
    assert [painted[name] for name in ("Spine2", "Neck", "Head")] == pytest.approx([0.8] * 3)
    assert "Jaw" not in painted
    assert driver.session.history.undo_label == "Paint upper"
    driver.key("left_ctrl", "z")
    assert driver.session.editor.document == DOCUMENT


def test_fast_painting_skips_no_row(driver):
    driver.drag(at(driver, "Spine2", 0.8), at(driver, "Head", 0.8))
    painted = joints(driver)
    assert [painted[name] for name in ("Spine2", "Neck", "Head")] == pytest.approx([0.8] * 3)
    assert "Spine1" in painted
    assert painted["Spine1"] == 0.6
    assert "Jaw" not in painted


def test_removing_an_own_weight(driver):
    driver.click("mask weight Spine1", button=1)
    assert "Spine1" not in joints(driver)
    weights = np.array(driver.scene.mask)
    find = driver.session.model.skeleton.find
    assert weights[find("Spine1")] == weights[find("Spine")] == np.float32(0.3)


def test_a_file_opens_as_it_looks(driver):
    session = driver.session
    assert driver.scene.mask, "its panel was chosen by hand"
    assert session.settings.tab == "Mask"
    open_file(session, session.path)
    session.editor.start(DOCUMENT)
    session.interface.mixer_panels.shown = True
    driver.frames(3)
    assert "mask" in driver.marks, "the panel stays open"
    assert driver.scene.mask == ()
    driver.click("show mask")
    assert driver.scene.mask


def test_mesh_shows_the_mask_of_the_open_panel(driver):
    names = {name: k for k, name in enumerate(driver.session.model.skeleton.names)}
    mask = driver.scene.mask
    assert mask[names["RightHand"]] == 1.0
    assert mask[names["Head"]] == pytest.approx(0.6)
    assert mask[names["Hips"]] == 0.0
    driver.click("show mask")
    assert driver.scene.mask == ()
    driver.click("show mask")
    assert driver.scene.mask == mask
    driver.click("tab Space")
    driver.frames(2)
    assert driver.scene.mask == ()


def test_adding_and_removing_masks(driver):
    driver.click("new mask")
    driver.frames(2)
    assert joints(driver, "mask") == {}
    driver.drag(at(driver, "Hips", 0.1), at(driver, "Hips", 1.0))
    assert joints(driver, "mask") == {"Hips": 1.0}
    driver.click("mask")
    driver.click("mask upper")
    driver.frames(2)
    driver.click("remove mask")
    document = driver.session.editor.document
    assert list(document.masks) == ["arm", "mask"]
    assert document.layers[1].mask is None


def test_model_space(driver):
    driver.click("mask space")
    driver.click("mask space model")
    assert driver.session.editor.document.masks["upper"].space == "model"


def test_folding_and_searching_the_tree(driver):
    assert "mask weight Neck" in driver.marks
    left, top, _, low = driver.marks["mask joint Spine"]
    depth = next(
        row.depth
        for row in tree_rows(driver.session.model, set(), shown_joints(driver.session.model))
        if driver.session.model.skeleton.names[row.joint] == "Spine"
    )
    driver.press(left + 0.5 * 16.0 * depth + 6.0, (top + low) / 2)
    driver.release()
    assert driver.session.selected is None
    assert "mask weight Neck" not in driver.marks
    driver.click("search mask")
    driver.type("left hand")
    rows = [name for name in driver.marks if name.startswith("mask weight ")]
    assert rows
    assert all("Left" in name and "Hand" in name for name in rows)


def test_mask_weights_match_the_mixer(driver):
    model: Model = driver.session.model
    settings = MaskSettings({"Spine": 0.3, "Head": 0.9, "LeftArm": 1.0, "Hips": 0.1})
    weights = weights_of(model, settings)
    assert [model.skeleton.names[joint] for joint in weights.named] == list(settings.joints)
    assert list(weights.named.values()) == list(settings.joints)
    expected = Mask.of(model.skeleton, settings.joints).joints
    np.testing.assert_array_equal(weights.joints, expected)


def test_every_joint_is_listed_once_under_its_parent(driver):
    model = driver.session.model
    listed_rows = tree_rows(model, set(), shown_joints(model))
    listed = [row.joint for row in listed_rows]
    assert len(listed) == len(set(listed)) == int(shown_joints(model).sum())
    depth = {row.joint: row.depth for row in listed_rows}
    place = {joint: k for k, joint in enumerate(listed)}
    for joint in listed:
        parent = int(model.skeleton.parents[joint])
        if parent in depth:
            assert depth[joint] == depth[parent] + 1
            assert place[parent] < place[joint]


def test_a_click_on_a_name_selects_and_painting_goes_on(driver):
    driver.click("mask joint Spine2")
    assert driver.session.selections.current.name == "Spine2"
    assert "mask weight Spine2" in driver.marks, "the panel stays"
    assert driver.session.editor.document == DOCUMENT, "a selection is no edit"
    driver.press(*at(driver, "Neck", 0.8))
    driver.move(*at(driver, "Head", 0.8))
    session = driver.session
    session.selections.select(session.active, Selected(session.model.skeleton.find("LeftFoot")))
    driver.frames(3)
    driver.release()
    painted = joints(driver)
    assert [painted[name] for name in ("Neck", "Head")] == pytest.approx([0.8] * 2)
    assert session.selections.current.name == "LeftFoot", "painting does not select"


def test_the_selection_scrolls_into_view(driver):
    session = driver.session
    for name in ("LeftToeBase", "Head"):
        session.selections.select(session.active, Selected(session.model.skeleton.find(name)))
        driver.frames(3)
        assert f"mask weight {name}" in driver.marks
        _, top, _, low = driver.marks[f"mask weight {name}"]
        assert 80 < top < low < 720
    driver.gui.add(MouseMove(*at(driver, "Head", 0.5)))
    driver.gui.add(MouseWheel(0, -30))
    driver.frames(4)
    assert "mask weight Head" not in driver.marks, "it can be scrolled away"
