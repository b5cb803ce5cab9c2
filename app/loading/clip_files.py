"""Files that can give clips to a character."""

from pathlib import Path

from ..errors import AppError
from ..gltf.document import open_document

MOTION_CAPTURE = ".bvh"


def has_clips(path: Path) -> bool:
    """Return whether a file has animations; False for a file that cannot be read."""
    if path.suffix.lower() == MOTION_CAPTURE:
        return path.is_file()
    return _has(path, "animations")


def has_meshes(path: Path) -> bool:
    """Return whether a file has meshes, rather than motion only."""
    return path.suffix.lower() != MOTION_CAPTURE and _has(path, "meshes")


def _has(path: Path, key: str) -> bool:
    try:
        return bool(open_document(path).rows(key))
    except AppError:
        return False
