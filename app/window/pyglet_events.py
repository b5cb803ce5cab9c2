"""Pyglet's input events: mouse, keys, text, focus and mouse cursors.

Events are forwarded as they arrive; `rigview.ui` interprets them once a frame.
"""

from collections.abc import Callable

from pyglet.window import Window as PygletWindow
from pyglet.window import key, mouse

from .imgui_backend import KEYS as GUI_KEYS
from .input_queue import Event, Focus, Key, MouseButton, MouseMove, MouseWheel, Text

_BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}
_NAMES = {  # ImGui's names of keys by those of pyglet, but for names that differ in case only
    "LEFT": "left_arrow",
    "RIGHT": "right_arrow",
    "UP": "up_arrow",
    "DOWN": "down_arrow",
    "PAGEUP": "page_up",
    "PAGEDOWN": "page_down",
    "GRAVE": "grave_accent",
    "BRACKETLEFT": "left_bracket",
    "BRACKETRIGHT": "right_bracket",
    "NUM_END": "keypad1",  # the keypad without NumLock
    "NUM_PAGE_DOWN": "keypad3",
    "NUM_HOME": "keypad7",
    "CAPSLOCK": "caps_lock",
    "NUMLOCK": "num_lock",
    "SCROLLLOCK": "scroll_lock",
    "PRINT": "print_screen",
}
_MODIFIERS = {"CTRL": "ctrl", "SHIFT": "shift", "ALT": "alt", "OPTION": "alt"}
_MODIFIERS |= {"COMMAND": "super", "WINDOWS": "super"}
_NAMES |= {
    f"{side[0].upper()}{name}": f"{side}_{_MODIFIERS[name]}"
    for side in ("left", "right")
    for name in _MODIFIERS
}
_NAMES |= {f"NUM_{name[6:].lstrip('_').upper()}": name for name in GUI_KEYS if "keypad" in name}
_NAMES |= {name: name.lower() for name in dir(key) if name.lower() in GUI_KEYS}
KEYS: dict[int, str] = {
    getattr(key, name): imgui for name, imgui in _NAMES.items() if hasattr(key, name)
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


class Input:
    """Forwards the events of a pyglet window; the `on_` methods are pyglet's handlers."""

    def __init__(self, window: PygletWindow, add: Callable[[Event], None]) -> None:
        self._window = window
        self._add = add
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
        self._add(MouseMove(x, self._window.height - y))

    def on_mouse_drag(self, x: int, y: int, *_: int) -> None:
        """Forward the mouse position while a button is down."""
        self._add(MouseMove(x, self._window.height - y))

    def on_mouse_press(self, x: int, y: int, button: int, _modifiers: int) -> None:
        """Forward a button press."""
        if button in _BUTTONS:
            self._add(MouseMove(x, self._window.height - y))
            self._add(MouseButton(_BUTTONS[button], True))

    def on_mouse_release(self, _x: int, _y: int, button: int, _modifiers: int) -> None:
        """Forward a button release."""
        if button in _BUTTONS:
            self._add(MouseButton(_BUTTONS[button], False))

    def on_mouse_scroll(self, _x: int, _y: int, scroll_x: float, scroll_y: float) -> None:
        """Forward notches of the wheel."""
        self._add(MouseWheel(scroll_x, scroll_y))

    def on_mouse_leave(self, *_: int) -> None:
        """Move the mouse off the panels."""
        self._add(MouseMove(-1e5, -1e5))

    def on_key_press(self, symbol: int, _modifiers: int) -> None:
        """Forward a key press."""
        if symbol in KEYS:
            self._add(Key(KEYS[symbol], True))

    def on_key_release(self, symbol: int, _modifiers: int) -> None:
        """Forward a key release."""
        if symbol in KEYS:
            self._add(Key(KEYS[symbol], False))

    def on_text(self, text: str) -> None:
        """Forward the printable typed characters."""
        self._add(Text("".join(c for c in text if c.isprintable())))

    def on_activate(self) -> None:
        """Forward that the window got the keyboard focus."""
        self._add(Focus(True))

    def on_deactivate(self) -> None:
        """Forward that the window lost the keyboard focus."""
        self._add(Focus(False))
