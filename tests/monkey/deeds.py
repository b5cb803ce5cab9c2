"""The actions of the monkey: each is a method, called with the values of a line of the log."""

from rigview.session.motion_saving import NewName
from rigview.session.session import Leaving
from tests.support.looks import new_look
from tests.support.window_driver import BUTTONS, FRAME, SIZE
from tests.support.window_stand_ins import Dialog, PromptJobs

from .disk import HOME

LIMITS = (200, 1300)  # points: sizes of the window
DENSITY = 0.25, 96  # pixels a point and dots an inch: few pixels are drawn quickly


class Deeds:
    """Performs actions.

    A place is `[widget, x, y]`, with 0 to 1 from its upper left corner, or `[x, y]`, points of the
    window. An action at a widget that is not on the screen does nothing.
    """

    def __init__(self, driver, disk):
        self.driver, self.disk = driver, disk

    def do(self, action):
        """Perform an action, and draw frames after it."""
        rest = {name: value for name, value in action.items() if name not in ("do", "frames")}
        getattr(self, f"_{action['do']}")(**rest)
        self.driver.frames(action.get("frames", 1))

    def _point(self, place):
        """Return a place in points, None if the widget is not on the screen."""
        if len(place) == 2:
            return place
        name, x, y = place
        box = self.driver.boxes.get(name)
        if box is None:
            return None
        return box[0] + x * (box[2] - box[0]), box[1] + y * (box[3] - box[1])

    # -- mouse ------------------------------------------------------------------------------------

    def _click(self, at, button=0, count=1, keys=()):
        point = self._point(at)
        if point is None:
            return
        self.driver.move(*point)
        self.driver.frames()
        self._keys(keys, down=True)
        for _ in range(count):
            self.driver.button(button, down=True)
            self.driver.button(button, down=False)
        self._keys(reversed(keys), down=False)

    def _drag(self, start, end, button=0, steps=2, keys=()):
        first, last = self._point(start), self._point(end)
        if first is None or last is None:
            return
        self.driver.move(*first)
        self.driver.frames()
        self._keys(keys, down=True)
        self.driver.button(button, down=True)
        self.driver.frames()
        for k in range(1, steps + 1):
            share = k / steps
            self.driver.move(*(a + share * (b - a) for a, b in zip(first, last, strict=True)))
            self.driver.frames()
        self.driver.button(button, down=False)
        self._keys(reversed(keys), down=False)

    def _move(self, to):
        point = self._point(to)
        if point is not None:
            self.driver.move(*point)

    def _wheel(self, at, by):
        self._move(at)
        self.driver.wheel(*by)

    def _button(self, button, down):
        self.driver.button(button, down=down)

    def _leave(self):
        self.driver.post("on_mouse_leave", 0, 0)

    # -- keys -------------------------------------------------------------------------------------

    def _press(self, key, keys=(), text="", times=1):
        for _ in range(times):
            self._keys((*keys, key), down=True)
            if text:
                self.driver.text(text)
            self._keys((key, *reversed(keys)), down=False)

    def _hold(self, key, down):
        self._keys((key,), down=down)

    def _keys(self, keys, *, down):
        for name in keys:
            self.driver.key(name, down=down)

    def _fill(self, at, text, end, keys=()):
        """Click a field, with Ctrl a slider, and type a text into it."""
        self._click(at, keys=keys)
        self.driver.frames(2)
        self._press("a", ("left_ctrl",))
        self.driver.frames()
        self.driver.text(text)
        self.driver.frames()
        if end:
            self._press(end)

    def _focus(self, focused):
        self.driver.post("on_activate" if focused else "on_deactivate")

    # -- the system -------------------------------------------------------------------------------

    def _drop(self, names, shift=False):
        self.driver.shift = shift
        paths = [str(self.driver.folder / name) for name in names]
        self.driver.post("on_file_drop", 10, 10, paths)

    def _answer(self, names):
        """Answer the open file dialog; without names it is cancelled."""
        if Dialog.shown is not None:
            Dialog.shown.answer = [self.driver.folder / name for name in names]

    def _dialogs(self, available):
        Dialog.available = available

    def _clipboard(self, text):
        self.driver.pyglet.set_clipboard_text(text)

    def _resize(self, size):
        self.driver.viewer.window.size = tuple(size)

    def _density(self, ratio, dpi):
        if self.driver.offscreen:
            self.driver.viewer.window.density(ratio, dpi)

    def _expose(self):
        self.driver.post("on_expose")

    def _show(self, visible):
        self.driver.viewer.window.visible = visible

    def _close(self):
        self.driver.post("on_close")

    # -- time and files ---------------------------------------------------------------------------

    def _wait(self, seconds):
        self.driver.clock.time += seconds

    def _slow(self, seconds):
        """Let every frame take some seconds."""
        self.driver.frame_seconds = seconds

    def _gate(self, opened):
        """Let files be read, or keep those that are being opened waiting."""
        (PromptJobs.gate.set if opened else PromptJobs.gate.clear)()

    def _write(self, name, content):
        self.disk.write(name, content)

    def _remove(self, name):
        self.disk.remove(name)

    # -- the same state again ---------------------------------------------------------------------

    def _home(self):
        """Release everything held, close the pop-up, and open the first character alone."""
        driver = self.driver
        session = driver.session
        driver.frame_seconds = FRAME
        PromptJobs.gate.set()
        Dialog.available = True
        self._answer([])
        driver.viewer.window.visible = True
        driver.pyglet.set_clipboard_text("")
        for button in BUTTONS:
            driver.button(button, down=False)
        for focused in (False, True):  # releases the keys
            self._focus(focused)
        driver.frames(3)
        session.interface.popup = ""
        session.interface.of(Leaving).leave = session.interface.of(NewName).opened_character = None
        session.interface.requests.clear()
        driver.frames(3)
        self.disk.tidy()
        self.disk.write(HOME, "all")
        self._resize(SIZE)
        self._density(*DENSITY)
        session.settings.ui_scale, session.settings.theme = 1.0, "dark"
        session.scene.instances.same_size = False
        session.together = session.comparison.follows_pointer = True
        session.comparison.by_phase = False
        for each in session.open_characters:
            each.editor.discard()
        new_look(session.scene)
        self._drop([HOME])
        driver.frames(12)
        driver.clock.time += 5.0
        driver.frames(6)
