"""The outliner: joints, meshes and morph targets follow the selection and change it."""

import math

import numpy as np
import pytest

from rigview.model.joint_branches import branch_of
from rigview.scene.joint_picking import joints_at
from rigview.scene.selected import Selected
from rigview.session.outliner import depth_of, model_lists, scene_tree
from rigview.window.input_queue import Key, Text
from tests.support.looks import set_look
from tests.support.models import morph_model, show_model
from tests.support.panels import PanelDriver


def selected(driver):
    current = driver.session.selections.current
    return "" if current is None else current.name


def select(driver, name):
    session = driver.session
    session.selections.select(session.active, Selected(session.model.skeleton.find(name)))
    driver.frames(3)


def test_a_click_on_a_row_selects_the_joint(driver):
    driver.click("tab Joints")
    driver.click("joint row Hips")
    assert selected(driver) == "Hips"
    assert driver.scene.selected == Selected(driver.session.model.skeleton.find("Hips"))


def test_folding(driver):
    driver.click("tab Joints")
    driver.frames(2)
    left, top, _, low = driver.marks["joint row Hips"]
    hips = driver.session.model.skeleton.find("Hips")
    depth = int(driver.session.model.skeleton.depths[hips])
    driver.press(left + 0.5 * 16.0 * depth + 6.0, (top + low) / 2)
    driver.release()
    assert selected(driver) == ""
    assert "joint row Spine" not in driver.marks
    select(driver, "LeftHand")
    assert "joint row Spine" in driver.marks, "the branch of a selection is unfolded"


def test_the_selection_scrolls_into_view(driver):
    driver.click("tab Joints")
    for name in ("LeftToeBase", "Head"):
        select(driver, name)
        assert f"joint row {name}" in driver.marks
        _, top, _, low = driver.marks[f"joint row {name}"]
        assert 80 < top < low < 720


def test_enter_in_the_search_field_selects_the_first_match(driver):
    driver.click("tab Joints")
    driver.click("search outliner")
    driver.type("left hand")
    listed = [name for name in driver.marks if name.startswith("joint row")]
    assert all("LeftHand" in name for name in listed)
    driver.key("enter")
    assert selected(driver) == "LeftHand"


def test_joints_without_vertices_are_marked(driver):
    driver.click("tab Joints")
    driver.frames(2)
    model = driver.session.model
    names = model.skeleton.names
    counts = {name: model_lists(model).vertices(joint) for joint, name in enumerate(names)}
    assert counts["Hips"] > 100
    in_skins = {names[joint] for skin in model.skins for joint in skin.joints}
    assert {name for name, count in counts.items() if count < 0}.isdisjoint(in_skins)
    assert 0 in counts.values(), "an end joint binds no vertex"
    assert -1 in counts.values(), "the root is in no skin"


def test_hiding_parts_of_meshes(driver):
    driver.click("tab Meshes")
    driver.frames(2)
    eyes = [name for name in driver.marks if name.startswith("eye ")]
    assert len(eyes) > 1
    character = driver.session.character
    plain = driver.picture(scene=True)
    driver.click(eyes[0])
    assert len(character.hidden_parts) == 1
    assert (driver.picture(scene=True) != plain).any()
    driver.click(eyes[0])
    assert not character.hidden_parts
    driver.gui.add(Key("left_ctrl", True))
    driver.click(eyes[1])
    assert len(character.hidden_parts) == len(eyes) - 1
    driver.click(eyes[1])
    assert not character.hidden_parts


def test_the_tab_follows_the_kind_of_selection(driver):
    """Only between joints and meshes; the list of clips stays open."""
    select(driver, "Head")
    assert driver.session.interface.outliner.tab == "Clips"
    driver.click("tab Meshes")
    driver.frames(2)
    select(driver, "Hips")
    assert driver.session.interface.outliner.tab == "Joints"
    part = next(each for each in driver.session.model.instances if each.in_scene)
    driver.session.selections.select(driver.session.active, Selected(part.joint, 0))
    driver.frames(3)
    assert driver.session.interface.outliner.tab == "Meshes"


def test_the_panel_ends_with_its_rows_or_at_the_playback_bar(driver):
    bar = driver.session.interface.viewport.box[3]
    for tab, row, many in (("Joints", "joint row ", True), ("Meshes", "eye ", False)):
        driver.click(f"tab {tab}")
        driver.frames(3)
        top, end = driver.marks["left edge"][1::2]
        last = max(box[3] for name, box in driver.marks.items() if name.startswith(row))
        assert top < 50
        assert (end > bar - 20) if many else (end - last < 20)


def test_the_depth_of_the_tree(driver):
    driver.click("tab Joints")
    folded = frozenset(driver.session.interface.mixer_panels.folded)
    rows = scene_tree(driver.session.model, folded)
    assert depth_of(rows) == max(row.depth for row in rows) > 8


def test_type_ahead(driver):
    """Letters select while the tree has the focus after a click; elsewhere they are shortcuts."""
    scene = driver.session.scene
    driver.click("tab Joints")
    driver.click("joint row Hips")
    for letter in "lefth":
        driver.gui.add(Key(letter, True))
        driver.gui.add(Text(letter))
        driver.frames()
        driver.gui.add(Key(letter, False))
    driver.frames(2)
    assert selected(driver) == "LeftHand"
    assert "joint row LeftHand" in driver.marks, "scrolled into view"
    assert scene.weights_joint < 0, "H is no shortcut here"
    driver.key("space")
    assert driver.session.character.playback.paused, "other keys are shortcuts"
    driver.move(640, 400)
    driver.frames()
    driver.key("g")
    assert not scene.look.grid, "the pointer has left the tree"
    driver.click("joint row LeftHand")
    driver.key("escape")
    driver.key("g")
    assert scene.look.grid


def test_a_period_after_a_click_frames_the_joint(driver):
    driver.click("tab Joints")
    driver.click("joint row Head")
    distance = driver.session.scene.camera.orbit.distance
    driver.type(".")
    driver.frames(2)
    assert driver.session.scene.camera.orbit.distance < 0.8 * distance


def test_a_branch_is_hidden(driver):
    """Its bones, names and meshes; picking passes it over."""
    session = driver.session
    set_look(session.scene, skeleton=True)
    character, model = session.character, session.model
    driver.click("tab Joints")
    driver.frames(2)
    plain = driver.picture(scene=True)
    driver.click("eye joint Spine")
    assert character.hidden_joints == branch_of(model, model.skeleton.find("Spine"))
    assert (driver.picture(scene=True) != plain).any()
    point = session.scene.camera.used.project(
        character.joint_world(model.skeleton.find("Head"))[:3, 3], 1.0
    )
    place = point[0] * 800, point[1] * 800
    camera = session.scene.camera.used
    assert not joints_at([character], camera, (800, 800), place)
    driver.click("eye joint Spine")
    assert not character.hidden_joints
    assert joints_at([character], camera, (800, 800), place)
    driver.gui.add(Key("left_ctrl", True))
    driver.click("eye joint Spine")
    driver.gui.add(Key("left_ctrl", False))
    assert "Spine" not in {model.skeleton.names[joint] for joint in character.hidden_joints}
    assert not {each.joint for each in model.instances} & character.hidden_joints, "only bones"


def test_meshes_below_a_hidden_branch(driver):
    """Their eyes show them again."""
    character, model = driver.session.character, driver.session.model
    sword = next(each for each in model.instances if each.skin < 0)
    branch = branch_of(model, model.skeleton.find("Hips"))
    driver.session.show(**driver.session.active.hidden_names(frozenset(), branch))
    assert sword.joint in character.hidden_joints
    driver.click("tab Meshes")
    driver.frames(2)
    driver.click(f"eye {model.skeleton.names[sword.joint]}")
    assert sword.joint not in character.hidden_joints
    assert not character.hidden_parts


def test_search_of_meshes(driver):
    driver.click("tab Meshes")
    driver.click("search meshes")
    driver.type("sword")
    assert [name for name in driver.marks if name.startswith("part ")] == ["part Sword"]
    driver.key("enter")
    assert selected(driver) == "Sword"


@pytest.fixture
def face(gl):
    driver = PanelDriver(gl)
    show_model(driver.session, morph_model(3))
    driver.frames(2)
    driver.click("tab Morphs")
    driver.frames(2)
    yield driver
    driver.close()


def test_a_slider_overrides_the_clip_until_it_is_reset(face):
    left, top, right, bottom = face.marks["morph 0"]
    middle = (top + bottom) / 2
    face.press(left + 5, middle)
    for x in np.linspace(left, right - 4, 4):
        face.move(float(x), middle)
    face.release()
    values = face.session.character.pose.values
    held, before = float(values[0]), float(values[1])
    assert held > 0.9
    face.frames(20)
    assert (float(values[0]) == held, float(values[1]) != before) == (True, True)
    assert not face.session.dirty
    face.key("left_ctrl", "z")
    assert math.isnan(face.session.character.override[0]), "the drag is one undo step"
    face.key("left_ctrl", "y")
    assert face.session.character.override[0] == np.float32(held)
    face.click("reset morph 0")
    assert math.isnan(face.session.character.override[0])


def test_all_weights_are_reset(face):
    override = face.session.character.override
    face.click("morph 1")
    face.click("morph 2")
    face.click("morph 1", button=1)
    np.testing.assert_array_equal(np.isnan(override), [True, True, False])
    face.click("release morphs")
    assert np.isnan(override).all()


def test_search_of_morph_targets(face):
    face.click("search morphs")
    face.type("target 2")
    assert [name for name in face.marks if name.startswith("morph ")] == ["morph 2"]


def test_the_list_of_morph_targets_sorts(face):
    def order():
        names = [name for name in face.marks if name.startswith("morph ")]
        return sorted(names, key=lambda name: face.marks[name][1])

    face.session.transport.pause_at(1.0)
    face.frames(2)
    assert order() == ["morph 0", "morph 1", "morph 2"]
    face.click("order of morphs weight")
    assert order() == ["morph 2", "morph 0", "morph 1"]
    left, top, right, bottom = face.marks["morph 1"]
    middle = (top + bottom) / 2
    face.press(left + 5, middle)
    for x in np.linspace(left, right + 50, 4):
        face.move(float(x), middle)
    assert order() == ["morph 2", "morph 0", "morph 1"], "it rests while a slider is dragged"
    face.release()
    assert set(order()[:2]) == {"morph 1", "morph 2"}
    face.click("order of morphs effect")
    assert len(order()) == 3
