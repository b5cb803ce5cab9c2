"""Load a file of any supported format by its extension or first bytes.

glTF, VRM and BVH are read here; what Blender reads is converted by it first.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..conversion.formats import check_format, is_convertible
from ..errors import AppError
from ..gltf.document import MAX_MEMORY, Document, open_document, parse
from ..gltf.document import check_head as check_gltf_head
from ..gltf.read_model import read_model
from ..model.model import Model

if TYPE_CHECKING:
    import pygltflib
MOTION_CAPTURE = ".bvh"


def load(
    source: "str | Path | bytes | pygltflib.GLTF2",
    *,
    root: Path | None = None,
    max_memory: int = MAX_MEMORY,
) -> Model:
    """Return the model of a file; parameters and errors as of `rigview.load`."""
    if isinstance(source, str | Path) and Path(source).suffix.lower() == ".bvh":
        from .bvh import load_bvh  # imported late: seldom used

        return load_bvh(source)
    if isinstance(source, bytes):
        from .bvh import is_bvh, load_bvh

        if is_bvh(source):
            return load_bvh(source)
    with _paused_garbage_collection():
        document = open_file(source, root=None if root is None else Path(root))
        document.max_memory = max_memory
        return read_model(document)


def open_file(
    source: "str | Path | bytes | pygltflib.GLTF2", *, root: Path | None = None
) -> Document:
    """Return the glTF document of a source, which Blender converts if needed; see `load`.

    Its path and its name are those of the file before conversion.
    """
    if not isinstance(source, str | Path):
        return open_document(source, root=root)
    check_format(source)
    if not is_convertible(source):
        return open_document(source, root=root)
    from ..conversion.convert import convert  # imported late: seldom used

    path = Path(source)
    converted = convert(path)
    document = parse(converted.data, str(source), path, root)
    document.links = converted.links
    document.warnings += converted.warnings
    return document


@contextmanager
def _paused_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector: loading creates tens of thousands of objects and frees none.

    Collections took a seventh of the time of loading robot.glb.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def check_head(head: bytes, size: int, name: str) -> None:
    """Raise the error of bytes that are neither glTF nor BVH; see `gltf.document.check_head`."""
    from .bvh import is_bvh

    if not is_bvh(head):
        check_gltf_head(head, size, name)


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
        return bool(open_file(path).rows(key))
    except AppError:
        return False
