"""A cache of the bundled character, which most tests open, and of its light versions.

Models are read-only by convention, so tests share their arrays and decoded images. Files with
other bytes are read as usual.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rigview.gltf.document import Document, open_document
from rigview.model.model import Model
from rigview.resources import asset_path

Read = Callable[..., tuple[Model, Document]]

_MODELS: dict[bytes, Model | None] = {asset_path("mannequin.glb").read_bytes(): None}


def share_model(data: bytes) -> bytes:
    """Read the model of these bytes once for all tests; return the bytes."""
    _MODELS.setdefault(data, None)
    return data


def read_once(read: Read) -> Read:
    """Return a caching version of `rigview.gltf.load.load_document`, which is `read`."""

    def load_document(source: Any, *, root: Any = None, **limits: Any) -> tuple[Model, Document]:
        data = _content(source)
        if data not in _MODELS:
            return read(source, root=root, **limits)
        model = _MODELS[data] = _MODELS[data] or read(data)[0]
        document = open_document(source, root=root and Path(root))
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
    """Return the bytes of a source if a cached model has this size."""
    sizes = set(map(len, _MODELS))
    if isinstance(source, str | Path):
        try:
            path = Path(source)
            return path.read_bytes() if path.is_file() and path.stat().st_size in sizes else None
        except (OSError, ValueError):  # the loader reports such a name
            return None
    return source if isinstance(source, bytes) and len(source) in sizes else None
