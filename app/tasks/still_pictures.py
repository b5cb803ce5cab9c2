"""Render single pictures like `rigview render`, with one renderer."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from ..animation.pose import Pose
from ..errors import UsageError
from ..gltf.images import decode_ahead
from ..loading.load import load
from ..model.model import Model
from ..model.named_clips import clip_index
from ..options.command_options import Options
from ..options.python_call import options_from_python
from . import crowd_setup, several_characters
from .playback_setup import PlaybackSetup

if TYPE_CHECKING:
    from typing import Unpack

    from ..animation.types import U8
    from ..golden.shot import Picture, Shot
    from ..options.render_options import RenderOptions
    from ..rendering.offscreen import OffscreenRenderer
    from ..scene.camera import OrbitCamera

Source = str | Path | bytes | Model

COMMAND_ONLY = ("output", "in_place", "frames", "exact", "config", "no_config")  # options
THUMBNAIL_MEMORY = 512 << 20  # bytes of the textures of a file, by default


def render(
    source: Source | Sequence[Source],
    clip: str | int | Sequence[str | int] | None = None,
    time: float | Sequence[float] | None = None,
    *,
    pose: Pose | str | Sequence[str] | None = None,
    **options: "Unpack[RenderOptions]",
) -> "U8":
    """Return the picture [H, W, 4] of `rigview render`: uint8, sRGB, straight alpha.

    The renderer is kept for further pictures of the thread.

    Parameters
    ----------
    source
        A file, its bytes, or a model; several are drawn side by side. A model is drawn as it is,
        without the motion file beside its file.
    clip
        Name, index or pattern; None: the layers of the motion file, else the first clip. A list
        for several sources.
    time
        Seconds; a list for several sources.
    pose
        A local pose of the model in place of a clip; of poses [N] a film is returned, whose
        camera frames all of them. Text is the option of the command: ``"rest"``.
    options
        Options of the command, with ``_`` for ``-``: ``resolution=(256, 256)``, ``view="right"``.

    Returns
    -------
    U8
        [H, W, 4]; of poses [N] the pictures [N, H, W, 4].

    Raises
    ------
    AppError
        The same errors as the command.

    Examples
    --------
    >>> picture = rigview.render("hero.glb", "Walk", 0.25, view="right")
    >>> model = rigview.load("hero.glb")
    >>> film = rigview.render(model, pose=model.clips["Walk"].sample([0.0, 0.1, 0.2]))
    """
    sources: list[Source] = list(source) if isinstance(source, list | tuple) else [source]  # type: ignore[list-item]
    models = [None if is_file(each) else loaded_model(each) for each in sources]
    own = pose if isinstance(pose, Pose) else None
    if own is not None:
        _check_pose(own, sources, clip, time)
    files = [each if is_file(each) else f"{label(each)}" for each in sources]
    values: dict[str, Any] = {"animation": clip_option(clip), "time": time, **options}
    if own is None:
        values["pose"] = pose
    elif own.batch:
        values = {"fit": "clip", **values}
    read = options_from_python("render", files, values, without=COMMAND_ONLY)
    read = crowd_setup.crowd_options(read)
    setups = several_characters.load_characters(read, models)
    if own is None:
        taus = [_single_time(setups[read.scene.active - 1].taus(read))]
    else:
        many = own if own.batch else Pose.over(own.data[None], own.count)
        setups = [PlaybackSetup(setups[0].model, -1, morphs=setups[0].morphs, poses=many)]
        taus = list(range(len(many.data)))
    drawn = [picture for picture, _ in shared_renderer().pictures(read, setups, taus)]
    return np.stack(drawn) if own is not None and own.batch else drawn[0]


def draw_thumbnail(
    path: str | os.PathLike[str], size: int, *, max_memory: int = THUMBNAIL_MEMORY
) -> "U8":
    """Return the thumbnail [size, size, 4] of a file: uint8, sRGB, straight alpha.

    It shows the first pose of what the file plays, framed as in the window, over no background.
    The renderer is kept for further thumbnails of the thread.

    Parameters
    ----------
    path
        A file that the program opens; others than glTF are converted, or read from their cache.
    size
        Pixels of an edge.
    max_memory
        Bytes for the textures of the file; if they need more, the largest are halved.

    Raises
    ------
    AppError
        The file cannot be read, or there is no OpenGL.
    """
    return render(
        Path(path),
        resolution=(size, size),
        no_background=True,
        shadow=False,
        grid=False,
        quiet=True,
        max_memory=max_memory,
    )


def is_file(source: Source) -> TypeGuard[str | Path]:
    """Return whether a source is the path of a file."""
    return isinstance(source, str | os.PathLike)


def loaded_model(source: Source) -> Model:
    """Return the model of a source in memory (UsageError: it is neither bytes nor a model)."""
    return source if isinstance(source, Model) else load(source)


def label(source: Source) -> str:
    """Return the name of a model for messages."""
    if isinstance(source, Model):
        return source.name if source.path is None else str(source.path)
    return "<bytes>"


def _check_pose(pose: Pose, sources: Sequence[Source], clip: object, time: object) -> None:
    """Check that a pose can be drawn (UsageError)."""
    (model, *others) = sources
    if others or not isinstance(model, Model):
        raise UsageError("a pose is drawn on one model", hint="load(path) returns it")
    if clip is not None or time is not None:
        raise UsageError("pose excludes clip and time")
    rest = model.skeleton.rest
    if pose.data.shape[-1:] != rest.data.shape:
        raise UsageError(f"the pose does not fit the model: {pose!r}, not {rest!r}")
    if len(pose.batch) > 1 or 0 in pose.batch:
        raise UsageError(f"one pose is drawn, or poses [N], not {pose.batch}")


_kept = threading.local()  # an OpenGL context belongs to a thread


def shared_renderer() -> "StillRenderer":
    """Return the renderer of this thread."""
    found: StillRenderer | None = getattr(_kept, "renderer", None)
    if found is None:
        found = _kept.renderer = StillRenderer()
    return found


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
        ((pixels, shot),) = self.pictures(options, setups, [tau], camera)
        from ..golden.shot import Picture

        return Picture.of(
            pixels,
            shot if options.scene.camera.name is None else None,
            lambda other: self.picture(options, replace(other)),
        )

    def pictures(
        self,
        options: Options,
        setups: "Sequence[PlaybackSetup]",
        taus: Sequence[float],
        camera: "OrbitCamera | None" = None,
    ) -> "list[tuple[U8, Shot]]":
        """Return the pictures [H, W, 4] of characters at times, and how they were taken.

        Parameters
        ----------
        setups
            What each character plays.
        taus
            Global times, seconds.
        camera
            In place of the one that the options place.

        Raises
        ------
        AppError
            The same errors as the command.
        """
        for setup in setups:
            decode_ahead(setup.model.images)
        from ..golden.shot import Shot
        from .build_scene import playing_scene  # GPU packages: after all checks

        drawn = []
        with self.drawing(options.scene.size, options.scene.samples) as offscreen:
            scene = playing_scene(options, setups, offscreen.aspect, shown=taus[0])
            if camera is not None:
                scene.camera.orbit = camera
            placed = scene.camera.current
            for tau in taus:
                scene.update(tau)
                pixels = offscreen.render(scene)
                drawn.append((pixels, Shot.of(scene, placed, options.scene.camera.given)))
        several_characters.print_warnings(options, scene, setups)
        return drawn

    @contextmanager
    def drawing(
        self, size: tuple[int, int], samples: int, *, keep: bool = True
    ) -> "Iterator[OffscreenRenderer]":
        """Yield the renderer for pictures of a size; at the end its models are unloaded.

        Its shaders are compiled with the first picture, which takes longer than rendering a small
        file: it is kept for further pictures, unless `keep` is False.

        Raises
        ------
        ContextError
            There is no OpenGL.
        """
        offscreen = self._ready(size, samples)
        try:
            with offscreen.context:
                try:
                    yield offscreen
                finally:
                    offscreen.renderer.unload()
        finally:
            if not keep:
                self.release()

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
