"""Screenshots of the scene, saved in the user's pictures folder."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from ..file_io import write_file
from ..rendering.render_target import Target
from ..resources import pictures_folder
from .session import Session


@contextmanager
def without_panels(session: Session) -> Iterator[bool]:
    """Centre the halves of a split view in the whole picture; yield whether it is drawn again."""
    versions = session.comparison.versions
    if versions is None or versions.mode != "side-by-side":
        yield False
        return
    between, versions.free = versions.free, (0.0, 1.0)
    try:
        yield True
    finally:
        versions.free = between


def save_picture(session: Session, target: Target) -> Path:
    """Save the scene as it was drawn, without panels, in the user's pictures folder.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    from ..images.png import as_png
    from ..rendering.joint_labels import draw_joint_names, draw_swatches  # loads Pillow

    pixels = target.read()
    if session.scene.look.overlays.joint_names:
        pixels = draw_joint_names(pixels, session.scene)
    pixels = draw_swatches(pixels, session.scene)
    stem = picture_stem(session)
    path = next(path for path in _numbered(pictures_folder(), stem) if not os.path.exists(path))
    write_file(path, as_png(pixels), make_folder=True)
    return path


def picture_stem(session: Session, when: str = "") -> str:
    """Return a file name without suffix: character, clip and time, or the text `when`."""
    character = session.transport.playable
    parts = ["rigview" if session.path is None else session.path.stem]
    if character is not None:
        parts += [character.mixer.name, when or f"{session.transport.time:.2f}s"]
    return file_stem(parts)


def file_stem(parts: Sequence[str]) -> str:
    """Return a file name without suffix, of parts joined by hyphens."""
    return re.sub(r"[^\w.-]+", "_", "-".join(parts)).strip("._")[:100]


def _numbered(folder: Path, stem: str) -> Iterator[Path]:
    yield folder / f"{stem}.png"
    for number in count(2):
        yield folder / f"{stem}-{number}.png"
