"""Environment maps from files: read, prefiltered once and cached.

A map is an equirectangular picture of the whole sphere, as Radiance .hdr or OpenEXR.
"""

import hashlib
import io
from functools import lru_cache
from pathlib import Path

import numpy as np

from .. import resources
from ..animation.types import F16, F32
from ..errors import AppError, GltfError, OutputError, UnsupportedError
from ..file_io import NotAFileError, read_file, temporary_file
from ..images.exr import frame_light
from . import environment
from .environment import Environment
from .environment_background import blurred
from .radiance import RadianceFile

ENDINGS = (".hdr", ".exr")
LARGEST = 1 << 26  # pixels: twice 8192 x 4096
MAX_BYTES = 1 << 30  # of a file
BRIGHTEST = 6e4  # near the largest half float
_EXR = b"v/1\x01"
_CHUNK = 4  # rows that are averaged at a time
_HEIGHT = 256  # rows before prefiltering, enough for the sharpest level
_BACKGROUND_HEIGHT = 1366  # of a background: 2048, 4096 or 8192 rows become 2048 or 1638
_CACHE_VERSION = "3"  # change it to invalidate cached files


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
    return cached if cached.levels.shape[1] == environment.SIDE else None


def prefilter_and_cache(
    path: Path, light: F32, turn: float = 0.0
) -> tuple[Environment, OutputError | None]:
    """Return the prefiltered environment of the pixels of `read`, rotated by `turn`; cache it.

    The error is that of the cache file, None if it was written; it can be computed again.
    """
    made = environment.prefilter(rotated(light, turn))
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
