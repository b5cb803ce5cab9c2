"""Pictures of a character for a report page: rows of phases, loops, and the head picture."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..animation.types import U8
from ..images import video
from ..images.frame_times import FrameTimes, loop_frame_times, once_frame_times
from ..model.model import Model
from ..options.command_options import Options, TimeOptions
from ..pages.entry import AnimationRow, Media, as_webp, cut_out, strip, thumbnail
from ..rendering.offscreen import OffscreenRenderer
from ..scene.origin import place_points
from ..scene.scene import Scene
from ..scenedoc.look import Background
from .build_scene import bound_scene, start_playback
from .playback_setup import PlaybackSetup
from .render_video import play_length
from .time_options import at_times, even_phases, given_times

COLUMNS = 6  # default number of phases, from start to end
PLAYED_COLUMNS = 4  # of a clip that plays in the page
HIGHEST_RATE = 16.0  # frames per second of a loop
LOWEST_RATE = 10.0  # frames per second of a long loop
FRAMES = 40  # loops with more frames have a lower frame rate
MOST_FRAMES = 240  # frames; longer loops skip frames and play faster
HERO = (720, 720)  # pixels, before cropping
KEPT = 32 << 20  # bytes of pictures
THUMBNAIL = 320  # pixels, height
_MIMES = {".mp4": "video/mp4", ".webp": "image/webp"}


class ReportRenderer:
    """Renders the pictures of one character.

    Parameters
    ----------
    options
        The options of `report`.
    model
        The character.

    Raises
    ------
    AppError
        There is no OpenGL, or an option names an unknown joint or colour.
    """

    def __init__(self, options: Options, model: Model) -> None:
        self._model = model
        self._options = options
        self._looped = options.output.no_player
        even = TimeOptions(phase=even_phases(COLUMNS if self._looped else PLAYED_COLUMNS))
        self._cells = options if given_times(options) else at_times(options, even)
        self._loops = at_times(options, TimeOptions())
        clear = not options.scene.look.background.is_opaque
        self._ending = ".mp4" if video.available(".mp4") and not clear else ".webp"
        self._offscreen = OffscreenRenderer(options.scene.size, options.scene.samples)
        self._scene = bound_scene(options, [model])
        self._drawn: dict[bytes, U8] = {}  # pictures by what they show

    def release(self) -> None:
        """Release all resources."""
        self._offscreen.release()

    @property
    def columns(self) -> tuple[str, ...]:
        """Column headings, if shared by all rows."""
        options = self._cells
        if options.times.phase is not None:
            return tuple(f"{u:.0%}" for u in options.times.phase)
        if options.times.frame is not None:
            return tuple(f"frame {k}" for k in options.times.frame)
        return ()

    def picture_count(self, setup: PlaybackSetup) -> int:
        """Return how many pictures a row has."""
        cells = len(self._taus(setup))
        if not self._looped or play_length(self._loops, setup).seconds <= 0:
            return cells
        return cells + len(loop_times(self._loops, setup)[0].taus)

    def row(self, setup: PlaybackSetup, title: str, note: str) -> AnimationRow:
        """Return a row: pictures, still, and the loop of a page without a player."""
        pictures = list(self._pictures(self._cells, setup, self._taus(setup)))
        still = as_webp(pictures[_most_different(pictures)])
        seconds = play_length(self._loops, setup).seconds
        loop, remark = self._loop(setup) if self._looped and seconds > 0 else (None, "")
        return AnimationRow(
            clip=setup.clip,
            title=title,
            subtitle=note,
            length=seconds,
            frames_strip=as_webp(strip(pictures)),
            captions=self._captions(setup),
            still=still,
            loop=loop,
            loop_note=remark,
        )

    def head_pictures(self, setup: PlaybackSetup) -> tuple[Media, Media]:
        """Return a large and a small picture of the character, cropped, without background."""
        cells = self._cells
        look = cells.scene.look.changed(Background, colours=None, transparent=True)
        options = cells.with_scene(size=HERO, look=look)
        taus = self._taus(setup)
        small = list(self._pictures(cells, setup, taus))
        offscreen = OffscreenRenderer(HERO, options.scene.samples)
        scene = bound_scene(options, [self._model])
        try:
            start_playback(options, scene, [setup], offscreen.aspect)
            scene.update(taus[_most_different(small)])
            _frame_pose(options, scene, offscreen.aspect)
            shown = cut_out(offscreen.render(scene, swatches=False))
        finally:
            offscreen.release()
        return as_webp(shown), as_webp(thumbnail(shown, THUMBNAIL))

    def _taus(self, setup: PlaybackSetup) -> tuple[float, ...]:
        return setup.taus(self._cells) if setup.plays else (0.0,)

    def _captions(self, setup: PlaybackSetup) -> tuple[str, ...]:
        """Return the clip time of each picture."""
        taus = np.array(self._taus(setup))
        if not setup.plays:
            return ("",)
        times = setup.clip_times(self._cells, taus)
        return tuple(f"{time:.2f} s" for time in times.tolist())

    def _loop(self, setup: PlaybackSetup) -> tuple[Media, str]:
        shown, remark = loop_times(self._loops, setup)
        pictures = self._pictures(self._loops, setup, shown.taus)
        data = video.video_bytes(pictures, self._ending, shown.fps)
        width, height = self._options.scene.size
        return Media(_MIMES[self._ending], data, width, height), remark

    def _pictures(
        self, options: Options, setup: PlaybackSetup, taus: Sequence[float]
    ) -> Iterator[U8]:
        start_playback(options, self._scene, [setup], self._offscreen.aspect)
        for tau in taus:
            self._scene.update(tau)
            yield self._picture()

    def _picture(self) -> U8:
        """Return the picture of the present pose; equal ones are drawn once, within `KEPT`.

        Cells and loop begin with the same pose, and characters stand still or come back to a pose.
        """
        shown = _shown(self._scene, self._offscreen.aspect)
        if shown in self._drawn:
            return self._drawn[shown]
        picture = self._offscreen.render(self._scene, swatches=False)
        if len(self._drawn) * picture.nbytes > KEPT:
            self._drawn.clear()
        if shown:
            self._drawn[shown] = picture
        return picture


def loop_times(options: Options, setup: PlaybackSetup) -> tuple[FrameTimes, str]:
    """Return the frame times of a loop, limited for a page, and a remark about its speed."""
    seconds, ends = play_length(options, setup)
    fps = min(options.scene.frame_rate, HIGHEST_RATE, max(LOWEST_RATE, FRAMES / seconds))
    times = max(1.0, seconds * fps / MOST_FRAMES)  # speed-up
    moments = once_frame_times if ends else loop_frame_times
    shown = moments(seconds / times, fps)
    remark = f"shown {times:.3g} times as fast" if times > 1.0 else ""
    return FrameTimes(tuple(tau * times for tau in shown.taus), shown.fps), remark


def _shown(scene: Scene, aspect: float) -> bytes:
    """Return what the picture of a scene depends on, as of its last update; b"": on the time."""
    character, overlays = scene.character, scene.look.overlays
    if character is None or overlays.joint_path or overlays.onion_skins:
        return b""
    pose, camera, bounds = character.pose, scene.camera.used, scene.bounds
    moved = pose.translation, pose.rotation, pose.scale, pose.values, character.world
    view = camera.view(), camera.projection(aspect)
    size = bounds.extent, np.array([bounds.floor, bounds.cell])
    return b"".join(array.tobytes() for array in (*moved, *view, *size))


def _most_different(pictures: Sequence[U8]) -> int:
    """Return the index of the picture that differs most from the first, such as mid-stride."""
    first = pictures[0].astype(np.int16)
    return int(np.argmax([np.abs(picture - first).mean() for picture in pictures]))


def _frame_pose(options: Options, scene: Scene, aspect: float) -> None:
    """Frame the current pose, unless the camera position or target is given."""
    active = scene.instances.active
    if active is None or not options.scene.camera.is_framed:
        return
    points = active.bounds.corners(active.character.pose)
    if len(points) and math.isfinite(float(np.abs(points).max())):
        scene.camera.rebase()
        scene.camera.orbit.frame(place_points(active.character.world, points), aspect)
