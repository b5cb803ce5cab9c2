"""The panel of the stage by mouse."""

import json

import numpy as np
import pytest

from rigview.scene.environment import Environment
from rigview.session import trace
from rigview.session.stage.stage_settings import PRESETS, Stage


@pytest.fixture
def driver(driver):
    driver.click("tab Stage")
    driver.frames(2)
    return driver


def wait(stage):
    while stage.reading:
        stage._reading[1].wait()
        stage.poll()


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


def test_environment_as_background(driver):
    display, stage = driver.scene.display, driver.session.stage
    light = Environment(np.zeros((9, 3), np.float32), np.zeros((7, 8, 8, 3), np.float32))
    stage._read = lambda *_: light
    stage._read_background = lambda *_: np.full((8, 16, 3), 0.5, np.float16)
    driver.click("stage background")
    driver.frames(2)
    assert "stage background environment" not in driver.marks, "there is none"
    driver.key("escape")
    stage.set(Stage(environment=("/maps/sky.hdr", 0.0)), "Sky")
    wait(stage)
    driver.frames(2)
    choose(driver, "stage background", "environment")
    wait(stage)
    driver.frames(2)
    x, y = driver.place("environment blur")
    driver.press(x, y)
    driver.move(x + 10, y)
    driver.release()
    wait(stage)
    assert display.environment_map is not None
    assert 0.4 < display.environment_blur == round(display.environment_blur, 2)
    written = json.loads(json.dumps(trace.state(driver.session)))["display"]
    assert (written["environment"], written["environment_map"]) == (True, True)
    driver.click("remove environment")
    assert (display.environment_map, display.environment_blur) == (None, 0.0)


def test_light_and_background(driver):
    display = driver.scene.display
    choose(driver, "stage light", "none")
    assert display.light == "none"
    choose(driver, "stage background", "two")
    colours = (display.background, *display.background_below)
    assert len(colours) == 2
    levels = 255 * np.array(colours)
    np.testing.assert_allclose(levels, np.round(levels), atol=1e-9)  # as a command writes them
    assert "background 1" in driver.marks
    choose(driver, "stage background", "theme")
    assert display.background_below == ()
    driver.click("open environment")
    assert "environment" in driver.session.requests
