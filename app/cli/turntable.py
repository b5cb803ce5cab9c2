"""`rigview turntable`: a video with the camera going once around a character."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..animation.types import F64
from ..console import print_message
from ..errors import UsageError
from ..images import stills
from ..images.frame_times import FrameTimes, loop_frame_times
from ..images.video import ENDINGS
from ..options.command_options import Options
from ..scene.bounds import rings_around
from ..scene.camera import placed
from ..scene.origin import rounded
from ..scenedoc.camera import Camera
from ..tasks import crowd_setup, render_video, several_characters
from ..tasks.output import check_extension
from ..tasks.output_check import check_outputs
from ..tasks.playback_setup import PlaybackSetup
from ..tasks.time_options import given_times

if TYPE_CHECKING:
    from ..animation.types import F32, U8
    from ..rendering.offscreen import OffscreenRenderer
    from ..scene.scene import Scene

SLICES = 16  # of the height of the framed points
SIDES = 48  # points of the bounding ring of each slice
FAR_OFF = 1.25  # report a turn that is longer or shorter than --seconds by this factor


def run(options: Options) -> int:
    """Draw and write; returns the exit code."""
    if options.scene.camera.name is not None:
        raise UsageError("--camera: a turntable uses its own camera")
    endings = (*ENDINGS, *stills.ENDINGS)
    ending = check_extension(options.output.file, endings, standard=False)
    video = ending in ENDINGS
    names = render_video.OutputNames(options.output.file)
    if video:
        render_video.check_video(options, ending)
    stills.is_linear(options.output.file)  # the extra that it needs is there
    first = _targets(names, 1, video=video)[0]
    if not names.named:
        check_outputs(options, [first])
    options = crowd_setup.crowd_options(options)
    setups = several_characters.load_characters(options)
    setup = setups[options.scene.active - 1]
    times = _frame_times(options, setup, ending)
    still = _still(options, setup)
    names.set_fields(options, setup)
    targets = _targets(names, len(times.taus), video=video)
    check_outputs(options, targets)
    render_video.print_frame_notes(options, targets[0], times)

    def pictures(offscreen: "OffscreenRenderer", scene: "Scene") -> "Iterator[U8 | F32]":
        framed = options.scene.camera.is_framed
        turns = camera_turns(scene, offscreen.aspect, len(times.taus), framed=framed)
        for tau, turn in zip(times.taus, turns, strict=True):
            scene.update(tau if still is None else still)
            scene.camera.file_camera = -1  # ignore camera cuts of the motion
            scene.camera.orbit.place(turn)
            yield offscreen.still(scene)

    loop = render_video.CONTINUOUS
    render_video.draw(options, setups, targets, times, pictures, loop=loop, other_loop=loop)
    return 0


def _targets(names: render_video.OutputNames, count: int, *, video: bool) -> Sequence[str]:
    return names.one() if video else names.of_frames(range(count))


def _still(options: Options, setup: PlaybackSetup) -> float | None:
    """Return the global time of a still pose by --time, --phase or --frame, else None."""
    if not given_times(options):
        return None
    taus = setup.taus(options)
    if len(taus) != 1:
        raise UsageError("turntable takes a single time, or none")
    return taus[0]


def _frame_times(options: Options, setup: PlaybackSetup, ending: str) -> FrameTimes:
    """Return the frame times of one turn, rounded to whole passes so that it loops."""
    wanted, exact = options.output.seconds, options.output.exact
    fps = render_video.frame_rate(options, ending)
    seconds, ends = render_video.play_length(options, setup)
    if given_times(options) or not seconds:
        return loop_frame_times(wanted, fps, exact=exact)
    if ends:
        return loop_frame_times(max(wanted, seconds), fps, exact=exact)
    passes = max(1, math.floor(wanted / seconds + 0.5))
    whole = passes * seconds
    if not options.general.quiet and not 1 / FAR_OFF < whole / wanted < FAR_OFF:
        print_message(f"one turn takes {whole:.4g} s, rounded to whole passes")
    return loop_frame_times(whole, fps, exact=exact)


def camera_turns(scene: "Scene", aspect: float, count: int, *, framed: bool) -> list[Camera]:
    """Return the cameras of one turn about a vertical axis, at constant distance and height.

    Parameters
    ----------
    scene
        The scene, with the initial camera, which is moved to the distance.
    aspect
        Width divided by height of the picture.
    count
        Number of cameras.
    framed
        Choose a distance at which the character fits from every side, and turn about its middle;
        else turn about the camera's target at its distance.
    """
    scene.camera.rebase()
    orbit = scene.camera.orbit
    axis: F64 = np.array(orbit.target, np.float64)
    if framed:
        axis = np.asarray(scene.bounds.extent, np.float64).mean(axis=0)
        orbit.frame(bounding_rings(scene.bounds.swept, axis), aspect)
    return [turned(placed(orbit), axis, math.tau * k / count) for k in range(count)]


def turned(camera: Camera, axis: F64, angle: float) -> Camera:
    """Return a placed camera turned by `angle`, radians, about the vertical axis through `axis`."""
    sine, cosine = math.sin(angle), math.cos(angle)
    turn = np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])
    points = axis + (np.array([camera.position, camera.target]) - axis) @ turn.T
    position, target = (tuple(point) for point in points.tolist())
    return replace(camera, position=position, target=target)


def bounding_rings(points: F64, axis: F64) -> F64:
    """Return rings [N, 3] about the vertical axis through `axis` [3] that enclose all points.

    A camera that looks at the axis and frames the rings frames the points from every side.
    """
    away = points - axis
    radii = np.hypot(away[:, 0], away[:, 2])
    rings = rings_around(points[:, 1], radii, slices=SLICES, sides=SIDES)
    return rounded(rings + np.array([axis[0], 0.0, axis[2]]), axis)
