"""Curves of a joint in model space: sampled, as its own tracks and those of its parents move it."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from ..animation.clip import Clip
from ..animation.euler import to_euler, unroll
from ..animation.pose import Pose
from ..animation.quat import align_signs
from ..animation.transform import decompose
from ..animation.types import F32, F64
from ..model.model import Model
from .curve_set import Chart, CurveSet, Line
from .from_tracks import UNIFORM, Angles, channel_curves, joint_curves, start_of

SAMPLES = 480  # of a clip
FINEST, COARSEST, USUAL = 1 / 120, 1 / 20, 1 / 60  # seconds between samples of speeds
MOST, TOGETHER = 2000, 1 << 16  # samples of a clip; joints times poses sampled at once


@np.errstate(all="ignore")  # NaN and infinity in files propagate
def model_space_curves(
    model: Model,
    clip: Clip,
    joint: int,
    *,
    angles: Angles = "euler",
    begin: float | None = None,
) -> CurveSet:
    """Return position, rotation and scale of a joint in model space, sampled without keys.

    Parameters
    ----------
    angles
        Display of rotations.
    begin
        Where the time axis starts, seconds; None: 0, or an earlier first key.
    """
    start = start_of(clip, begin)
    seconds = np.linspace(start, max(clip.end, start), SAMPLES)
    translation, rotation, scale, _ = decompose(_placed(model, clip, joint, seconds))
    charts = [_chart("Translation", "m", seconds, translation.astype(np.float64), "XYZ")]
    if angles == "quaternion":
        components = align_signs(rotation).astype(np.float64)
        charts.append(_chart("Rotation", "", seconds, components, "XYZW"))
    else:
        degrees = np.degrees(unroll(to_euler(rotation.astype(np.float64))))
        charts.append(_chart("Rotation", "°", seconds, degrees, "XYZ"))
    if not np.allclose(scale, scale[:1], rtol=UNIFORM):
        charts.append(_chart("Scale", "", seconds, scale.astype(np.float64), "XYZ"))
    return CurveSet(model.skeleton.names[joint], clip.name, start, clip.end, tuple(charts))


@np.errstate(all="ignore")  # NaN and infinity in files propagate
def speed_curves(
    model: Model,
    clip: Clip,
    joint: int,
    *,
    angles: Angles = "euler",  # noqa: ARG001 - as of `joint_curves`
    begin: float | None = None,
) -> CurveSet:
    """Return speed, acceleration and angular speed of a joint in model space.

    They are central differences over the time between keys, where that is even: differences over
    less would be zero between linear keys, and without bound at them.

    Parameters
    ----------
    begin
        Where the time axis starts, seconds; None: 0, or an earlier first key.
    """
    start = start_of(clip, begin)
    end = max(clip.end, start)
    count = int(min(max(round((end - start) / _step(clip)), 2), MOST))
    seconds, step = np.linspace(start, end, count + 1, retstep=True)
    translation, rotation, _, _ = decompose(_placed(model, clip, joint, seconds))
    gap = float(step) or 1.0
    velocity = np.gradient(translation.astype(np.float64), gap, axis=0)
    acceleration = np.gradient(velocity, gap, axis=0)
    speeds = (
        ("Speed", "m/s", np.linalg.norm(velocity, axis=1)),
        ("Acceleration", "m/s²", np.linalg.norm(acceleration, axis=1)),
        ("Angular speed", "°/s", _turning(rotation.astype(np.float64), gap)),
    )
    charts = [_chart(name, unit, seconds, each[:, None], [""]) for name, unit, each in speeds]
    return CurveSet(model.skeleton.names[joint], clip.name, start, clip.end, tuple(charts))


def _placed(model: Model, clip: Clip, joint: int, seconds: F64) -> F32:
    """Return the model-space matrices [T, 4, 4] of a joint, sampled in parts to bound memory."""
    together, found = max(TOGETHER // max(model.skeleton.count, 1), 1), []
    for few in np.array_split(seconds, -(-len(seconds) // together)):
        poses = Pose.like(model.skeleton.rest, few.shape)
        clip.sample(few, poses)
        found.append(np.nan_to_num(model.skeleton.to_model(poses)[:, joint]))
    return np.concatenate(found)


def _step(clip: Clip) -> float:
    """Return the seconds between samples: the usual time between keys."""
    gaps = np.diff(clip.key_times)
    usual = float(np.median(gaps)) if gaps.size else USUAL
    return usual if FINEST <= usual <= COARSEST else USUAL


def _turning(rotation: F64, step: float) -> F64:
    """Return the angular speeds [T] of rotations [T, 4], degrees per second."""
    aligned = align_signs(rotation)
    chord = np.linalg.norm(np.diff(aligned, axis=0), axis=1)
    angles = np.degrees(4.0 * np.arcsin(np.clip(chord / 2.0, 0.0, 1.0)))
    along = np.concatenate([[0.0], np.cumsum(angles)])
    speeds: F64 = np.gradient(along, step)
    return speeds


def _chart(name: str, unit: str, seconds: F64, values: F64, labels: Sequence[str]) -> Chart:
    """Return a chart of values [n, C] at `seconds` [n]."""
    none = np.zeros((0, 2)), np.zeros((0, 2, 2))
    lines = tuple(
        Line(label, np.stack([seconds, column], axis=1), *none)
        for label, column in zip(labels, values.T, strict=True)
    )
    return Chart(name, unit, "sampled", lines, space="model")


CurveSpace = Literal["local", "model", "speed"]
SPACES: dict[CurveSpace, Callable[..., CurveSet]] = {
    "local": joint_curves,
    "model": model_space_curves,
    "speed": speed_curves,
}


def curves_of(
    model: Model, clip: Clip, number: int, space: CurveSpace, angles: Angles, begin: float
) -> CurveSet:
    """Return the curves of a joint in a space, or those of a channel.

    Parameters
    ----------
    number
        A joint index, or the complement of a channel index.
    """
    if number < 0:
        return channel_curves(model, clip, ~number, begin=begin)
    return SPACES[space](model, clip, number, angles=angles, begin=begin)
