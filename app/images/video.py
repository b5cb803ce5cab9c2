"""Pictures to a video: .mp4 and .webm by PyAV, .gif and .webp by our own hand.

Pictures are taken one by one and never kept, so that a long video needs no more memory than a
short one.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..animation.types import U8
from ..errors import OutputError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from fractions import Fraction

    from av import VideoFrame
    from av.container import OutputContainer
    from av.video.reformatter import VideoReformatter
    from av.video.stream import VideoStream

ENDINGS = (".mp4", ".webm", ".gif", ".webp")
FASTEST = {".mp4": 1000.0, ".webm": 1000.0, ".gif": 50.0, ".webp": 1000.0}  # frames a second
LARGEST = {".mp4": 16384, ".webm": 16384, ".gif": 65535, ".webp": 16383}  # pixels a side
SLOWEST = 0.01  # frames a second
_NTSC = (24, 30, 48, 60, 120)  # and these by 1.001: 23.976, 29.97 …
_BT709 = 1  # of primaries, transfer curve and matrix, in ISO/IEC 23091-2
_LIMITED = 1  # range: 16 is black, 235 white
_CODECS = {".mp4": "libx264", ".webm": "libvpx-vp9"}
_OPTIONS = {
    # With its macroblock tree x264 makes other bytes of the same pictures, now and then.
    ".mp4": {"crf": "18", "preset": "medium", "x264-params": "mbtree=0"},
    ".webm": {"crf": "24", "b": "0", "deadline": "good", "cpu-used": "4", "row-mt": "1"},
}


def available(ending: str) -> bool:
    """Tell whether videos of an ending can be written here."""
    try:
        require(ending)
    except UnsupportedError:
        return False
    return True


def require(ending: str) -> None:
    """Raise where videos of an ending cannot be written here; called before the work begins.

    Raises
    ------
    UnsupportedError
        The encoder is not installed.
    ValueError
        It is not one of `ENDINGS`.
    """
    if ending not in ENDINGS:
        raise ValueError(f"{ending!r} is not one of {ENDINGS}")
    if ending == ".gif":
        return
    if ending == ".webp":
        from PIL import features

        if not features.check("webp"):
            raise UnsupportedError("this Pillow cannot write .webp")
        return
    try:
        from av.codec import Codec

        Codec(_CODECS[ending], "w")
    except ImportError:
        raise UnsupportedError(
            f"{ending} needs PyAV, which is not installed",
            hint="pip install 'rigview[video]', or write .gif or .webp",
        ) from None
    except ValueError:  # av.codec.codec.UnknownCodecError
        raise UnsupportedError(
            f"this PyAV has no {_CODECS[ending]} to write {ending} with",
            hint="pip install --force-reinstall av, or write .gif or .webp",
        ) from None


def check_rate(fps: float) -> None:
    """Raise UsageError for a frame rate that no player keeps."""
    if not SLOWEST <= fps <= 1000.0:
        raise UsageError(f"{fps:g} frames a second are not from {SLOWEST:g} to 1000")


def encode(pictures: Iterable[U8], path: Path, fps: float, *, loop: bool = True) -> None:
    """Write pictures as a video to `path`, whose ending says which kind.

    Parameters
    ----------
    pictures
        [H, W, 4] uint8, sRGB, straight alpha, all of one size. .webm, .gif and .webp keep the
        alpha (.gif as there or not there, .webm where the first picture has any); .mp4 is put on
        black, and made even by doubling its last row or column.
    fps
        Frames a second; kept as an exact fraction. Of a .gif no more than 50 are shown: the others
        are left out.
    loop
        Whether .gif and .webp start again when they end.

    Raises
    ------
    UnsupportedError
        The encoder is not installed.
    UsageError
        A rate or a size that no player takes.
    OutputError
        The encoder failed.
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


def movie_bytes(pictures: Iterable[U8], ending: str, fps: float, *, loop: bool = True) -> bytes:
    """Return pictures as a video; parameters and errors are those of `encode`."""
    import tempfile  # few need it

    with tempfile.TemporaryDirectory(prefix="rigview-") as folder:
        path = Path(folder) / f"video{ending}"
        encode(pictures, path, fps, loop=loop)
        return path.read_bytes()


def exact_rate(fps: float) -> "Fraction":
    """Return a frame rate as the fraction that was meant: 29.97 is 30000 / 1001."""
    from fractions import Fraction

    for whole in _NTSC:
        ntsc = Fraction(whole * 1000, 1001)
        if abs(fps - ntsc) < 0.005:
            return ntsc
    return Fraction(fps).limit_denominator(1001)


def _checked(pictures: Iterable[U8], largest: int) -> Iterator[U8]:
    """Yield the pictures; ValueError where there is none, or where one differs in size."""
    shape: tuple[int, ...] = ()
    for picture in pictures:
        shape = shape or picture.shape
        if picture.shape != shape or len(shape) != 3 or shape[2] != 4 or picture.dtype != np.uint8:
            raise ValueError(f"a picture of {picture.dtype} {picture.shape}, not uint8 {shape}")
        if max(shape[:2]) > largest:
            raise UsageError(f"{shape[1]} x {shape[0]} pixels: at most {largest} a side")
        yield picture
    if not shape:
        raise ValueError("a video of no pictures")


def _encode(pictures: Iterator[U8], path: Path, rate: "Fraction") -> None:
    import av
    from av.video.reformatter import VideoReformatter

    first = next(pictures)
    ending = path.suffix.lower()
    options = {"flush_packets": "1"}  # a full disk is seen at once
    if ending == ".mp4":
        options["movflags"] = "+faststart"
    try:
        with av.open(str(path), "w", format=ending[1:], options=options) as container:
            seen = ending == ".webm" and bool((first[..., 3] < 255).any())
            stream = _stream(container, ending, first, rate, alpha=seen)
            tables = VideoReformatter()  # made once: five sixths of the time of a small frame
            container.mux(stream.encode(_frame(first, stream, 0, tables)))
            for number, picture in enumerate(pictures, 1):
                container.mux(stream.encode(_frame(picture, stream, number, tables)))
            container.mux(stream.encode(None))
    except av.error.FFmpegError as error:
        sentence = getattr(error, "strerror", None) or str(error)
        raise OutputError(f"the encoder failed: {sentence}") from None


def _stream(
    container: "OutputContainer", ending: str, first: U8, rate: "Fraction", *, alpha: bool
) -> "VideoStream":
    stream: Any = container.add_stream(_CODECS[ending], rate=rate, options=_OPTIONS[ending])
    height, width = first.shape[:2]
    even = ending == ".mp4"  # of what is 4:2:0, H.264 has even sizes only
    stream.width = width + (width % 2 if even else 0)
    stream.height = height + (height % 2 if even else 0)
    stream.pix_fmt = "yuva420p" if alpha else "yuv420p"
    stream.time_base = 1 / rate
    if alpha:
        stream.metadata["alpha_mode"] = "1"
    context = stream.codec_context
    context.time_base = 1 / rate
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = _LIMITED
    return stream


def _frame(
    picture: U8, stream: "VideoStream", number: int, tables: "VideoReformatter"
) -> "VideoFrame":
    """Return a picture as frame `number`: of the stream's size, in BT.709's limited range."""
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
    """Return a picture [H, W, 4] without its alpha [H, W, 3], on black."""
    alpha = picture[..., 3:]
    if (alpha == 255).all():
        return picture[..., :3]
    mixed = (picture[..., :3].astype(np.uint16) * alpha + 127) // 255
    return mixed.astype(np.uint8)
