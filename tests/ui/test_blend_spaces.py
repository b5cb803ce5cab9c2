"""Blend spaces by mouse: the point on a line, a plane and a dial; positions of clips."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.motion.document import (
    Additive,
    LayerSettings,
    Parameter,
    Reference,
    Space,
    StrafeSpace,
)
from rigview.session.commands.actions import undo
from rigview.ui import blend_space_pad, blend_spaces
from rigview.window.input_queue import MouseWheel
from tests.support.full_motion_file import DOCUMENT
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    driver.session.editor.start(DOCUMENT)
    driver.key("m")
    driver.click("tab Space")
    driver.frames(3)
    yield driver
    driver.close()


def show(driver, name):
    driver.click("space")
    driver.click(f"space {name}")
    driver.frames(3)


def value(driver, name):
    return driver.session.editor.document.parameters[name].default


def test_dragging_the_point_of_a_line(driver):
    left, top, right, bottom = driver.marks["space line"]
    y = (top + bottom) / 2
    driver.drag((left + 40, y), (left + 0.5 * (right - left), y))
    driver.frames(2)
    assert value(driver, "speed") == pytest.approx(2.0, abs=0.15)
    driver.drag((left + 40, y), (right + 300, y))
    driver.frames(2)
    assert value(driver, "speed") == 4.0
    driver.key("left_ctrl", "z")
    assert value(driver, "speed") == pytest.approx(2.0, abs=0.15)


def test_dragging_the_point_of_a_plane(driver):
    show(driver, "pad")
    before = driver.picture()
    left, top, right, bottom = driver.marks["space pad"]
    x, y = (left + right) / 2, (top + bottom) / 2
    driver.drag((x, y), (x + 0.25 * (right - left), y - 0.2 * (bottom - top)))
    driver.frames(2)
    assert value(driver, "x") > 0.4
    assert value(driver, "y") > 0.3
    assert driver.session.history.undo_label == "Point of pad"
    assert (driver.picture() != before).any()
    undo(driver.session)
    assert (value(driver, "x"), value(driver, "y")) == (0.25, 0.25)


def test_dragging_the_dial_of_a_strafe_space(driver):
    show(driver, "strafe")
    left, top, right, bottom = driver.marks["space dial"]
    x, y = (left + right) / 2, (top + bottom) / 2
    for goal, degrees in (((-50, 0), 90.0), ((50, 0), -90.0), ((0, -50), 0.0), ((-40, -40), 45.0)):
        driver.drag((x + 3, y - 30), (x + goal[0], y + goal[1]))
        driver.frames(2)
        assert value(driver, "direction") == pytest.approx(degrees, abs=2.0)


def test_dragging_clips(driver):
    show(driver, "pad")
    driver.click("arrange")
    space = driver.session.editor.document.spaces["pad"]
    left, top, right, bottom = driver.marks["space pad"]
    x, y = (left + right) / 2, (top + bottom) / 2
    driver.drag((x, y), (x + 20, y - 20))
    driver.frames(2)
    moved = driver.session.editor.document.spaces["pad"]
    assert moved.clips[1:] == space.clips[1:]
    assert 0.1 < moved.clips[0].at[0] < 0.5
    assert 0.1 < moved.clips[0].at[1] < 0.5
    assert value(driver, "x") == 0.25, "the point stays"
    driver.key("left_ctrl", "z")
    assert driver.session.editor.document == DOCUMENT


def test_adding_and_removing_clips(driver):
    driver.click("space clip")
    driver.type("Idle")
    driver.click("space clip Idle")
    clips = driver.session.editor.document.spaces["gait"].clips
    assert [each.clip for each in clips] == ["Walk", "Run", "Idle"]
    assert clips[2].at == (1.2,), "at the point"
    driver.frames(2)
    driver.click("remove Idle 2")
    assert driver.session.editor.document == DOCUMENT
    driver.click("remove Run 1")
    assert driver.session.editor.document == DOCUMENT, "a space needs two clips: the old one stays"
    assert driver.session.interface.notice


def test_creating_a_space_plays_it(driver):
    blend_spaces.make_space(driver.session, "Idle", "Walk", plane=True)
    driver.frames(3)
    document = driver.session.editor.document
    assert isinstance(document.spaces["plane"], Space)
    assert document.layers[0].play == "plane"
    assert driver.session.interface.mixer_panels.space == "plane"
    blend_spaces.make_space(driver.session, "Idle", "Walk", plane=False)
    assert list(driver.session.editor.document.parameters)[-3:] == ["blend", "lift", "blend 2"]


def test_weights_of_a_strafe_sum_to_one():
    assert isinstance(DOCUMENT.spaces["strafe"], StrafeSpace)
    roles = list(DOCUMENT.spaces["strafe"].clips)
    for degrees in range(-400, 400, 7):
        assert blend_spaces._strafe_weights(roles, degrees).sum() == pytest.approx(1.0)


def test_screen_positions_and_values_are_inverse():
    frame = blend_space_pad.PlotArea((10.0, 20.0), (110.0, 70.0), (-1.0, 0.0), (3.0, 5.0))
    assert frame.at((-1.0, 0.0)) == (10.0, 70.0)
    for point in np.random.default_rng(1).uniform((-1, 0), (3, 5), (20, 2)):
        np.testing.assert_allclose(frame.value(*frame.at(point)), point, atol=1e-9)
    assert frame.value(-500.0, 500.0) == (-1.0, 0.0)


def test_labels_avoid_the_knob_and_each_other():
    knob = (90.0, 20.0, 110.0, 40.0)
    taken = [knob]
    assert blend_space_pad.free((80.0, 120.0), (30.0, 5.0), 12.0, taken) == 5.0
    assert blend_space_pad.free((115.0, 150.0), (5.0, 50.0), 12.0, taken) == 50.0
    assert blend_space_pad.free((80.0, 120.0), (10.0, 45.0), 12.0, taken) is None
    assert len(taken) == 3


def test_new_space_starts_with_the_clip_that_plays(driver):
    """The first layer plays Walk; the last clip that played alone is Idle."""
    driver.click("new line")
    driver.type("Run")
    driver.click("new line Run")
    made = list(driver.session.editor.document.spaces.values())[-1]
    assert [clip.clip for clip in made.clips] == ["Walk", "Run"]


AIMED = replace(
    DOCUMENT,
    parameters={**DOCUMENT.parameters, "alert": Parameter(0.5, (0.0, 1.0))},
    additives={"Aim": Additive("pad", Reference(clip="AimCentre", time=0.0))},
    layers=(LayerSettings("base", "Walk"), LayerSettings("aim", "Aim", mode="add")),
)


@pytest.fixture
def aiming(gl):
    driver = PanelDriver(gl)
    driver.session.editor.start(AIMED)
    driver.key("m")
    driver.frames(3)
    yield driver
    driver.close()


def test_one_pad_aims_in_every_direction(aiming):
    aiming.click("tab Space")
    aiming.frames(3)
    show(aiming, "pad")
    before = aiming.session.character.pose.rotation.copy()
    left, top, right, bottom = aiming.marks["space pad"]
    x, y = (left + right) / 2, (top + bottom) / 2
    aiming.drag((x, y), (x - 0.3 * (right - left), y - 0.2 * (bottom - top)))
    aiming.frames(2)
    assert value(aiming, "x") < -0.2 < 0.2 < value(aiming, "y")
    assert np.abs(aiming.session.character.pose.rotation - before).max() > 0.05


def test_parameter_of_a_weight(aiming):
    aiming.click("layer aim")
    aiming.frames(3)
    aiming.move(*aiming.place("weight aim"))
    aiming.gui.add(MouseWheel(0, -3))
    aiming.frames(8)
    aiming.click("weight by aim")
    aiming.click("weight by aim alert")
    aiming.frames(3)
    assert aiming.session.editor.document.layers[1].weight == "alert"
    aiming.gui.add(MouseWheel(0, 30))
    aiming.frames(8)
    left, top, right, bottom = aiming.marks["weight aim"]
    aiming.drag((right - 4, (top + bottom) / 2), (left + 2, (top + bottom) / 2))
    aiming.frames(2)
    assert value(aiming, "alert") < 0.1
    undo(aiming.session)
    undo(aiming.session)
    assert aiming.session.editor.document == AIMED
