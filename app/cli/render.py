"""`rigview render`: render a picture, a numbered sequence, or a video."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..images import stills
from ..images.frame_times import FrameTimes
from ..images.video import ENDINGS
from ..options.command_options import Options
from ..scenedoc.scene_doc import SEQUENCE_SAMPLES
from ..tasks import crowd_setup, render_video, several_characters
from ..tasks.output import STANDARD, check_extension
from ..tasks.output_check import check_outputs
from ..tasks.playback_setup import PlaybackSetup
from ..tasks.time_options import given_times

if TYPE_CHECKING:
    from ..animation.types import F32, U8
    from ..rendering.offscreen import OffscreenRenderer
    from ..scene.scene import Scene


def run(options: Options) -> int:
    """Draw and write; returns the exit code."""
    names = _names(options)
    options = _with_defaults(crowd_setup.crowd_options(options), names)
    setups = several_characters.load_characters(options)
    setup = setups[options.scene.active - 1]
    times = _frame_times(options, setup, names)
    names.set_fields(options, setup)
    targets = _targets(options, names, len(times.taus))
    check_outputs(options, targets)
    if _is_whole_clip(options, names):
        render_video.print_frame_notes(options, targets[0], times)

    def pictures(offscreen: "OffscreenRenderer", scene: "Scene") -> "Iterator[U8 | F32]":
        for tau in times.taus:
            scene.update(tau)
            yield offscreen.still(scene)

    other_loop = render_video.CONTINUOUS if _is_whole_clip(options, names) else None
    shown = times.taus[0]
    render_video.draw(options, setups, targets, times, pictures, other_loop=other_loop, shown=shown)
    return 0


def _names(options: Options) -> render_video.OutputNames:
    """Return the output names, with all checks that do not need the model."""
    names = render_video.OutputNames(options.output.file)
    if options.output.file == STANDARD:
        if options.times.frames is not None:
            raise UsageError("a sequence cannot go to standard output", hint="name files with -o")
        return names
    ending = check_extension(options.output.file, (*stills.ENDINGS, *ENDINGS))
    if ending in ENDINGS:
        render_video.check_video(options, ending)
    stills.is_linear(options.output.file)
    first = _targets(options, names, 1)[0]
    if not names.named:
        check_outputs(options, [first])
    return names


def _video(options: Options) -> bool:
    return Path(options.output.file).suffix.lower() in ENDINGS


def _is_whole_clip(options: Options, names: render_video.OutputNames) -> bool:
    """Return whether the whole clip is rendered, as a video or numbered pictures."""
    return options.times.frames is None and (
        _video(options) or (names.numbered and not given_times(options))
    )


def _with_defaults(options: Options, names: render_video.OutputNames) -> Options:
    """Return the options with the defaults of a sequence, if it is one: samples and fit."""
    if options.times.frames is None and not _is_whole_clip(options, names):
        return options
    if "samples" not in options.given:
        options = options.with_scene(samples=SEQUENCE_SAMPLES)
    if "fit" not in options.given:
        options = options.with_scene(camera=replace(options.scene.camera, fit="clip"))
    return options


def _frame_times(
    options: Options, setup: PlaybackSetup, names: render_video.OutputNames
) -> FrameTimes:
    """Return the times of the pictures."""
    if options.times.frames is not None or _is_whole_clip(options, names):
        return render_video.frame_times(options, setup, Path(options.output.file).suffix.lower())
    taus = setup.taus(options)
    if len(taus) != 1:
        raise UsageError("render takes a single time", hint="--frames A..B renders a sequence")
    return FrameTimes(taus, options.scene.frame_rate)


def _targets(options: Options, names: render_video.OutputNames, count: int) -> Sequence[str]:
    """Return the file of each picture, or of the video."""
    if options.output.file == STANDARD:
        return [STANDARD]
    if _video(options):
        return names.one()
    if options.times.frames is not None:
        return names.of_frames(options.times.frames)
    if _is_whole_clip(options, names):
        return names.of_frames(range(count))
    frame = options.times.frame
    return names.of_frames(frame) if frame and names.numbered else names.one()
