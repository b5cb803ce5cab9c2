"""Screenshots of the scene, saved in the user's pictures folder."""

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
    """Save the scene as it was drawn, without panels, in the user's pictures folder.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    from ..images.png import as_png
    from ..render.joint_labels import draw_joint_names  # loads Pillow

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
    """Return a file name without suffix for a picture: character, clip and time."""
    character = transport.playable_character(session)
    parts = ["rigview" if session.path is None else session.path.stem]
    if character is not None:
        single = character.mixer is None
        name = character.model.clips[character.clip].name if single else "motion"
        parts += [name, f"{transport.time(session):.2f}s"]
    return re.sub(r"[^\w.-]+", "_", "-".join(parts)).strip("._")[:100]


def _numbered(folder: Path, stem: str) -> Iterator[Path]:
    yield folder / f"{stem}.png"
    for number in count(2):
        yield folder / f"{stem}-{number}.png"
