"""Textures of the small pictures that panels show: thumbnails of files, and textures of materials.

They are made in the background; panels show them once they are there.
"""

from ..animation.types import U8
from ..batch.jobs import Job, Shows
from ..model.model import Image
from ..rendering.textures.texture import halved
from ..session.file_wall import FilePictures, draw_pictures
from ..session.session import Session
from ..tasks.thumbnail_cache import cached_thumbnail
from ..ui.material_rows import TexturePictures
from .imgui_backend import Gui

LONGEST, MOST = 512, 64  # pixels of the picture of a texture; pictures that are kept
FILES = 400  # thumbnails of files that are kept
READING = "read thumbnails"  # key of the job


class Thumbnails:
    """Makes the textures that panels want."""

    def __init__(self, gui: Gui) -> None:
        self._gui = gui

    def show(self, session: Session) -> None:
        """Make the textures that panels want."""
        self._show_files(session)
        pictures = session.interface.of(TexturePictures)
        wanted, pictures.wanted = pictures.wanted, []
        for image in wanted:
            self._make(session, pictures, image)

    def _show_files(self, session: Session) -> None:
        """Read the thumbnails in sight; those that are not in the cache are drawn."""
        pictures = session.interface.of(FilePictures)
        wanted, pictures.wanted = pictures.wanted, []
        if wanted and len(pictures.made) > FILES:
            for number in pictures.made.values():
                self._gui.drop_picture(number)
            pictures.made.clear()
        keys = {pictures.key(path): path for path in wanted}
        read = [key for key in keys if key not in pictures.absent]

        def finish(job: Job[list[U8 | None]]) -> None:
            for key, pixels in zip(read, job.result(), strict=True):
                if pixels is None:
                    pictures.absent.add(key)
                elif key not in pictures.made:
                    pictures.made[key] = self._gui.add_picture(pixels)

        if read and not session.jobs.is_running(READING):
            session.jobs.start(
                READING,
                lambda _: [cached_thumbnail(key) for key in read],
                finish,
                shows=Shows.PANELS,
            )
        elif keys and not read:
            draw_pictures(session, list(keys.values()))

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


def small(image: Image) -> U8:
    """Return the pixels [H, W, 4] of an image, halved until no side is longer than `LONGEST`."""
    pixels = image.pixels
    while max(pixels.shape[:2]) > LONGEST:
        pixels = halved(pixels)
    return pixels
