"""Files that can give clips to a character."""

from pathlib import Path

from ..errors import AppError
from ..gltf.document import open_document

MOTION_CAPTURE = ".bvh"


def has_clips(path: Path) -> bool:
    """Return whether a file has animations; False for a file that cannot be read."""
    if path.suffix.lower() == MOTION_CAPTURE:
        return path.is_file()
    try:
        return bool(open_document(path).rows("animations"))
    except AppError:
        return False
