"""Panels without a window: a driver with a session, its pixels, mouse and keys."""

import numpy as np

from rigview.rendering.render_target import Target
from rigview.rendering.renderer import Renderer
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.file_reading import FileReading
from rigview.session.session import Session
from rigview.ui import panels
from rigview.window.imgui_backend import Gui
from rigview.window.input_queue import Key, MouseButton, MouseMove, Text
from tests.support.fixed_clock import FixedClock

SIZE = (1280, 800)


class PanelDriver:
    """Draws frames of a session headless, and controls the widgets by their names."""

    def __init__(self, context, path=None, size=SIZE, scale=1.0, *, read_motions=False):
        self.context = context
        self.before = context.fbo
        self.size, self.scale = size, scale
        self.clock = FixedClock(60.0)
        self.session = Session(self.clock, files=FileReading(read_motions=read_motions))
        self.session.interface.widget_boxes = {}
        self.gui = Gui(context, scale=scale)
        self.framebuffer = context.simple_framebuffer(size)
        self._unseen = context.simple_framebuffer((1, 1))
        self.renderer = Renderer(context)
        self.target = None
        self.in_turns = False
        self.frames(2)
        character_files.open_file(self.session, path or asset_path("mannequin.glb"))
        self.frames(3)

    @property
    def marks(self):
        return self.session.interface.widget_boxes

    @property
    def scene(self):
        return self.session.scene

    def frames(self, count=1, *, scene=False, seen=False):
        """Draw frames; unless `seen`, into one pixel, which needs no fill rate."""
        framebuffer = self.framebuffer if seen else self._unseen
        for _ in range(count):
            self.clock.frame += 1
            self.session.tick()
            self._pass()
            while self.session.interface.unmeasured:
                panels.overlay(self.session)
                self.gui.skip()
                self._pass()
            if scene:
                self._draw_scene()
            panels.overlay(self.session)
            framebuffer.use()
            framebuffer.clear(color=(0.19, 0.2, 0.21, 1.0))
            self.gui.end(framebuffer)

    def _pass(self):
        self.gui.begin(self.size, 1.0, 1 / 60)
        settings = self.session.settings
        self.gui.set_look(self.scale, settings.theme, settings.density)
        self.session.interface.unmeasured = max(self.session.interface.unmeasured - 1, 0)
        self.gui.draw_panels(self.session, in_turns=self.in_turns)
        self.session.update()

    def _draw_scene(self):
        left, top, right, bottom = self.session.interface.viewport.box
        size = round(right - left), round(bottom - top)
        if self.target is None or self.target.size != size:
            if self.target is not None:
                self.target.release()
            self.target = Target(self.context, size)
        self.renderer.draw(self.session.scene, self.target)
        self.gui.draw_background(self.target.texture, self.session.interface.viewport.box)

    def place(self, name):
        left, top, right, bottom = self.marks[name]
        return (left + right) / 2, (top + bottom) / 2

    def move(self, x, y):
        self.gui.add(MouseMove(x, y))
        self.frames()

    def press(self, x, y, button=0):
        self.move(x, y)
        self.gui.add(MouseButton(button, True))
        self.frames()

    def release(self, button=0):
        self.gui.add(MouseButton(button, False))
        self.frames(2)

    def click(self, name, button=0):
        self.press(*self.place(name), button)
        self.release(button)

    def drag(self, start, end, button=0):
        self.press(*start, button)
        self.move(*end)
        self.release(button)

    def key(self, *names):
        for name in names:
            self.gui.add(Key(name, True))
        self.frames()
        for name in reversed(names):
            self.gui.add(Key(name, False))
        self.frames(2)

    def type(self, text):
        self.gui.add(Text(text))
        self.frames(2)

    def picture(self, *, scene=False):
        """[H, W, 3] of the panels, over the scene or the background; draws a frame."""
        self.frames(scene=scene, seen=True)
        data = self.framebuffer.read(alignment=1)
        return np.frombuffer(data, np.uint8).reshape(*self.size[::-1], 3)[::-1]

    def close(self):
        if self.target is not None:
            self.target.release()
        self.renderer.release()
        self.gui.release()
        self.before.use()
        for framebuffer in (self.framebuffer, self._unseen):
            for attachment in framebuffer.color_attachments:
                attachment.release()
            framebuffer.release()


BACKGROUND = [48, 51, 54]  # of `PanelDriver.framebuffer`


def drawn(picture):
    """[H, W] mask of the pixels that a panel has drawn."""
    return (np.abs(picture.astype(int) - BACKGROUND) > 2).any(axis=-1)
