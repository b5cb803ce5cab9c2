"""Render a video or a sequence: frame times, looping, file names and encoding."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..animation.playback import Loop
from ..console import Progress, print_message, print_verbose
from ..errors import OutputError, UsageError
from ..file_io import temporary_file
from ..gltf.images import decode_ahead
from ..images import stills, video
from ..images.frame_times import FrameTimes, loop_frame_times, once_frame_times
from ..options.command_options import Options
from . import several_characters
from .input_file import source_name
from .output import STANDARD, write
from .output_names import fill_pattern, has_field, model_name
from .time_options import frame_taus, given_times

if TYPE_CHECKING:
    from ..animation.playback import Playback
    from ..animation.types import F32, U8
    from ..rendering.offscreen import OffscreenRenderer
    from ..scene.scene import Scene
    from .playback_setup import PlaybackSetup

SINGLE_PASS = ("loop", 1.0)
CONTINUOUS: Loop = ("loop", math.inf)
_NUMBER = re.compile(r"##+|%0?\d*d")  # a single # may be part of a name


class PlayLength(NamedTuple):
    """The length of what plays.

    Attributes
    ----------
    seconds
        Length of a loop, or until the end; 0 without motion.
    ends
        Whether it ends instead of looping.
    """

    seconds: float
    ends: bool = False


def play_length(options: Options, setup: "PlaybackSetup") -> PlayLength:
    """Return the length of what plays, by --speed, --loop, --trim and the motion file.

    A clip without a loop mode loops, as a video does. Layers loop over their longest pass; with
    scheduled actions they end that long after the last one.
    """
    speed = abs(options.shown.speed)
    if options.shown.pose != "clip" or not speed or not setup.plays:
        return PlayLength(0.0)
    if setup.layered:
        mixer = setup.bound(options)
        last = mixer.scheduled_end
        once = options.shown.loop is not None and not math.isinf(options.shown.loop[1])
        return PlayLength(last + (mixer.length - last) / speed, once or last > 0)
    playback = _looping_playback(options, setup)
    if playback is None or not playback.duration:
        return PlayLength(0.0)
    seconds, passes = float(playback.duration) / speed, float(playback.passes)
    back = playback.mode == "pingpong"
    if math.isinf(passes):
        return PlayLength(seconds * (2 if back else 1))
    return PlayLength(seconds * passes, passes % 2 == 1 if back else passes == 1)


def _looping_playback(options: Options, setup: "PlaybackSetup") -> "Playback | None":
    """Return the playback of a single clip, looping by default; None if it has none."""
    whole = replace(options, times=replace(options.times, phase=None))
    return setup.mixer(whole, default_loop=CONTINUOUS).clip_playback


def video_loops(options: Options, setup: "PlaybackSetup") -> bool:
    """Return whether a video loops: not where a single pass is requested."""
    loop = options.shown.loop
    if loop is not None or setup.layered:
        return loop != SINGLE_PASS
    playback = _looping_playback(options, setup)
    return playback is None or (playback.mode, float(playback.passes)) != SINGLE_PASS


def frame_times(options: Options, setup: "PlaybackSetup", ending: str) -> FrameTimes:
    """Return the frame times of a video or a sequence: --frames, else the whole clip.

    Raises
    ------
    UsageError
        A single time is requested, or there are too many frames.
    """
    frames = options.times.frames
    if frames is not None:
        taus = frame_taus(options, frames)
        return FrameTimes(taus, options.scene.frame_rate / frames.step)
    for name in given_times(options):
        raise UsageError(
            f"--{name} selects a single time; a video needs a range",
            hint="--frames A..B renders a part; without it the whole clip is rendered",
        )
    fps = frame_rate(options, ending)
    length, ends = play_length(options, setup)
    return (
        once_frame_times(length, fps)
        if ends
        else loop_frame_times(length, fps, exact=options.output.exact)
    )


def frame_rate(options: Options, ending: str) -> float:
    """Return the frames per second: --frame-rate, limited to the maximum of the format."""
    rate, most = options.scene.frame_rate, video.FASTEST.get(ending, math.inf)
    if ending in video.ENDINGS:
        video.check_rate(rate)
    if rate > most and not options.general.quiet:
        print_message(f"{ending} supports at most {most:g} frames per second; using {most:g}")
    return float(min(rate, most))


def check_video(options: Options, ending: str) -> None:
    """Raise if a video cannot be encoded here; print the limits of the format."""
    video.require(ending)
    if ending != ".mp4" or options.general.quiet:
        return
    if not options.scene.look.background.is_opaque:
        print_message(
            ".mp4 has no transparency; using a black background (.webm, .webp and .gif support it)"
        )
    width, height = options.scene.size
    if width % 2 or height % 2:
        even = f"{width + width % 2}x{height + height % 2}"
        print_message(f".mp4 has even sizes only; using {even} instead of {width}x{height}")


def draw(
    options: Options,
    setups: Sequence["PlaybackSetup"],
    targets: Sequence[str],
    times: FrameTimes,
    pictures: "Callable[[OffscreenRenderer, Scene], Iterator[U8 | F32]]",
    **playing: Any,  # noqa: ANN401 - those of `playing_scene`
) -> None:
    """Draw characters that play, write the pictures, and print the warnings of the files.

    Parameters
    ----------
    pictures
        Yields the picture of each frame.
    **playing
        More arguments of `playing_scene`.
    """
    for setup in setups:
        decode_ahead(setup.model.images)
    from ..rendering.offscreen import OffscreenRenderer
    from .build_scene import playing_scene  # GPU packages: after all checks

    linear = stills.is_linear(targets[0])
    offscreen = OffscreenRenderer(options.scene.size, options.scene.samples, linear=linear)
    print_verbose(
        f"drawn by {offscreen.context.info['GL_RENDERER']}", verbose=options.general.verbose
    )
    try:
        scene = playing_scene(options, setups, offscreen.aspect, **playing)
        loop = video_loops(options, setups[options.scene.active - 1])
        write_frames(options, targets, times, pictures(offscreen, scene), loop=loop)
    finally:
        offscreen.release()
    several_characters.print_warnings(options, scene, setups)


def write_frames(
    options: Options,
    targets: Sequence[str],
    times: FrameTimes,
    pictures: Iterator["U8 | F32"],
    *,
    loop: bool,
) -> None:
    """Write rendered frames: each to its own file, or all to a video.

    Parameters
    ----------
    targets
        One picture file per frame, or one video.
    pictures
        Rendered on demand; light for .exr files.
    loop
        Whether the video loops.

    Raises
    ------
    OutputError
        Encoding or writing failed; existing files are unchanged.
    """
    with Progress(len(times.taus), "frame", quiet=options.general.quiet) as bar:
        counted = _counted(pictures, bar)
        if Path(targets[0]).suffix.lower() in video.ENDINGS:
            _encode(targets[0], cast("Iterator[U8]", counted), times.fps, loop=loop)
            return
        from ..images.stills import as_still

        for target, picture in zip(targets, counted, strict=True):
            write(target, as_still(picture, target, options.scene.look.background.colours))


def _counted(pictures: Iterable["U8 | F32"], bar: Progress) -> Iterator["U8 | F32"]:
    for picture in pictures:
        bar.step()
        yield picture


def _encode(target: str, pictures: Iterable["U8"], fps: float, *, loop: bool) -> None:
    path = Path(target)
    if path.exists() and not path.is_file():
        raise OutputError("a video cannot be written to a pipe or device", file=target)
    try:
        with temporary_file(target) as draft:
            video.encode(pictures, draft, fps, loop=loop)
    except OutputError as error:
        error.file = error.file or target
        raise


def print_frame_notes(options: Options, target: str, times: FrameTimes) -> None:
    """Print notes about the frame times of a video or a sequence."""
    if options.general.quiet:
        return
    if times.note:
        print_message(f"{target}: {times.note}")
    elif len(times.taus) == 1:
        print_message(f"{target}: single frame: there is no motion")


class OutputNames:
    """The names of a command's output files (see `rigview.tasks.output_names`).

    Parameters
    ----------
    pattern
        The value of -o.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.named = has_field(pattern, "model") or has_field(pattern, "clip")
        self._model, self._clip = "model", "clip"

    @property
    def numbered(self) -> bool:
        """Whether the pattern has a field for a number: {frame}, ##, %04d."""
        name = Path(self.pattern).name
        return has_field(self.pattern, "frame") or _NUMBER.search(name) is not None

    def set_fields(self, options: Options, setup: "PlaybackSetup") -> None:
        """Set the values of {model} and {clip}."""
        self._model = model_name(options.file if options.file == STANDARD else source_name(options))
        pose = options.shown.pose
        if pose != "clip" or not setup.plays:
            self._clip = "bind" if pose == "bind" else "rest"
        else:
            self._clip = setup.name

    def one(self) -> list[str]:
        """Return the name of a single file."""
        return [fill_pattern(self.pattern, model=self._model, clip=self._clip)]

    def of_frames(self, frames: Iterable[int]) -> list[str]:
        """Return the names of numbered files."""
        return [
            fill_pattern(self.pattern, model=self._model, clip=self._clip, frame=k) for k in frames
        ]
