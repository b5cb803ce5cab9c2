"""The output of `rigview diff -o`: A, B, and the error as a heat map on B; a picture or video.

A page plays A and B. Of a character that was added or removed, its only version is shown.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..animation.clip import Clip
from ..animation.types import F32, F64, U8
from ..animation.vectors import extent
from ..console import print_verbose
from ..differences.difference import ClipDifference, Difference
from ..differences.heat_map import (
    WITHIN,
    VertexErrors,
    errors_at,
    relative_errors,
    viridis,
)
from ..differences.model_pair import ModelPair, pair_models
from ..images.frame_times import loop_frame_times
from ..images.side_by_side import ColourScale, PageLayout, Panel
from ..images.stills import as_still
from ..images.video import ENDINGS
from ..model.model import Model
from ..model.named_clips import Clips
from ..options.command_options import Options, TimeOptions
from ..pages.entry import Media, as_webp
from ..pages.player import write_page
from ..rendering.offscreen import OffscreenRenderer
from ..rendering.renderer import Renderer
from ..scene.camera import OrbitCamera
from ..scene.scene import Scene
from ..scenedoc.camera import Camera
from ..scenedoc.look import Shading
from ..wording import millimetres
from .build_scene import bind, place_camera
from .character_page import page_content
from .output import PAGES, write
from .playback_setup import PlaybackSetup
from .render_video import write_frames
from .time_options import at_times

_COLOURS = 256  # of the colour scale
_FRAMED_TIMES = 24  # times of a clip that the camera frames


class ShownClips(NamedTuple):
    """The clips to draw, one of each version (-1: missing, or none is shown)."""

    clips: tuple[int, int]
    time: float  # of the greatest error, seconds
    name: str  # of the clip or pose
    only: int = -1  # index of the only version that has it, -1: both
    whole: bool = False  # whether the other version does not exist at all


def draw(
    options: Options,
    target: str,
    difference: Difference,
    models: tuple[Model | None, Model | None],
    names: tuple[str, str],
) -> None:
    """Draw the comparison and write it to `target`, the value of --output.

    One of the models may be None: the other one was added or removed.
    """
    ending = Path(target).suffix.lower()
    moving = ending in ENDINGS
    there = [model for model in models if model is not None]
    both = there[0], there[-1]
    shown = _chosen(options, difference, both) if len(there) > 1 else _only_version(options, models)
    with np.errstate(all="ignore"):
        model_pair = pair_models(*both)
    renderer = _DiffRenderer(options, difference, model_pair, shown, names, moving=moving)
    try:
        if moving:
            _write_video(options, target, renderer)
        elif ending in PAGES:
            poster = as_webp(renderer.page(shown.time), lossless=True)
            write(target, _page(options, model_pair, difference, shown, names, poster).encode())
        else:
            behind = options.scene.look.background.colours
            write(target, as_still(renderer.page(shown.time), target, behind))
    finally:
        renderer.release()


def _page(
    options: Options,
    model_pair: ModelPair,
    difference: Difference,
    shown: ShownClips,
    names: tuple[str, str],
    poster: Media,
) -> str:
    """Return a page that plays both versions, or the only one, from the time that is drawn."""
    if shown.whole:
        shown = shown._replace(clips=(max(shown.clips),) * 2)
    pairs = _clip_pairs(options, model_pair, difference, shown)
    models = [_with_clips(model_pair, side, pairs) for side in range(2)]
    first = pairs.index(shown.clips) if shown.clips in pairs else -1
    rows = [
        [PlaybackSetup(model, number) for number in (*range(len(pairs)), -1)] for model in models
    ]
    scales = [1.0, model_pair.scale]
    if shown.whole:
        models, rows, scales = models[:1], rows[:1], scales[:1]
    clip = _clip(models[0], first)
    tau = 0.0 if clip is None else shown.time - min(clip.start, 0.0)
    single = replace(options.scene, characters=options.scene.characters[:1])
    moment = at_times(replace(options, scene=single), TimeOptions()).with_shown(time=(tau,))
    content = page_content(
        moment,
        [PlaybackSetup(model, first) for model in models],
        "side-by-side",
        rows=rows,
        scales=scales,
    )
    versions = [_file_name(name) for name in names]
    title = versions[shown.only] if shown.whole else " – ".join(versions)
    return write_page(title, content, poster)


def _clip_pairs(
    options: Options, model_pair: ModelPair, difference: Difference, shown: ShownClips
) -> list[tuple[int, int]]:
    """Return the clips of A and B that a page plays together, -1: missing."""
    compared = {clip.indices[0]: clip.indices for clip in difference.clips}
    others = {clip.name: number for number, clip in enumerate(model_pair.b.clips)}
    if options.clips.animations:
        pairs = [*compared.values(), *({shown.clips} - {*compared.values(), (-1, -1)})]
        return sorted(pairs)
    pairs = [
        compared.get(number, (number, others.get(clip.name, -1)))
        for number, clip in enumerate(model_pair.a.clips)
    ]
    taken = {pair[1] for pair in pairs}
    return pairs + [(-1, k) for k in range(len(model_pair.b.clips)) if k not in taken]


def _with_clips(model_pair: ModelPair, side: int, pairs: Sequence[tuple[int, int]]) -> Model:
    """Return a version with a clip for each pair, as A names it; the rest pose if it has none."""
    models = model_pair.a, model_pair.b
    clips = []
    for pair in pairs:
        own, other = _clip(models[side], pair[side]), _clip(models[1 - side], pair[1 - side])
        named = other if side and other is not None else own or other
        assert named is not None
        if own is None:
            own = replace(named, tracks=(), rest=models[side].skeleton.rest)
        clips.append(own.renamed(named.name))
    return replace(models[side], clips=Clips(clips))


def _write_video(options: Options, target: str, renderer: "_DiffRenderer") -> None:
    begin, end = renderer.span
    shown = loop_frame_times(end - begin, options.scene.frame_rate)
    print_verbose(shown.note, verbose=options.general.verbose and bool(shown.note))
    times = [begin + tau for tau in shown.taus]
    renderer.full = max(renderer.errors(time).greatest for time in times)
    write_frames(options, [target], shown, map(renderer.page, times), loop=True)


def _chosen(options: Options, difference: Difference, models: tuple[Model, Model]) -> ShownClips:
    """Return the clip with the greatest error, or a requested clip of one version only."""
    worst = difference.worst
    if worst is None and difference.rest_differs:
        return ShownClips((-1, -1), 0.0, "rest pose")
    if worst is None and options.clips.animations:
        for side in range(2):
            requested = _requested(options, models[side])
            others = {clip.name for clip in models[1 - side].clips}
            others |= {c.name for c in difference.clips} | {c.now for c in difference.clips}
            if requested and models[side].clips[requested[0]].name not in others:
                return _only_in(side, models[side], requested[0])
    if worst is None and difference.clips:
        worst = difference.clips[0]
    if worst is not None:
        return ShownClips(worst.indices, _worst_time(worst, difference), _title(worst))
    common = [c.name for c in models[1].clips]
    for k, clip in enumerate(models[0].clips):  # identical files
        if clip.name in common:
            return ShownClips((k, common.index(clip.name)), clip.start, clip.name)
    return ShownClips((-1, -1), 0.0, "rest pose")


def _only_version(options: Options, models: tuple[Model | None, Model | None]) -> ShownClips:
    """Return the requested or first clip of an added or removed character."""
    side = 0 if models[1] is None else 1
    model = models[side]
    assert model is not None
    clips = _requested(options, model) or range(len(model.clips))
    if not clips:
        return ShownClips((-1, -1), 0.0, "rest pose", side, whole=True)
    return _only_in(side, model, clips[0])._replace(whole=True)


def _requested(options: Options, model: Model) -> Sequence[int]:
    """Return the indices of the clips of --animation that a model has."""
    names = [clip.name for clip in model.clips]
    return [names.index(text) for text in options.clips.animations if text in names]


def _only_in(side: int, model: Model, number: int) -> ShownClips:
    """Return the middle of a clip that only one version has."""
    clip = model.clips[number]
    pair = (number, -1) if side == 0 else (-1, number)
    return ShownClips(pair, (clip.start + clip.end) / 2, clip.name, side)


def _worst_time(clip: ClipDifference, difference: Difference) -> float:
    deviation = clip.deviation
    if deviation.metres <= difference.metres and deviation.degrees > difference.degrees:
        return deviation.turned_time
    return deviation.time if deviation.metres > 0 else deviation.value_time


def _title(clip: ClipDifference) -> str:
    return clip.name if clip.name == clip.now else f"{clip.name} (now {clip.now})"


class _DiffRenderer:
    """Renders three scenes (A, B, error) with one camera onto a page."""

    def __init__(
        self,
        options: Options,
        difference: Difference,
        model_pair: ModelPair,
        shown: ShownClips,
        names: tuple[str, str],
        *,
        moving: bool,
    ) -> None:
        self._difference, self._model_pair = difference, model_pair
        self._shown, self._names = shown, names
        self._page = PageLayout(options.scene.size)
        models = model_pair.a, model_pair.b
        self._clips = _clip(model_pair.a, shown.clips[0]), _clip(model_pair.b, shown.clips[1])
        # metres at the end of the colour scale; 0: the greatest error of the picture
        self.full = 0.0
        self._offscreen = OffscreenRenderer(options.scene.size, options.scene.samples)
        context = self._offscreen.context
        print_verbose(f"drawn by {context.info['GL_RENDERER']}", verbose=options.general.verbose)
        self._renderers = [self._offscreen.renderer, Renderer(context), Renderer(context)]
        scales = (1.0, model_pair.scale, model_pair.scale)
        self._scenes = [
            self._scene(options, model, k, scale)
            for k, (model, scale) in enumerate(zip((*models, model_pair.b), scales, strict=True))
        ]
        self._frame(options.scene.camera, moving=moving)

    @property
    def span(self) -> tuple[float, float]:
        """Return the start and end of both clips, seconds."""
        clips = [clip for clip in self._clips if clip is not None]
        begin = min((min(clip.start, 0.0) for clip in clips), default=0.0)
        return begin, max((clip.end for clip in clips), default=0.0)

    def errors(self, time: float) -> VertexErrors:
        """Return the errors at a time."""
        with np.errstate(all="ignore"):
            return errors_at(self._model_pair, self._clips, time)

    def page(self, time: float) -> U8:
        """Return the page at a time [H, W, 4]."""
        only = self._shown.only
        errors = self.errors(time)
        panels = [self._version_panel(k, time) for k in range(2)]
        full = max(self.full or errors.greatest, self._difference.metres)
        if only >= 0:
            panels.append(Panel("Error", None, f"only in {'AB'[only]}"))
        elif self._nothing_in_common:
            panels.append(Panel("Error", None, "no common joints or meshes"))
        else:
            coloured = self._scenes[2].instances[0].character
            coloured.vertex_values = relative_errors(errors, self._difference.metres, full)
            panels.append(self._error_panel(time, errors))
        return self._page.draw(
            self._words(time, errors),
            self._note(),
            panels,
            self._scale(full) if only < 0 and not self._nothing_in_common else None,
            self._foot(),
        )

    def release(self) -> None:
        """Free everything."""
        for renderer in self._renderers[1:]:
            renderer.release()
        self._offscreen.renderer = self._renderers[0]
        self._offscreen.release()

    def _scene(self, options: Options, model: Model, k: int, scale: float) -> Scene:
        scene = Scene()
        if k == 2:  # it is coloured by errors
            look = options.scene.look.changed(Shading, weights=None)
            bare = {"variant": None, "hidden_meshes": None, "hidden_joints": None}
            options = options.with_shown(**bare).with_scene(look=look)
        bind(options, scene, [model])
        character, side = scene.instances[0].character, min(k, 1)
        character.play_clip(self._shown.clips[side], 0.0, passes=1)
        character.set_placement(np.diag([1 / scale] * 3 + [1.0]).astype(np.float32))
        return scene

    def _frame(self, options: Camera, *, moving: bool) -> None:
        """Frame both versions with one camera, over the whole clip for a video."""
        times = np.linspace(*self.span, _FRAMED_TIMES) if moving else np.array([self._shown.time])
        points = self._points(times)
        first, aspect = self._scenes[0], self._offscreen.aspect
        camera = first.camera.orbit = OrbitCamera()
        place_camera(options, first, aspect)
        if options.target is None:
            camera.frame(points, aspect)
            if options.position is not None:
                camera.move_to(np.array(options.position, np.float64))
        floor = min(scene.bounds.floor for scene in self._scenes)
        for scene in self._scenes:
            scene.instances[0].given_facing = first.instances[0].facing  # the same light for all
            scene.measure()
            scene.camera.orbit = camera
            scene.bounds.floor, scene.bounds.cell = floor, first.bounds.cell
            if len(points):  # else neither file has a node
                scene.bounds.extent = extent(points).astype(float)

    def _points(self, times: F64) -> F32:
        points = []
        for k, pose in enumerate(self._model_pair.poses(self._clips, times)):
            if self._shown.only == 1 - k:
                continue
            scale = self._model_pair.scale if k else 1.0
            corners = self._scenes[k].instances[0].bounds.corners(pose)
            points.append(corners / np.float32(scale))
        return np.concatenate(points)

    def _picture(self, k: int, time: float) -> U8:
        scene, clip = self._scenes[k], self._clips[min(k, 1)]
        begin = 0.0 if clip is None else min(clip.start, 0.0)
        self._offscreen.renderer = self._renderers[k]
        scene.update(time - begin)
        return self._offscreen.render(scene)

    def _version_panel(self, k: int, time: float) -> Panel:
        """Return the picture of a version, or what it lacks."""
        if self._shown.whole and k != self._shown.only:
            return Panel("AB"[k], None, "no such file")
        title = f"{'AB'[k]}: {_file_name(self._names[k])}"
        if self._shown.only in (-1, k):
            return Panel(title, self._picture(k, time))
        return Panel(title, None, "no such animation")

    def _error_panel(self, time: float, errors: VertexErrors) -> Panel:
        title = "Error of B" if not self._by_joints else "Error of B, by joint"
        picture = self._picture(2, time)
        if errors.greatest <= self._difference.metres:
            return Panel(title, picture)
        x, y, _ = self._scenes[2].camera.current.project(
            np.asarray(errors.point, np.float32), self._offscreen.aspect
        )
        inside = np.isfinite([x, y]).all() and 0 <= x <= 1 and 0 <= y <= 1
        mark = (float(x), float(y)) if inside else None
        return Panel(title, picture, mark=mark, label=millimetres(errors.greatest, ".3g"))

    @property
    def _nothing_in_common(self) -> bool:
        return not self._model_pair.blocks and not (self._model_pair.joints.to >= 0).any()

    @property
    def _by_joints(self) -> bool:
        return not self._model_pair.blocks or bool(self._model_pair.unmatched)

    def _words(self, time: float, errors: VertexErrors) -> str:
        name = self._shown.name
        moment = f"{name} at {time:.3f} s" if max(self._shown.clips) >= 0 else name
        if self._shown.whole:
            what = ("removed", "added")[self._shown.only]
            return f"{what}: {_file_name(self._names[self._shown.only])}, {moment}"
        if self._shown.only >= 0:
            return f"{moment}: only in {'AB'[self._shown.only]}"
        if self._nothing_in_common:
            return f"{moment}: nothing to compare"
        if errors.greatest <= self._difference.metres:
            return f"{moment}: within {self._difference.metres * 1000:g} mm"
        where = f" at {errors.joint}" if errors.joint else ""
        return f"{moment}: {millimetres(errors.greatest, '.3g')}{where}"

    def _note(self) -> str:
        pair = self._shown.clips
        differences = [clip for clip in self._difference.clips if clip.indices == pair]
        parts = []
        if differences and differences[0].deviation.degrees > self._difference.degrees:
            of = differences[0].deviation
            parts.append(f"greatest turn {of.degrees:.2f}° at {of.turned}, {of.turned_time:.3f} s")
        if differences and differences[0].deviation.metres > self._difference.metres:
            parts.append(f"mean {millimetres(differences[0].deviation.mean, '.3g')}")
        return "   ".join(parts)

    def _foot(self) -> str:
        parts = []
        if self._model_pair.scale != 1.0:
            parts.append(f"B is {self._model_pair.scale:.6g} times as large as A, and scaled to A")
        if self._by_joints and self._shown.only < 0 and not self._nothing_in_common:
            meshes = ", ".join(self._model_pair.unmatched[:2])
            why = f"the vertices of {meshes} do not correspond: errors of their joints are shown"
            parts.append(why if meshes else "no mesh: errors of the joints are shown")
        return "; ".join(parts)

    def _scale(self, full: float) -> ColourScale:
        threshold = self._difference.metres
        numbers = [(0.0, "0"), (1.0, millimetres(full, ".3g"))]
        if threshold < full:
            numbers.insert(1, (threshold / full, millimetres(threshold, ".3g")))
        colours = viridis(np.linspace(0, 1, _COLOURS))
        return ColourScale(colours, numbers[-2:], WITHIN, f"within {threshold * 1000:g} mm")


def _clip(model: Model, number: int) -> Clip | None:
    return model.clips[number] if number >= 0 else None


def _file_name(name: str) -> str:
    """Return the file name of a path, with its revision."""
    rev, colon, path = name.rpartition(":")
    base = path.replace("\\", "/").rpartition("/")[2]
    return f"{rev}:{base}" if colon and len(rev) > 1 else base
