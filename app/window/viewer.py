"""The viewer: opens the window, runs its main loop and executes requests of actions."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .. import resources
from ..clock import WallClock, pause
from ..console import print_message
from ..errors import AppError, GltfError, OutputError
from ..loading.file_watcher import Watcher
from ..model.model import Model
from ..motion.read import MotionFile
from ..options.command_options import Options
from ..render.renderer import Renderer
from ..session import character_files, linked_transport, saving, trace
from ..session import settings as settings_file
from ..session.copy_command import copy_command, not_in_command
from ..session.copy_python import as_python, as_test
from ..session.screenshot import save_picture
from ..session.session import Session
from ..session.ui_state import Copy, Request
from ..tasks.input_file import source_path
from .file_dialog import FileDialog
from .scene_view import SceneView
from .window import on_screen, open_window, process_selection_events, shift_held

SIZE = (1280, 800)  # default size of the window, points
IDLE = 1.0  # seconds without input or animation, after which fewer frames are drawn
LATEST = 0.5  # seconds: longest wait of an event that counts
WATCH_INTERVAL = 0.5  # seconds between updates of the watched files
IDLE_WAIT = 0.03  # additional seconds between frames then
_COPIES: dict[Copy, tuple[str, Callable[[Session, tuple[int, int], int], str]]] = {
    "copy command": ("Copied as a command", copy_command),
    "copy python": ("Copied as Python", as_python),
    "copy test": ("Copied as a pytest case", as_test),
}


def view(
    options: Options,
    read_motions: Callable[[], Sequence[MotionFile | None]],
    prepare: Callable[[Session, Sequence[MotionFile | None]], None],
) -> None:
    """Open a window with the files of the options side by side; return when it is closed.

    A file that cannot be read is reported in the window, unless the options are strict.

    Parameters
    ----------
    options
        The options of `view`.
    read_motions
        Returns the motion file of each character, or None.
    prepare
        Sets up the session with the opened files and their motion files.

    Raises
    ------
    ContextError
        There is no display, or no OpenGL 3.3.
    AppError
        A file cannot be read and the options are strict, or the options do not fit the file.
    """
    settings, warning = settings_file.load()
    session = Session(
        WallClock(),
        frame_rate=options.playback.frame_rate,
        root=None if options.general.root is None else Path(options.general.root),
        anims=tuple(map(Path, options.clips.anims)),
        key_rotation=options.playback.key_rotation,
        read_motions=not options.motion.no_motion,
        settings=settings,
    )
    size = options.picture.resolution if "resolution" in options.given else settings.size
    viewer = Viewer(session, size=size or SIZE, samples=options.shading.samples)
    paths = [source_path(each.file) for each in options.per_file]
    try:
        try:
            motions = read_motions()
            viewer.open_first(paths, lambda session: prepare(session, motions), motions)
        except AppError as error:
            if options.window.strict or error.exit_code != GltfError.exit_code:
                raise
            print_message(str(error))
            viewer.open_readable(paths, error)
        if warning:
            session.notify(warning)
        viewer.run()
    finally:
        viewer.release()


class Viewer:
    """The window of a session.

    Parameters
    ----------
    session
        The session to show.
    size
        Width and height, points.
    samples
        Samples a pixel.

    Raises
    ------
    ContextError
        There is no display, or no OpenGL 3.3.
    """

    def __init__(self, session: Session, *, size: tuple[int, int] = SIZE, samples: int = 4) -> None:
        self.session = session
        self.window = open_window(size)
        # importing these needs a display, as opening the window does
        from .imgui_backend import Gui
        from .pyglet_events import Input

        self.context = self.window.ctx
        self._pyglet = self.window._window  # moderngl-window forwards too few events
        self.gui = Gui(
            self.context,
            scale=self._scale(),
            ini=resources.settings_folder() / "imgui.ini",
            mac=sys.platform == "darwin",
        )
        self.gui.use_clipboard(self._pyglet.get_clipboard_text, self._pyglet.set_clipboard_text)
        self._input = Input(self._pyglet, self.gui)
        self._pyglet.push_handlers(on_file_drop=self.dropped, on_close=self.asked_to_close)
        self.view = SceneView(Renderer(self.context), samples)
        self._dialog: FileDialog | None = None
        self._adding = False  # the files chosen in the dialog are added
        self._watcher = Watcher(session.clock)
        self._last_check = 0.0  # session time when the watched files were updated
        self._trace = trace.wanted()
        if self._trace is not None:
            session.interface.widget_boxes = {}
        self._frames = 0
        self._last = self._busy = session.clock.now()
        self._late = 0.0  # seconds that events may have waited
        self._closing = False

    def open_first(
        self,
        paths: Sequence[Path],
        prepare: Callable[[Session], None] | None = None,
        motions: Sequence[MotionFile | None] = (),
    ) -> None:
        """Open files and show the window.

        Raises
        ------
        AppError
            A file cannot be read.
        """
        self._start()
        character_files.open_files(self.session, paths, prepare, motions)
        for path in reversed(paths):
            self.session.settings.remember(path)
        self._show()

    def open_readable(self, paths: Sequence[Path], error: AppError) -> None:
        """Open those files that can be read, show the window and an error in it."""
        self._start()
        character_files.open_readable(self.session, paths, error)
        self._show()

    def _start(self) -> None:
        self.frame()  # without a character: the layout of the panels sets the aspect ratio
        self.session.tick()
        self.session.accept = self._upload

    def _show(self) -> None:
        place = self.session.settings.place
        if place is not None and on_screen(self._pyglet, place):
            self.window.position = place
        self.window.visible = True

    def run(self) -> None:
        """Run the main loop until the window is closed."""
        while not self.window.is_closing and not self._closing:
            begun = self.session.clock.now()
            self.frame()
            self.window.swap_buffers()  # dispatches events, too
            process_selection_events(self._pyglet)
            self._late = min(self.session.clock.now() - begun, LATEST)
            self._run_requests()
            self._poll_dialog()
            self._check_files()
            self._idle()
        self._save_settings()

    def frame(self) -> None:
        """Handle all waiting input, then draw scene and panels into the window's framebuffer."""
        session, window = self.session, self.window
        session.tick()
        begun = session.tau
        ratio = window.buffer_width / max(window.size[0], 1)
        self._pass(ratio)
        while self.gui.waiting and not session.requests:
            self._end_pass(ratio)
            self._pass(ratio)
        target = self.view.draw(session, ratio)
        self.gui.draw_background(target.texture, session.interface.view)
        self.gui.draw_overlay(session)
        window.fbo.clear()
        self.gui.end(window.fbo)
        self._input.show_cursor(self.gui.cursor)
        self.view.handle_clicks(session)
        self._frames += 1
        taken = (session.clock.now() - begun) * 1e3
        interface = session.interface
        interface.frame_ms += (taken - interface.frame_ms) * (0.1 if interface.frame_ms else 1.0)
        if self._trace is not None:
            trace.write(session, self._trace, self._frames)

    def _pass(self, ratio: float) -> None:
        """Handle the next group of input events."""
        session, now = self.session, self.session.clock.now()
        self.gui.begin(self.window.size, ratio, now - self._last, self._late)
        self._last = now
        self.gui.set_look(self._scale(), session.settings.theme)
        self.gui.draw_panels(session)
        session.update()

    def _end_pass(self, ratio: float) -> None:
        """End a pass before more events; a click in the scene is handled at once."""
        interface = self.session.interface
        self.gui.draw_overlay(self.session)
        self.gui.skip()
        if interface.pivot is not None or interface.picked is not None:
            self.view.draw(self.session, ratio)
            self.view.handle_clicks(self.session)

    def dropped(self, _x: int, _y: int, paths: list[str]) -> None:
        """Open files dropped on the window; with Shift add them."""
        if paths:
            beside = shift_held(self._pyglet)
            _open_or_add(self.session, *map(Path, paths), beside=beside)

    def asked_to_close(self) -> bool:
        """Quit as by key when the window's close button is clicked; ask about unsaved changes.

        Returns True, which keeps pyglet from closing the window at once.
        """
        self.session.ask("quit")
        return True

    def release(self) -> None:
        """Free all resources and close the window."""
        self._watcher.close()
        if self._dialog is not None:
            self._dialog.close()
        self.view.release()
        self.gui.release()
        self.window.close()

    def _upload(self, model: Model, *, beside: bool) -> None:
        """Upload a model to the GPU before it is shown: if that fails, the old one stays."""
        self.view.renderer.upload(model, keep_others=beside)

    def _run_requests(self) -> None:
        """Execute the requests of actions."""
        do: dict[Request, Callable[[], None]] = {
            "open": lambda: self._ask_file("Open characters"),
            "add": lambda: self._ask_file("Add characters", beside=True),
            "save as": self._ask_name,
            "picture": self._picture,
            "copy command": lambda: self._copy("copy command"),
            "copy python": lambda: self._copy("copy python"),
            "copy test": lambda: self._copy("copy test"),
            "full screen": self._full_screen,
            "quit": self._quit,
        }
        requests, self.session.requests[:] = list(self.session.requests), []
        for request in requests:
            do[request]()

    def _ask_file(self, title: str, *, beside: bool = False) -> None:
        if self._dialog is None:
            self._dialog, self._adding = FileDialog.show(self.session.path, title), beside
        if self._dialog is None:
            self.session.interface.popup = "add" if beside else "open"

    def _ask_name(self) -> None:
        suggested = Path(self.session.interface.motion_path)
        if self._dialog is None:
            self._dialog = FileDialog.show(suggested, "Save the motion file", saving=True)
        if self._dialog is None:
            self.session.interface.popup = "save as"

    def _poll_dialog(self) -> None:
        if self._dialog is None or not self._dialog.ready():
            return
        chosen, saves = self._dialog.result(), self._dialog.saving
        self._dialog = None
        if chosen and saves:
            saving.finish(self.session, chosen[0])
        elif chosen:
            _open_or_add(self.session, *chosen, beside=self._adding)

    def _check_files(self) -> None:
        """Reload characters whose files were written."""
        session = self.session
        if session.tau - self._last_check > WATCH_INTERVAL:
            self._last_check = session.tau
            watched = character_files.watched_files(session)
            self._watcher.watch(watched if session.settings.reload else ())
        if self._watcher.changed():
            character_files.refresh(session)
        problem, self._watcher.failure = self._watcher.failure, ""
        if problem:
            session.notify(f"File changes cannot be watched: {problem}")

    def _picture(self) -> None:
        if self.view.target is None or self.session.path is None:
            return
        try:
            path = save_picture(self.session, self.view.target)
        except OutputError as error:
            self.session.fail(error)
        else:
            self.session.notify(f"Saved {path}")

    def _copy(self, how: Copy) -> None:
        if self.view.target is None:
            return
        for character in self.session.open_characters:
            character.editor.apply_document()
        words, write = _COPIES[how]
        text = write(self.session, self.view.target.size, self.view.samples)
        if not text:
            return
        if not text.replace("\n", "").isprintable():
            self.session.notify("Not copied: a name contains unprintable characters")
            return
        self._pyglet.set_clipboard_text(text)
        left_out = " and ".join(not_in_command(self.session))
        self.session.notify(f"Copied, without {left_out}" if left_out else words)

    def _full_screen(self) -> None:
        self.window.fullscreen = not self.window.fullscreen

    def _quit(self) -> None:
        self.session.ask_to_leave(self._close)

    def _close(self) -> None:
        self._closing = True

    def _idle(self) -> None:
        """Set the title, and draw fewer frames without animation and input."""
        session = self.session
        name = _title(session)
        if name != self.window.title:
            self.window.title = name
        if (
            linked_transport.is_running(session)
            or self.gui.held
            or self.gui.waiting
            or session.interface.notice
        ):
            self._busy = session.tau
        if session.tau - self._busy > IDLE or self._trace is not None:  # its reader needs time too
            pause(IDLE_WAIT)

    def _save_settings(self) -> None:
        settings = self.session.settings
        if not self.window.fullscreen:
            settings.size = self.window.size
            settings.place = self.window.position
        try:
            settings_file.save(settings)
        except OutputError:
            return  # unsaved settings are not worth an error on exit

    def _scale(self) -> float:
        """Return the text scale: the settings' scale times that of the screen's pixel density."""
        ratio = self.window.buffer_width / max(self.window.width, 1)
        screen = max(self._pyglet.dpi / 96.0, 1.0) if ratio <= 1.0 else 1.0
        return self.session.settings.ui_scale * min(screen, 3.0)


def _open_or_add(session: Session, *paths: Path, beside: bool) -> None:
    """Open files, or add them beside the open characters."""
    (character_files.try_add if beside else character_files.try_open)(session, *paths)


def _title(session: Session) -> str:
    """Return the window's title: the active file, and the number of other characters."""
    if session.path is None:
        return "Rigview"
    others = len(session.open_characters) - 1
    more = f" + {others} more" if others else ""
    return f"{'*' if session.dirty else ''}{session.path.name}{more} – Rigview"
