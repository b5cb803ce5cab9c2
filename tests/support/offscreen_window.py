"""A window without a display, with what the viewer uses of moderngl-window's and of pyglet's."""

from types import SimpleNamespace

import pyglet

pyglet.options.shadow_window = False  # otherwise importing pyglet's windows needs a display

from pyglet.event import EventDispatcher  # noqa: E402 - after the option of pyglet
from pyglet.window import BaseWindow  # noqa: E402

SCREEN = SimpleNamespace(
    x=0, y=0, width=1920, height=1080, get_mode=lambda: SimpleNamespace(rate=60)
)


class Clock:
    """A clock that goes on only when its time is set."""

    def __init__(self):
        self.time = 100.0

    def now(self):
        return self.time


class OffscreenPyglet(EventDispatcher):
    """The events, the clipboard and the cursors of a pyglet window."""

    display = SimpleNamespace(get_screens=lambda: [SCREEN])
    screen = SCREEN

    def __init__(self, context, size):
        self._context = context
        self.size = size
        self.dpi = 96
        self.clipboard = ""

    @property
    def height(self):
        return self.size[1]

    def flip(self):
        """Wait until the frame is drawn, as a window does.

        Otherwise Mesa's llvmpipe draws several frames at once, and keeps what they were drawn to.
        """
        self._context.finish()

    def dispatch_events(self):
        """Events are dispatched as they come."""

    def set_mouse_visible(self, visible):
        """There is no cursor."""

    def get_system_mouse_cursor(self, name):
        return name

    def set_mouse_cursor(self, cursor):
        """There is no cursor."""

    def get_clipboard_text(self):
        return self.clipboard

    def set_clipboard_text(self, text):
        self.clipboard = text


for _name in BaseWindow.event_types:
    OffscreenPyglet.register_event_type(_name)


class OffscreenWindow:
    """A window of `size` points that is drawn into a framebuffer."""

    def __init__(self, context, size):
        self.ctx = context
        self._window = OffscreenPyglet(context, size)
        self.ratio = 1.0  # pixels a point
        self.is_closing = self.visible = self.fullscreen = False
        self.title = ""
        self.position = (10, 10)
        self.fbo = None
        self._allocate()

    @property
    def size(self):
        return self._window.size

    @size.setter
    def size(self, size):
        self._window.size = size
        self.density(self.ratio, self._window.dpi)

    @property
    def width(self):
        return self.size[0]

    @property
    def buffer_width(self):
        return round(self.size[0] * self.ratio)

    def density(self, ratio, dpi):
        """Move to a screen with other pixels."""
        self.ratio, self._window.dpi = ratio, dpi
        self._allocate()
        self._window.dispatch_event("on_resize", *self.size)

    def close(self):
        self.is_closing = True
        self._free()

    def _allocate(self):
        self._free()
        self.fbo = self.ctx.simple_framebuffer(
            (self.buffer_width, max(round(self.size[1] * self.ratio), 1))
        )

    def _free(self):
        if self.fbo is None:
            return
        self.ctx.detect_framebuffer(0).use()
        for attachment in (*self.fbo.color_attachments, self.fbo.depth_attachment):
            if attachment is not None:
                attachment.release()
        self.fbo.release()
        self.fbo = None
