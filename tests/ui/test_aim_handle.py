"""The handle of a point parameter; events in the list and on the timeline."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.motion.document import ClipEvent, LayerSettings, MotionDoc, Root
from rigview.session.timeline.time_axis import TimeAxis
from rigview.ui import aim_handle
from rigview.ui.timeline import key_row
from tests.support.full_motion_file import DOCUMENT
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    driver.session.editor.start(DOCUMENT)
    driver.key("m")
    driver.frames(3)
    yield driver
    driver.close()


def target(driver):
    return np.array(driver.session.editor.document.parameters["look_at"].default)


@pytest.fixture
def handle_shown(driver):
    driver.session.transport.pause_at(0.0)
    driver.click("layer look")
    driver.frames(2)
    driver.click("handle look_at")
    driver.frames(3)
    return driver


@pytest.mark.parametrize("ortho", [False, True])
def test_dragging_the_handle_keeps_the_camera(handle_shown, ortho):
    camera = handle_shown.scene.camera.orbit
    camera.ortho = ortho
    handle_shown.frames(2)
    before = target(handle_shown), camera.azimuth, camera.elevation, camera.target.copy()
    x, y = handle_shown.place("handle")
    handle_shown.move(x + 1, y)
    handle_shown.frames(2)
    handle_shown.drag((x, y), (x + 40, y + 30))
    handle_shown.frames(3)
    assert np.abs(target(handle_shown) - before[0]).max() > 0.05
    assert (camera.azimuth, camera.elevation) == before[1:3]
    np.testing.assert_array_equal(camera.target, before[3])
    moved = handle_shown.place("handle")
    np.testing.assert_allclose(moved, (x + 40, y + 30), atol=3.0)
    handle_shown.key("left_ctrl", "z")
    np.testing.assert_array_equal(target(handle_shown), before[0])


def test_dragging_the_handle_far_from_the_origin(handle_shown):
    far = np.eye(4)
    far[:3, 3] = 100_000.0, 0.0, 100_000.0
    scene, before = handle_shown.scene, target(handle_shown)
    scene.instances[0].character.set_placement(far)
    scene.camera.orbit.target = scene.camera.orbit.target + far[:3, 3]
    handle_shown.frames(3)
    x, y = handle_shown.place("handle")
    handle_shown.move(x + 1, y)
    handle_shown.frames(2)
    handle_shown.drag((x, y), (x + 40, y + 30))
    handle_shown.frames(3)
    assert 0.05 < np.abs(target(handle_shown) - before).max() < 5.0
    np.testing.assert_allclose(handle_shown.place("handle"), (x + 40, y + 30), atol=3.0)


def test_dragging_the_handle_from_afar_keeps_it_finite(handle_shown):
    orbit = handle_shown.scene.camera.orbit
    orbit.azimuth, orbit.elevation, orbit.distance = 0.0, 1.56207, 6.8344e10
    orbit.target = np.array([-44335921.0, -4231753.0, -51041055.0])
    handle_shown.frames(3)
    x, y = handle_shown.place("handle")
    for off in (0, 3):
        handle_shown.drag((x + off, y + off), (x + 200, y + 150))
        handle_shown.frames(3)
    assert np.isfinite(target(handle_shown)).all()


def test_dragging_beside_the_handle_orbits(handle_shown):
    azimuth = handle_shown.scene.camera.orbit.azimuth
    handle_shown.drag((640, 600), (700, 600))
    assert handle_shown.scene.camera.orbit.azimuth != azimuth
    assert handle_shown.session.editor.document == DOCUMENT


def test_head_aims_at_the_handle(handle_shown):
    head = handle_shown.session.model.skeleton.find("Head")
    before = handle_shown.session.character.matrices[head].copy()
    x, y = handle_shown.place("handle")
    handle_shown.move(x + 1, y)
    handle_shown.drag((x, y), (x - 60, y + 90))
    handle_shown.frames(3)
    assert np.abs(handle_shown.session.character.matrices[head] - before).max() > 0.02


def test_hiding_the_handle(handle_shown):
    assert handle_shown.session.interface.mixer_panels.handle_drawn
    handle_shown.click("handle look_at")
    handle_shown.frames(2)
    assert not handle_shown.session.interface.mixer_panels.handle_drawn
    assert "handle" not in handle_shown.marks


def test_chain_ends(driver):
    model = driver.session.model
    assert aim_handle.ends(model, DOCUMENT, "look_at") == [model.skeleton.find("Head")]
    assert aim_handle.ends(model, DOCUMENT, "speed") == []


def test_adding_and_removing_events(driver):
    driver.session.editor.start(MotionDoc(layers=(LayerSettings("base", "Walk"),)))
    driver.session.transport.pause_at(0.25)
    driver.click("tab Events")
    driver.frames(2)
    driver.click("event name")
    driver.type("step")
    driver.click("add event Walk")
    settings = driver.session.editor.document.clips["Walk"]
    assert settings.events == (ClipEvent("step", time=0.25),)
    driver.frames(30)
    assert "event step" in driver.marks
    assert [round(each.tau, 3) for each in driver.session.editor.upcoming][:1] == [0.25]
    driver.click("remove event Walk 0")
    assert not driver.session.editor.document.clips


def test_fired_event_flashes_on_the_timeline(driver):
    walk = MotionDoc(
        clips={"Walk": DOCUMENT.clips["Walk"]}, layers=(LayerSettings("base", "Walk"),)
    )
    driver.session.editor.start(walk)
    driver.frames(40)
    driver.session.transport.pause_at(0.05)
    driver.frames(30)
    left, top, right, _ = (round(x) for x in driver.marks["scrub"])
    box = (slice(top - 16, top + 4), slice(left, left + (right - left) // 3))
    still = driver.picture()[box].astype(int)
    driver.session.editor.fired.clear()
    driver.session.transport.toggle()
    while not driver.session.editor.fired:
        driver.frames()
    lit = driver.picture()[box].astype(int)
    assert (np.abs(lit - still).max(axis=-1) > 60).sum() > 30, "a name and a ring"
    driver.session.transport.pause_at(0.05)
    driver.frames(30)
    gone = driver.picture()[box].astype(int)
    assert (np.abs(gone - still).max(axis=-1) > 60).sum() == 0


@pytest.mark.parametrize("scale", [1.5, 2.0])
def test_the_name_of_a_fired_event_leaves_the_ruler_free(gl, scale):
    driver = PanelDriver(gl, scale=scale, read_motions=True)
    try:
        while not driver.session.editor.fired:
            driver.frames()
        driver.frames()
        _, top, _, bottom = driver.marks["flash foot_left"]
        assert driver.marks["ruler"][3] <= top < bottom <= driver.marks["scrub"][3] + 1.0
    finally:
        driver.close()


def test_event_tooltips_on_the_timeline(driver):
    driver.session.editor.start(
        MotionDoc(clips={"Walk": DOCUMENT.clips["Walk"]}, layers=(LayerSettings("base", "Walk"),))
    )
    driver.frames(20)
    axis = TimeAxis(*driver.session.transport.ruler, 100.0, 500.0)
    near = key_row._events_near(driver.session, axis, axis.x(0.1))
    assert near == ["left of Walk at 0.10 s"]


def test_only_events_of_the_visible_part_are_drawn(driver):
    """A walk without an end is shown in part, and scrolls."""
    clip = replace(DOCUMENT.clips["Walk"], root=Root("Hips", "accumulate"))
    layers = (LayerSettings("base", "Walk"),)
    driver.session.editor.start(MotionDoc(clips={"Walk": clip}, layers=layers))
    for tau in (0.0, 62.3):
        driver.session.transport.pause_at(tau)
        driver.frames(200)  # events are found ahead, some in each frame
        begin, end = driver.session.transport.ruler
        assert (begin > 0) == (tau > 0)
        taus = [each.tau for each in driver.session.editor.upcoming]
        assert len(taus) > 3
        assert begin <= min(taus) < begin + 1.1
        assert end - 1.1 < max(taus) <= end + 0.1
