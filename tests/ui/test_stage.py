"""The panel of the stage by mouse."""

import pytest

from rigview.session.stage.stage_settings import PRESETS


@pytest.fixture
def driver(driver):
    driver.click("tab Stage")
    driver.frames(2)
    return driver


def choose(driver, name, value):
    driver.click(name)
    driver.frames(2)
    driver.click(f"{name} {value}")
    driver.frames(2)


def test_a_preset_and_its_undo(driver):
    display = driver.scene.display
    choose(driver, "stage preset", "side light")
    assert display.light_azimuth == PRESETS["side light"][1].azimuth
    driver.key("left_ctrl", "z")
    assert display.light_azimuth is None
    assert driver.session.interface.notice == "Undo: Stage Side light"


def test_dragging_the_light_is_one_step(driver):
    x, y = driver.place("light Azimuth")
    driver.press(x, y)
    driver.move(x + 20, y)
    driver.move(x + 40, y)
    driver.release()
    assert driver.scene.display.light_azimuth > 5.0
    driver.key("left_ctrl", "z")
    assert driver.scene.display.light_azimuth is None


def test_light_and_background(driver):
    display = driver.scene.display
    choose(driver, "stage light", "none")
    assert display.light == "none"
    choose(driver, "stage background", "two")
    assert len((display.background, *display.background_below)) == 2
    assert "background 1" in driver.marks
    choose(driver, "stage background", "theme")
    assert display.background_below == ()
    driver.click("open environment")
    assert "environment" in driver.session.requests
