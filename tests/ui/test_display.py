"""What the panels show of a file beside its clips: surface, cameras, variants, lights."""

from dataclasses import replace

import pytest

from rigview.model.model import Packed
from rigview.scene.view_modes import VIEWS
from tests.support.full_file import stocked
from tests.support.models import rod_model
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl, tmp_path):
    driver = PanelDriver(gl, stocked().path(tmp_path), size=(1280, 1000))
    yield driver
    driver.close()


def test_every_view_is_in_the_list_and_shows_another_picture(driver):
    driver.click("view mode")
    listed = [name for name in driver.marks if name.startswith("view mode ")]
    assert listed == [f"view mode {name}" for name in VIEWS]
    driver.click("view mode face-normals")
    assert driver.scene.display.view_mode == "face-normals"


def test_a_view_from_the_list_ends_painted_weights(driver):
    driver.scene.display.weights_joint = 0
    driver.frames(2)
    driver.click("view mode")
    driver.click("view mode alpha")
    assert driver.scene.display.weights_joint == -1


def test_the_mouse_at_rest_is_told_what_a_view_shows(driver):
    driver.click("view mode")
    before = driver.picture()
    driver.move(*driver.place("view mode influences"))
    driver.frames(60)
    after = driver.picture()
    assert (after != before).any(axis=-1).sum() > 2000  # more than the row that is lit up


def test_views_by_key(driver):
    names = list(VIEWS)
    driver.key("v")
    assert driver.scene.display.view_mode == names[1]
    driver.key("left_shift", "v")
    driver.key("left_shift", "v")
    assert driver.scene.display.view_mode == names[-1]


def test_cameras_of_the_file(driver):
    driver.click("camera")
    listed = [name for name in driver.marks if name.startswith("camera ")]
    assert listed == ["camera -1", "camera 0", "camera 1", "camera 2"]
    driver.click("camera 1")
    assert driver.scene.view_camera is not driver.scene.camera
    orbit = driver.scene.camera.ortho
    driver.click("ortho")  # the file's camera has its own
    assert driver.scene.camera.ortho is orbit
    driver.click("camera")
    driver.click("camera -1")
    assert driver.scene.view_camera is driver.scene.camera


def test_variants_of_the_file(driver):
    driver.click("variant")
    driver.click("variant 1")
    assert driver.scene.character.variant == 1
    driver.click("variant")
    driver.click("variant -1")
    assert driver.scene.character.variant == -1


def test_a_file_without_them_has_no_lists(gl):
    driver = PanelDriver(gl)
    try:
        driver.session.show(rod_model())
        driver.frames(2)
        assert not {"camera", "variant"} & set(driver.marks)
    finally:
        driver.close()


def test_only_morph_weights_are_morph_targets(driver):
    assert driver.session.model.channels, "what the pointers move"
    assert "morphs" not in driver.marks


def test_lights_and_what_is_not_drawn_are_in_the_facts(driver):
    driver.click("file")
    assert "not drawn" in driver.marks
    assert "light Bulb" in driver.marks
    assert "packed" not in driver.marks
    packed = (Packed("KHR_draco_mesh_compression", 5031, 22552),)
    facts = replace(driver.session.model.facts, not_drawn=(), packed=packed)
    driver.session.show(replace(driver.session.model, facts=facts, lights=()))
    driver.frames(2)
    assert "packed" in driver.marks
    assert "not drawn" not in driver.marks
    assert "light Bulb" not in driver.marks
