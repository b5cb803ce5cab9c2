"""A picture of what the window shows, in the person's own folder of pictures."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from .. import settings as settings_file
from ..errors import OutputError
from ..render.render_target import Target
from . import transport
from .session import Session


def save_picture(session: Session, target: Target) -> Path:
    """Save the scene as it was drawn, without panels, into the person's folder of pictures.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    from ..images.png import as_png
    from ..render.joint_labels import draw_joint_names  # Pillow: not before it is needed

    pixels = target.read()
    if session.scene.display.joint_names:
        pixels = draw_joint_names(pixels, session.scene)
    stem = picture_stem(session)
    folder = settings_file.pictures_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = next(path for path in _numbered(folder, stem) if not path.exists())
        path.write_bytes(as_png(pixels))
    except OSError as error:
        raise OutputError(error.strerror or str(error), file=str(folder)) from None
    return path


def picture_stem(session: Session) -> str:
    """Return a file's name for a picture of the present moment, without its ending."""
    character = transport.playable_character(session)
    parts = ["rigview" if session.path is None else session.path.stem]
    if character is not None:
        alone = character.mixer is None
        name = character.model.clips[character.clip].name if alone else "motion"
        parts += [name, f"{transport.time(session):.2f}s"]
    return re.sub(r"[^\w.-]+", "_", "-".join(parts)).strip("._")[:100]


def _numbered(folder: Path, stem: str) -> Iterator[Path]:
    yield folder / f"{stem}.png"
    for number in count(2):
        yield folder / f"{stem}-{number}.png"
