"""Images: PNG, JPEG, WebP, AVIF and KTX 2, decoded on first use; one neutral pixel if invalid."""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from ..animation.types import U8
from ..errors import GltfError
from ..model.model import Image
from . import basisu
from .accessor import Accessors
from .document import Document
from .optional_packages import available, install
from .unique_names import unique_names
from .uri import has_scheme, is_data, locate

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

MAX_PIXELS = 8192 * 8192  # of one image: 256 MiB decoded
MAX_TOTAL = 8 * MAX_PIXELS  # of all images of a file
_WHITE = (255, 255, 255, 255)
_AVIF = (b"avif", b"avis", b"mif1")  # brands of AVIF files
_FLAT_NORMAL = (128, 128, 255, 255)  # normal (0, 0, 1) of a normal map


def read_images(
    document: Document, accessors: Accessors, normals: frozenset[int]
) -> tuple[Image, ...]:
    """Return all images, not yet decoded.

    Parameters
    ----------
    document, accessors
        Validated. Missing or invalid images add warnings to the document, some when decoded.
    normals
        Indices of the images that are normal maps.

    Raises
    ------
    GltfError
        An image lies outside the permitted folder, or on the network.
    """
    rows = document.rows("images")
    named_rows = [row if row.get("name") else {"name": _file_name(row)} for row in rows]
    names = unique_names(named_rows, "Image")
    budget = _PixelBudget()
    return tuple(
        _image(
            document, accessors, row, i, names[i], _FLAT_NORMAL if i in normals else _WHITE, budget
        )
        for i, row in enumerate(rows)
    )


def decode_all(images: Iterable[Image]) -> None:
    """Decode images in parallel, so that `Image.pixels` returns immediately afterwards."""
    pending = [image for image in images if not image.decoded]
    if len(pending) < 2:
        for image in pending:
            image.decode()
        return
    with ThreadPoolExecutor(min(len(pending), os.cpu_count() or 1)) as pool:
        list(pool.map(Image.decode, pending))


def decode_ahead(images: Iterable[Image]) -> None:
    """Start decoding images in a background thread."""
    Thread(target=decode_all, args=(tuple(images),), daemon=True).start()


def _file_name(row: dict[str, Any]) -> str:
    uri = row.get("uri")
    return "" if uri is None or is_data(uri) else str(uri)


class _PixelBudget:
    """The remaining number of pixels that the images of a file may have; thread-safe."""

    def __init__(self) -> None:
        self._left = MAX_TOTAL
        self._lock = Lock()

    def reserve(self, pixels: int) -> bool:
        with self._lock:
            if pixels > min(self._left, MAX_PIXELS):
                return False
            self._left -= pixels
            return True


def _image(
    document: Document,
    accessors: Accessors,
    row: dict[str, Any],
    i: int,
    name: str,
    neutral: tuple[int, int, int, int],
    budget: _PixelBudget,
) -> Image:
    uri, view, place = row.get("uri"), row.get("bufferView"), f"/images/{i}"
    missing, nbytes = _check_image(document, accessors, row, place)
    if missing:
        document.warn(place, f"{missing}; the texture is not shown")
        return Image(name, lambda: _neutral(neutral))

    def decode() -> U8:
        try:
            if uri is not None:
                return _decode(document.resource(uri, f"{place}/uri"), budget)
            return _decode(bytes(accessors.view(view or 0)), budget)
        except (GltfError, _BrokenError) as error:
            reason = error.message if isinstance(error, GltfError) else str(error)
            document.warn(place, f"the image cannot be read: {reason}; the texture is not shown")
            return _neutral(neutral)

    return Image(name, decode, nbytes)


def _check_image(
    document: Document, accessors: Accessors, row: dict[str, Any], place: str
) -> tuple[str, int]:
    """Return why an image is missing ("" if it is not), and its encoded size in bytes."""
    uri, view = row.get("uri"), row.get("bufferView")
    if uri is None:
        if view is None:
            return "it has neither a uri nor a buffer view", 0
        return "", len(accessors.view(view))
    if is_data(uri):
        return "", len(uri) * 3 // 4
    if document.folder is None and not has_scheme(uri):
        return f"“{uri[:200]}” cannot be found: the folder of the model is unknown", 0
    path = locate(uri, document.folder, document.root, document.error_at(f"{place}/uri"))
    try:
        return "", path.stat().st_size
    except OSError:
        return f"“{uri[:200]}” not found", 0


def _neutral(pixel: tuple[int, int, int, int]) -> U8:
    return np.array([[pixel]], np.uint8)


class _BrokenError(Exception):
    """The image cannot be decoded."""


def _decode(data: bytes, budget: _PixelBudget) -> U8:
    """Return [H, W, 4] uint8, straight alpha, top row first."""
    try:
        if data.startswith(basisu.MAGIC):
            width, height = basisu.size(data)
            if not budget.reserve(width * height):
                raise _BrokenError(f"{width} × {height} pixels exceed the limit")
            return basisu.decode(data)
        picture = _open(data)
        if not budget.reserve(picture.width * picture.height):
            raise _BrokenError(f"{picture.width} × {picture.height} pixels exceed the limit")
        picture.load()
        if picture.mode.startswith("I;16"):  # Pillow would clip, not scale
            gray = (np.asarray(picture) >> 8).astype(np.uint8)
            return np.dstack((gray, gray, gray, np.full_like(gray, 255)))
        return np.array(picture if picture.mode == "RGBA" else picture.convert("RGBA"))
    except _BrokenError:
        raise
    except Exception as error:  # Pillow's decoders raise exceptions of many types
        raise _BrokenError(str(error)[:200] or type(error).__name__) from None


def _open(data: bytes) -> "Picture":
    """Return the image with the decoder chosen by its first bytes, not by trying all formats."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        from PIL.PngImagePlugin import PngImageFile

        return PngImageFile(BytesIO(data))
    if data.startswith(b"\xff\xd8\xff"):
        from PIL.JpegImagePlugin import JpegImageFile

        return JpegImageFile(BytesIO(data))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        from PIL.WebPImagePlugin import WebPImageFile

        return WebPImageFile(BytesIO(data))
    if data[4:8] == b"ftyp" and data[8:12] in _AVIF:
        if not available("EXT_texture_avif"):
            raise _BrokenError(f"AVIF is not supported here: {install('EXT_texture_avif')}")
        from PIL.AvifImagePlugin import AvifImageFile

        return AvifImageFile(BytesIO(data))
    raise _BrokenError("it is not PNG, JPEG, WebP, AVIF or KTX 2")
