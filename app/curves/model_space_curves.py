"""Curves of a joint in model space: sampled, as its own tracks and those of its parents move it."""

from typing import Literal

import numpy as np

from ..animation.clip import Clip
from ..animation.euler import to_euler, unroll
from ..animation.pose import Pose
from ..animation.quat import align_signs
from ..animation.transform import decompose
from ..animation.types import F64
from ..model.model import Model
from .curve_set import Chart, CurveSet, Line

Space = Literal["local", "model"]
_SAMPLES = 480  # of a clip
_UNIFORM = 1e-3  # relative: greater differences between the axes are not one scale


@np.errstate(all="ignore")  # NaN and infinity in files propagate
def model_space_curves(
    model: Model,
    clip: Clip,
    joint: int,
    *,
    angles: Literal["euler", "quaternion"] = "euler",
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
    start = min(clip.start, 0.0) if begin is None else begin
    seconds = np.linspace(start, max(clip.end, start), _SAMPLES)
    poses = Pose.like(model.skeleton.rest, (len(seconds),))
    clip.sample(seconds, poses)
    placed = np.nan_to_num(model.skeleton.to_model(poses)[:, joint])
    translation, rotation, scale, _ = decompose(placed)
    charts = [_chart("Translation", "m", seconds, translation.astype(np.float64), "XYZ")]
    if angles == "quaternion":
        components = align_signs(rotation).astype(np.float64)
        charts.append(_chart("Rotation", "", seconds, components, "XYZW"))
    else:
        degrees = np.degrees(unroll(to_euler(rotation.astype(np.float64))))
        charts.append(_chart("Rotation", "°", seconds, degrees, "XYZ"))
    if not np.allclose(scale, scale[:1], rtol=_UNIFORM):
        charts.append(_chart("Scale", "", seconds, scale.astype(np.float64), "XYZ"))
    return CurveSet(model.skeleton.names[joint], clip.name, start, clip.end, tuple(charts))


def length_unit(model: Model, joint: int) -> str:
    """Return the unit of a joint's local translation, from the rest pose of its parents.

    "m", "0.01 m" below parents with that scale, or "local units" if their scale is not uniform.
    """
    return metre_words(local_metre(model, joint))


def metre_words(metres: float) -> str:
    """Return the unit of a translation of which one unit has a number of metres."""
    if not np.isfinite(metres):
        return "local units"
    return "m" if abs(metres - 1.0) < _UNIFORM else f"{metres:.3g} m"


@np.errstate(all="ignore")  # extreme values of a file may overflow
def local_metre(model: Model, joint: int) -> float:
    """Return the metres of one unit of a joint's local translation; NaN if axes differ in scale."""
    parent = int(model.skeleton.parents[joint])
    if parent < 0:
        return 1.0
    axes = model.skeleton.to_model(model.skeleton.rest)[parent, :3, :3].astype(np.float64)
    scale = np.linalg.norm(axes, axis=0)
    return float(scale[0]) if np.allclose(scale, scale[0], rtol=_UNIFORM) else np.nan


def _chart(name: str, unit: str, seconds: F64, values: F64, labels: str) -> Chart:
    """Return a chart of values [n, C] at `seconds` [n]."""
    none = np.zeros((0, 2)), np.zeros((0, 2, 2))
    lines = tuple(
        Line(label, np.stack([seconds, column], axis=1), *none)
        for label, column in zip(labels, values.T, strict=True)
    )
    return Chart(name, unit, "sampled", lines, space="model")
