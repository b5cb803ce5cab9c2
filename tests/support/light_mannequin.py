"""The bundled character, which most tests open: a cache of it, and versions that load faster.

Models and the JSON of loaded files are read-only by convention, so tests share arrays, decoded
images and JSON. Files with other bytes are read as usual.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from rigview.gltf.document import Document, open_document
from rigview.gltf.unused_accessors import merge_buffers
from rigview.model.model import Model
from rigview.resources import asset_path
from tests.support.gltf_documents import make_glb

Read = Callable[..., Model]

SIDE = 256  # pixels of a picture; it has more in the file itself
_FILES: dict[bytes, Model | None] = {asset_path("mannequin.glb").read_bytes(): None}


def share_model(data: bytes) -> bytes:
    """Read these bytes once for all tests; return them."""
    _FILES.setdefault(data, None)
    return data


def read_once(read: Read) -> Read:
    """Return a caching version of `rigview.loading.load.load`, which is `read`."""

    @wraps(read)
    def load(source: Any, *, root: Any = None, **limits: Any) -> Model:
        data = _content(source)
        if data is None:
            return read(source, root=root, **limits)
        model = _FILES[data] = _FILES[data] or read(data)
        parsed = model.document
        assert isinstance(parsed, Document)
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
        return replace(
            model,
            name=document.path.stem if document.path else "model",
            path=document.path,
            facts=replace(model.facts, files=tuple(document.files())),
            warnings=document.warnings,
            document=document,
        )

    return load


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


@cache
def light_mannequin(clips: frozenset[str]) -> bytes:
    """A GLB with these clips only, and without the bytes of the others."""
    document = open_document(asset_path("mannequin.glb"))
    made = document.copied_json()
    made["animations"] = [each for each in made["animations"] if each["name"] in clips]
    blob, chunk = merge_buffers(document, made), bytearray()
    pictures = {image["bufferView"] for image in made["images"]}
    for number, view in enumerate(made["bufferViews"]):
        start = view.get("byteOffset", 0)
        data = bytes(blob[start : start + view["byteLength"]])
        if number in pictures:
            data = _smaller(data)
        view["byteOffset"], view["byteLength"] = len(chunk), len(data)
        chunk += data + bytes(-len(data) % 4)
    made["buffers"][0]["byteLength"] = len(chunk)
    return share_model(make_glb(made, chunk))


def _smaller(picture: bytes) -> bytes:
    small = BytesIO()
    Image.open(BytesIO(picture)).resize((SIDE, SIDE)).save(small, "JPEG", quality=95)
    return small.getvalue()
