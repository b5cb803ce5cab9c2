"""Environment maps from files: read, prefiltered once and cached.

A map is an equirectangular picture of the whole sphere, as Radiance .hdr or OpenEXR.
"""

import hashlib
import io
from contextlib import suppress
from pathlib import Path

import numpy as np

from .. import resources
from ..animation.types import F32
from ..errors import AppError, GltfError, OutputError, UnsupportedError
from ..file_io import NotAFileError, read_file, temporary_file
from . import environment
from .environment import Environment

ENDINGS = (".hdr", ".exr")
LARGEST = 1 << 26  # pixels: twice 8192 x 4096
MAX_BYTES = 1 << 30  # of a file
BRIGHTEST = 6e4  # near the largest half float
_HEIGHT = 256  # rows before prefiltering, enough for the sharpest level
_CACHE_VERSION = "1"  # change it to invalidate cached files


def read(path: Path) -> F32:
    """Return the pixels [H, W, 3] of an environment map, linear: +Y at the top, +X in the middle.

    Negative values and NaN become 0.

    Raises
    ------
    UnsupportedError
        The format is not supported, PyAV is not installed, or the picture is too large.
    GltfError
        The file cannot be read, or it is not twice as wide as high.
    """
    if path.suffix.lower() not in ENDINGS:
        raise UnsupportedError(
            "environment maps are .hdr or .exr files, not "
            + (repr(path.suffix) if path.suffix else "files without an extension"),
            file=str(path),
        )
    try:
        import av
    except ImportError:
        raise UnsupportedError(
            "this needs PyAV", file=str(path), hint="install 'rigview[video]'"
        ) from None
    try:
        data = io.BytesIO(read_file(path, MAX_BYTES))
        with av.open(data, "r", format=f"{path.suffix[1:].lower()}_pipe") as container:
            stream = container.streams.video[0]
            _check(path, stream.width, stream.height)
            frame = next(container.decode(stream))
            _check(path, frame.width, frame.height)
            light = frame.reformat(format="gbrpf32le").to_ndarray()
    except FileNotFoundError:
        raise GltfError("there is no such file", file=str(path)) from None
    except NotAFileError:
        raise GltfError("it is not a file", file=str(path)) from None
    except (OSError, ValueError, IndexError, StopIteration, av.error.FFmpegError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "it contains no picture"
        raise GltfError(f"cannot be read as a picture ({reason})", file=str(path)) from None
    finite = np.nan_to_num(light.astype(np.float32), nan=0.0, posinf=BRIGHTEST, neginf=0.0)
    return np.clip(finite, 0.0, BRIGHTEST)


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


def prefilter_and_cache(path: Path, light: F32, turn: float = 0.0) -> Environment:
    """Return the prefiltered environment of a file's pixels, rotated by `turn`; cache it."""
    step = max(light.shape[0] // _HEIGHT, 1)
    rows, columns = (side // step * step for side in light.shape[:2])
    blocks = light[:rows, :columns].reshape(rows // step, step, columns // step, step, 3)
    made = environment.prefilter(rotated(blocks.mean(axis=(1, 3)), turn))
    _write_cache(made, _cache_path(path, turn))
    return made


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
    try:
        content = read_file(path, MAX_BYTES)
    except OSError as error:
        raise GltfError(error.strerror or "cannot be read", file=str(path)) from None
    digest = hashlib.sha256(f"{_CACHE_VERSION} {turn % 360.0:.3f} ".encode() + content).hexdigest()
    return resources.cache_folder() / "environments" / f"{digest[:40]}.npz"


def _write_cache(made: Environment, path: Path) -> None:
    """Write a cache file; errors are ignored, as it can be computed again."""
    with suppress(OutputError), temporary_file(path, make_folder=True) as draft:
        environment.save(made, draft)
