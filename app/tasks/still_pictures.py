"""Render single pictures like `rigview render`, with one renderer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from ..loading.load import load
from ..model.model import Model
from ..model.named_clips import clip_index
from ..options.command_options import Options
from ..options.python_call import options_from_python
from . import crowd_setup, several_characters
from .time_options import given_taus

if TYPE_CHECKING:
    from ..animation.types import U8
    from ..golden.shot import Picture
    from ..rendering.offscreen import OffscreenRenderer
    from ..scene.camera import OrbitCamera


COMMAND_ONLY = (
    "output",
    "in_place",
    "frames",
    "exact",
    "config",
    "no_config",
)  # options of the command only


def render_still(
    path: str | Path | Sequence[str | Path],
    clip: str | int | Sequence[str | int] | None = None,
    time: float | Sequence[float] | None = None,
    **options: Any,  # noqa: ANN401 - each option has its own
) -> "U8":
    """Return the picture [H, W, 4] of `rigview render`: uint8, sRGB, straight alpha.

    Parameters
    ----------
    path
        A file, or several files side by side.
    clip
        Name, index or pattern; None: the first clip. A list for several files.
    time
        Seconds; a list for several files.
    options
        Options of the command, with ``_`` for ``-``: ``resolution=(256, 256)``, ``view="right"``.

    Raises
    ------
    AppError
        The same errors as the command.
    """
    values = {"animation": clip_option(clip), "time": time, **options}
    stills = StillRenderer()
    try:
        drawn = stills.picture(options_from_python("render", path, values, without=COMMAND_ONLY))
        return np.asarray(drawn)
    finally:
        stills.release()


def render_image(
    source: "str | Path | bytes | Model",
    clip: str | int | None = None,
    time: float = 0.0,
    size: tuple[int, int] = (1024, 1024),
    samples: int = 4,
) -> "U8":
    """Return a picture [H, W, 4] of a model, uint8, sRGB, straight alpha.

    Parameters
    ----------
    source
        A file, its bytes, or a model.
    clip
        Name, index or pattern; None: the first clip; -1: the rest pose. The camera frames all of
        it.
    time
        Seconds.
    size
        Width and height, pixels.
    samples
        Samples per pixel.

    Raises
    ------
    AppError
        The file cannot be read, the clip does not exist, an argument is invalid, or there is no
        OpenGL.
    """
    options = options_from_python(
        "render", (), {"time": time, "resolution": size, "samples": samples}
    )
    tau = _single_time(given_taus(options, 0.0))
    model = source if isinstance(source, Model) else load(source)
    from ..rendering.offscreen import OffscreenRenderer  # GPU packages: after all checks
    from ..scene.scene import Scene

    scene = Scene()
    try:
        first = 0 if model.clips else -1
        scene.show(model).play_clip(first if clip is None else clip, 0.0, passes=1)
    except UsageError as error:
        error.file = str(source) if isinstance(source, str | Path) else ""
        raise
    offscreen = OffscreenRenderer(options.scene.size, options.scene.samples)
    try:
        scene.frame(offscreen.aspect)
        scene.update(tau)
        return offscreen.render(scene)
    finally:
        offscreen.release()


def clip_option(clip: Any) -> Any:  # noqa: ANN401 - a name, a number, several, or None
    """Return the value of `--animation` for a clip: indices are written ``#N``.

    Raises
    ------
    UsageError
        It is neither a text nor an index.
    """
    if isinstance(clip, list | tuple):
        return [clip_option(each) for each in clip]
    return clip if clip is None or isinstance(clip, str) else f"#{clip_index(clip)}"


def _single_time(taus: Sequence[float]) -> float:
    """Return the time of a picture, seconds (UsageError: there are several)."""
    if len(taus) != 1:
        raise UsageError(f"a picture shows one time, not {len(taus)}")
    return taus[0]


class StillRenderer:
    """Renders pictures with one OpenGL context; other contexts may be used in between.

    No context is current afterwards; callers with their own context must make it current again.
    """

    def __init__(self) -> None:
        self._offscreen: OffscreenRenderer | None = None

    def prepare(self) -> None:
        """Create the context.

        Raises
        ------
        ContextError
            There is no OpenGL.
        """
        self._ready((16, 16), 1)

    @property
    def made_by(self) -> str:
        """Name and version of the renderer, "" without OpenGL."""
        return "" if self._offscreen is None else self._offscreen.made_by

    def picture(self, options: Options, camera: "OrbitCamera | None" = None) -> "Picture":
        """Return the picture [H, W, 4] of `rigview render` for some arguments.

        Parameters
        ----------
        camera
            In place of the one that the options place.

        Raises
        ------
        AppError
            The same errors as the command.
        """
        options = crowd_setup.crowd_options(options)
        setups = several_characters.load_characters(options)
        tau = _single_time(setups[options.scene.active - 1].taus(options))
        several_characters.decode_images(setups)
        from ..golden.shot import Picture, Shot
        from .build_scene import playing_scene  # GPU packages: after all checks

        offscreen = self._ready(options.scene.size, options.scene.samples)
        with offscreen.context:
            scene = playing_scene(options, setups, offscreen.aspect, shown=tau)
            if camera is not None:
                scene.camera.orbit = camera
            placed = scene.camera.current
            scene.update(tau)
            pixels = offscreen.render(scene)
            offscreen.renderer.unload()
        several_characters.print_warnings(options, scene, setups)
        shot = Shot.of(scene, placed, options.scene.camera.given)
        return Picture.of(
            pixels,
            shot if options.scene.camera.name is None else None,
            lambda other: self.picture(options, replace(other)),
        )

    def release(self) -> None:
        """Release the context."""
        offscreen, self._offscreen = self._offscreen, None
        if offscreen is not None:
            with offscreen.context:
                offscreen.renderer.release()
                offscreen.target.release()
            offscreen.context.release()

    def _ready(self, size: tuple[int, int], samples: int) -> "OffscreenRenderer":
        from ..rendering.offscreen import OffscreenRenderer

        if self._offscreen is None:
            self._offscreen = OffscreenRenderer(size, samples)
        with self._offscreen.context:
            self._offscreen.resize(size, samples)
        return self._offscreen
