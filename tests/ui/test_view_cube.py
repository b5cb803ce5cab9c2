"""The view cube by mouse, and the keys of the views."""

import math

import pytest

from rigview.scene.selected import Selected
from tests.support.contrast import contrast
from tests.support.panels import PanelDriver


def test_a_click_on_a_face_shows_that_side(driver):
    orbit = driver.scene.camera.orbit
    driver.scene.camera.view_from("iso")
    driver.frames(2)
    x, y = driver.place("view cube")
    driver.press(x + 15, y + 8)
    driver.release()
    assert (orbit.azimuth, orbit.elevation) == (pytest.approx(math.pi / 2), 0.0)
    assert driver.session.selected is None


def test_a_drag_on_the_cube_orbits(driver):
    orbit = driver.scene.camera.orbit
    azimuth = orbit.azimuth
    x, y = driver.place("view cube")
    driver.drag((x, y), (x - 30, y))
    assert orbit.azimuth > azimuth + 0.5
    assert orbit.elevation != 0.0, "the release is no click"


def test_the_cube_can_be_hidden(driver):
    driver.click("menu Camera")
    driver.click("menu view cube")
    assert not driver.session.settings.view_cube
    driver.frames(2)
    assert "view cube" not in driver.marks


@pytest.mark.parametrize(
    ("keys", "angles"),
    [
        (("left_ctrl", "_1"), (180, 0)),
        (("left_ctrl", "_3"), (-90, 0)),
        (("left_ctrl", "_7"), (0, -89.5)),
    ],
)
def test_keys_of_the_opposite_views(driver, keys, angles):
    driver.key(*keys)
    orbit = driver.scene.camera.orbit
    assert math.cos(orbit.azimuth) == pytest.approx(math.cos(math.radians(angles[0])))
    assert math.sin(orbit.azimuth) == pytest.approx(math.sin(math.radians(angles[0])), abs=1e-6)
    assert math.degrees(orbit.elevation) == pytest.approx(angles[1])


def test_period_frames_the_selection(driver):
    orbit = driver.scene.camera.orbit
    driver.type(".")
    assert driver.session.interface.notice == "Nothing is selected"
    distance = orbit.distance
    head = driver.session.model.skeleton.names.index("Head")
    driver.session.selections.select(driver.session.active, Selected(head))
    driver.frames(30)  # sooner, it is the repetition of a held key
    driver.type(".")
    assert orbit.distance < 0.5 * distance
    driver.type("5")
    assert orbit.ortho


@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_cube_stands_out_from_the_scene(gl, name):
    driver = PanelDriver(gl)
    driver.session.settings.theme = name
    driver.frames(2)
    left, top, right, bottom = driver.marks["view cube"]
    picture = driver.picture(scene=True)
    middle = (round((left + right) / 2), round((top + bottom) / 2))
    face = picture[middle[1] + 14, middle[0] - 14] / 255.0  # beside the letters
    scene = picture[round(top) - 4, middle[0]] / 255.0
    assert contrast(face, scene) >= 1.8
    driver.close()
