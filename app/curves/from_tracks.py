"""Curves of the tracks of a joint or a channel."""

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from ..animation import quat
from ..animation.bezier import POINTS, Hermite
from ..animation.clip import Clip
from ..animation.euler import to_euler, unroll
from ..animation.keys import tangents_of
from ..animation.track import Rotation, Track
from ..animation.types import F64, Index
from ..model.model import Model
from .curve_set import Chart, CurveSet, Line

Angles = Literal["euler", "quaternion"]
ANGLES: dict[Angles, str] = {
    "euler": "degrees about X, then Y, then Z",
    "quaternion": "components of the quaternion",
}
_FEWEST = 4  # least number of points between two keys of a curved line
_STEP = 1e-4  # seconds, step of the numerical derivative at a key
_MOST = 1e15  # values are clamped to this range
UNIFORM = 1e-3  # relative: greater differences between the axes are not one scale


@np.errstate(all="ignore")  # NaN and infinity in files propagate
def joint_curves(
    model: Model, clip: Clip, joint: int, *, angles: Angles = "euler", begin: float | None = None
) -> CurveSet:
    """Return the curves of a joint: its transform tracks and those of its channels.

    Parameters
    ----------
    angles
        Display of rotations.
    begin
        Where the time axis starts, seconds; None: 0, or an earlier first key.
    """
    tracks = {track.path: track for track in clip.tracks if track.target == joint}
    charts = []
    if "translation" in tracks:
        unit = metre_words(local_metre(model, joint))
        charts.append(_chart(tracks["translation"], "Translation", unit, "XYZ"))
    if "rotation" in tracks:
        charts.append(_rotation(tracks["rotation"], angles, clip.rotation))
    if "scale" in tracks:
        charts.append(_chart(tracks["scale"], "Scale", "", "XYZ"))
    charts = [replace(chart, space="local") for chart in charts]
    owned = [number for number, channel in enumerate(model.channels) if channel.joint == joint]
    charts += [chart for number in owned for chart in _channel(model, clip, number)]
    return _curves(model.skeleton.names[joint], clip, begin, charts)


@np.errstate(all="ignore")  # NaN and infinity in files propagate
def channel_curves(
    model: Model, clip: Clip, number: int, *, column: int | None = None, begin: float | None = None
) -> CurveSet:
    """Return the curves of a channel, or of one of its values."""
    charts = _channel(model, clip, number, column)
    pointer = model.channels[number].pointer
    subject = pointer if column is None else value_names(model, number)[column]
    return _curves(subject, clip, begin, charts)


def animated_joints(model: Model, clip: Clip) -> list[int]:
    """Return the joints with tracks in a clip, or with tracks of their channels, in order."""
    values = {track.target for track in clip.tracks if track.path == "values"}
    owners = {model.channels[number].joint for number in values} - {-1}
    return sorted(owners | set(clip.joints.tolist()))


def changing_joints(model: Model, clip: Clip) -> set[int]:
    """Return the joints of `animated_joints` that have a track that is not constant."""
    found = set()
    for track in clip.tracks:
        curved = track.tangents is not None and bool(track.tangents.any())
        if curved or bool((track.values != track.values[0]).any()):
            values = track.path == "values"
            found.add(model.channels[track.target].joint if values else track.target)
    return found - {-1}


def value_names(model: Model, number: int) -> list[str]:
    """Return the names of a channel's values: morph target names or components.

    The single value of a scalar has no name.
    """
    channel = model.channels[number]
    if not channel.is_weights and channel.width == 1:
        return [""]
    if not channel.is_weights:
        kind = "RGBA" if "color" in channel.pointer.lower() else "XYZW"
        letters = kind if channel.width <= len(kind) else ""
        return [letters[k] if letters else str(k) for k in range(channel.width)]
    carried = [instance.mesh for instance in model.instances if instance.channel == number]
    parts = model.meshes[carried[0]].primitives if carried else ()
    names = next((part.morph.names for part in parts if part.morph is not None), ())
    found = [names[k] if k < len(names) else "" for k in range(channel.width)]
    return [name or f"Target {k}" for k, name in enumerate(found)]


def metre_words(metres: float) -> str:
    """Return the unit of a translation of which one unit has a number of metres.

    "m", "0.01 m" below parents with that scale, or "local units" if their scale is not uniform.
    """
    if not np.isfinite(metres):
        return "local units"
    return "m" if abs(metres - 1.0) < UNIFORM else f"{metres:.3g} m"


@np.errstate(all="ignore")  # extreme values of a file may overflow
def local_metre(model: Model, joint: int) -> float:
    """Return the metres of one unit of a joint's local translation; NaN if axes differ in scale."""
    parent = int(model.skeleton.parents[joint])
    if parent < 0:
        return 1.0
    axes = model.skeleton.to_model(model.skeleton.rest)[parent, :3, :3].astype(np.float64)
    scale = np.linalg.norm(axes, axis=0)
    return float(scale[0]) if np.allclose(scale, scale[0], rtol=UNIFORM) else np.nan


def _curves(subject: str, clip: Clip, begin: float | None, charts: list[Chart]) -> CurveSet:
    return CurveSet(subject, clip.name, start_of(clip, begin), clip.end, tuple(charts))


def start_of(clip: Clip, begin: float | None) -> float:
    """Return where the time axis starts, seconds; None: 0, or an earlier first key."""
    return min(clip.start, 0.0) if begin is None else begin


def _channel(model: Model, clip: Clip, number: int, column: int | None = None) -> list[Chart]:
    channel, labels = model.channels[number], value_names(model, number)
    name = "Morph weights" if channel.is_weights else channel.pointer.rpartition("/")[2]
    by_value: dict[int, tuple[str, Line]] = {}  # a track has all values, or one morph weight
    for track in clip.tracks:
        if track.path == "values" and track.target == number:
            first = track.start - channel.start
            chart = _chart(track, name, "", labels[first : first + track.values.shape[1]])
            by_value |= {first + k: (track.interpolation, x) for k, x in enumerate(chart.lines)}
    if column is None:
        drawn = [by_value[k] for k in sorted(by_value)]
    else:
        drawn = [by_value[column]] if column in by_value else []
    if not drawn:
        return []
    changing = [drawn_part for drawn_part in drawn if not drawn_part[1].still]
    shown = changing if changing and column is None else drawn
    few = column is None and len(shown) < len(labels)
    note = f"{len(shown)} of {len(labels)} move" if few else ""
    kinds = ", ".join(dict.fromkeys(kind for kind, _ in shown))
    return [Chart(name, "", kinds, tuple(line for _, line in shown), note)]


def _chart(track: Track, name: str, unit: str, labels: str | list[str], note: str = "") -> Chart:
    """Return the chart of a track's stored components."""
    plain = Track(0, "values", track.interpolation, track.times, track.values, track.tangents)
    key, u, at = _places(plain, straight=track.interpolation == "LINEAR")
    values = plain.between(key, u).astype(np.float64)
    slopes = None
    if track.interpolation == "CUBICSPLINE":
        slopes = tangents_of(track).astype(np.float64)
    return _lines(track, (name, unit, note), labels, (_times(track, key, u), values), at, slopes)


def _rotation(track: Track, angles: Angles, between: Rotation) -> Chart:
    if angles == "quaternion":
        chart = _chart(_one_side(track), "Rotation", "", "XYZW", ANGLES[angles])
        return replace(chart, lines=tuple(replace(line, track=track) for line in chart.lines))
    key, u, at = _places(track, straight=False)
    q = quat.normalize(track.between(key, u, rotation=between).astype(np.float64))
    degrees = np.degrees(unroll(to_euler(q)))
    slopes = None
    if track.interpolation == "CUBICSPLINE":
        slopes = _angular(track, degrees[at])
    values = _times(track, key, u), degrees
    return _lines(track, ("Rotation", "°", ANGLES[angles]), "XYZ", values, at, slopes)


def _one_side(track: Track) -> Track:
    """Return a rotation track with aligned quaternion signs.

    CUBICSPLINE tracks are unchanged: negating a key without its tangents would change the curve.
    """
    if track.interpolation == "CUBICSPLINE":
        return track
    values = quat.align_signs(track.values)
    return Track(track.target, track.path, track.interpolation, track.times, values)


def _angular(track: Track, degrees: F64) -> F64:
    """Return the in and out slopes of the angles at each key, [K, 2, 3] degrees per second."""
    values = track.values.astype(np.float64)[:, None]
    step = tangents_of(track).astype(np.float64) * _STEP
    at_key = np.radians(degrees)[:, None].repeat(2, axis=1)
    before, after = (
        _follow(at_key, to_euler(quat.normalize(values + way * step))) for way in (-1, 1)
    )
    return np.degrees(after - before) / (2 * _STEP)


def _follow(near: F64, angles: F64) -> F64:
    """Return angles [..., 3] as the equivalent triples nearest to those in `near`."""
    pairs = np.stack([near, angles], axis=-2).reshape(-1, 2, 3)
    return np.array([unroll(pair)[1] for pair in pairs]).reshape(angles.shape)


def _places(track: Track, *, straight: bool) -> tuple[Index, F64, Index]:
    """Return segment and fraction of every point to draw, and the indices of the keys."""
    count = len(track.times)
    if track.interpolation == "STEP":
        key = np.repeat(np.arange(count), 2)[: 2 * count - 1]
        u = np.tile([0.0, 1.0], count)[: 2 * count - 1]
        return key, u, np.arange(count) * 2
    parts = 1 if straight else max(math.ceil((POINTS - 1) / max(count - 1, 1)), _FEWEST)
    rows = np.arange((count - 1) * parts + 1)
    return rows // parts, (rows % parts) / parts, np.arange(count) * parts


def _times(track: Track, key: Index, u: F64) -> F64:
    times = track.times.astype(np.float64)
    after = np.minimum(key + 1, len(times) - 1)
    return times[key] + (times[after] - times[key]) * u


def _lines(
    track: Track,
    words: tuple[str, str, str],
    labels: str | list[str],
    sampled: tuple[F64, F64],
    at: Index,
    slopes: F64 | None,
) -> Chart:
    """Return the chart of samples (seconds [n], values [n, C]); rows `at` are the keys."""
    seconds, values = sampled[0], np.clip(np.nan_to_num(sampled[1]), -_MOST, _MOST)
    lines = []
    for c in range(values.shape[1]):
        points = np.stack([seconds, values[:, c]], axis=1)
        handles = np.zeros((0, 2, 2))
        if slopes is not None and len(at) > 1:
            handles = _handles(points[at], slopes[:, :, c])
        lines.append(Line(labels[c], points, points[at], handles, track, c))
    name, unit, note = words
    return Chart(name, unit, track.interpolation, tuple(lines), note)


def _handles(keys: F64, slopes: F64) -> F64:
    """Return the Bézier handles of keys [K, 2] with in and out slopes [K, 2], value per second."""
    a, b = keys[:-1], keys[1:]
    length = (b - a)[:, :1]
    leave = np.concatenate([length, slopes[:-1, 1:] * length], axis=1)
    arrive = np.concatenate([length, slopes[1:, :1] * length], axis=1)
    curve = Hermite.of(a, leave, b, arrive).bezier()
    outward = np.stack([curve.p1, curve.c1], axis=1)
    inward = np.stack([curve.p2, curve.c2], axis=1)
    both = np.concatenate([outward, inward])
    return both[both[:, 0, 0] != both[:, 1, 0]]
