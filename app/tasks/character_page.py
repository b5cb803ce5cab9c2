"""A page that plays a character: its data, a poster, and the player."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.track import Track
from ..gltf.images import decode_ahead
from ..model.clip_deviation import deviation
from ..model.model import Model
from ..model.skinned_vertices import height, vertex_blocks
from ..motion.mixed_clip import mixed_span, sampled_mix
from ..options.command_options import Options
from ..options.python_call import options_from_python
from ..pages.character_data import CharacterData, PlayedClip
from ..pages.entry import Media, as_webp
from ..pages.packed_arrays import Content, PackedArrays
from ..pages.player import SIMPLIFIED, gradient, shaders, view_modes, write_page
from .clip_choice import MOTION, choose_clips, row_setups
from .playback_setup import PlaybackSetup, load_playback
from .still_pictures import (
    COMMAND_ONLY,
    Source,
    clip_option,
    is_file,
    label,
    loaded_model,
    shared_renderer,
)

if TYPE_CHECKING:
    from typing import Unpack

    from ..animation.types import F32
    from ..blending.mixer import Mixer
    from ..options.render_options import RenderOptions
    from ..scene.scene import Scene

ERROR = 3e-4  # of a sampled motion, of the height
RATES = ((60.0, 4), (60.0, 2), (240.0, 4), (240.0, 2))  # of a sampling, and which keys are kept
NARROW = 0.55  # width over height of the picture on a phone
MOST_SECONDS = 60.0  # of a motion that is sampled


@dataclass(frozen=True, slots=True)
class CharacterPage:
    """The page of a character as text, and what to say of it."""

    html: str
    model: Model
    notes: tuple[str, ...]


def character_page(options: Options, model: Model | None = None) -> CharacterPage:
    """Return the page of the only file of some options, or of a model in its place.

    Raises
    ------
    AppError
        The errors of `render`.
    """
    setup = load_playback(options, model)
    content = page_content(options, [setup])
    html = write_page(setup.model.name, content, _poster(options, setup))
    return CharacterPage(html, setup.model, content.notes)


def page(
    source: Source,
    clip: str | int | Sequence[str | int] | None = None,
    *,
    max_texture: int | None = None,
    **options: "Unpack[RenderOptions]",
) -> str:
    """Return the text of an HTML page in which a character plays, as of `rigview page`.

    Parameters
    ----------
    source
        A file, its bytes, or a model, which plays as it is, without the motion file beside its
        file.
    clip
        The clips, by name, index or pattern; None: all of them.
    max_texture
        Greatest width and height of textures, pixels; None: as in the file.
    options
        Options of the command, with ``_`` for ``-``: ``view="right"``; `resolution` is that of the
        poster.

    Returns
    -------
    str
        The page, which needs no other file.

    Raises
    ------
    AppError
        The same errors as the command.

    Examples
    --------
    >>> text = rigview.page("hero.glb")
    >>> _ = Path("hero.html").write_text(text, encoding="utf-8")
    """
    model = None if is_file(source) else loaded_model(source)
    name = source if is_file(source) else label(source)
    chosen = clip if clip is None or isinstance(clip, list | tuple) else [clip]
    values: dict[str, Any] = {"animation": clip_option(chosen), "max_texture": max_texture}
    read = options_from_python("page", name, values | options, without=COMMAND_ONLY)
    return character_page(read, model).html


def page_content(
    options: Options,
    setups: "Sequence[PlaybackSetup]",
    compare: str = "",
    *,
    rows: "Sequence[Sequence[PlaybackSetup]] | None" = None,
    scales: Sequence[float] = (1.0, 1.0),
) -> Content:
    """Return what the page of a character, or of two versions, plays and shows.

    Parameters
    ----------
    setups
        What each plays at first.
    compare
        How two versions are shown at first.
    rows
        What each can play, the same number for each; default: the clips that the options choose.
    scales
        Each is drawn this much smaller.
    """
    from ..pages.scene_data import scene_data
    from .build_scene import bound_scene, start_playback

    arrays, simplified, notes = PackedArrays(), dict.fromkeys(SIMPLIFIED), list[str]()
    characters: list[dict[str, Any]] = []
    framings: list[list[list[dict[str, Any]]]] = []  # by character, row and shape of the picture
    aspect = options.scene.size[0] / options.scene.size[1]
    for k, setup in enumerate(setups):
        decode_ahead(setup.model.images)
        scene = bound_scene(options, [setup.model])
        if rows is None:
            chosen = choose_clips(options, setup.model)
            own: Sequence[PlaybackSetup] = row_setups(options, setup.model, setup.file, chosen)
        else:
            own = rows[k]
        clips: list[PlayedClip] = []
        framings.append([])
        for row in own:
            start_playback(options, scene, [row], aspect)
            framings[k].append(_framings(options, scene, scales[k]))
            scene.update(0.0)
            clips.append(_clip(options, row, scene, notes))
        described = CharacterData(arrays, setup.model, max_texture=options.output.max_texture)
        characters.append(described.described(clips))
        if scales[k] != 1.0:
            characters[-1]["world"] = (np.eye(3, 4) / scales[k]).ravel().tolist()
        simplified |= described.simplified
        if len(characters) == 1:
            played = setup.clip, setup.layered
            shown = [(row.clip, row.layered) for row in own]
            first = shown.index(played) if played in shown else 0
            start_playback(options, scene, [setup], aspect)
            time = setup.taus(options)[0] if setup.plays else 0.0
            scene.update(time)
            around = scene_data(arrays, scene)
            manifest = {
                "scene": around,
                "first": first,
                "time": _clip_time(options, setup, time),
            }
            behind = gradient(around["background"])
    over = options.scene.look.overlays
    manifest |= {
        "characters": characters,
        "cameras": [
            [reduce(_enclosing, cameras) for cameras in zip(*rows, strict=True)]
            for rows in zip(*framings, strict=True)
        ],
        "aspects": [aspect, NARROW],
        "rate": options.scene.frame_rate,
        "view": options.scene.look.shading.view_mode,
        "views": view_modes(),
        "compare": compare,
        "overlays": {
            "skeleton": over.skeleton,
            "names": over.joint_names,
            "wireframe": over.wireframe,
        },
        "shaders": shaders(),
    }
    return Content(
        arrays.deflated(manifest), behind, (*simplified, *notes), compared=len(setups) > 1
    )


def _framings(options: Options, scene: "Scene", scale: float) -> list[dict[str, Any]]:
    """Return the cameras that frame what plays: in the picture of the options, in a narrow one.

    It is drawn smaller by a scale.
    """
    from ..pages.scene_data import camera_data
    from .build_scene import place_camera

    cameras = [camera_data(scene.camera.orbit)]
    place_camera(options.scene.camera, scene, NARROW)
    cameras.append(camera_data(scene.camera.orbit))
    for each in cameras:
        each["target"] = [x / scale for x in each["target"]]
        each["distance"] /= scale
    return cameras


def _enclosing(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the camera of the same direction that shows what two of them show."""
    reach = np.tan(one["fov"] / 2.0)  # of what is shown around the target, per metre of distance
    radii = one["distance"] * reach, other["distance"] * reach
    way = np.subtract(other["target"], one["target"])
    apart = float(np.linalg.norm(way))
    radius = (apart + sum(radii)) / 2.0
    if radius <= max(radii):
        return max(one, other, key=lambda each: each["distance"])
    target = one["target"] + way * ((radius - radii[0]) / apart)
    return one | {"target": target.tolist(), "distance": float(radius / reach)}


def _clip_time(options: Options, setup: PlaybackSetup, tau: float) -> float:
    """Return the time of the clip at a global time, seconds."""
    if not setup.plays:
        return 0.0
    return float(np.ravel(setup.clip_times(options, np.array([tau])))[0])


def _clip(options: Options, row: PlaybackSetup, scene: "Scene", notes: list[str]) -> PlayedClip:
    """Return a row as a clip: as it is in the file, sampled, or a still pose."""
    if row.clip >= 0 and not row.bind_clip:
        return PlayedClip(row.model.clips[row.clip])
    if not row.plays:
        assert scene.character is not None
        return PlayedClip(_still(scene.character.pose, row))
    mixer = row.mixer(options.with_shown(loop=None))
    name = MOTION if row.layered else row.name
    played, error = _sampled(row.model, mixer, name, row.morphs)
    notes.append(f"{name}: at most {error:.1g} of the height from the motion between its keys")
    return played


def _sampled(
    model: Model, mixer: "Mixer", name: str, weights: "F32 | None"
) -> tuple[PlayedClip, float]:
    """Return what a mixer plays as a clip, and its error: its share of the height.

    It has one of four keys of a sampling, or one of two if its distance from all is not below
    `ERROR`; then one of a finer sampling.
    """
    begin, end = mixed_span(mixer)
    end = min(end, begin + MOST_SECONDS)
    parts = vertex_blocks(model)
    tall = height(model, parts) or 1.0
    for rate, step in RATES:
        if step == RATES[0][1]:
            whole = sampled_mix(model, mixer, name, (begin, end), rate, weights=weights)
        clip = replace(whole.clip, tracks=tuple(_thinned(each, step) for each in whole.clip.tracks))
        error = deviation(model, parts, whole.clip, clip).metres / tall
        if error < ERROR:
            break
    path = Track(
        0, "translation", "LINEAR", whole.times, whole.root_motion[:, :3, 3].astype(np.float32)
    )
    if not path.values.any():
        return PlayedClip(clip), error
    return PlayedClip(clip, _thinned(path, step)), error


def _thinned(track: Track, step: int) -> Track:
    """Return a track with one of `step` keys, and the last one."""
    if len(track.times) <= 2:
        return track
    kept = np.unique([*range(0, len(track.times), step), len(track.times) - 1])
    return replace(track, times=track.times[kept], values=track.values[kept])


def _still(pose: Pose, setup: PlaybackSetup) -> Clip:
    """Return a still pose as a clip."""
    rest = setup.model.skeleton.rest
    moved = np.flatnonzero((pose.data != rest.data).reshape(-1))
    if not len(moved):
        return Clip.of("Rest pose", (), rest)
    time = np.zeros(1, np.float32)
    tracks = [
        Track(joint, path, "LINEAR", time, getattr(pose, path)[joint][None].copy())
        for path in ("translation", "rotation", "scale")
        for joint in range(pose.count)
    ]
    tracks += [
        Track(
            k, "values", "STEP", time, pose.values[None, channel.slice].copy(), None, channel.start
        )
        for k, channel in enumerate(setup.model.channels)
    ]
    return Clip.of("Still pose", tracks, rest)


def _poster(options: Options, setup: PlaybackSetup) -> Media:
    """Return what `render` draws, without loss."""
    tau = setup.taus(options)[0] if setup.plays else 0.0
    ((pixels, _),) = shared_renderer().pictures(options, [setup], [tau])
    return as_webp(pixels, lossless=True)
