"""Pyglet's input events: mouse, keys, text, focus and mouse cursors.

Events are forwarded as they arrive; `rigview.ui` interprets them once a frame.
"""

from typing import Protocol

from pyglet.window import Window as PygletWindow
from pyglet.window import key, mouse

_BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}
_NAMES = {  # pyglet's names of keys whose lower case is not ImGui's name
    "RETURN": "enter",
    "LEFT": "left_arrow",
    "RIGHT": "right_arrow",
    "UP": "up_arrow",
    "DOWN": "down_arrow",
    "PAGEUP": "page_up",
    "PAGEDOWN": "page_down",
    "LCTRL": "left_ctrl",
    "RCTRL": "right_ctrl",
    "LSHIFT": "left_shift",
    "RSHIFT": "right_shift",
    "LALT": "left_alt",
    "RALT": "right_alt",
    "LCOMMAND": "left_super",
    "RCOMMAND": "right_super",
    "LWINDOWS": "left_super",
    "RWINDOWS": "right_super",
    "LOPTION": "left_alt",
    "ROPTION": "right_alt",
    "GRAVE": "grave_accent",
    "BRACKETLEFT": "left_bracket",
    "BRACKETRIGHT": "right_bracket",
    "NUM_ENTER": "keypad_enter",
    "NUM_DECIMAL": "keypad_decimal",
    "NUM_DIVIDE": "keypad_divide",
    "NUM_MULTIPLY": "keypad_multiply",
    "NUM_SUBTRACT": "keypad_subtract",
    "NUM_ADD": "keypad_add",
    "NUM_EQUAL": "keypad_equal",
    "NUM_END": "keypad1",  # the keypad without NumLock
    "NUM_PAGE_DOWN": "keypad3",
    "NUM_HOME": "keypad7",
    "CAPSLOCK": "caps_lock",
    "NUMLOCK": "num_lock",
    "SCROLLLOCK": "scroll_lock",
    "PRINT": "print_screen",
}
_SAME: tuple[str, ...] = (
    "TAB",
    "BACKSPACE",
    "ESCAPE",
    "INSERT",
    "DELETE",
    "SPACE",
    "HOME",
    "END",
    "MINUS",
)
_SAME += ("EQUAL", "BACKSLASH", "SEMICOLON", "APOSTROPHE", "COMMA", "PERIOD", "SLASH", "PAUSE")
KEYS: dict[int, str] = {
    **{getattr(key, letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **{getattr(key, f"_{digit}"): f"_{digit}" for digit in range(10)},
    **{getattr(key, f"NUM_{digit}"): f"keypad{digit}" for digit in range(10)},
    **{getattr(key, f"F{number}"): f"f{number}" for number in range(1, 25)},
    **{getattr(key, name): name.lower() for name in _SAME},
    **{getattr(key, name): imgui for name, imgui in _NAMES.items() if hasattr(key, name)},
}
_CURSORS = {
    "arrow": PygletWindow.CURSOR_DEFAULT,
    "text_input": PygletWindow.CURSOR_TEXT,
    "resize_all": PygletWindow.CURSOR_SIZE,
    "resize_ns": PygletWindow.CURSOR_SIZE_UP_DOWN,
    "resize_ew": PygletWindow.CURSOR_SIZE_LEFT_RIGHT,
    "resize_nesw": PygletWindow.CURSOR_SIZE_DOWN_LEFT,
    "resize_nwse": PygletWindow.CURSOR_SIZE_DOWN_RIGHT,
    "hand": PygletWindow.CURSOR_HAND,
    "wait": PygletWindow.CURSOR_WAIT,
    "not_allowed": PygletWindow.CURSOR_NO,
}


class Sink(Protocol):
    """The receiver of the events: `rigview.window.imgui_backend.Gui`."""

    def mouse_move(self, x: float, y: float) -> None:
        """Set the mouse position, points from the upper left corner."""

    def mouse_button(self, button: int, *, down: bool) -> None:
        """Handle a press or release of button 0 left, 1 right, 2 middle."""

    def mouse_wheel(self, x: float, y: float) -> None:
        """Handle notches of the wheel."""

    def key(self, name: str, *, down: bool) -> None:
        """Handle a press or release of a key."""

    def text(self, text: str) -> None:
        """Handle typed characters."""

    def focus(self, *, focused: bool) -> None:
        """Handle a change of the keyboard focus."""


class Input:
    """Forwards the events of a pyglet window; the `on_` methods are pyglet's handlers."""

    def __init__(self, window: PygletWindow, sink: Sink) -> None:
        self._window = window
        self._sink = sink
        self._cursor = "arrow"
        window.push_handlers(self)

    def show_cursor(self, name: str) -> None:
        """Show a mouse cursor by ImGui's name."""
        if name == self._cursor:
            return
        self._cursor = name
        self._window.set_mouse_visible(name != "none")
        shape = _CURSORS.get(name, PygletWindow.CURSOR_DEFAULT)
        self._window.set_mouse_cursor(self._window.get_system_mouse_cursor(shape))

    def on_mouse_motion(self, x: int, y: int, *_: int) -> None:
        """Forward the mouse position; pyglet's origin is the lower left corner."""
        self._sink.mouse_move(x, self._window.height - y)

    def on_mouse_drag(self, x: int, y: int, *_: int) -> None:
        """Forward the mouse position while a button is down."""
        self._sink.mouse_move(x, self._window.height - y)

    def on_mouse_press(self, x: int, y: int, button: int, _modifiers: int) -> None:
        """Forward a button press."""
        if button in _BUTTONS:
            self._sink.mouse_move(x, self._window.height - y)
            self._sink.mouse_button(_BUTTONS[button], down=True)

    def on_mouse_release(self, _x: int, _y: int, button: int, _modifiers: int) -> None:
        """Forward a button release."""
        if button in _BUTTONS:
            self._sink.mouse_button(_BUTTONS[button], down=False)

    def on_mouse_scroll(self, _x: int, _y: int, scroll_x: float, scroll_y: float) -> None:
        """Forward notches of the wheel."""
        self._sink.mouse_wheel(scroll_x, scroll_y)

    def on_mouse_leave(self, *_: int) -> None:
        """Move the mouse off the panels."""
        self._sink.mouse_move(-1e5, -1e5)

    def on_key_press(self, symbol: int, _modifiers: int) -> None:
        """Forward a key press."""
        if symbol in KEYS:
            self._sink.key(KEYS[symbol], down=True)

    def on_key_release(self, symbol: int, _modifiers: int) -> None:
        """Forward a key release."""
        if symbol in KEYS:
            self._sink.key(KEYS[symbol], down=False)

    def on_text(self, text: str) -> None:
        """Forward the printable typed characters."""
        self._sink.text("".join(c for c in text if c.isprintable()))

    def on_activate(self) -> None:
        """Forward that the window got the keyboard focus."""
        self._sink.focus(focused=True)

    def on_deactivate(self) -> None:
        """Forward that the window lost the keyboard focus."""
        self._sink.focus(focused=False)
