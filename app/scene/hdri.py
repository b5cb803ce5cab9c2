"""Environment maps from files: read, prefiltered once and cached.

A map is an equirectangular picture of the whole sphere, as Radiance .hdr or OpenEXR.
"""

import hashlib
import io
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

from .. import resources
from ..animation.types import F16, F32, U8
from ..errors import AppError, GltfError, OutputError, UnsupportedError
from ..file_io import HEAD, NotAFileError, read_file, temporary_file
from ..images.exr import frame_light
from . import environment
from .environment import Environment
from .environment_background import blurred

_SIZE = re.compile(rb"-Y (\d{1,9}) \+X (\d{1,9})")
_HEADER = HEAD - 100  # bytes: longer headers are refused
_WIDTHS = range(8, 32768)  # of scanlines with the newer encoding
_LITERAL = 128  # greatest count of unequal bytes; above it, of equal ones


class RadianceFile:
    """A Radiance .hdr picture (RGBE), read by scanlines so that large ones need little memory.

    Sources: Ward, "Real Pixels", Graphics Gems II (1991); the file format of Radiance, with both of
    its run-length encodings: https://radsite.lbl.gov/radiance/refer/filefmts.pdf

    Parameters
    ----------
    data
        The bytes of a file.

    Raises
    ------
    ValueError
        It is not a Radiance picture with rows from top to bottom.
    """

    def __init__(self, data: bytes) -> None:
        head, _, _ = data[:_HEADER].partition(b"\n\n")
        start = len(head) + 2
        end = data.find(b"\n", start, start + 100)
        size = _SIZE.fullmatch(data[start : max(end, start)].strip())
        if not data.startswith((b"#?RADIANCE", b"#?RGBE")) or size is None:
            raise ValueError("not a Radiance picture with rows from top to bottom")
        if b"FORMAT=32-bit_rle_xyze" in head:
            raise ValueError("XYZ colours are not supported")
        self.height, self.width = int(size[1]), int(size[2])
        self._data = data
        self._at = end + 1

    def chunks(self, rows: int) -> Iterator[F32]:
        """Yield the rows from the top, some at a time [n, W, 3], linear.

        Raises
        ------
        ValueError
            The file is damaged.
        """
        self._position = self._at
        for top in range(0, self.height, rows):
            count = min(rows, self.height - top)
            yield _light(np.stack([self._scanline() for _ in range(count)]))

    def _scanline(self) -> U8:
        """Return the next row [W, 4]: three mantissas and an exponent."""
        start = self._data[self._position : self._position + 4]
        if len(start) < 4:
            raise ValueError("it is truncated")
        if self.width in _WIDTHS and start == bytes((2, 2, self.width >> 8, self.width & 255)):
            self._position += 4
            return self._new_scanline()
        return self._old_scanline()

    def _new_scanline(self) -> U8:
        """Read a row whose components are stored one after the other, each in runs."""
        data, at, size = self._data, self._position, 4 * self.width
        row = bytearray()
        while len(row) < size:
            room = self.width - len(row) % self.width  # runs end with the component
            try:
                count = data[at]
                equal = count > _LITERAL
                count -= _LITERAL if equal else 0
                part = data[at + 1 : at + 2] * count if equal else data[at + 1 : at + 1 + count]
            except IndexError:
                raise ValueError("it is truncated") from None
            if not 0 < count <= room:
                raise ValueError("a run is longer than its row")
            if len(part) < count:
                raise ValueError("it is truncated")
            row += part
            at += 2 if equal else 1 + count
        self._position = at
        return np.frombuffer(row, np.uint8).reshape(4, self.width).T

    def _old_scanline(self) -> U8:
        """Read a row of whole pixels; (1, 1, 1, n) repeats the last one n times."""
        data, at = self._data, self._position
        pixels = np.frombuffer(data, np.uint8, min(self.width, (len(data) - at) // 4) * 4, at)
        pixels = pixels.reshape(-1, 4)
        if len(pixels) == self.width and not (pixels[:, :3] == 1).all(axis=1).any():
            self._position = at + 4 * self.width
            return pixels
        return self._repeated_pixels()

    def _repeated_pixels(self) -> U8:
        data, at, size = self._data, self._position, 4 * self.width
        row, shift = bytearray(), 0
        while len(row) < size:
            pixel = data[at : at + 4]
            at += 4
            if len(pixel) < 4:
                raise ValueError("it is truncated")
            if pixel[:3] != b"\1\1\1":
                row += pixel
                shift = 0
                continue
            count = pixel[3] << shift
            if not row or shift > 16 or len(row) + 4 * count > size:
                raise ValueError("a run is longer than its row")
            row += row[-4:] * count
            shift += 8
        self._position = at
        return np.frombuffer(row, np.uint8).reshape(self.width, 4)


def _light(rgbe: U8) -> F32:
    """Return linear light [..., 3] of mantissas and exponents [..., 4]."""
    exponent = rgbe[..., 3].astype(np.int32)
    scale: F32 = np.where(exponent > 0, np.ldexp(np.float32(1), exponent - 136), np.float32(0))
    return rgbe[..., :3].astype(np.float32) * scale[..., None]


ENDINGS = (".hdr", ".exr")
LARGEST = 1 << 26  # pixels: twice 8192 x 4096
MAX_BYTES = 1 << 30  # of a file
BRIGHTEST = 6e4  # near the largest half float
_EXR = b"v/1\x01"
_CHUNK = 4  # rows that are averaged at a time
_HEIGHT = 512  # rows before prefiltering, enough for the sharpest level
_BACKGROUND_HEIGHT = 1366  # of a background: 2048, 4096 or 8192 rows become 2048 or 1638
_CACHE_VERSION = "4"  # change it to invalidate cached files


def read(path: Path, height: int = _HEIGHT) -> F32:
    """Return the pixels [H, W, 3] of an environment map, linear: +Y at the top, +X in the middle.

    Negative values and NaN become 0. Pixels of large maps are averaged, to at least `height` rows
    and less than twice as many.

    Raises
    ------
    UnsupportedError
        The format is not supported, PyAV is not installed (for .exr), or the picture is too large.
    GltfError
        The file cannot be read, or it is not twice as wide as high.
    """
    data = _content(path)
    try:
        return (_read_radiance if _ending(path) == ".hdr" else _read_exr)(path, data, height)
    except ValueError as error:
        raise _not_a_picture(path, str(error)) from None


def _ending(path: Path) -> str:
    """Return the extension of a map; raises UnsupportedError if it is another one."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise UnsupportedError(
            "environment maps are .hdr or .exr files, not "
            + (repr(path.suffix) if path.suffix else "files without an extension"),
            file=str(path),
        )
    return ending


def _content(path: Path) -> bytes:
    """Return the bytes of a map, if it begins like one; errors are those of `read`."""
    check = _open_radiance if _ending(path) == ".hdr" else _check_exr
    try:
        return read_file(path, MAX_BYTES, check=lambda head, _: check(path, head))
    except FileNotFoundError:
        raise GltfError("there is no such file", file=str(path)) from None
    except NotAFileError:
        raise GltfError("it is not a file", file=str(path)) from None
    except (OSError, ValueError) as error:
        raise _not_a_picture(path, getattr(error, "strerror", None) or str(error)) from None


def _not_a_picture(path: Path, reason: str) -> GltfError:
    reason = reason or "it contains no picture"
    return GltfError(f"cannot be read as a picture ({reason})", file=str(path))


def _open_radiance(path: Path, data: bytes) -> RadianceFile:
    """Return a file, of which the head is enough, with a permitted size."""
    picture = RadianceFile(data)
    _check(path, picture.width, picture.height)
    return picture


def _check_exr(_path: Path, head: bytes) -> None:
    if not head.startswith(_EXR):
        raise ValueError("not an OpenEXR picture")


def _read_radiance(path: Path, data: bytes, height: int) -> F32:
    picture = _open_radiance(path, data)
    step = max(picture.height // height, 1)  # rows that become one
    rows = picture.height // step * step
    chunks = [_averaged(chunk, step) for chunk in picture.chunks(step * _CHUNK)]
    return np.concatenate([chunk for chunk in chunks if len(chunk)])[: rows // step]


def _read_exr(path: Path, data: bytes, height: int) -> F32:
    try:
        import av
    except ImportError:
        raise UnsupportedError(
            "this needs PyAV", file=str(path), hint="install 'rigview[video]'"
        ) from None
    try:
        with av.open(io.BytesIO(data), "r", format="exr_pipe") as container:
            stream = container.streams.video[0]
            _check(path, stream.width, stream.height)
            frame = next(container.decode(stream))
            _check(path, frame.width, frame.height)
            light = np.broadcast_to(frame_light(frame)[..., :3], (frame.height, frame.width, 3))
    except (IndexError, StopIteration, av.error.FFmpegError) as error:
        raise ValueError(getattr(error, "strerror", None) or str(error)) from None
    step = max(len(light) // height, 1)
    return np.concatenate(
        [
            _averaged(light[top : top + step * _CHUNK], step)
            for top in range(0, len(light) // step * step, step * _CHUNK)
        ]
    )


def _averaged(light: F32, step: int) -> F32:
    """Return rows [n, W, 3] averaged over squares of `step` pixels, between 0 and `BRIGHTEST`."""
    rows, columns = (side // step * step for side in light.shape[:2])
    cleaned = np.nan_to_num(light[:rows, :columns], nan=0.0, posinf=BRIGHTEST, neginf=0.0)
    blocks = np.clip(cleaned, 0.0, BRIGHTEST).reshape(rows // step, step, -1, step, 3)
    averaged: F32 = blocks.mean(axis=(1, 3))
    return averaged


def load_cached(path: Path, turn: float = 0.0) -> Environment | None:
    """Return the cached environment of a file, None if it is not cached.

    Parameters
    ----------
    path
        The environment map.
    turn
        Rotation about +Y, degrees, from +X towards -Z.
    """
    try:
        cached = environment.load(_cache_path(path, turn))
    except (OSError, ValueError, AppError):
        return None
    return cached if cached.levels.shape[1] == environment.SHARP_SIDE else None


def prefilter_and_cache(
    path: Path, light: F32, turn: float = 0.0
) -> tuple[Environment, OutputError | None]:
    """Return the prefiltered environment of the pixels of `read`, rotated by `turn`; cache it.

    The error is that of the cache file, None if it was written; it can be computed again.
    """
    made = environment.prefilter(rotated(light, turn), environment.SHARP_SIDE)
    return made, _write_cache(made, _cache_path(path, turn))


def background(path: Path, blur: float) -> F16:
    """Return the map [H, W, 3] of a file as a background, blurred; the last one is kept.

    Parameters are those of `environment_background.blurred`, errors those of `read`.
    """
    try:
        state = path.stat()
    except OSError:
        state = None  # `read` says why
    version = None if state is None else (state.st_mtime_ns, state.st_size)
    return _background(path, version, blur)


@lru_cache(maxsize=1)
def _background(path: Path, version: tuple[int, int] | None, blur: float) -> F16:
    return blurred(_map(path, version), blur)


@lru_cache(maxsize=1)
def _map(path: Path, _version: tuple[int, int] | None) -> F16:
    return read(path, _BACKGROUND_HEIGHT).astype(np.float16)


def rotated(light: F32, turn: float) -> F32:
    """Return a map [H, W, 3] rotated about +Y by `turn` degrees, from +X towards -Z."""
    width = light.shape[1]
    at = (np.arange(width) + turn / 360.0 * width) % width
    left = np.floor(at).astype(int)
    part = (at - left).astype(np.float32)[:, None]
    return light[:, left % width] * (1 - part) + light[:, (left + 1) % width] * part


def _check(path: Path, width: int, height: int) -> None:
    if width * height == 0:
        raise GltfError("cannot be read as a picture (it is empty)", file=str(path))
    if width * height > LARGEST:
        raise UnsupportedError(
            f"{width} x {height} pixels are too many (at most {LARGEST})", file=str(path)
        )
    if height < 2 or abs(width / height - 2.0) > 0.02:
        raise GltfError(
            f"{width} x {height} pixels: an environment map must be twice as wide as high",
            file=str(path),
        )


def _cache_path(path: Path, turn: float) -> Path:
    """Return the cache file of a map; its name is a hash of the content and rotation."""
    digest = hashlib.sha256(f"{_CACHE_VERSION} {turn % 360.0:.3f} ".encode())
    digest.update(_content(path))
    return resources.cache_folder() / "environments" / f"{digest.hexdigest()[:40]}.npz"


def _write_cache(made: Environment, path: Path) -> OutputError | None:
    """Write a cache file; return the error if that fails."""
    try:
        with temporary_file(path, make_folder=True) as draft:
            environment.save(made, draft)
    except OutputError as error:
        return error
    return None
