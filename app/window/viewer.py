"""The viewer: opens the window, runs its main loop and executes requests of actions."""

import math
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

from .. import resources
from ..batch.jobs import Shows
from ..console import print_message
from ..errors import AppError, ContextError, OutputError
from ..loading.git_revision import revision_of
from ..model.model import Model
from ..rendering.renderer import Renderer
from ..session import character_files, trace
from ..session.clip_import import add_clips, dropped_files
from ..session.copied_text import (
    as_python,
    as_test,
    copy_command,
    copy_range,
    diff_command,
    not_in_command,
)
from ..session.export import background_export
from ..session.export.export_command import export_text
from ..session.file_reading import FILES, FilesJob
from ..session.file_wall import FileWall
from ..session.findings import background_check
from ..session.findings.check_command import check_command
from ..session.session import Session
from ..session.settings import SettingsWriter
from ..session.ui_state import Copy, Request
from ..ui import panels
from .file_changes import FileChanges
from .frame_pacing import FramePacer
from .one_window import Listener
from .scene_view import SceneView
from .window import fetch_events, on_screen, open_window, refresh_rate, set_icons, shift_held

SIZE = (1280, 800)  # default size of the window, points
AT_ONCE = 0.4  # seconds: files that take longer are opened with their progress
PROGRESS = 0.1  # seconds between frames of the progress
LATEST = 0.5  # seconds: longest wait of an event that counts
MEASURING = 4  # passes a frame for new panels, at most


class Viewer:
    """The window of a session.

    Parameters
    ----------
    session
        The session to show.
    size
        Width and height, points.
    samples
        Samples a pixel of the resting scene.
    command
        Runs a command of the program, for exports; see `Command`.

    Raises
    ------
    ContextError
        There is no display, or no OpenGL 3.3.
    """

    def __init__(
        self,
        session: Session,
        *,
        size: tuple[int, int] = SIZE,
        samples: int = 4,
        command: background_export.Command | None = None,
    ) -> None:
        self.session = session
        self.window = open_window(size)
        # importing these needs a display, as opening the window does
        from .imgui_backend import Gui
        from .pyglet_events import Input
        from .thumbnails import Thumbnails

        self.context = self.window.ctx
        self._pyglet = self.window._window  # moderngl-window forwards too few events
        self.gui = Gui(
            self.context,
            scale=self._scale(),
            ini=resources.settings_folder() / "imgui.ini",
            mac=sys.platform == "darwin",
        )
        self.gui.use_clipboard(self._pyglet.get_clipboard_text, self._pyglet.set_clipboard_text)
        self._input = Input(self._pyglet, self.gui.add)
        self._pyglet.push_handlers(on_file_drop=self.dropped, on_close=self.asked_to_close)
        self._pyglet.push_handlers(on_expose=self.exposed, on_resize=self.moved)
        self._pyglet.push_handlers(on_move=self.moved, on_show=self.moved)
        self.view = SceneView(Renderer(self.context, streamed=True), samples)
        session.selections.pick_surface = self.view.renderer.pick
        self._files = FileChanges(session)
        self._thumbnails = Thumbnails(self.gui)
        self._listener = Listener()
        self._settings = SettingsWriter(session.settings, session.notify)
        self._command = command
        for poll in (
            self._files.poll,
            self._poll_listener,
            partial(add_clips.poll, session),
            partial(background_check.poll, session),
            self._poll_view,
        ):
            session.jobs.watch(poll)
        end_with_display(self._pyglet, self._end)
        self._trace = trace.wanted()
        if self._trace is not None:
            session.interface.widget_boxes = {}
        self._frames = self._exposures = 0
        self._pacer = FramePacer(refresh_rate(self._pyglet))
        self._last = session.time.now()
        self._late = 0.0  # seconds that events may have waited
        self._moved = False  # and its place is not yet in the settings
        self._closing = False

    def open_first(
        self,
        paths: Sequence[Path],
        prepare: Callable[[Session], None] | None = None,
        reading: FilesJob | None = None,
    ) -> None:
        """Open files and show the window; if that takes long, first with the progress.

        With `reading` they are being read already.

        Raises
        ------
        AppError
            A file cannot be read.
        """
        self._start()
        session = self.session
        job = reading or session.files.begin(
            session.jobs, paths, character_files.reader(session, paths)
        )
        if not job.wait(AT_ONCE):
            self._show()
            while not job.wait(PROGRESS) and not self._closing:
                session.jobs.poll()
                self._show_frame()
                self._closing = "quit" in session.interface.requests
            if self._closing:
                return
            session.jobs.poll()
            self._show_frame()  # uploading draws no frames
        session.jobs.wait(FILES)
        found = job.result()
        for path in reversed(paths):
            if not revision_of(path):
                session.settings.remember(path)
        self._settings.write()  # a signal may end the program during the upload
        character_files.open_files(session, paths, prepare, found=found)
        self._show()

    def open_readable(self, paths: Sequence[Path], error: AppError) -> None:
        """Open those files that can be read, show the window and an error in it."""
        self._start()
        character_files.open_readable(self.session, paths, error)
        self._show()

    def _start(self) -> None:
        self.session.tick()
        self._pass(self._ratio())  # the layout of the panels sets the aspect ratio
        self._end_pass(self._ratio())
        self.session.files.accept, self.session.files.show = self._upload, self._show_upload

    def _show(self) -> None:
        place = self.session.settings.place
        if place is not None and on_screen(self._pyglet, place):
            self.window.position = place
        self.window.visible = True

    def run(self) -> None:
        """Run the main loop until the window is closed."""
        self.changed()
        has_icons = False
        while not self.closed:
            self.step()
            if not has_icons:  # after the first frame: this imports for 50 ms
                set_icons(self._pyglet)
                has_icons = True

    @property
    def closed(self) -> bool:
        """Whether the window was closed; the main loop ends."""
        return self.window.is_closing or self._closing

    def step(self) -> None:
        """Run the main loop once: draw a frame or wait for events, then handle what they ask."""
        wait = self._wait()
        if wait > 0.0:
            fetch_events(self._pyglet, wait)
        else:
            self._show_frame()
        self.session.tick()
        self._note_input()
        self._run_requests()
        shows = self.session.poll()
        if shows is Shows.SCENE:
            self.changed()
        elif shows is Shows.PANELS:
            self._pacer.change_panels(self.session.tau)
        self._note_place()
        self._settings.poll(self.session.tau)
        title = _title(self.session)
        if title != self.window.title:
            self.window.title = title

    def _wait(self) -> float:
        """Return the seconds to wait for events before the next frame; 0 to draw it now."""
        session = self.session
        walled = session.interface.of(FileWall).shown  # it covers the scene
        self._pacer.move(session.tau, moving=(session.moving and not walled) or self.gui.held)
        most = min(each.poll_seconds for each in (self._files, session.jobs, self.view))
        if not self.window.visible:
            session.update()  # a later frame has not to make up for a long time
            return most
        end = session.interface.notice_end if session.interface.notice else math.inf
        if session.awaited:
            end = session.tau
        if session.files.loading is not None:
            end = self._last + PROGRESS
        return min(self._pacer.wait(session.tau, sharp=self.view.sharp, until=end), most)

    def _poll_listener(self) -> Shows:
        """Open the files that another start of the program hands over."""
        paths = self._listener.files()
        if not paths:
            return Shows.NOTHING
        dropped_files.open_files(self.session, *paths)
        self.window.visible = True
        self._pyglet.activate()
        return Shows.SCENE

    def _poll_view(self) -> Shows:
        """Upload textures."""
        return Shows.SCENE if self.view.renderer.stream_textures() else Shows.NOTHING

    def _show_frame(self) -> None:
        """Draw a frame, show it on the screen and fetch events."""
        begun = self.session.clock.now()
        moving = self.frame()
        self._pyglet.flip()
        if self._trace is not None:
            self._write_trace(self._trace)
        fetch_events(self._pyglet, 0.0)
        now = self.session.clock.now()
        self._late = min(now - begun, LATEST)
        if moving:
            self.view.steps.measure(now - begun, now)

    def _note_input(self) -> None:
        """Plan frames for the waiting events."""
        if not self.gui.waiting:
            return
        session, now = self.session, self.session.tau
        pointing = self.gui.pointing and not session.comparison.at_pointer
        if pointing and session.interface.viewport.dragged:
            self._pacer.orbit(now)
        elif pointing and not self.gui.held:
            self._pacer.point(now)
        else:
            self.changed()

    def changed(self, *_: int) -> None:
        """Plan frames that draw the scene."""
        self._pacer.change(self.session.time.now())

    def moved(self, *_: int) -> None:
        """Note the place and size of the window in the settings, after all waiting events."""
        self._moved = True
        self.changed()

    def exposed(self) -> None:
        """Draw again what another window has covered."""
        self._exposures += 1
        self.changed()

    def frame(self) -> bool:
        """Handle all waiting input, then draw scene and panels into the window's framebuffer.

        Returns whether the scene was drawn while it moves or changes.
        """
        session, window = self.session, self.window
        session.tick()
        self._thumbnails.show(session)
        begun = session.tau
        ratio = self._ratio()
        self._pass(ratio)
        measured = 0
        while not session.interface.requests and (
            self.gui.waiting or (session.interface.unmeasured and measured < MEASURING)
        ):
            self._end_pass(ratio)
            self._pass(ratio)
            measured += 1
        rests = self._pacer.resting(begun)
        redraw = self._pacer.begin(begun, sharp=self.view.sharp)
        target = self.view.draw(session, ratio, full=rests, redraw=redraw)
        self.gui.draw_background(target.texture, session.interface.viewport.box)
        panels.overlay(session)
        window.fbo.clear()
        self.gui.end(window.fbo)
        self._input.show_cursor(self.gui.cursor)
        self.view.handle_clicks(session)
        self._frames += 1
        if redraw:
            taken = (session.time.now() - begun) * 1e3
            interface = session.interface
            share = 0.1 if interface.frame_ms else 1.0
            interface.frame_ms += (taken - interface.frame_ms) * share
        return redraw and not rests

    def _write_trace(self, path: Path) -> None:
        trace.write(
            self.session,
            path,
            self._frames,
            exposures=self._exposures,
            moving=self._pacer.moving,
            idle=self._pacer.settled and self.view.complete and not self.gui.waiting,
        )

    def _ratio(self) -> float:
        """Return the pixels a point."""
        return self.window.buffer_width / max(self.window.width, 1)

    def _pass(self, ratio: float) -> None:
        """Handle the next group of input events."""
        session, now = self.session, self.session.time.now()
        self.gui.begin(self.window.size, ratio, now - self._last, self._late)
        self._last = now
        settings = session.settings
        self.gui.set_look(self._scale(), settings.theme, settings.density)
        session.interface.unmeasured = max(session.interface.unmeasured - 1, 0)
        self.gui.draw_panels(session, in_turns=self._pacer.keeps_panels)
        session.update()

    def _end_pass(self, ratio: float) -> None:
        """End a pass before more events; a click in the scene is handled at once."""
        interface = self.session.interface
        panels.overlay(self.session)
        self.gui.skip()
        if interface.viewport.pivot is not None:
            self.view.draw(self.session, ratio, full=False)
            self.view.handle_clicks(self.session)

    def dropped(self, x: int, y: int, paths: list[str]) -> None:
        """Take files dropped at a place, from the lower left corner; with Shift add them."""
        if paths:
            self.session.tick()
            self.changed()
            place = x, self._pyglet.height - y
            beside = shift_held(self._pyglet)
            dropped_files.take(self.session, tuple(map(Path, paths)), place, beside=beside)

    def asked_to_close(self) -> bool:
        """Quit as by key when the window's close button is clicked; ask about unsaved changes.

        Returns True, which keeps pyglet from closing the window at once.
        """
        self.session.interface.ask("quit")
        return True

    def release(self) -> None:
        """Save the settings, free all resources and close the window."""
        self._end()
        self.view.release()
        self.gui.release()
        self.window.close()

    def _end(self) -> None:
        """Save the settings and end what runs beside the window; this needs no display."""
        self._settings.write()
        self.session.jobs.end()
        self._files.close()
        self._listener.close()

    def _upload(self, model: Model, *, beside: bool) -> None:
        """Upload a model to the GPU before it is shown: if that fails, the old one stays."""
        self.view.renderer.upload(model, keep_others=beside)

    def _show_upload(self) -> None:
        """Draw the progress of an upload over the last picture, and leave all input for later."""
        session, now, ratio = self.session, self.session.time.now(), self._ratio()
        if now - self._last < PROGRESS or not self.window.visible:
            return
        self.gui.begin(self.window.size, ratio, now - self._last, deaf=True)
        self._last = now
        self.gui.draw_panels(session)
        if self.view.target is not None:
            self.gui.draw_background(self.view.target.texture, session.interface.viewport.box)
        self.window.fbo.clear()
        self.gui.end(self.window.fbo)
        self._pyglet.flip()

    def _run_requests(self) -> None:
        """Execute the requests of actions."""
        do: dict[Request, Callable[[], None]] = {
            **{what: partial(self._files.ask, what) for what in dropped_files.TAKES},
            "environment": self._files.ask_environment,
            "save as": self._files.ask_name,
            "picture": self._picture,
            "export": self._export,
            **{how: partial(self._copy, how) for how in get_args(Copy)},
            "full screen": self._full_screen,
            "quit": self._quit,
        }
        requests, self.session.interface.requests[:] = list(self.session.interface.requests), []
        for request in requests:
            do[request]()
            self.changed()

    def _picture(self) -> None:
        if self.session.path is None:
            return
        try:
            path = self.view.save_picture(self.session, self._ratio())
        except OutputError as error:
            self.session.fail(error)
        else:
            self.session.notify(f"Saved {path}")
        self.changed()

    def _export(self) -> None:
        size = self.view.size(self.session, self._ratio())
        background_export.begin(self.session, self._command, size, self.view.samples)

    def _copy(self, how: Copy) -> None:
        size = self.view.size(self.session, self._ratio())
        copy_as(self.session, how, size, self.view.samples, self._pyglet.set_clipboard_text)

    def _full_screen(self) -> None:
        self.window.fullscreen = not self.window.fullscreen

    def _quit(self) -> None:
        self.session.ask_to_leave(self._close, note=background_export.at_quit(self.session))

    def _close(self) -> None:
        self._closing = True

    def _note_place(self) -> None:
        if self._moved and self.window.visible and not self.window.fullscreen:
            self.session.settings.size = self.window.size
            self.session.settings.place = self.window.position
        self._moved = False

    def _scale(self) -> float:
        """Return the text scale: the settings' scale times that of the screen's pixel density."""
        screen = max(self._pyglet.dpi / 96.0, 1.0) if self._ratio() <= 1.0 else 1.0
        return self.session.settings.ui_scale * min(screen, 3.0)


def _title(session: Session) -> str:
    """Return the active file, and the number of other characters."""
    if session.active is None or session.path is None:
        return "Rigview"
    others = len(session.open_characters) - 1
    more = f" + {others} more" if others else ""
    return f"{'*' if session.dirty else ''}{session.active.name}{more} – Rigview"


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


def _as_check(session: Session, _size: tuple[int, int], _samples: int) -> str:
    """Return the `check` command of the active character; "" without one."""
    return "" if session.active is None else check_command(session, session.active)


_COPIES: dict[Copy, tuple[str, Callable[[Session, tuple[int, int], int], str]]] = {
    "copy command": ("Copied as a command", copy_command),
    "copy range": ("Copied as a video command", copy_range),
    "copy export": ("Copied as a command", export_text),
    "copy python": ("Copied as Python", as_python),
    "copy test": ("Copied as a pytest case", as_test),
    "copy check": ("Copied as a check command", _as_check),
    "copy diff": ("Copied as a diff command", diff_command),
}


def copy_as(
    session: Session,
    how: Copy,
    size: tuple[int, int],
    samples: int,
    set_clipboard: Callable[[str], None],
) -> None:
    """Copy the view, `size` pixels with some samples each, and show a notice."""
    for character in session.open_characters:
        character.editor.apply_document()
    words, write = _COPIES[how]
    text = write(session, size, samples)
    if not text:
        return
    if not text.replace("\n", "").isprintable():
        session.notify("Not copied: a name contains unprintable characters")
        return
    set_clipboard(text)
    left_out = "" if how in ("copy check", "copy diff") else " and ".join(not_in_command(session))
    session.notify(f"Copied, without {left_out}" if left_out else words)
