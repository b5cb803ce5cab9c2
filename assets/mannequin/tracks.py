"""Clips as glTF animations: converted to the file's axes, without redundant keys."""

from typing import Any

import numpy as np
import pygltflib as gltf
from numpy.typing import NDArray

from rigview.animation import quat
from rigview.animation.vectors import dot

from .bones import AXES, F64, INDEX, NAMES, PARENTS
from .puppet import Motion, is_finger
from .writer import Writer, local_rest

I64 = NDArray[np.int64]
ANGLE = 1.15e-4  # radians that thinning keys may change
EYE_ANGLE = 6e-4  # of eyes, which move little with a turn
FINGER_ANGLE = 3e-3  # of fingers: 0.2 mm at their tips
LENGTH = 5e-5  # metres
WEIGHT = 1e-3  # of a morph target
KEPT = 3  # keys at either end that thinning leaves alone: a loop's speed at its seam is theirs


def add_clip(out: Writer, motion: Motion, body: int, morphs: tuple[str, ...]) -> None:
    """Add a clip with a track for the hips and for what moves away from rest.

    Parameters
    ----------
    out
        The file; its nodes 0 … J - 1 are the joints.
    motion
        What to add.
    body
        The node whose mesh has the morph targets.
    morphs
        Their names, in the mesh's order.
    """
    clip = gltf.Animation(name=motion.name, samplers=[], channels=[])
    clip.extras = {"rigview": _facts(motion)}
    rest, _ = local_rest()
    hips = motion.hips
    if np.abs(hips - rest[INDEX["Hips"]]).max() > 1e-6:
        _add(out, clip, motion, INDEX["Hips"], "translation", hips, "Hips.translation")
    turns = file_rotations(motion.rotations)
    still = file_rotations(np.tile((0.0, 0.0, 0.0, 1.0), (1, len(NAMES), 1)))[0]
    for j, name in enumerate(NAMES):
        if name == "Hips" or np.abs(np.abs(dot(turns[:, j], still[j])) - 1.0).max() > 1e-11:
            _add(out, clip, motion, j, "rotation", turns[:, j], name)
    if motion.face:
        zero = np.zeros(len(motion.times))
        faces = np.stack([motion.face.get(name, zero) for name in morphs], axis=1)
        _add(out, clip, motion, body, "weights", faces, "weights")
    out.file.animations.append(clip)


def _facts(motion: Motion) -> dict[str, Any]:
    speed = [round(float(v), 6) for v in motion.speed]
    return {"loop": bool(motion.loop), "speed": speed, "turn": round(float(motion.turn), 6)}


def file_rotations(rotations: F64) -> F64:
    """Return local rotations [K, J, 4] in the file's axes, neighbouring keys on the same side."""
    above = np.stack([AXES[parent] if parent >= 0 else np.eye(3) for parent in PARENTS])
    before: F64 = quat.from_matrix(np.swapaxes(above, 1, 2))
    after: F64 = quat.from_matrix(AXES)
    product: F64 = quat.multiply(quat.multiply(before, rotations), after)
    turns: F64 = quat.normalize(product)
    turns[0][turns[0][:, 3] < 0.0] *= -1.0
    for k in range(1, len(turns)):
        turns[k][dot(turns[k], turns[k - 1]) < 0.0] *= -1.0
    return turns


def _add(
    out: Writer,
    clip: gltf.Animation,
    motion: Motion,
    node: int,
    path: str,
    values: F64,
    name: str,
) -> None:
    """Add a track: its sampler and its channel."""
    other = "" if is_finger(name) else path  # of fingers, straight lines between few keys will do
    how = motion.interpolation.get(name, motion.interpolation.get(other, "LINEAR"))
    times, values = motion.times, values.astype(np.float32).astype(np.float64)
    if motion.loop and how != "STEP":
        values = values.copy()
        values[-1] = _same_side(values[0], values[-1]) if path == "rotation" else values[0]
    if _still(values) and (clip.samplers or _moves(motion)):  # another track lasts as long
        how, kept = "LINEAR", np.array([0])
    elif how == "LINEAR":
        kept = thinned(times, values, path, _angle(name))
    elif how == "STEP":
        kept = _changes(values)
    else:
        kept = np.arange(len(times), dtype=np.int64)
    table = values[kept]
    if how == "CUBICSPLINE":
        slope = tangents(times, values, loop=motion.loop)
        table = np.stack((slope, values, slope), axis=1)  # in-tangent, value, out-tangent
    # the keys of a copy that goes over the ground are its own: a change of one is not one of both
    own = len(kept) > 1 and np.ptp(motion.hips[:, 2]) > 1.0
    keys = table.reshape(-1) if path == "weights" else table.reshape(-1, values.shape[1])
    clip.channels.append(
        gltf.AnimationChannel(
            sampler=len(clip.samplers), target=gltf.AnimationChannelTarget(node=node, path=path)
        )
    )
    clip.samplers.append(
        gltf.AnimationSampler(
            input=out.shared(times[kept].astype(np.float32), bounds=True),
            output=(out.accessor if own else out.shared)(keys.astype(np.float32)),
            interpolation=None if how == "LINEAR" else how,
        )
    )


def _still(values: F64) -> bool:
    return bool(np.abs(values - values[0]).max() < 1e-7)


def _moves(motion: Motion) -> bool:
    return not _still(motion.rotations.reshape(len(motion.times), -1))


def _same_side(first: F64, last: F64) -> F64:
    return -first if first @ last < 0.0 else first


def tangents(times: F64, values: F64, *, loop: bool) -> F64:
    """Return CUBICSPLINE tangents of keys [K, C], per second, from their neighbours.

    The first and last key of a loop share one; other clips have zero tangents at their ends.
    """
    slope = np.zeros_like(values)
    before, after = np.diff(times)[:-1, None], np.diff(times)[1:, None]
    rise = np.diff(values, axis=0) / np.diff(times)[:, None]
    slope[1:-1] = (rise[:-1] * after + rise[1:] * before) / (before + after)
    if loop:
        side = -1.0 if values[0] @ values[-1] < 0.0 and values.shape[1] == 4 else 1.0
        last, first = times[-1] - times[-2], times[1] - times[0]
        slope[0] = (side * rise[-1] * first + rise[0] * last) / (first + last)
        slope[-1] = side * slope[0]
    return slope


def _changes(values: F64) -> I64:
    """Return the keys [N] at which a STEP track changes, and the last."""
    new = np.flatnonzero(np.abs(np.diff(values, axis=0)).max(axis=1) > 1e-6) + 1
    return np.unique(np.concatenate(([0], new, [len(values) - 1])))


def _angle(joint: str) -> float:
    """Return the radians that thinning may change a joint's keys by."""
    if is_finger(joint):
        return FINGER_ANGLE
    return EYE_ANGLE if joint.endswith("Eye") else ANGLE


def thinned(times: F64, values: F64, path: str, angle: float = ANGLE) -> I64:
    """Return the keys [N] of a LINEAR track from which the others follow by interpolation.

    A segment is extended while the line from its first to its last key passes all keys between
    within `angle`, `LENGTH` or `WEIGHT`.
    """
    limit = {"rotation": angle / 2.0, "translation": LENGTH, "weights": WEIGHT}[path]
    count = len(times)
    if _still(values):
        return np.array([0, count - 1])
    kept = [0]
    while kept[-1] < count - 1:
        start = kept[-1]
        end = start + 1
        while (
            KEPT <= end < count - KEPT
            and start >= KEPT - 1
            and _straight(times, values, start, end + 1, limit)
        ):
            end += 1
        kept.append(end)
    return np.array(kept)


def _straight(times: F64, values: F64, start: int, end: int, limit: float) -> bool:
    u = ((times[start : end + 1] - times[start]) / (times[end] - times[start]))[:, None]
    line = values[start] + (values[end] - values[start]) * u
    if values.shape[1] == 4:
        line /= np.linalg.norm(line, axis=1, keepdims=True)
    return float(np.abs(line - values[start : end + 1]).max()) < limit
