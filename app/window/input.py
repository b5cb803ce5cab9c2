"""From pyglet's events to the panels: mouse, keys, text, focus, cursors and clipboard.

Events are handed on as they come; what they mean is decided in `rigview.ui`, once a frame.
"""

from typing import Protocol

from pyglet.window import Window as PygletWindow
from pyglet.window import key, mouse

_BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}
_NAMES = {  # pyglet's name of a key where ImGui's is not the same in small letters
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
    """Who takes the events: `rigview.window.imgui_backend.Gui`."""

    def mouse_move(self, x: float, y: float) -> None:
        """Take the place of the mouse, points from the upper left corner."""

    def mouse_button(self, button: int, *, down: bool) -> None:
        """Take a press or release of button 0 left, 1 right, 2 middle."""

    def mouse_wheel(self, x: float, y: float) -> None:
        """Take notches of the wheel."""

    def key(self, name: str, *, down: bool) -> None:
        """Take a press or release of a key."""

    def text(self, text: str) -> None:
        """Take typed characters."""

    def focus(self, *, focused: bool) -> None:
        """Take that the window has, or has lost, the keyboard."""


class Input:
    """Listens to a pyglet window; `on_` methods bear pyglet's names."""

    def __init__(self, window: PygletWindow, sink: Sink) -> None:
        self._window = window
        self._sink = sink
        self._cursor = "arrow"
        window.push_handlers(self)

    def show_cursor(self, name: str) -> None:
        """Show the mouse cursor of that name."""
        if name == self._cursor:
            return
        self._cursor = name
        self._window.set_mouse_visible(name != "none")
        shape = _CURSORS.get(name, PygletWindow.CURSOR_DEFAULT)
        self._window.set_mouse_cursor(self._window.get_system_mouse_cursor(shape))

    def on_mouse_motion(self, x: int, y: int, *_: int) -> None:
        """Hand on where the mouse is; pyglet counts from the lower left corner."""
        self._sink.mouse_move(x, self._window.height - y)

    def on_mouse_drag(self, x: int, y: int, *_: int) -> None:
        """Hand on where the mouse is while a button is down."""
        self._sink.mouse_move(x, self._window.height - y)

    def on_mouse_press(self, x: int, y: int, button: int, _modifiers: int) -> None:
        """Hand on a press of a button."""
        if button in _BUTTONS:
            self._sink.mouse_move(x, self._window.height - y)
            self._sink.mouse_button(_BUTTONS[button], down=True)

    def on_mouse_release(self, _x: int, _y: int, button: int, _modifiers: int) -> None:
        """Hand on that a button was let go."""
        if button in _BUTTONS:
            self._sink.mouse_button(_BUTTONS[button], down=False)

    def on_mouse_scroll(self, _x: int, _y: int, scroll_x: float, scroll_y: float) -> None:
        """Hand on notches of the wheel."""
        self._sink.mouse_wheel(scroll_x, scroll_y)

    def on_mouse_leave(self, *_: int) -> None:
        """Take the mouse off the panels."""
        self._sink.mouse_move(-1e5, -1e5)

    def on_key_press(self, symbol: int, _modifiers: int) -> None:
        """Hand on a press of a key."""
        if symbol in KEYS:
            self._sink.key(KEYS[symbol], down=True)

    def on_key_release(self, symbol: int, _modifiers: int) -> None:
        """Hand on that a key was let go."""
        if symbol in KEYS:
            self._sink.key(KEYS[symbol], down=False)

    def on_text(self, text: str) -> None:
        """Hand on typed characters, whatever keyboard they came from."""
        self._sink.text("".join(c for c in text if c.isprintable()))

    def on_activate(self) -> None:
        """Hand on that the window has the keyboard."""
        self._sink.focus(focused=True)

    def on_deactivate(self) -> None:
        """Hand on that the window has lost the keyboard."""
        self._sink.focus(focused=False)
