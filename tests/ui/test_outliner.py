"""The outliner: joint tree and meshes follow the selection and change it."""

import pytest

from rigview.scene.selected import Selected
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl, tmp_path):
    path = tmp_path / "character.glb"
    path.write_bytes(light_mannequin(frozenset(("Idle",))))
    driver = PanelDriver(gl, path)
    yield driver
    driver.close()


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
    assert driver.scene.display.selected == Selected(driver.session.model.skeleton.find("Hips"))


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
    model, outliner = driver.session.model, driver.session.interface.outliner
    names = model.skeleton.names
    counts = {name: outliner.moved(model, joint) for joint, name in enumerate(names)}
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
    driver.gui.key("left_ctrl", down=True)
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
