"""A picture of light from all around, read from a file: prepared once, then kept.

The picture is a whole sphere, twice as wide as high, as Radiance .hdr or OpenEXR.
"""

import hashlib
import os
import tempfile
from pathlib import Path

import numpy as np

from .. import settings
from ..animation.types import F32
from ..errors import AppError, GltfError, UnsupportedError
from . import environment
from .environment import Environment

ENDINGS = (".hdr", ".exr")
LARGEST = 1 << 26  # pixels of a picture: 8192 x 4096 twice over
BRIGHTEST = 6e4  # what a half float holds
_HEIGHT = 256  # rows that are enough for the sharpest level
_KIND = "1"  # of what is kept; another number: it is made again


def read(path: Path) -> F32:
    """Return the light [H, W, 3] of a file, linear: top row +Y, the middle column +X.

    Light that is negative or no number counts as none.

    Raises
    ------
    UnsupportedError
        It is neither kind of file, what reads them is not installed, or it is too large.
    GltfError
        It cannot be read, or it is not a picture of a whole sphere.
    """
    if path.suffix.lower() not in ENDINGS:
        raise UnsupportedError(
            "light from all around comes as .hdr or .exr, not "
            + (repr(path.suffix) if path.suffix else "without an ending"),
            file=str(path),
        )
    try:
        import av
    except ImportError:
        raise UnsupportedError(
            "this needs PyAV", file=str(path), hint="install 'rigview[video]'"
        ) from None
    try:
        with av.open(str(path), format=f"{path.suffix[1:].lower()}_pipe") as container:
            stream = container.streams.video[0]
            _check(path, stream.width, stream.height)
            frame = next(container.decode(stream))
            _check(path, frame.width, frame.height)
            light = frame.reformat(format="gbrpf32le").to_ndarray()
    except FileNotFoundError:
        raise GltfError("there is no such file", file=str(path)) from None
    except (OSError, ValueError, IndexError, StopIteration, av.error.FFmpegError) as error:
        words = getattr(error, "strerror", None) or str(error) or "no picture in it"
        raise GltfError(f"cannot be read as a picture ({words})", file=str(path)) from None
    found = np.nan_to_num(light.astype(np.float32), nan=0.0, posinf=BRIGHTEST, neginf=0.0)
    return np.clip(found, 0.0, BRIGHTEST)


def prepared(path: Path, turn: float = 0.0) -> Environment | None:
    """Return what was made of a file before; None: nothing yet.

    Parameters
    ----------
    path
        The file.
    turn
        Degrees about +Y, from +X towards -Z.
    """
    try:
        return environment.load(_kept(path, turn))
    except (OSError, ValueError, KeyError, EOFError, AppError):
        return None


def prepare(path: Path, light: F32, turn: float = 0.0) -> Environment:
    """Make the light that was read from a file ready for drawing; keep that for the next time."""
    step = max(light.shape[0] // _HEIGHT, 1)
    rows, columns = (side // step * step for side in light.shape[:2])
    blocks = light[:rows, :columns].reshape(rows // step, step, columns // step, step, 3)
    made = environment.prefilter(turned(blocks.mean(axis=(1, 3)), turn))
    _keep(made, _kept(path, turn))
    return made


def turned(light: F32, turn: float) -> F32:
    """Return the picture [H, W, 3] turned about +Y by degrees, from +X towards -Z."""
    width = light.shape[1]
    at = (np.arange(width) + turn / 360.0 * width) % width
    left = np.floor(at).astype(int)
    part = (at - left).astype(np.float32)[:, None]
    return light[:, left % width] * (1 - part) + light[:, (left + 1) % width] * part


def _check(path: Path, width: int, height: int) -> None:
    if width * height == 0:
        raise GltfError("cannot be read as a picture (there is none in it)", file=str(path))
    if width * height > LARGEST:
        raise UnsupportedError(
            f"{width} x {height} pixels are too many (at most {LARGEST})", file=str(path)
        )
    if height < 2 or abs(width / height - 2.0) > 0.02:
        raise GltfError(
            f"{width} x {height} pixels: a picture of the whole sphere is twice as wide as high",
            file=str(path),
        )


def _kept(path: Path, turn: float) -> Path:
    """Return where what was made of a file lies; the name tells its content."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise GltfError(error.strerror or "cannot be read", file=str(path)) from None
    digest = hashlib.sha256(f"{_KIND} {turn % 360.0:.3f} ".encode() + content).hexdigest()
    return settings.cache_folder() / "environments" / f"{digest[:40]}.npz"


def _keep(made: Environment, path: Path) -> None:
    """Write it aside, then in its place; where that fails it is made again next time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(suffix=".npz", dir=path.parent)
        os.close(handle)
        environment.save(made, Path(draft))
        Path(draft).replace(path)
    except OSError:
        return
