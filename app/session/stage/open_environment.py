"""Environment maps among files that are opened."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..session import Session

SUFFIXES = {".hdr", ".exr"}


def open_environments(session: Session, paths: Iterable[Path]) -> list[Path]:
    """Light the scene with the first environment map of some files; return the other files."""
    given = list(paths)
    maps = [path for path in given if path.suffix.lower() in SUFFIXES]
    if maps:
        stage = session.stage
        source = (str(maps[0].absolute()), 0.0)
        stage.set(replace(stage.stage, environment=source), f"Environment {maps[0].name}")
    return [path for path in given if path not in maps]
