"""A cache of the bundled character, which most tests open, and of its light versions.

Models and the JSON of loaded files are read-only by convention, so tests share arrays, decoded
images and JSON. Files with other bytes are read as usual.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rigview.gltf.document import Document
from rigview.model.model import Model
from rigview.resources import asset_path

Read = Callable[..., tuple[Model, Document]]

_FILES: dict[bytes, tuple[Model, Document] | None] = {
    asset_path("mannequin.glb").read_bytes(): None
}


def share_model(data: bytes) -> bytes:
    """Read these bytes once for all tests; return them."""
    _FILES.setdefault(data, None)
    return data


def read_once(read: Read) -> Read:
    """Return a caching version of `rigview.loading.load.load_document`, which is `read`."""

    def load_document(source: Any, *, root: Any = None, **limits: Any) -> tuple[Model, Document]:
        data = _content(source)
        if data is None:
            return read(source, root=root, **limits)
        model, parsed = _FILES[data] = _FILES[data] or read(data)
        path = None if isinstance(source, bytes) else Path(source)
        document = replace(
            parsed,
            name=str(source) if path else parsed.name,
            path=path,
            root=root and Path(root),
            warnings=[*parsed.warnings],
            decoded=parsed.decoded.copy(),
            _buffers=parsed._buffers.copy(),
        )
        shared = replace(
            model,
            name=document.path.stem if document.path else "model",
            path=document.path,
            facts=replace(model.facts, files=tuple(document.files())),
            warnings=document.warnings,
        )
        return shared, document

    return load_document


def _content(source: Any) -> bytes | None:
    """Return the cached bytes that equal those of a source, if any; comparing is fast."""
    sizes = set(map(len, _FILES))
    if isinstance(source, str | Path):
        try:
            path = Path(source)
            data = path.read_bytes() if path.is_file() and path.stat().st_size in sizes else b""
        except (OSError, ValueError):  # the loader reports such a name
            return None
    else:
        data = source if isinstance(source, bytes) else b""
    return next((each for each in _FILES if each == data), None)
