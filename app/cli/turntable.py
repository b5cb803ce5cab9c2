"""`rigview turntable`: a video with the camera going once around a character."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..animation.types import F64
from ..console import print_message, print_verbose
from ..errors import UsageError
from ..images.frame_times import FrameTimes, loop_frame_times
from ..images.video import ENDINGS
from ..options.command_options import Options
from ..scene.origin import rounded
from ..tasks import crowd_setup, render_video, several_characters
from ..tasks.output import check_extension
from ..tasks.output_check import check_outputs
from ..tasks.playback_setup import PlaybackSetup
from ..tasks.time_options import given_times

if TYPE_CHECKING:
    from ..animation.types import U8
    from ..render.offscreen import OffscreenRenderer
    from ..scene.scene import Scene

SLICES = 16  # of the height of the framed points
SIDES = 48  # points of the bounding ring of each slice
FAR_OFF = 1.25  # report a turn that is longer or shorter than --seconds by this factor


def run(options: Options) -> int:
    """Draw and write; returns the exit code."""
    if options.scene.camera.name is not None:
        raise UsageError("--camera: a turntable uses its own camera")
    ending = check_extension(options.output.file, (*ENDINGS, ".png"))
    video = ending in ENDINGS
    names = render_video.OutputNames(options.output.file)
    if video:
        render_video.check_video(options, ending)
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

    several_characters.decode_images(setups)
    from ..render.offscreen import OffscreenRenderer
    from ..tasks.build_scene import playing_scene

    offscreen = OffscreenRenderer(options.scene.size, options.scene.samples)
    print_verbose(
        f"drawn by {offscreen.context.info['GL_RENDERER']}", verbose=options.general.verbose
    )
    try:
        loop = render_video.CONTINUOUS
        scene = playing_scene(options, setups, offscreen.aspect, loop=loop, other_loop=loop)
        turn = OrbitingCamera(scene, offscreen.aspect, framed=options.scene.camera.is_framed)
        pictures = _rendered(offscreen, turn, times, still)
        render_video.write_frames(
            options, targets, times, pictures, loop=render_video.video_loops(options, setup)
        )
    finally:
        offscreen.release()
    several_characters.print_warnings(options, scene, setups)
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


def _rendered(
    offscreen: "OffscreenRenderer", turn: "OrbitingCamera", times: FrameTimes, still: float | None
) -> "Iterator[U8]":
    for k, tau in enumerate(times.taus):
        turn.update(tau if still is None else still, math.tau * k / len(times.taus))
        yield offscreen.render(turn.scene)


class OrbitingCamera:
    """A camera that orbits a vertical axis at constant distance and height.

    Parameters
    ----------
    scene
        The scene, with the initial camera.
    aspect
        Width divided by height of the picture.
    framed
        Choose a distance at which the character fits from every side; else orbit the camera's
        target at its current distance.
    """

    def __init__(self, scene: "Scene", aspect: float, *, framed: bool) -> None:
        self.scene = scene
        scene.camera.rebase()
        camera = scene.camera.orbit
        self._axis: F64 = np.array(camera.target, np.float64)
        if framed:
            self._axis = np.asarray(scene.bounds.extent, np.float64).mean(axis=0)
            camera.frame(bounding_rings(scene.bounds.swept, self._axis), aspect)
        self._azimuth = camera.azimuth
        self._offset: F64 = camera.target - self._axis

    def update(self, tau: float, angle: float) -> None:
        """Update the scene to the global time `tau`, seconds, with the camera turned by `angle`."""
        camera = self.scene.camera.orbit
        self.scene.update(tau)
        self.scene.camera.file_camera = -1  # ignore camera cuts of the motion
        sine, cosine = math.sin(angle), math.cos(angle)
        x, y, z = self._offset
        turned = np.array([cosine * x + sine * z, y, cosine * z - sine * x])
        camera.target = self._axis + turned
        camera.azimuth = math.remainder(self._azimuth + angle, math.tau)


def bounding_rings(points: F64, axis: F64) -> F64:
    """Return rings [N, 3] about the vertical axis through `axis` [3] that enclose all points.

    A camera that looks at the axis and frames the rings frames the points from every side.
    """
    away = points - axis
    height, far = points[:, 1], np.hypot(away[:, 0], away[:, 2])
    span = max(float(np.ptp(height)), 1e-12)
    part = np.minimum((height - height.min()) / span * SLICES, SLICES - 1).astype(np.intp)
    angles = np.arange(SIDES) * (math.tau / SIDES)
    ring = np.stack([np.sin(angles), np.zeros(SIDES), np.cos(angles)], axis=-1)
    ring /= math.cos(math.pi / SIDES)
    rings = []
    for slice_ in np.unique(part).tolist():
        here = part == slice_
        for level in (height[here].min(), height[here].max()):
            rings.append(far[here].max() * ring + [axis[0], level, axis[2]])
    return rounded(np.concatenate(rings), axis)
