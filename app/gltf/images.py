"""Images: PNG, JPEG, WebP, AVIF and KTX 2, decoded on first use; one neutral pixel if invalid.

Images of equal bytes are decoded once.
"""

import hashlib
import math
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from heapq import heapify, heapreplace
from threading import Condition, Lock, Thread
from typing import Any

import numpy as np

from ..animation.types import U8
from ..errors import GltfError
from ..model.model import Image
from ..wording import binary_size
from .accessor import Accessors
from .document import Document
from .image_decoding import (
    UNKNOWN,
    BrokenImageError,
    decode,
    decoding_bytes,
    image_size,
    mime_type,
    scan_count,
)
from .object_names import unique_names
from .uri import has_scheme, is_data, locate

MAX_PIXELS = 8192 * 8192  # of one image: 256 MiB decoded
MAX_SHOWN = 3 * MAX_PIXELS  # of all images of a file: 1.75 GiB as textures
MAX_DECODED = 64 * MAX_PIXELS  # of all images of a file, in every scan of a JPEG: half a minute
MAX_BYTES = 1 << 29  # of an encoded image: 512 MiB
MAX_ENCODED = 1 << 32  # bytes of the different images of a file: 4 GiB
_SHARE = 4  # of the memory limit: images that are decoded at once
PIXEL_BYTES = 4 + 4 * 4 / 3  # decoded, and as a texture with its mipmaps
_AT_ONCE = 1 << 24  # pixels of four images of 2048 x 2048: decoded before a first frame
_WHITE = (255, 255, 255, 255)
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
    readers = [
        _ImageReader(document, accessors, i, _FLAT_NORMAL if i in normals else _WHITE)
        for i in range(len(rows))
    ]
    different: dict[Hashable, _ImageReader] = {}  # the first image of each content
    contents = _contents(readers)
    for content, reader in zip(contents, readers, strict=True):
        different.setdefault(content, reader)
    budget = _Budget(list(different.values()), document.max_memory)
    images: list[Image] = []
    decoders: dict[Hashable, Callable[[], U8]] = {}
    for name, content in zip(names, contents, strict=True):
        reader = different[content]
        decode = decoders.get(content, partial(reader.decode, budget))
        images.append(Image(name, decode, reader.nbytes, reader.size, content, read=reader.encoded))
        decoders.setdefault(content, images[-1].decode)
    return tuple(images)


def decode_all(images: Iterable[Image]) -> None:
    """Decode images in parallel, so that `Image.pixels` returns immediately afterwards."""
    pending = [image for image in images if not image.decoded]
    if len(pending) < 2:
        for image in pending:
            image.decode()
        return
    from concurrent.futures import ThreadPoolExecutor  # imported late: many files have one image

    with ThreadPoolExecutor(min(len(pending), os.cpu_count() or 1)) as pool:
        list(pool.map(Image.decode, pending))


def decode_ahead(images: Iterable[Image]) -> None:
    """Start decoding images in a background thread."""
    Thread(target=decode_all, args=(tuple(images),), daemon=True).start()


def shown_at_once(images: Iterable[Image]) -> list[Image]:
    """Return the images to decode before a first frame: of the smallest, a number of pixels."""
    chosen, pixels = [], 0
    for image in sorted(images, key=lambda image: math.prod(image.size)):
        pixels += math.prod(image.size)
        if pixels > _AT_ONCE:
            break
        chosen.append(image)
    return chosen


def _file_name(row: dict[str, Any]) -> str:
    uri = row.get("uri")
    return "" if uri is None or is_data(uri) else str(uri)


def _contents(readers: Sequence["_ImageReader"]) -> list[Hashable]:
    """Return a value for each image that is equal if their bytes and neutral pixels are.

    The bytes are compared by a digest, and only of images of the same length. Images beyond
    `MAX_ENCODED` are refused.
    """
    places = {reader.place: reader for reader in readers}
    times = Counter(reader.nbytes for reader in places.values())
    total = 0
    digests: dict[Hashable, Hashable] = {}
    for place, reader in places.items():
        total += reader.nbytes
        if total > MAX_ENCODED:
            reader.refuse(f"the images of the file have more than {binary_size(MAX_ENCODED)}")
        digests[place] = reader.digest() if times[reader.nbytes] > 1 else place
    return [(digests[reader.place], reader.neutral) for reader in readers]


class _ImageReader:
    """Reads the header and the pixels of one image; if that fails, the document gets a warning."""

    def __init__(
        self, document: Document, accessors: Accessors, index: int, neutral: tuple[int, ...]
    ) -> None:
        self.neutral = neutral
        self._pointer = f"/images/{index}"
        self._document = document
        self._accessors = accessors
        self._row = document.rows("images")[index]
        self._size: tuple[int, int] | None = None
        self._scans = 1
        self._broken = False
        missing, self.nbytes, self.place = _check_image(
            document, accessors, self._row, self._pointer
        )
        if missing:
            self.refuse(missing)

    def size(self) -> tuple[int, int]:
        """Return width and height by the header; 1 and 1 if the image cannot be read."""
        if self._size is None and not self._broken:
            try:
                data = self._data()
                self._size = image_size(data)
                self._scans = scan_count(data)
                if math.prod(self._size) > MAX_PIXELS:
                    raise BrokenImageError("{} × {} pixels exceed the limit".format(*self._size))
            except (GltfError, BrokenImageError) as error:
                self._fail(error)
        return (1, 1) if self._broken or self._size is None else self._size

    def work(self) -> int:
        """Return the number of pixels that are decoded, in every scan; 0 if it cannot be read."""
        pixels = math.prod(self.size())
        return 0 if self._broken else pixels * self._scans

    def decode(self, budget: "_Budget") -> U8:
        """Return the pixels [H, W, 4], halved as often as the budget requires."""
        halvings = budget.halvings(self)
        width, height = self.size()
        if not self._broken:
            try:
                data = self._data()
                with budget.decoding(decoding_bytes(data, width * height, halvings)):
                    if halvings:
                        self._warn(
                            f"{width} × {height} pixels are reduced to {width >> halvings} × "
                            f"{height >> halvings}: the textures need more than {budget.most}"
                        )
                    return decode(data, halvings)
            except (GltfError, BrokenImageError) as error:
                self._fail(error)
        return np.array([[self.neutral]], np.uint8)

    def encoded(self) -> bytes:
        """Return the encoded bytes, b"" if it cannot be read."""
        try:
            return b"" if self._broken else self._data()
        except GltfError as error:
            self._fail(error)
            return b""

    def digest(self) -> Hashable:
        """Return a digest of the bytes; of an image that cannot be read, what differs from all."""
        try:
            return hashlib.blake2b(b"" if self._broken else self._data()).digest()
        except GltfError:  # reported when it is decoded
            return self.place

    def refuse(self, reason: str) -> None:
        """Show the neutral pixel instead of the image, with a warning."""
        self._broken = True
        self._warn(f"{reason}; the texture is not shown")

    def _data(self) -> bytes:
        uri = self._row.get("uri")
        if uri is not None:
            return read_image_file(self._document, uri, f"{self._pointer}/uri")
        return bytes(self._accessors.view(self._row.get("bufferView") or 0))

    def _fail(self, error: "GltfError | BrokenImageError") -> None:
        reason = error.message if isinstance(error, GltfError) else str(error)
        self.refuse(f"the image cannot be read: {reason}")

    def _warn(self, message: str) -> None:
        self._document.warn(self._pointer, message)


class _Decoding:
    """The memory of all images that are being decoded, bytes."""

    def __init__(self) -> None:
        self._used = 0
        self._changed = Condition()

    @contextmanager
    def room(self, needed: int, limit: int) -> Iterator[None]:
        """Wait until an image fits into the limit together with the others, or is alone."""
        with self._changed:
            self._changed.wait_for(lambda: not self._used or self._used + needed <= limit)
            self._used += needed
        try:
            yield
        finally:
            with self._changed:
                self._used -= needed
                self._changed.notify_all()


_decoding = _Decoding()


class _Budget:
    """What the different images of a file may take: how often each is halved."""

    def __init__(self, readers: Sequence[_ImageReader], max_memory: int) -> None:
        self._readers = readers
        self._max_memory = max_memory
        self._halvings: dict[_ImageReader, int] | None = None
        self._lock = Lock()

    @property
    def text(self) -> str:
        """The limit, for messages."""
        return f"the memory limit of {binary_size(self._max_memory)}"

    @property
    def most(self) -> str:
        """What all images may take, for messages."""
        by_memory = self._max_memory <= MAX_SHOWN * PIXEL_BYTES
        return self.text if by_memory else f"{MAX_SHOWN} pixels"

    @contextmanager
    def decoding(self, needed: int) -> Iterator[None]:
        """Decode an image; other images of any file wait if all of them need much memory.

        Parameters
        ----------
        needed
            Bytes while it is decoded.

        Raises
        ------
        BrokenImageError
            It alone exceeds the limit.
        """
        if needed > self._max_memory:
            raise BrokenImageError(
                f"decoding it takes {binary_size(needed)}, more than {self.text}"
            )
        with _decoding.room(needed, self._max_memory // _SHARE):
            yield

    def halvings(self, reader: _ImageReader) -> int:
        """Return the number of halvings of an image; the largest images are halved first.

        Before the first, images that would take too long are refused.
        """
        with self._lock:
            if self._halvings is None:
                self._refuse_slow_images()
                sizes = [each.size() for each in self._readers]
                most = min(self._max_memory, round(MAX_SHOWN * PIXEL_BYTES))
                halvings = fitting_halvings(sizes, most)
                self._halvings = dict(zip(self._readers, halvings, strict=True))
            return self._halvings[reader]

    def _refuse_slow_images(self) -> None:
        total = 0
        for reader in self._readers:
            work = reader.work()
            if total + work <= MAX_DECODED:
                total += work
            else:
                reader.refuse(
                    f"its {work} pixels, counted in every scan, exceed the limit of {MAX_DECODED} "
                    "for the images of a file"
                )


def fitting_halvings(sizes: Sequence[tuple[int, int]], max_memory: int) -> list[int]:
    """Return how often images [N] of some widths and heights are halved to fit into memory.

    Parameters
    ----------
    sizes
        Width and height of each image, pixels.
    max_memory
        Bytes for the decoded pixels and for textures with mipmaps.
    """
    halvings = [0] * len(sizes)
    largest = [(-math.prod(size), index) for index, size in enumerate(sizes)]
    heapify(largest)
    pixels = -sum(area for area, _ in largest)
    while largest and pixels * PIXEL_BYTES > max_memory and -largest[0][0] > 1:
        area, index = largest[0]
        halvings[index] += 1
        width, height = (max(1, side >> halvings[index]) for side in sizes[index])
        heapreplace(largest, (-width * height, index))
        pixels += area + width * height
    return halvings


def _check_image(
    document: Document, accessors: Accessors, row: dict[str, Any], pointer: str
) -> tuple[str, int, Hashable]:
    """Return why an image is missing ("" if it is not), its encoded size in bytes, and its place.

    The place is equal for two images of the same buffer view, file or data URI.
    """
    uri, view = row.get("uri"), row.get("bufferView")
    if uri is None:
        if view is None:
            return "it has neither a uri nor a buffer view", 0, pointer
        return _checked_size(len(accessors.view(view)), view)
    if is_data(uri):
        return _checked_size(len(uri) * 3 // 4, uri)
    if document.folder is None and not has_scheme(uri):
        return f"“{uri[:200]}” cannot be found: the folder of the model is unknown", 0, pointer
    path = locate(uri, document.folder, document.root, document.error_at(f"{pointer}/uri"))
    try:
        return _checked_size(path.stat().st_size, path)
    except OSError:
        return f"“{uri[:200]}” not found", 0, pointer


def _checked_size(size: int, place: Hashable) -> tuple[str, int, Hashable]:
    """Return the result of `_check_image` for an image that is there."""
    reason = _too_large(size)
    return (reason, 0, place) if reason else ("", size, place)


def _too_large(size: int) -> str:
    """Return why an encoded image is refused, "" if it is not."""
    limit = f"more than the limit of {binary_size(MAX_BYTES)}"
    return f"it has {binary_size(size)}, {limit}" if size > MAX_BYTES else ""


def read_image_file(document: Document, uri: str, pointer: str) -> bytes:
    """Return the bytes of the image of a URI.

    Raises
    ------
    GltfError
        It cannot be read, is too large, or begins like no image.
    """

    def check(head: bytes, size: int | None) -> None:
        if reason := _too_large(size or 0) or ("" if mime_type(head) else UNKNOWN):
            raise document.error(pointer, reason)

    return document.resource(uri, pointer, check=check)
