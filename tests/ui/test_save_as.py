"""The pop-up that asks for the name of a motion file or an edited model, by mouse and keys."""

import pytest

from rigview.loading.load import load
from rigview.model.edits import FactorKey, ModelEdits
from rigview.motion import edit
from rigview.motion.document import LayerSettings
from rigview.motion.read import read_motion
from rigview.session.motion_saving import NewName
from tests.support.light_mannequin import light_mannequin
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl, tmp_path, monkeypatch):
    """The bundled character with an edit of its motion; the user's folder is empty."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    driver = PanelDriver(gl, read_motions=True)
    document = edit.with_layer(driver.session.editor.document, LayerSettings("more", "Walk"))
    driver.session.editor.edit(document, "Add more")
    driver.frames(2)
    yield driver
    driver.close()


def ask(driver):
    """Press Ctrl+S, on a system without a file dialog."""
    driver.key("left_ctrl", "s")
    assert driver.session.interface.requests == ["save as"]
    driver.session.interface.requests.clear()
    driver.session.interface.popup = "save as"
    driver.frames(3)


def test_new_name_for_the_bundled_motion(driver, tmp_path):
    ask(driver)
    driver.key("enter")
    path = tmp_path / "mannequin.motion.toml"
    assert read_motion(path).document == driver.session.editor.document
    assert driver.session.interface.popup == ""
    assert not driver.session.dirty


def test_existing_file_is_replaced_by_button_only(driver, tmp_path):
    path = tmp_path / "mannequin.motion.toml"
    path.write_text("version = 1\n")
    ask(driver)
    driver.key("enter")
    assert path.read_text() == "version = 1\n"
    assert driver.session.interface.popup == "save as"
    driver.click("save as pop-up")
    assert read_motion(path).document == driver.session.editor.document


def test_closed_without_a_name(driver, tmp_path):
    ask(driver)
    driver.key("escape")
    assert driver.session.interface.popup == ""
    assert driver.session.dirty
    assert not list(tmp_path.glob("*.toml"))


@pytest.fixture
def edited(gl, tmp_path):
    """A character with an edited material, in a file of the user."""
    path = tmp_path / "figure.glb"
    path.write_bytes(light_mannequin(frozenset(("Idle",))))
    driver = PanelDriver(gl, path)
    changes = driver.session.active.changes
    changes.edit(changes.edits.with_factor(changes.base, FactorKey(0, "roughness"), 0.25), "Rough")
    driver.frames(2)
    yield driver
    driver.close()


def ask_model(driver):
    """Choose File > Save the edited model as…, on a system without a file dialog."""
    driver.click("menu File")
    driver.click("menu save edits")
    assert driver.session.interface.requests == ["save as"]
    driver.session.interface.requests.clear()
    driver.session.interface.popup = "save as"
    driver.frames(3)


def test_an_edited_model_is_saved_beside_its_file(edited, tmp_path):
    before = (tmp_path / "figure.glb").read_bytes()
    ask_model(edited)
    edited.key("enter")
    assert load(tmp_path / "figure-edited.glb").materials[0].roughness == 0.25
    assert (tmp_path / "figure.glb").read_bytes() == before
    assert "1 material factor" in edited.session.interface.notice
    assert not edited.session.dirty


def test_the_open_file_is_replaced_by_button_only(edited, tmp_path):
    path = tmp_path / "figure.glb"
    before = path.read_bytes()
    ask_model(edited)
    edited.type(str(path))
    assert edited.session.interface.of(NewName).path == str(path)
    edited.key("enter")
    assert path.read_bytes() == before
    edited.click("save as pop-up")
    assert load(path).materials[0].roughness == 0.25
    assert not edited.session.dirty


def test_quitting_asks_about_an_edited_model(edited, tmp_path):
    left = []
    edited.session.ask_to_leave(lambda: left.append(1))
    edited.frames(4)
    edited.click("Discard pop-up")
    assert left == [1]
    changes = edited.session.active.changes
    changes.edit(changes.edits.with_factor(changes.base, FactorKey(0, "metallic"), 0.5), "Metal")
    edited.session.ask_to_leave(lambda: left.append(2))
    edited.frames(4)
    edited.click("Save pop-up")
    edited.session.interface.popup = "save as"
    edited.frames(3)
    assert left == [1]
    edited.key("enter")
    assert left == [1, 2]
    assert (tmp_path / "figure-edited.glb").is_file()


def test_without_edits_there_is_nothing_to_save(edited):
    edited.session.active.changes.edit(ModelEdits(), "Back")
    edited.click("menu File")
    edited.click("menu save edits")
    assert not edited.session.interface.requests
    assert "is edited" in edited.session.interface.notice
