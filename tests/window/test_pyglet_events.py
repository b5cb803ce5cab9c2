"""Pyglet's events forwarded to the panels; the window is a stub."""

import pyglet
import pytest

pyglet.options.shadow_window = False  # otherwise importing pyglet needs a display
key = pytest.importorskip("pyglet.window.key")
mouse = pytest.importorskip("pyglet.window.mouse")

from rigview.window.imgui_backend import KEYS as IMGUI_KEYS  # noqa: E402 - after the option of pyglet
from rigview.window.input_queue import (  # noqa: E402
    Focus,
    Key,
    MouseButton,
    MouseMove,
    MouseWheel,
    Text,
)
from rigview.window.pyglet_events import KEYS, Input  # noqa: E402


class FakeWindow:
    """A stub of pyglet's window."""

    height = 800

    def __init__(self):
        self.handlers = None
        self.visible = True
        self.cursors = []

    def push_handlers(self, handlers):
        self.handlers = handlers

    def set_mouse_visible(self, visible):
        self.visible = visible

    def get_system_mouse_cursor(self, name):
        return name

    def set_mouse_cursor(self, cursor):
        self.cursors.append(cursor)


@pytest.fixture
def connected_input():
    window, events = FakeWindow(), []
    return Input(window, events.append), window, events


def test_every_key_has_an_imgui_name():
    assert set(KEYS.values()) <= set(IMGUI_KEYS)


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        (key.A, "a"),
        (key.SPACE, "space"),
        (key.LEFT, "left_arrow"),
        (key.PAGEDOWN, "page_down"),
        (key.BACKSPACE, "backspace"),
        (key.F12, "f12"),
        (key.NUM_7, "keypad7"),
        (key.NUM_HOME, "keypad7"),
        (key.LCOMMAND, "left_super"),
        (key.RCTRL, "right_ctrl"),
        (key.ESCAPE, "escape"),
        (key.TAB, "tab"),
        (key._3, "_3"),
    ],
)
def test_keys(connected_input, symbol, name):
    events, _, calls = connected_input
    events.on_key_press(symbol, 0)
    events.on_key_release(symbol, 0)
    assert calls == [Key(name, True), Key(name, False)]


def test_unknown_key_is_ignored(connected_input):
    events, _, calls = connected_input
    events.on_key_press(0xFFFFFF, 0)
    events.on_key_release(0xFFFFFF, 0)
    assert calls == []


def test_mouse_position_from_the_top(connected_input):
    events, _, calls = connected_input
    events.on_mouse_motion(10, 790, 1, 1)
    events.on_mouse_drag(20, 700, 1, 1, mouse.LEFT, 0)
    assert calls == [MouseMove(10, 10), MouseMove(20, 100)]


@pytest.mark.parametrize(
    ("button", "number"), [(mouse.LEFT, 0), (mouse.RIGHT, 1), (mouse.MIDDLE, 2)]
)
def test_buttons(connected_input, button, number):
    events, _, calls = connected_input
    events.on_mouse_press(5, 795, button, 0)
    events.on_mouse_release(5, 795, button, 0)
    assert calls == [
        MouseMove(5, 5),
        MouseButton(number, True),
        MouseButton(number, False),
    ]


def test_wheel_text_and_focus(connected_input):
    events, _, calls = connected_input
    events.on_mouse_scroll(0, 0, 0.0, -1.0)
    events.on_text("ä\r")
    events.on_activate()
    events.on_deactivate()
    assert calls == [MouseWheel(0.0, -1.0), Text("ä"), Focus(True), Focus(False)]


def test_mouse_leaving_the_window(connected_input):
    events, _, calls = connected_input
    events.on_mouse_leave(1279, 5)
    assert calls[0].x < 0


def test_cursor_is_set_when_it_changes(connected_input):
    events, window, _ = connected_input
    events.show_cursor("arrow")
    events.show_cursor("text_input")
    events.show_cursor("text_input")
    assert len(window.cursors) == 1
    events.show_cursor("none")
    assert not window.visible
    events.show_cursor("arrow")
    assert window.visible


def test_handlers_are_registered(connected_input):
    events, window, _ = connected_input
    assert window.handlers is events
