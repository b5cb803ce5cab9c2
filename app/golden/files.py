"""Golden files: .png with the renderer and the shot of a picture, .npz; reproducible bytes."""

import io
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ..animation.types import U8
from ..errors import UsageError
from .shot import Shot

Arrays = dict[str, NDArray[Any]]

BROKEN = (  # exceptions of Pillow, numpy and zipfile for invalid files
    OSError,
    ValueError,
    SyntaxError,
    KeyError,
    EOFError,
    RuntimeError,
    OverflowError,
    MemoryError,
    Image.DecompressionBombError,
    zipfile.BadZipFile,
    zlib.error,
)
MAX_BYTES = 1 << 28  # of a golden file, packed and unpacked
MAX_PIXELS = 8192 * 8192
_RENDERER, _SHOT = "renderer", "shot"  # keywords of the PNG text chunks
_FORBIDDEN = frozenset('<>:"/\\|?*')  # in file names of some systems
_LONGEST = 150  # characters of a name
_MIDNIGHT = (1980, 1, 1, 0, 0, 0)  # constant timestamp of the entries of an archive


def checked_name(name: object) -> str:
    """Return the name of a golden file; UsageError if it is not a valid file name."""
    if not isinstance(name, str) or not name:
        raise UsageError(f"invalid name of a golden file: {name!r}")
    if not name.isprintable() or _FORBIDDEN & set(name):
        raise UsageError(
            f"invalid name of a golden file: {name!r}", hint="use a file name without folder"
        )
    if name[0] in ". " or name[-1] in ". " or len(name) > _LONGEST:
        raise UsageError(f"invalid name of a golden file: {name[: _LONGEST + 1]!r}")
    return name


def as_pixels(image: object) -> U8:
    """Return a picture as [H, W, 4]; UsageError if it is not a picture."""
    pixels = np.asarray(image)
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] not in (3, 4):
        raise UsageError(
            f"a picture is a uint8 array of (height, width, 4), not {pixels.dtype} of "
            f"{pixels.shape}"
        )
    if 0 in pixels.shape:
        raise UsageError(f"a picture without pixels: {pixels.shape}")
    if pixels.shape[2] == 3:
        return np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
    return pixels


def as_png(pixels: U8, made_by: str, shot: Shot | None = None) -> bytes:
    """Return a picture [H, W, 4] as PNG, with the name of its renderer and its shot as texts."""
    info, buffer = PngInfo(), io.BytesIO()
    if made_by:
        info.add_text(_RENDERER, made_by)
    if shot is not None:
        info.add_text(_SHOT, shot.as_text(), zip=True)
    Image.fromarray(np.ascontiguousarray(pixels)).save(buffer, "PNG", pnginfo=info, optimize=True)
    return buffer.getvalue()


def check_head(head: bytes, _size: int | None) -> None:
    """Raise ValueError for a golden that begins like none, before the rest is read."""
    if not head.startswith((b"\x89PNG\r\n\x1a\n", b"PK")):
        raise ValueError("neither a PNG picture nor an .npz archive")


def read_png(data: bytes) -> tuple[U8, str]:
    """Return a picture [H, W, 4] and the name of its renderer; raises one of BROKEN if invalid."""
    with Image.open(io.BytesIO(data), formats=["PNG"]) as stored:
        if stored.width * stored.height > MAX_PIXELS:
            raise ValueError(f"{stored.width} x {stored.height} pixels are too many")
        pixels = np.asarray(stored.convert("RGBA"))
        return pixels, str(stored.info.get(_RENDERER, ""))


def read_shot(data: bytes) -> Shot | None:
    """Return the shot of a picture, None without one; raises one of BROKEN if invalid."""
    with Image.open(io.BytesIO(data), formats=["PNG"]) as stored:
        text = stored.info.get(_SHOT)
    return None if text is None else Shot.from_text(str(text))


def as_arrays(pose: Mapping[str, Any]) -> Arrays:
    """Return the arrays of a pose; UsageError unless they contain finite numbers or text."""
    if not isinstance(pose, Mapping):
        raise UsageError(f"a pose is a dict of arrays, not {type(pose).__name__}")
    arrays = {str(key): np.asarray(value) for key, value in pose.items()}
    for key, array in arrays.items():
        checked_name(key)
        if array.dtype.kind not in "biufU":
            raise UsageError(f"{key} of the pose is not an array of numbers or text: {array.dtype}")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise UsageError(f"{key} of the pose has NaN or infinite numbers")
    return arrays


def as_npz(arrays: Arrays) -> bytes:
    """Return arrays as a compressed numpy archive with constant timestamps."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for key, array in sorted(arrays.items()):
            entry = zipfile.ZipInfo(f"{key}.npy", _MIDNIGHT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed = io.BytesIO()
            npy.write_array(packed, array, allow_pickle=False)
            archive.writestr(entry, packed.getvalue())
    return buffer.getvalue()


def read_npz(data: bytes) -> Arrays:
    """Return the arrays of an archive; raises one of BROKEN if invalid."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        raise ValueError("not an .npz archive")
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        if sum(entry.file_size for entry in zipped.infolist()) > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES} bytes unpacked")
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return dict(archive)


def shown(path: Path) -> str:
    """Return a path relative to the working directory if that is short, for messages."""
    try:
        near = os.path.relpath(path)
    except ValueError:  # on another drive
        return str(path)
    return str(path) if near.startswith(os.path.join("..", "..")) else near
