"""Mouse controls of the view, and mouse input that must not move the camera."""

import math

import numpy as np
import pytest

from rigview.session import character_files
from rigview.ui.mouse_navigation import HALF_TURN
from rigview.window.input_queue import Key, MouseButton, MouseMove, MouseWheel
from tests.support.full_file import full_file
from tests.support.panels import PanelDriver

MIDDLE = (640, 400)
ROUNDING = 1e-12  # a camera at rest is placed by position and target, not by its angles


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    driver.camera = driver.scene.camera.orbit
    _, top, _, bottom = driver.session.interface.viewport.box
    driver.height = bottom - top
    yield driver
    driver.close()


def state(camera):
    return (camera.azimuth, camera.elevation, camera.distance, *camera.target)


def test_left_drag_orbits(driver):
    azimuth, elevation = driver.camera.azimuth, driver.camera.elevation
    distance, target = driver.camera.distance, driver.camera.target
    driver.drag(MIDDLE, (740, 420))
    turned = math.remainder(driver.camera.azimuth - azimuth, math.tau)
    assert turned == pytest.approx(-100 / driver.height * HALF_TURN)
    assert driver.camera.elevation - elevation == pytest.approx(20 / driver.height * HALF_TURN)
    assert driver.camera.distance == pytest.approx(distance, rel=ROUNDING)
    np.testing.assert_array_equal(driver.camera.target, target)


def test_mouse_move_before_the_press_is_not_a_drag(driver):
    before = state(driver.camera)
    driver.move(300, 300)
    driver.gui.add(MouseMove(900, 500))
    driver.gui.add(MouseButton(0, True))
    driver.frames()
    driver.gui.add(MouseButton(0, False))
    driver.frames(2)
    assert state(driver.camera) == before


def test_a_drag_that_ends_within_a_frame_counts(driver):
    azimuth = driver.camera.azimuth
    driver.press(*MIDDLE)
    driver.gui.add(MouseMove(740, 400))
    driver.gui.add(MouseButton(0, False))
    driver.frames(3)
    assert driver.camera.azimuth != azimuth


@pytest.mark.parametrize(("button", "shift"), [(2, False), (0, True)])
def test_middle_or_shift_drag_pans_with_the_mouse(driver, button, shift):
    point = np.array([[0.0, 0.5, 0.0]])
    aspect = 1280 / driver.height
    before = driver.camera.project(point, aspect)[0]
    if shift:
        driver.gui.add(Key("left_shift", True))
    driver.drag(MIDDLE, (740, 430), button)
    after = driver.camera.project(point, aspect)[0]
    moved = (after - before)[:2] * (1280, driver.height)
    assert moved == pytest.approx([100, 30], rel=0.1)


def test_wheel_and_right_drag_zoom(driver):
    distance = driver.camera.distance
    driver.move(*MIDDLE)
    driver.gui.add(MouseWheel(0.0, 2.0))
    driver.frames(2)
    nearer = driver.camera.distance
    assert nearer < distance
    driver.drag(MIDDLE, (640, 480), button=1)
    assert driver.camera.distance > nearer


def test_alt_is_ignored(driver):
    azimuth = driver.camera.azimuth
    driver.gui.add(Key("left_alt", True))
    driver.drag(MIDDLE, (740, 400))
    assert driver.camera.azimuth != azimuth


BLENDER = [
    (2, (), "orbit"),
    (2, ("left_shift",), "pan"),
    (2, ("left_ctrl",), "zoom"),
    (0, (), ""),
    (1, (), ""),
    (0, ("left_alt",), "orbit"),
    (0, ("left_alt", "left_shift"), "pan"),
    (0, ("left_alt", "left_ctrl"), "zoom"),
]


@pytest.mark.parametrize(("button", "held", "does"), BLENDER)
def test_blender_preset(driver, button, held, does):
    driver.session.settings.mouse = "blender"
    camera = driver.camera
    before = state(camera)
    for key in held:
        driver.gui.add(Key(key, True))
    driver.drag(MIDDLE, (740, 430), button)
    turned = (camera.azimuth, camera.elevation) != pytest.approx(before[:2], abs=ROUNDING)
    nearer = camera.distance != pytest.approx(before[2], rel=ROUNDING)
    moved = (*camera.target,) != before[3:]
    assert (turned, nearer, moved) == (does == "orbit", does == "zoom", does == "pan")


@pytest.mark.parametrize("name", ["clip Walk", "scrub", "bones", "speed"])
def test_panels_block_the_camera(driver, name):
    before = state(driver.camera)
    x, y = driver.place(name)
    driver.drag((x, y), MIDDLE)
    driver.drag((x, y), MIDDLE, button=2)
    driver.move(x, y)
    driver.gui.add(MouseWheel(0.0, 3.0))
    driver.frames(2)
    assert state(driver.camera) == before


def test_camera_drag_continues_over_a_panel(driver):
    azimuth = driver.camera.azimuth
    driver.press(*MIDDLE)
    driver.move(400, 400)
    before = driver.camera.azimuth
    driver.move(*driver.place("clip Walk"))
    driver.release()
    assert azimuth != before != driver.camera.azimuth
    assert driver.session.character.clip == 0


def test_double_click_requests_a_pivot(driver):
    driver.press(*MIDDLE)
    driver.release()
    assert driver.session.interface.viewport.pivot is None
    driver.press(*MIDDLE)
    driver.release()
    x, y = driver.session.interface.viewport.pivot
    left, top, right, bottom = driver.session.interface.viewport.box
    assert x == pytest.approx((MIDDLE[0] - left) / (right - left))
    assert y == pytest.approx((MIDDLE[1] - top) / (bottom - top))


@pytest.mark.parametrize(
    ("seconds", "between", "double"), [(1 / 60, 3, True), (1 / 60, 30, False), (0.2, 1, True)]
)
def test_two_clicks_are_a_double_click(driver, seconds, between, double):
    """In slow frames events wait, which allows longer double clicks."""

    def frame():
        driver.gui.begin(driver.size, 1.0, seconds, late=seconds)
        driver.gui.draw_panels(driver.session)
        driver.gui.end(driver.framebuffer)

    driver.move(*MIDDLE)
    for press in range(2):
        driver.gui.add(MouseButton(0, True))
        frame()
        driver.gui.add(MouseButton(0, False))
        for _ in range(between if press == 0 else 1):
            frame()
    assert (driver.session.interface.viewport.pivot is not None) == double


def test_pivot_is_centered(driver):
    camera = driver.camera
    point = np.array([0.1, 1.2, 0.1])
    back, away = camera.direction(), float((camera.position() - point) @ camera.direction())
    seen = driver.scene.camera.used.project(point[None], 1.6)[0]
    driver.scene.camera.orbit_around(*seen, 1.6)
    np.testing.assert_allclose(camera.target, point, atol=1e-6)
    np.testing.assert_allclose(camera.direction(), back)
    assert camera.distance == pytest.approx(away)
    np.testing.assert_allclose(camera.project(point[None], 1.6)[0, :2], 0.5, atol=1e-6)


@pytest.mark.parametrize("how", ["orbit", "pan", "zoom", "wheel"])
def test_orbit_continues_from_the_file_camera(driver, tmp_path, how):
    character_files.open_file(driver.session, full_file().path(tmp_path))
    driver.key("k")
    assert driver.scene.camera.file_camera == 0
    place = driver.scene.camera.used.position().copy()
    driver.move(*MIDDLE)
    assert driver.scene.camera.file_camera == 0, "hovering is not a drag"
    if how == "wheel":
        driver.gui.add(MouseWheel(0.0, 1.0))
        driver.frames()
    else:
        button = {"orbit": 0, "zoom": 1, "pan": 2}[how]
        driver.drag(MIDDLE, (MIDDLE[0] + 2, MIDDLE[1]), button)
    assert driver.scene.camera.uses_orbit
    away = np.linalg.norm(driver.scene.camera.current.position() - place)
    assert 0 < away < 0.15


def test_double_click_uses_the_orbit_camera(driver, tmp_path):
    character_files.open_file(driver.session, full_file().path(tmp_path))
    driver.key("k")
    driver.press(*MIDDLE)
    driver.release()
    driver.press(*MIDDLE)
    driver.release()
    assert driver.session.interface.viewport.pivot is not None
    assert driver.scene.camera.uses_orbit
