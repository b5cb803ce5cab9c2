"""Drives the window of the program: opens it, passes it events, and runs its main loop."""

from tests.support.offscreen_window import Clock, OffscreenWindow  # sets an option of pyglet

# isort: split
from rigview.errors import AppError
from rigview.resources import settings_folder
from rigview.session import settings as settings_file
from rigview.session.session import Session
from rigview.window.pyglet_events import KEYS
from rigview.window.viewer import Viewer
from tests.support.window_stand_ins import PromptJobs, installed

SIZE = (800, 560)
FRAME = 1 / 60  # seconds
MOST_STEPS = 12  # of the main loop for one frame
SYMBOLS = {name: symbol for symbol, name in KEYS.items()}
BUTTONS = {0: 1, 1: 4, 2: 2}  # pyglet's, by ImGui's number


class Driver:
    """The window of the program with a clock of its own.

    Parameters
    ----------
    folder
        The folder of the files.
    context
        Draws an off-screen window; None: a window on the display.
    """

    def __init__(self, folder, context=None):
        self.folder = folder
        self.clock = Clock()
        self.frame_seconds = FRAME
        self.shift = False  # during a drop
        self.mouse = (0.0, 0.0)  # points from the upper left corner
        self.viewer = self.session = None
        self._waiting = []  # events that the next fetch dispatches
        self._frames = 0
        opener = None if context is None else lambda size: OffscreenWindow(context, size)
        self._stand_ins = installed(self._fetch, lambda _window: self.shift, opener)
        self._stand_ins.__enter__()

    @property
    def offscreen(self):
        return isinstance(self.viewer.window, OffscreenWindow)

    @property
    def pyglet(self):
        return self.viewer.window._window

    @property
    def boxes(self):
        return self.session.interface.widget_boxes

    def open(self, name):
        """Open a window with a character, as `rigview FILE` does."""
        PromptJobs.gate.set()
        settings, _ = settings_file.load(settings_folder() / "settings.toml")
        self.session = Session(self.clock, settings=settings, jobs=PromptJobs())
        self.session.interface.widget_boxes = {}
        self.viewer = Viewer(self.session, size=settings.size or SIZE, samples=1)
        path = self.folder / name
        try:
            self.viewer.open_first([path])
        except AppError as error:
            self.viewer.open_readable([path], error)
        self.viewer.changed()

    def shut(self):
        """Save the settings, as at the end of the main loop, and free the window."""
        self.viewer._closing = True
        self.viewer.run()
        self.viewer.release()
        self.viewer = self.session = None
        self._waiting.clear()

    def end(self):
        self._stand_ins.__exit__(None, None, None)

    def post(self, *event):
        """Add an event by pyglet's name; it is handled in the next frame."""
        self._waiting.append(event)

    def frames(self, count=1):
        """Run the main loop until some frames are drawn; less if the window needs none."""
        for _ in range(count):
            before = self._frames
            for _ in range(MOST_STEPS):
                if self.viewer.closed:
                    return
                self.viewer.step()
                if self._frames > before and not self._waiting:
                    break

    def move(self, x, y):
        self.mouse = (x, y)
        self.post("on_mouse_motion", *self._place(), 0, 0)

    def button(self, button, *, down):
        name = "on_mouse_press" if down else "on_mouse_release"
        self.post(name, *self._place(), BUTTONS[button], 0)

    def wheel(self, x, y):
        self.post("on_mouse_scroll", *self._place(), x, y)

    def key(self, name, *, down):
        self.post("on_key_press" if down else "on_key_release", SYMBOLS[name], 0)

    def text(self, text):
        self.post("on_text", text)

    def _place(self):
        """Return the mouse position as pyglet has it."""
        return round(self.mouse[0]), round(self.pyglet.height - self.mouse[1])

    def _fetch(self, window, seconds):
        """Dispatch events, in place of `rigview.window.window.fetch_events`."""
        self._frames += seconds == 0.0
        self.clock.time += self.frame_seconds if seconds == 0.0 or self._waiting else seconds
        waiting, self._waiting = self._waiting, []
        window.dispatch_events()
        for event in waiting:
            window.dispatch_event(*event)
        window.dispatch_events()
