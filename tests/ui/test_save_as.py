"""The pop-up that asks for the name of a motion file, by mouse and keys."""

import pytest

from rigview.motion import edit
from rigview.motion.document import LayerSettings
from rigview.motion.read import read_motion
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
