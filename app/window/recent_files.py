"""The pictures of recent files: shown by the start card, and kept of the open files."""

from pathlib import Path

from ..render.render_target import Target
from ..resources import is_bundled
from ..session.background_call import BackgroundCall
from ..session.recent_pictures import forget_others, keep_picture, read_picture
from ..session.session import Session
from .imgui_backend import Gui

AFTER = 1.5  # seconds for which a file was open before its picture is kept


class RecentPictures:
    """Reads the pictures of recent files when the start card needs them, and keeps new ones."""

    def __init__(self, gui: Gui) -> None:
        self._gui = gui
        self._read = False
        self._keeping: BackgroundCall[None] | None = None
        self._pictured: object = None  # the stamps of the files whose picture was kept

    def show(self, session: Session) -> None:
        """Read the pictures once, for the start card."""
        if self._read:
            return
        self._read = True
        files = session.settings.recent
        forget_others(map(Path, files))
        for text in files:
            pixels = read_picture(Path(text))
            if pixels is not None:
                session.interface.start.pictures[text] = self._gui.add_picture(pixels)

    def keep(self, session: Session, target: Target | None) -> None:
        """Keep a picture of the active file, once after it was opened."""
        if self._keeping is not None and self._keeping.done:
            self._keeping.result()
            self._keeping = None
        active = session.active
        if active is None or active.path is None or target is None or is_bundled(active.path):
            return
        stamps = active.stamps
        if stamps is self._pictured or session.tau < active.check.since + AFTER:
            return
        self._pictured = stamps
        path, pixels = active.path, target.read()
        self._keeping = BackgroundCall(lambda: keep_picture(path, pixels))
