"""Render single pictures like `rigview render`, with one renderer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from ..gltf.images import decode_ahead
from ..options.command_options import Options
from ..options.python_call import options_from_python
from . import crowd_setup, several_characters
from .input_file import print_file_warnings
from .playback_setup import load_playback, print_clamped_joints

if TYPE_CHECKING:
    from ..animation.types import U8
    from ..golden.shot import Picture
    from ..render.offscreen import OffscreenRenderer
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


def clip_option(clip: Any) -> Any:  # noqa: ANN401 - a name, a number, several, or None
    """Return the value of `--animation` for a clip: indices are written ``#N``."""
    if isinstance(clip, list | tuple):
        return [clip_option(each) for each in clip]
    return f"#{clip}" if isinstance(clip, int) else clip


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
        setup = load_playback(options)
        others = several_characters.load_others(options)
        several_characters.check_names(options, setup.model, others)
        taus = setup.taus(options)
        if len(taus) != 1:
            raise UsageError(f"a picture shows one time, not {len(taus)}")
        decode_ahead(setup.model.images)
        several_characters.decode_images(others)
        from ..golden.shot import Picture, Shot
        from .build_scene import playing_scene  # GPU packages: after all checks

        offscreen = self._ready(options.picture.resolution, options.shading.samples)
        with offscreen.context:
            scene = playing_scene(
                options,
                setup,
                offscreen.aspect,
                join=lambda scene: several_characters.add_to_scene(
                    options, scene, others, whole=False
                ),
                shown=taus[0],
            )
            if camera is not None:
                scene.camera.orbit = camera
            placed = replace(scene.camera.orbit)
            scene.update(taus[0])
            pixels = offscreen.render(scene)
            offscreen.renderer.unload()
        if scene.character is not None:
            print_clamped_joints(options, setup.model, scene.character.mixer)
        print_file_warnings(options, setup.model)
        several_characters.print_warnings(options, scene, others)
        shot = Shot.of(scene, placed, options.camera.given)
        return Picture.of(
            pixels,
            shot if options.camera.name is None else None,
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
        from ..render.offscreen import OffscreenRenderer

        if self._offscreen is None:
            self._offscreen = OffscreenRenderer(size, samples)
        with self._offscreen.context:
            self._offscreen.resize(size, samples)
        return self._offscreen
