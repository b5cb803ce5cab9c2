"""The native window: moderngl-window's pyglet window with an OpenGL 3.3 context."""

from typing import TYPE_CHECKING, Any

from ..errors import ContextError
from ..file_io import read_file
from ..rendering.context import spare_a_full_disk
from ..resources import asset_path

if TYPE_CHECKING:
    from moderngl_window.context.pyglet.window import Window
    from pyglet.window import BaseWindow

SMALLEST = (640, 400)  # points; below this the panels do not fit
USUAL_RATE = 60.0  # frames a second
SLOWEST, FASTEST = 30.0, 500.0  # a virtual screen may report anything
ICON_SIZES = 16, 32, 48, 128  # pixels
_HINT = "`rigview render FILE -o OUT.png` draws without a window"


def open_window(size: tuple[int, int]) -> "Window":
    """Return an invisible window with an OpenGL 3.3 context.

    Raises
    ------
    ContextError
        There is no display, or no OpenGL 3.3.
    """
    try:
        import pyglet

        spare_a_full_disk()
        pyglet.options.shadow_window = False  # a single window shares no resources
        from moderngl_window.context.pyglet.window import Window

        window = Window(
            title="Rigview",
            gl_version=(3, 3),
            size=size,
            resizable=True,
            visible=False,
            vsync=True,
            samples=0,  # the scene is drawn into a multisampled target
            cursor=True,
        )
    except Exception as error:  # pyglet, its libraries and the driver raise various errors
        reason = str(error) or type(error).__name__
        raise ContextError(f"cannot open a window ({reason})", hint=_HINT) from None
    window.exit_key = None  # Esc closes a pop-up
    window.fullscreen_key = None  # the actions table decides
    window._window.set_minimum_size(*SMALLEST)
    pyglet.app.platform_event_loop.start()
    _patch_drag_enter(window._window)
    return window


def set_icons(window: Any) -> None:  # noqa: ANN401 - pyglet's differs by system
    """Give a pyglet window the icon of the program."""
    from pyglet.image import ImageData

    from ..images.png import read_png

    # as pyglet hands them to X, since its own conversion takes 100 ms
    order = "BGRAAAAA" if hasattr(window, "_x_display") else "RGBA"
    channels = ["RGBA".index(letter) for letter in order]
    icons = []
    for size in ICON_SIZES:
        path = asset_path(f"desktop/icons/hicolor/{size}x{size}/apps/rigview.png")
        pixels = read_png(read_file(path, 1 << 20), (size, size))
        if pixels is not None:
            data = pixels[..., channels].tobytes()
            icons.append(ImageData(size, size, order, data, -len(order) * size))
    window.set_icon(*icons)


def _patch_drag_enter(window: Any) -> None:  # noqa: ANN401 - pyglet's differs by system
    """Fix pyglet's drag and drop under X11 for sources with at most three data types.

    Their types are in the event itself (XDND, version 5), which pyglet reads as a pointer.
    """
    if not hasattr(window, "_event_drag_enter"):
        return
    enter = window._event_drag_enter

    def entered(event: Any) -> None:  # noqa: ANN401 - a union of ctypes
        data = event.xclient.data.l
        if data[1] & 1:  # more than three types: listed in a property of the source window
            enter(event)
            return
        files = window._xdnd_atoms["text/uri-list"]
        window._xdnd_source, window._xdnd_version = data[0], data[1] >> 24
        window._xdnd_format = files if files in data[2:5] else None

    window._event_drag_enter = entered


def on_screen(window: "BaseWindow", place: tuple[int, int]) -> bool:
    """Return whether the title bar of a window at a position would be on a screen."""
    x, y = place
    return any(
        screen.x - 50 <= x < screen.x + screen.width - 50
        and screen.y <= y < screen.y + screen.height - 50
        for screen in window.display.get_screens()
    )


def shift_held(window: Any) -> bool:  # noqa: ANN401 - pyglet's differs by system
    """Return whether Shift is down, even if another window has the keyboard focus.

    While a file is dragged from another program, that program gets the key events.
    """
    if hasattr(window, "_x_display"):
        from ctypes import byref, c_int, c_uint, c_ulong

        from pyglet.libs.x11 import xlib

        where, at, mask = (c_ulong(), c_ulong()), [c_int() for _ in range(4)], c_uint()
        xlib.XQueryPointer(
            window._x_display, window._window, *map(byref, (*where, *at)), byref(mask)
        )
        return bool(mask.value & xlib.ShiftMask)
    import ctypes

    user32 = getattr(getattr(ctypes, "windll", None), "user32", None)
    return user32 is not None and bool(user32.GetAsyncKeyState(0x10) & 0x8000)


def refresh_rate(window: Any) -> float:  # noqa: ANN401 - pyglet's differs by system
    """Return the frames a second of the screen of a pyglet window, 60 if it is unknown."""
    mode = window.screen.get_mode()
    rate = float(getattr(mode, "rate", None) or 0.0)
    return rate if SLOWEST <= rate <= FASTEST else USUAL_RATE


def fetch_events(window: Any, seconds: float) -> None:  # noqa: ANN401 - pyglet's differs by system
    """Dispatch all waiting events of a pyglet window; wait up to some seconds for the first one."""
    import pyglet

    pyglet.app.platform_event_loop.step(seconds)
    window.dispatch_events()
