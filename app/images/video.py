"""Video encoding: .mp4 and .webm by PyAV, .gif and .webp by writers of this package.

Pictures are processed one by one, so that the memory does not depend on the length of the video.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..animation.types import U8
from ..errors import OutputError, UsageError

if TYPE_CHECKING:
    from fractions import Fraction

    from av import VideoFrame
    from av.container import OutputContainer
    from av.video.reformatter import VideoReformatter
    from av.video.stream import VideoStream

ENDINGS = (".mp4", ".webm", ".gif", ".webp")
FASTEST = {".mp4": 1000.0, ".webm": 1000.0, ".gif": 50.0, ".webp": 1000.0}  # frames per second
LARGEST = {".mp4": 16384, ".webm": 16384, ".gif": 65535, ".webp": 16383}  # pixels a side
SLOWEST = 0.01  # frames per second
_NTSC = (24, 30, 48, 60, 120)  # divided by 1.001: 23.976, 29.97 …
_BT709 = 1  # code of primaries, transfer function and matrix in ISO/IEC 23091-2
_LIMITED = 1  # limited range: 16 is black, 235 white
_CODECS = {".mp4": "libx264", ".webm": "libvpx-vp9"}
_THREADS = 4  # of x264 on every machine, because its output depends on their number
_OPTIONS = {
    # With its macroblock tree, the output of x264 is not deterministic.
    ".mp4": {"crf": "18", "preset": "medium", "x264-params": "mbtree=0"},
    ".webm": {"crf": "24", "b": "0", "deadline": "good", "cpu-used": "4", "row-mt": "1"},
}


def available(ending: str) -> bool:
    """Return whether videos with a file ending can be written on this system."""
    try:
        require(ending)
    except OutputError:
        return False
    return True


def require(ending: str) -> None:
    """Raise if videos with a file ending cannot be written; called before rendering.

    Raises
    ------
    OutputError
        The encoder is not installed.
    ValueError
        The ending is not one of `ENDINGS`.
    """
    if ending not in ENDINGS:
        raise ValueError(f"{ending!r} is not one of {ENDINGS}")
    if ending == ".gif":
        return
    if ending == ".webp":
        from PIL import features

        if not features.check("webp"):
            raise OutputError("this Pillow cannot write .webp")
        return
    require_encoder(ending, _CODECS[ending], "write .gif or .webp")


def require_encoder(ending: str, codec: str, instead: str) -> None:
    """Raise OutputError if PyAV cannot write files with an ending; `instead` completes the hint."""
    try:
        from av.codec import Codec

        Codec(codec, "w")
    except ImportError:
        raise OutputError(
            f"{ending} needs PyAV, which is not installed",
            hint=f"pip install 'rigview[video]', or {instead}",
        ) from None
    except ValueError:  # av.codec.codec.UnknownCodecError
        raise OutputError(
            f"this build of PyAV has no encoder {codec} for {ending}",
            hint=f"pip install --force-reinstall av, or {instead}",
        ) from None


def check_rate(fps: float) -> None:
    """Raise UsageError for an invalid frame rate."""
    if not SLOWEST <= fps <= 1000.0:
        raise UsageError(f"invalid frame rate {fps:g}: must be from {SLOWEST:g} to 1000")


def encode(pictures: Iterable[U8], path: Path, fps: float, *, loop: bool = True) -> None:
    """Write pictures as a video to `path`, in the format of its ending.

    Parameters
    ----------
    pictures
        [H, W, 4] uint8, sRGB, straight alpha, all of the same size. .webm, .gif and .webp keep the
        alpha (.gif with 1 bit, .webm if the first picture is not opaque); .mp4 is composited over
        black, and padded to even sizes by repeating the last row or column.
    fps
        Frames per second, stored as an exact fraction. Above 50, frames of a .gif are dropped.
    loop
        Whether .gif and .webp repeat.

    Raises
    ------
    UsageError
        The frame rate or the size is not supported.
    OutputError
        The encoder is not installed, or failed.
    OSError
        The disk is full.
    ValueError
        There are no pictures, or their sizes differ.
    """
    ending = path.suffix.lower()
    require(ending)
    check_rate(fps)
    checked = _checked(pictures, LARGEST[ending])
    if ending == ".gif":
        from .gif import write_gif

        write_gif(checked, path, exact_rate(fps), loop=loop)
    elif ending == ".webp":
        from .webp import write_webp

        write_webp(checked, path, exact_rate(fps), loop=loop)
    else:
        _encode(checked, path, exact_rate(fps))


def video_bytes(pictures: Iterable[U8], ending: str, fps: float, *, loop: bool = True) -> bytes:
    """Return pictures as a video; parameters and errors are those of `encode`."""
    import tempfile  # rarely needed

    with tempfile.TemporaryDirectory(prefix="rigview-") as folder:
        path = Path(folder) / f"video{ending}"
        encode(pictures, path, fps, loop=loop)
        return path.read_bytes()


def exact_rate(fps: float) -> "Fraction":
    """Return a frame rate as an exact fraction: 29.97 is 30000 / 1001."""
    from fractions import Fraction

    for whole in _NTSC:
        ntsc = Fraction(whole * 1000, 1001)
        if abs(fps - ntsc) < 0.005:
            return ntsc
    return Fraction(fps).limit_denominator(1001)


def _checked(pictures: Iterable[U8], largest: int) -> Iterator[U8]:
    """Yield the pictures; ValueError if there are none or their sizes differ."""
    shape: tuple[int, ...] = ()
    for picture in pictures:
        shape = shape or picture.shape
        if picture.shape != shape or len(shape) != 3 or shape[2] != 4 or picture.dtype != np.uint8:
            raise ValueError(f"a picture of {picture.dtype} {picture.shape}, not uint8 {shape}")
        if max(shape[:2]) > largest:
            raise UsageError(f"{shape[1]} x {shape[0]} pixels: at most {largest} a side")
        yield picture
    if not shape:
        raise ValueError("a video without pictures")


def _encode(pictures: Iterator[U8], path: Path, rate: "Fraction") -> None:
    import av
    from av.video.reformatter import VideoReformatter

    first = next(pictures)
    ending = path.suffix.lower()
    options = {"flush_packets": "1"}  # reports a full disk at once
    if ending == ".webm":
        options["fflags"] = "bitexact"  # no random numbers: equal videos are equal files
    if ending == ".mp4":
        options["movflags"] = "+faststart"
    try:
        with av.open(str(path), "w", format=ending[1:], options=options) as container:
            transparent = ending == ".webm" and bool((first[..., 3] < 255).any())
            stream = _stream(container, ending, first, rate, alpha=transparent)
            tables = VideoReformatter()  # created once, for speed
            container.mux(stream.encode(_frame(first, stream, 0, tables)))
            for number, picture in enumerate(pictures, 1):
                container.mux(stream.encode(_frame(picture, stream, number, tables)))
            container.mux(stream.encode(None))
    except av.error.FFmpegError as error:
        message = getattr(error, "strerror", None) or str(error)
        raise OutputError(f"the encoder failed: {message}") from None


def _stream(
    container: "OutputContainer", ending: str, first: U8, rate: "Fraction", *, alpha: bool
) -> "VideoStream":
    stream: Any = container.add_stream(_CODECS[ending], rate=rate, options=_OPTIONS[ending])
    height, width = first.shape[:2]
    even = ending == ".mp4"  # 4:2:0 H.264 needs even sizes
    stream.width = width + (width % 2 if even else 0)
    stream.height = height + (height % 2 if even else 0)
    stream.pix_fmt = "yuva420p" if alpha else "yuv420p"
    stream.time_base = 1 / rate
    if alpha:
        stream.metadata["alpha_mode"] = "1"
    context = stream.codec_context
    if ending == ".mp4":
        context.thread_count = _THREADS
    context.time_base = 1 / rate
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = _LIMITED
    return stream


def _frame(
    picture: U8, stream: "VideoStream", number: int, tables: "VideoReformatter"
) -> "VideoFrame":
    """Return a picture as frame `number`, with the size of the stream, in BT.709 limited range."""
    from av import VideoFrame
    from av.video.reformatter import Colorspace

    if stream.pix_fmt == "yuva420p":
        pixels, form = picture, "rgba"
    else:
        pixels, form = on_black(picture), "rgb24"
    down, right = stream.height - pixels.shape[0], stream.width - pixels.shape[1]
    if down or right:
        pixels = np.pad(pixels, ((0, down), (0, right), (0, 0)), mode="edge")
    plain = VideoFrame.from_ndarray(np.ascontiguousarray(pixels), form)
    frame = tables.reformat(plain, format=stream.pix_fmt, dst_colorspace=Colorspace.ITU709)
    frame.color_range = _LIMITED
    frame.pts = number
    frame.time_base = stream.codec_context.time_base
    return frame


def on_black(picture: U8) -> U8:
    """Return a picture [H, W, 4] composited over black [H, W, 3]."""
    alpha = picture[..., 3:]
    if (alpha == 255).all():
        return picture[..., :3]
    mixed = (picture[..., :3].astype(np.uint16) * alpha + 127) // 255
    return mixed.astype(np.uint8)
