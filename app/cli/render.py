"""`rigview render`: render a picture, a numbered sequence, or a video."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..console import print_verbose
from ..errors import UsageError
from ..gltf.images import decode_ahead
from ..images.frame_times import FrameTimes
from ..images.video import ENDINGS
from ..tasks import crowd_setup, render_video, several_characters
from ..tasks.input_file import print_file_warnings
from ..tasks.output import STANDARD, check_extension, check_target
from ..tasks.playback_setup import PlaybackSetup, load_playback, print_clamped_joints
from ..tasks.time_options import Timing, frames_timing, given_times, motion_taus, timing

if TYPE_CHECKING:
    from ..animation.types import U8
    from ..render.offscreen import OffscreenRenderer
    from ..scene.scene import Scene


def run(args: argparse.Namespace) -> int:
    """Draw and write; returns the exit code."""
    names = _names(args)
    crowd_setup.check_crowd_options(args)
    setup = load_playback(args)
    others = several_characters.load_others(args)
    several_characters.check_names(args, setup.model, others)
    model = setup.model
    times = _frame_times(args, setup, names)
    names.set_fields(args, setup)
    targets = _targets(args, names, len(times.taus))
    check_target(targets[0])
    if _is_whole_clip(args, names):
        render_video.print_frame_notes(args, targets[0], times)

    decode_ahead(model.images)
    several_characters.decode_images(others)
    from ..render.offscreen import OffscreenRenderer
    from ..tasks.build_scene import playing_scene  # GPU packages: after all checks

    offscreen = OffscreenRenderer(args.resolution, args.samples)
    print_verbose(f"drawn by {offscreen.context.info['GL_RENDERER']}", verbose=args.verbose)
    try:
        scene = playing_scene(
            args,
            setup,
            _timing(args, setup),
            offscreen.aspect,
            join=lambda scene: several_characters.add_to_scene(
                args, scene, others, whole=_is_whole_clip(args, names)
            ),
        )
        loop = render_video.video_loops(args, setup)
        render_video.write_frames(
            args, targets, times, _rendered(offscreen, scene, times.taus), loop=loop
        )
        if scene.character is not None:
            print_clamped_joints(args, model, scene.character.mixer)
    finally:
        offscreen.release()
    print_file_warnings(args, model)
    several_characters.print_warnings(args, scene, others)
    return 0


def _names(args: argparse.Namespace) -> render_video.OutputNames:
    """Return the output names, with all checks that do not need the model."""
    names = render_video.OutputNames(args.output)
    if args.output == STANDARD:
        if args.frames is not None:
            raise UsageError("a sequence cannot go to standard output", hint="name files with -o")
        return names
    ending = check_extension(args.output, (".png", *ENDINGS))
    if ending in ENDINGS:
        render_video.check_video(args, ending)
    first = _targets(args, names, 1)[0]
    if not names.named:
        check_target(first)
    return names


def _video(args: argparse.Namespace) -> bool:
    return Path(args.output).suffix.lower() in ENDINGS


def _is_whole_clip(args: argparse.Namespace, names: render_video.OutputNames) -> bool:
    """Return whether the whole clip is rendered, as a video or numbered pictures."""
    return args.frames is None and (_video(args) or (names.numbered and not given_times(args)))


def _frame_times(
    args: argparse.Namespace, setup: PlaybackSetup, names: render_video.OutputNames
) -> FrameTimes:
    """Return the times of the pictures."""
    if args.frames is not None or _is_whole_clip(args, names):
        return render_video.frame_times(args, setup, Path(args.output).suffix.lower())
    if setup.document is None:
        taus = _timing(args, setup).taus
    else:
        taus = motion_taus(args, setup.mixer(args).length)
    if len(taus) != 1:
        raise UsageError("render takes a single time", hint="--frames A..B renders a sequence")
    return FrameTimes(taus, args.frame_rate)


def _timing(args: argparse.Namespace, setup: PlaybackSetup) -> Timing:
    clip = setup.model.clips[setup.clip] if setup.clip >= 0 else None
    return frames_timing(args, args.frames) if args.frames is not None else timing(args, clip)


def _targets(
    args: argparse.Namespace, names: render_video.OutputNames, count: int
) -> Sequence[str]:
    """Return the file of each picture, or of the video."""
    if args.output == STANDARD:
        return [STANDARD]
    if _video(args):
        return names.one()
    if args.frames is not None:
        return names.of_frames(args.frames)
    if _is_whole_clip(args, names):
        return names.of_frames(range(count))
    return names.of_frames(args.frame) if args.frame and names.numbered else names.one()


def _rendered(
    offscreen: "OffscreenRenderer", scene: "Scene", taus: Sequence[float]
) -> "Iterator[U8]":
    for tau in taus:
        scene.update(tau)
        yield offscreen.render(scene)
