"""The playback bar of layers that run on, by mouse."""

import pytest

from rigview.session import played_motion
from rigview.session.timeline.timeline_view import TimelineView
from rigview.window.input_queue import Key
from tests.support.panels import PanelDriver


@pytest.fixture
def driver(gl):
    """The bundled character walks away, so that its layers never repeat."""
    driver = PanelDriver(gl, read_motions=True)
    yield driver
    driver.close()


def test_ruler_without_an_end_is_held_while_it_is_dragged(driver):
    session = driver.session
    session.transport.seek(100.0)
    driver.frames(2)
    begin, end = session.transport.ruler
    left, top, right, bottom = driver.marks["scrub"]
    middle = (top + bottom) / 2
    driver.press(left + 0.25 * (right - left), middle)
    pressed = session.transport.time
    assert pressed == pytest.approx(begin + 0.25 * (end - begin), abs=0.2)
    driver.frames(5)
    assert session.transport.time == pytest.approx(pressed, abs=0.01), "the ruler does not move"
    driver.move(left + 0.5 * (right - left), middle)
    assert session.transport.time == pytest.approx(begin + 0.5 * (end - begin), abs=0.2)
    driver.release()
    driver.frames(2)
    assert session.interface.of(TimelineView).held_ruler is None


def test_long_times_do_not_cover_the_timeline(driver):
    begin = driver.marks["scrub"][0]
    driver.session.transport.seek(123_456.0)
    driver.frames(2)
    assert driver.marks["scrub"][0] > begin


def type_into(driver, name, text):
    """Ctrl+click a slider, and type a number instead of its own."""
    driver.gui.add(Key("left_ctrl", True))
    driver.click(name)
    driver.gui.add(Key("left_ctrl", False))
    driver.type(text)
    driver.key("enter")


def test_typed_numbers_are_finite_and_within_the_limits(driver):
    for text, speed in (("1.5", 1.5), ("nan", 1.5), ("inf", 1.5), ("1e39", 1.5), ("1e9", 1000.0)):
        type_into(driver, "speed", text)
        assert driver.session.transport.speed == speed
    driver.click("tab Stage")
    type_into(driver, "exposure", "1e9")
    assert driver.scene.look.shading.exposure == 64.0


def test_number_of_passes(driver):
    played_motion.start_clip(driver.session.transport, 1)
    driver.frames(2)
    driver.click("loop")
    driver.click("loop loop N times")
    assert driver.session.transport.loop_name == "2 times"
    assert driver.session.character.playback.passes == 2
    driver.click("loop")
    top, right, bottom = driver.marks["times"][1:]
    driver.press(right - 0.5 * (bottom - top), (top + bottom) / 2)
    driver.release()
    assert driver.session.transport.loop_name == "3 times"
    driver.click("loop pingpong N times")
    assert driver.session.transport.loop_name == "Ping-pong, 3 times"
    driver.key("l")
    assert driver.session.transport.loop_name == "Loop"
