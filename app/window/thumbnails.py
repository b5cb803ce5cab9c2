"""Small pictures: of the files that were opened last, kept in the cache folder, and of textures.

The start card and the inspector show them.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from ..animation.types import U8
from ..batch.jobs import Job, Shows
from ..errors import OutputError
from ..file_io import read_file, write_file
from ..model.model import Image
from ..rendering.render_target import Target
from ..rendering.textures.texture import halved
from ..resources import cache_folder, is_bundled
from ..session.session import Session
from ..ui.material_rows import TexturePictures
from .imgui_backend import Gui

AFTER = 1.5  # seconds for which a file was open before its picture is kept
SIZE = (240, 180)  # pixels of a picture
LONGEST, MOST = 512, 64  # pixels of the picture of a texture; pictures that are kept
MAX_BYTES = 1 << 20  # of a file


class Thumbnails:
    """Reads the pictures of recent files when the start card needs them, and keeps new ones."""

    def __init__(self, gui: Gui) -> None:
        self._gui = gui
        self._read = False
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

    def show_textures(self, session: Session) -> None:
        """Make the pictures of textures that the inspector wants, in the background."""
        pictures = session.interface.of(TexturePictures)
        wanted, pictures.wanted = pictures.wanted, []
        for image in wanted:
            self._make(session, pictures, image)

    def _make(self, session: Session, pictures: TexturePictures, image: Image) -> None:
        def finish(job: Job[U8]) -> None:
            if len(pictures.made) >= MOST:
                for number, *_ in pictures.made.values():
                    self._gui.drop_picture(number)
                pictures.made.clear()
            pixels = job.result()
            height, width = pixels.shape[:2]
            pictures.made[image] = self._gui.add_picture(pixels), width, height

        key = "texture picture", image
        if not session.jobs.is_running(key):
            session.jobs.start(key, lambda _: small(image), finish, shows=Shows.PANELS)

    def keep(self, session: Session, target: Target | None) -> None:
        """Keep a picture of the active file, once after it was opened."""
        active = session.active
        if active is None or active.path is None or target is None or is_bundled(active.path):
            return
        stamps = active.stamps
        if stamps is self._pictured or session.tau < active.check.since + AFTER:
            return
        self._pictured = stamps
        path, pixels = active.path, target.read()
        session.jobs.start(
            "recent picture",
            lambda _: keep_picture(path, pixels),
            lambda job: job.result(),
            shows=Shows.NOTHING,
        )


def small(image: Image) -> U8:
    """Return the pixels [H, W, 4] of an image, halved until no side is longer than `LONGEST`."""
    pixels = image.pixels
    while max(pixels.shape[:2]) > LONGEST:
        pixels = halved(pixels)
    return pixels


def picture_path(file: Path) -> Path:
    """Return the path of the picture of a file; it may not exist."""
    name = hashlib.sha256(str(file.absolute()).encode("utf-8", "surrogateescape")).hexdigest()
    return _folder() / f"{name[:24]}.png"


def keep_picture(file: Path, pixels: U8) -> None:
    """Keep a picture of a file: the middle of what its view shows.

    A picture that cannot be written is left out.

    Parameters
    ----------
    pixels
        [H, W, 4] of the view, top row first.
    """
    from ..images.thumbnail import as_thumbnail  # loads Pillow

    try:
        write_file(picture_path(file), as_thumbnail(pixels, SIZE), make_folder=True)
    except OutputError:
        return


def read_picture(file: Path) -> U8 | None:
    """Return the picture of a file [H, W, 4], None without one."""
    from ..images.thumbnail import read_thumbnail  # loads Pillow

    try:
        return read_thumbnail(read_file(picture_path(file), MAX_BYTES), SIZE)
    except OSError:
        return None


def forget_others(files: Iterable[Path]) -> None:
    """Delete the pictures of all other files."""
    kept = {picture_path(file) for file in files}
    try:
        for path in list(_folder().glob("*.png")):
            if path not in kept:
                path.unlink(missing_ok=True)
    except OSError:
        return


def _folder() -> Path:
    return cache_folder() / "recent"
