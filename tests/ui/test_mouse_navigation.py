"""The mouse over the picture: what moves the camera, and what does not."""

import math

import numpy as np
import pytest

from rigview.ui.mouse_navigation import HALF_TURN
from tests.support.full_file import stocked
from tests.support.panels import Hands

MIDDLE = (640, 400)


@pytest.fixture
def hands(gl):
    hands = Hands(gl)
    hands.camera = hands.scene.camera
    hands.height = hands.session.interface.view[3] - hands.session.interface.view[1]
    yield hands
    hands.close()


def state(camera):
    return (camera.azimuth, camera.elevation, camera.distance, *camera.target)


def test_left_drag_orbits(hands):
    azimuth, elevation = hands.camera.azimuth, hands.camera.elevation
    distance, target = hands.camera.distance, hands.camera.target
    hands.drag(MIDDLE, (740, 420))
    turned = math.remainder(hands.camera.azimuth - azimuth, math.tau)
    assert turned == pytest.approx(-100 / hands.height * HALF_TURN)
    assert hands.camera.elevation - elevation == pytest.approx(20 / hands.height * HALF_TURN)
    assert hands.camera.distance == distance
    np.testing.assert_array_equal(hands.camera.target, target)


def test_a_jump_of_the_mouse_before_the_press_is_no_drag(hands):
    before = state(hands.camera)
    hands.move(300, 300)
    hands.gui.mouse_move(900, 500)
    hands.gui.mouse_button(0, down=True)
    hands.frames()
    hands.gui.mouse_button(0, down=False)
    hands.frames(2)
    assert state(hands.camera) == before


def test_a_drag_that_ends_within_a_frame_counts(hands):
    azimuth = hands.camera.azimuth
    hands.press(*MIDDLE)
    hands.gui.mouse_move(740, 400)
    hands.gui.mouse_button(0, down=False)
    hands.frames(3)
    assert hands.camera.azimuth != azimuth


@pytest.mark.parametrize(("button", "shift"), [(2, False), (0, True)])
def test_middle_or_shift_drag_pans_with_the_mouse(hands, button, shift):
    point = np.array([[0.0, 0.5, 0.0]])
    aspect = 1280 / hands.height
    before = hands.camera.project(point, aspect)[0]
    if shift:
        hands.gui.key("left_shift", down=True)
    hands.drag(MIDDLE, (740, 430), button)
    after = hands.camera.project(point, aspect)[0]
    moved = (after - before)[:2] * (1280, hands.height)
    assert moved == pytest.approx([100, 30], rel=0.1)


def test_wheel_and_right_drag_zoom(hands):
    distance = hands.camera.distance
    hands.move(*MIDDLE)
    hands.gui.mouse_wheel(0.0, 2.0)
    hands.frames(2)
    nearer = hands.camera.distance
    assert nearer < distance
    hands.drag(MIDDLE, (640, 480), button=1)
    assert hands.camera.distance > nearer


def test_alt_changes_nothing(hands):
    azimuth = hands.camera.azimuth
    hands.gui.key("left_alt", down=True)
    hands.drag(MIDDLE, (740, 400))
    assert hands.camera.azimuth != azimuth


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
def test_a_mouse_as_in_blender(hands, button, held, does):
    hands.session.settings.mouse = "blender"
    camera = hands.camera
    before = state(camera)
    for key in held:
        hands.gui.key(key, down=True)
    hands.drag(MIDDLE, (740, 430), button)
    turned = (camera.azimuth, camera.elevation) != before[:2]
    nearer, moved = camera.distance != before[2], (*camera.target,) != before[3:]
    assert (turned, nearer, moved) == (does == "orbit", does == "zoom", does == "pan")


@pytest.mark.parametrize("name", ["clip Walk", "scrub", "bones", "speed"])
def test_nothing_reaches_the_camera_from_a_panel(hands, name):
    before = state(hands.camera)
    x, y = hands.place(name)
    hands.drag((x, y), MIDDLE)
    hands.drag((x, y), MIDDLE, button=2)
    hands.move(x, y)
    hands.gui.mouse_wheel(0.0, 3.0)
    hands.frames(2)
    assert state(hands.camera) == before


def test_a_drag_of_the_camera_goes_on_over_a_panel(hands):
    azimuth = hands.camera.azimuth
    hands.press(*MIDDLE)
    hands.move(400, 400)
    before = hands.camera.azimuth
    hands.move(*hands.place("clip Walk"))
    hands.release()
    assert azimuth != before != hands.camera.azimuth
    assert hands.session.character.clip == 0


def test_double_click_asks_for_a_pivot(hands):
    hands.press(*MIDDLE)
    hands.release()
    assert hands.session.interface.pivot is None
    hands.press(*MIDDLE)
    hands.release()
    x, y = hands.session.interface.pivot
    left, top, right, bottom = hands.session.interface.view
    assert x == pytest.approx((MIDDLE[0] - left) / (right - left))
    assert y == pytest.approx((MIDDLE[1] - top) / (bottom - top))


@pytest.mark.parametrize(
    ("seconds", "between", "double"), [(1 / 60, 3, True), (1 / 60, 30, False), (0.2, 1, True)]
)
def test_two_clicks_are_a_double_click(hands, seconds, between, double):
    """A press or a release is a frame: slow frames make it take longer, and double all the same."""

    def frame():
        hands.gui.begin(hands.size, 1.0, seconds)
        hands.gui.draw_panels(hands.session)
        hands.gui.end(hands.framebuffer)

    hands.move(*MIDDLE)
    for press in range(2):
        hands.gui.mouse_button(0, down=True)
        frame()
        hands.gui.mouse_button(0, down=False)
        for _ in range(between if press == 0 else 1):
            frame()
    assert (hands.session.interface.pivot is not None) == double


def test_turning_about_a_point_puts_it_in_the_middle(hands):
    camera = hands.camera
    point = np.array([0.1, 1.2, 0.1])
    back, away = camera.direction(), float((camera.position() - point) @ camera.direction())
    seen = camera.project(point[None], 1.6)[0]
    camera.turn_about(*seen, 1.6)
    np.testing.assert_allclose(camera.target, point, atol=1e-6)
    np.testing.assert_allclose(camera.direction(), back)
    assert camera.distance == pytest.approx(away)
    np.testing.assert_allclose(camera.project(point[None], 1.6)[0, :2], 0.5, atol=1e-6)


@pytest.mark.parametrize("how", ["orbit", "pan", "zoom", "wheel"])
def test_the_mouse_goes_on_from_the_camera_of_the_file(hands, tmp_path, how):
    hands.session.open(stocked().path(tmp_path))
    hands.key("k")
    assert hands.scene.through == 0
    place = hands.scene.lens.position().copy()
    hands.move(*MIDDLE)
    assert hands.scene.through == 0, "looking is not moving"
    if how == "wheel":
        hands.gui.mouse_wheel(0.0, 1.0)
        hands.frames()
    else:
        button = {"orbit": 0, "zoom": 1, "pan": 2}[how]
        hands.drag(MIDDLE, (MIDDLE[0] + 2, MIDDLE[1]), button)
    assert hands.scene.lens is hands.scene.camera
    away = np.linalg.norm(hands.scene.camera.position() - place)
    assert 0 < away < 0.15


def test_a_double_click_turns_the_free_camera(hands, tmp_path):
    hands.session.open(stocked().path(tmp_path))
    hands.key("k")
    hands.press(*MIDDLE)
    hands.release()
    hands.press(*MIDDLE)
    hands.release()
    assert hands.session.interface.pivot is not None
    assert hands.scene.lens is hands.scene.camera
