"""The end of the window when its display is lost."""

import os
from collections.abc import Callable
from typing import Any

from ..console import print_message
from ..errors import ContextError


def end_with_display(window: Any, end: Callable[[], None]) -> None:  # noqa: ANN401 - pyglet's differs by system
    """Call a function and exit if the connection to the X server of a pyglet window breaks.

    Xlib does not return from the call that notices it; without this, it exits at once.
    """
    if not hasattr(window, "_x_display"):
        return
    from pyglet.libs.x11 import xlib

    def lost(_display: object) -> None:
        try:
            print_message(str(ContextError("the connection to the display was lost")))
            end()
        finally:
            os._exit(ContextError.exit_code)

    window._lost = xlib.XIOErrorHandler(lost)  # Xlib does not keep it
    xlib.XSetIOErrorHandler(window._lost)
