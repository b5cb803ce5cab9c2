"""From pyglet's events to the panels; the window is a stand-in, the events are pyglet's numbers."""

import pyglet
import pytest

pyglet.options.shadow_window = False  # without it pyglet wants a display to be imported
key = pytest.importorskip("pyglet.window.key")
mouse = pytest.importorskip("pyglet.window.mouse")

from rigview.window.imgui_backend import KEYS as IMGUI_KEYS  # noqa: E402 - pyglet has to be told first
from rigview.window.input import KEYS, Input  # noqa: E402


class FakeWindow:
    """As much of pyglet's window as is listened to."""

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


class Log:
    """Writes down what it is told."""

    def __init__(self):
        self.told = []

    def __getattr__(self, name):
        return lambda *given, **named: self.told.append((name, *given, *named.values()))


@pytest.fixture
def listening():
    window, log = FakeWindow(), Log()
    return Input(window, log), window, log.told


def test_every_key_has_a_name_of_imgui():
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
def test_keys(listening, symbol, name):
    events, _, told = listening
    events.on_key_press(symbol, 0)
    events.on_key_release(symbol, 0)
    assert told == [("key", name, True), ("key", name, False)]


def test_unknown_key_is_passed_over(listening):
    events, _, told = listening
    events.on_key_press(0xFFFFFF, 0)
    events.on_key_release(0xFFFFFF, 0)
    assert told == []


def test_mouse_is_counted_from_the_top(listening):
    events, _, told = listening
    events.on_mouse_motion(10, 790, 1, 1)
    events.on_mouse_drag(20, 700, 1, 1, mouse.LEFT, 0)
    assert told == [("mouse_move", 10, 10), ("mouse_move", 20, 100)]


@pytest.mark.parametrize(
    ("button", "number"), [(mouse.LEFT, 0), (mouse.RIGHT, 1), (mouse.MIDDLE, 2)]
)
def test_buttons(listening, button, number):
    events, _, told = listening
    events.on_mouse_press(5, 795, button, 0)
    events.on_mouse_release(5, 795, button, 0)
    assert told == [
        ("mouse_move", 5, 5),
        ("mouse_button", number, True),
        ("mouse_button", number, False),
    ]


def test_wheel_text_and_focus(listening):
    events, _, told = listening
    events.on_mouse_scroll(0, 0, 0.0, -1.0)
    events.on_text("ä\r")
    events.on_activate()
    events.on_deactivate()
    assert told == [("mouse_wheel", 0.0, -1.0), ("text", "ä"), ("focus", True), ("focus", False)]


def test_mouse_that_leaves_is_off_every_panel(listening):
    events, _, told = listening
    events.on_mouse_leave(1279, 5)
    assert told[0][1] < 0


def test_cursor_is_set_when_it_changes(listening):
    events, window, _ = listening
    events.show_cursor("arrow")
    events.show_cursor("text_input")
    events.show_cursor("text_input")
    assert len(window.cursors) == 1
    events.show_cursor("none")
    assert not window.visible
    events.show_cursor("arrow")
    assert window.visible


def test_it_listens_to_the_window(listening):
    events, window, _ = listening
    assert window.handlers is events
