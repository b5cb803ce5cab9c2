"""The panel of the stage by mouse."""

import json

import numpy as np
import pytest

from rigview.scene.environment import Environment
from rigview.scene.lights import RIM, lights_of
from rigview.scenedoc.look import Lighting, Look
from rigview.session import trace
from rigview.session.copied_text import copy_command
from rigview.session.stage import PRESETS


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
    choose(driver, "stage preset", "side light")
    assert driver.scene.look.lighting == PRESETS["side light"][1].lighting
    driver.key("left_ctrl", "z")
    assert driver.scene.look.lighting.azimuth is None
    assert driver.session.interface.notice == "Undo: Stage Side light"


def test_dragging_the_light_is_one_step(driver):
    x, y = driver.place("light Azimuth")
    driver.press(x, y)
    driver.move(x + 20, y)
    driver.move(x + 40, y)
    driver.release()
    assert driver.scene.look.lighting.azimuth > 5.0
    driver.key("left_ctrl", "z")
    assert driver.scene.look.lighting.azimuth is None


def test_dragging_the_rim_light(driver):
    """The light has the strength, and the command, too; each drag is a step of undo."""

    def light():
        lighting = driver.scene.look.lighting
        found = lights_of((), driver.scene.camera.used, lighting=lighting)
        return sum((each.color for each in found if each.is_rim), np.zeros(3))

    x, y = driver.place("light rim")
    driver.drag((x, y), (x + 20, y))
    rim = driver.scene.look.lighting.rim
    assert 1.0 < rim < 2.0
    np.testing.assert_allclose(light(), np.multiply(RIM, rim))
    assert f"--light-rim {rim:g}" in copy_command(driver.session, (640, 480), 4)
    driver.drag(driver.place("light rim"), (x - 2000, y))
    assert driver.scene.look.lighting.rim == 0.0
    assert not light().any()
    driver.key("left_ctrl", "z")
    assert driver.scene.look.lighting.rim == rim
    driver.key("left_ctrl", "z")
    assert driver.scene.look.lighting.rim == 1.0


def test_environment_as_background(driver, monkeypatch):
    jobs = driver.session.jobs
    jobs.in_background = True
    light = Environment(np.zeros((9, 3), np.float32), np.zeros((7, 8, 8, 3), np.float32))
    monkeypatch.setattr("rigview.session.stage.read_environment", lambda *_: light)
    sky = np.full((8, 16, 3), 0.5, np.float16)
    monkeypatch.setattr("rigview.session.stage.read_background", lambda *_: sky)
    driver.click("stage background")
    driver.frames(2)
    assert "stage background environment" not in driver.marks, "there is none"
    driver.key("escape")
    driver.session.change(Lighting, "Sky", environment="/maps/sky.hdr")
    jobs.wait()
    driver.frames(2)
    choose(driver, "stage background", "environment")
    jobs.wait()
    driver.frames(2)
    x, y = driver.place("environment blur")
    driver.press(x, y)
    driver.move(x + 10, y)
    driver.release()
    jobs.wait()
    blur = driver.scene.shown_look.background.blur
    assert 0.4 < blur == round(blur, 2)
    written = json.loads(json.dumps(trace.state(driver.session)))["look"]
    assert written["lighting"]["environment"] == "/maps/sky.hdr"
    assert written["background"]["environment"]
    driver.click("remove environment")
    assert driver.scene.shown_look == Look()


def test_light_and_background(driver):
    choose(driver, "stage light", "none")
    assert driver.scene.look.lighting.light == "none"
    choose(driver, "stage background", "two")
    colours = driver.scene.look.background.colours
    assert len(colours) == 2
    levels = 255 * np.array(colours)
    np.testing.assert_allclose(levels, np.round(levels), atol=1e-9)  # as a command writes them
    assert "background 1" in driver.marks
    choose(driver, "stage background", "theme")
    assert driver.scene.look.background.colours is None
    driver.click("open environment")
    assert "environment" in driver.session.interface.requests


def test_a_crowd_and_its_undo(driver):
    session, scene = driver.session, driver.scene
    assert "in step" not in driver.marks, "without a crowd"
    before = scene.bounds.swept.copy()
    driver.click("crowd")
    assert scene.crowd.count == 30
    assert np.ptp(scene.bounds.swept[:, 0]) > 4.0 * np.ptp(before[:, 0])
    assert not scene.crowd.shared
    driver.frames(3)
    driver.click("in step")
    assert scene.crowd.shared
    left, top, right, bottom = driver.marks["crowd size"]
    driver.drag((left + 2, (top + bottom) / 2), (left + (right - left) / 2, (top + bottom) / 2))
    driver.frames(2)
    assert 95 <= scene.crowd.count <= 105
    command = copy_command(session, (640, 480), 4)
    assert "--crowd" in command
    driver.key("left_ctrl", "z")
    assert scene.crowd.count == 30, "the drag is one step"
    driver.key("left_ctrl", "z")
    assert not scene.crowd.shared
    driver.key("left_ctrl", "z")
    assert scene.crowd is None
    driver.frames(2)
    assert "in step" not in driver.marks
    np.testing.assert_allclose(scene.bounds.swept, before, atol=1e-4)
