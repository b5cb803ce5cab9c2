"""Waiting events in groups for the passes of a frame."""

import pytest

from rigview.window.input_queue import (
    Focus,
    InputQueue,
    Key,
    MouseButton,
    MouseMove,
    MouseWheel,
    Text,
)
from tests.support.panels import PanelDriver

PRESS, RELEASE = MouseButton(0, down=True), MouseButton(0, down=False)


def down(name):
    return Key(name, down=True)


def up(name):
    return Key(name, down=False)


GROUPS = {
    "a click": [[MouseMove(1, 2)], [PRESS], [RELEASE]],
    "a double click": [[PRESS], [RELEASE], [PRESS], [RELEASE]],
    "a drag": [[PRESS], [MouseMove(3, 4)], [RELEASE], [MouseMove(5, 6)]],
    "moves and the wheel": [[MouseMove(1, 2)], [MouseWheel(0, 1), MouseWheel(0, 1)]],
    "two keys": [[down("b"), Text("b")], [up("b"), down("n"), Text("n")], [up("n")]],
    "the same key twice": [[down("b")], [up("b")], [down("b")], [up("b")]],
    "a chord": [[down("left_ctrl"), down("o")], [up("left_ctrl"), up("o")]],
    "a chord and a key": [
        [down("left_ctrl"), down("a")],
        [up("a"), up("left_ctrl"), down("b")],
    ],
    "a modifier after a key": [[down("b")], [down("left_shift"), down("n")]],
    "a click with a modifier": [[down("left_shift")], [PRESS], [RELEASE], [up("left_shift")]],
    "a key after a click": [[PRESS], [RELEASE], [down("b"), Text("b")]],
    "text without keys": [[Text("a"), Text("b")], [MouseMove(1, 2)]],
    "a loss of the focus": [[down("b")], [Focus(focused=False)], [down("n")]],
}


@pytest.mark.parametrize("groups", GROUPS.values(), ids=GROUPS)
def test_groups(groups):
    queue = InputQueue()
    for group in groups:
        for event in group:
            queue.add(event)
    taken = []
    while queue:
        taken.append(queue.take())
    assert taken == groups
    assert queue.take() == []


def test_consecutive_moves_become_one():
    queue = InputQueue()
    for x in range(100):
        queue.add(MouseMove(x, 0))
    assert queue.only_moves
    queue.add(PRESS)
    assert not queue.only_moves
    assert queue.take() == [MouseMove(99, 0)]


@pytest.fixture
def driver(gl):
    driver = PanelDriver(gl)
    yield driver
    driver.close()


def click(driver, name):
    driver.gui.add(MouseMove(*driver.place(name)))
    driver.gui.add(MouseButton(0, True))
    driver.gui.add(MouseButton(0, False))


def press(driver, name):
    driver.gui.add(Key(name, True))
    driver.gui.add(Key(name, False))


def handle(driver):
    """Handle all events as in one frame of the window."""
    while driver.gui.waiting:
        driver.frames()


def test_events_of_one_frame_take_effect_in_order(driver):
    click(driver, "wireframe")
    for name in ("b", "n", "b", "x", "b"):
        press(driver, name)
    click(driver, "grid")
    handle(driver)
    look = driver.scene.look
    assert look.overlays.wireframe
    assert look.overlays.skeleton
    assert look.overlays.joint_names
    assert look.overlays.axes
    assert not look.grid


def test_a_click_on_a_row_with_a_button_over_it(driver):
    click(driver, "clip Walk")
    handle(driver)
    clips = driver.session.model.clips
    assert clips[driver.session.character.clip].name == "Walk"


def test_drag_of_a_slider_in_one_frame(driver):
    left, top, right, bottom = driver.marks["speed"]
    for share in (0.5, 0.75):
        driver.gui.add(MouseMove(left + share * (right - left), (top + bottom) / 2))
        driver.gui.add(MouseButton(0, share == 0.5))
    handle(driver)
    assert driver.session.transport.speed == pytest.approx(2.0, abs=0.3)


def test_two_presses_of_a_key_in_one_frame(driver):
    press(driver, "space")
    press(driver, "space")
    handle(driver)
    assert driver.session.transport.running


def test_a_key_that_opens_a_pop_up_blocks_the_next_one(driver):
    press(driver, "f1")
    press(driver, "b")
    press(driver, "escape")
    press(driver, "n")
    handle(driver)
    assert not driver.scene.look.overlays.skeleton
    assert driver.scene.look.overlays.joint_names
    assert driver.session.interface.popup == ""


def test_slow_frames_do_not_repeat_a_key(driver):
    """A press and a release that lie a slow frame apart."""
    driver.session.transport.pause_at(0.0)
    seconds = 0.4

    def frame():
        driver.gui.begin(driver.size, 1.0, seconds, late=seconds)
        driver.gui.draw_panels(driver.session)
        driver.gui.end(driver.framebuffer)

    driver.gui.add(Key("right_arrow", True))
    frame()
    driver.gui.add(MouseMove(300, 300))
    driver.gui.add(Key("right_arrow", False))
    frame()
    frame()
    assert driver.session.transport.frame == 1
