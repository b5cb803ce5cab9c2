"""Additive blending: the difference of two poses, added to a third."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..animation import quat
from ..animation.model_space import to_local_rotations, to_model_rotations
from ..animation.pose import PARTS, Pose
from ..animation.rotation_mean import Blend, between
from ..animation.types import F32, F64
from .blend import quaternion_columns
from .mask import Mask
from .pose_layout import PoseLayout

Space = Literal["joint", "parent", "model"]
FLAT = 1e-6  # scales below this give no ratio


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def difference(source: Pose, reference: Pose, space: Space, rig: PoseLayout, out: Pose) -> None:
    """Write the difference of a source pose S from a reference pose R.

    Parameters
    ----------
    source, reference
        S and R, with the same batch.
    space
        "joint": in the space of each joint, so that it rotates with the pose it is added to;
        "parent": in the space of each joint's parent; "model": rotations in model space,
        everything else as in "parent".
    rig
        Of the poses.
    out
        The difference. Scales are ratios, other values are subtracted; a STEP value is that of S,
        or NaN where S equals R. Where a scale of R is below 1e-6, the ratio is 1.
    """
    back = quat.conjugate(reference.rotation)
    flat = np.abs(reference.scale) < FLAT
    size = np.where(flat, np.float32(1), reference.scale)
    out.scale[...] = np.where(flat, np.float32(1), source.scale / size)
    moved = source.translation - reference.translation
    if space == "joint":
        out.translation[...] = quat.rotate(back, moved) / size
        out.rotation[...] = quat.multiply(back, source.rotation)
    else:
        out.translation[...] = moved
        if space == "model":
            end = to_model_rotations(rig.skeleton, source.rotation)
            begin = to_model_rotations(rig.skeleton, reference.rotation)
            out.rotation[...] = quat.multiply(end, quat.conjugate(begin))
        else:
            out.rotation[...] = quat.multiply(source.rotation, back)
    a, b = reference.values, source.values
    out.values[...] = np.where(rig.step, np.where(a == b, np.float32(np.nan), b), b - a)
    if rig.rotations:
        columns = quaternion_columns(rig)
        back, end = quat.conjugate(a[..., columns]), b[..., columns]
        turn = quat.multiply(back, end) if space == "joint" else quat.multiply(end, back)
        out.values[..., columns] = turn


@np.errstate(all="ignore")  # invalid numbers of a file propagate
def add(
    pose: Pose,
    difference: Pose,
    weight: ArrayLike,
    mask: Mask | None,
    space: Space,
    rig: PoseLayout,
    rotation: Blend = "nlerp",
) -> None:
    """Add a difference to a pose T, in place: T = lerp(T, T ⊕ D, weight · mask).

    Parameters
    ----------
    pose
        T.
    difference
        D, as written by `difference`.
    weight
        [...] 0 leaves a joint unchanged, bit for bit; above 1 translations are extrapolated
        linearly, and rotations along their arc.
    mask
        A weight per joint, or None for all. Its space is ignored.
    space
        The space of D.
    rig
        Of the poses.
    rotation
        Interpolation of rotations from T to T ⊕ D, up to a weight of 1.
    """
    amount: F64 = np.maximum(np.asarray(weight, np.float64), 0.0)
    if not amount.any():
        return
    joints = pose.count
    wide = amount[..., None] if mask is None else amount[..., None] * mask.spread
    spread: F32 = np.broadcast_to(wide.astype(np.float32), pose.data.shape)
    weights, value_weights = spread[..., : 3 * joints : 3], spread[..., PARTS * joints :]
    new = Pose.over(np.empty_like(pose.data), joints)
    move = difference.translation
    if space == "joint":
        move = quat.rotate(pose.rotation, pose.scale * move)
    new.translation[...] = pose.translation + weights[..., None] * move
    new.scale[...] = pose.scale * (1 + weights[..., None] * (difference.scale - 1))
    whole = _turned(pose.rotation, difference.rotation, space, rig)
    new.rotation[...] = _towards(pose.rotation, whole, weights, rotation)
    new.values[...] = pose.values + value_weights * difference.values
    if rig.rotations:
        columns = quaternion_columns(rig)
        a, turn = pose.values[..., columns], difference.values[..., columns]
        whole = quat.multiply(a, turn) if space == "joint" else quat.multiply(turn, a)
        shares = value_weights[..., columns[:, 0]]
        new.values[..., columns] = _towards(a, whole, shares, rotation)
    if rig.step.any():
        changes = (value_weights > 0.5) & ~np.isnan(difference.values)
        own = np.where(changes, difference.values, pose.values)
        np.copyto(new.values, own, where=rig.step)
    np.copyto(pose.data, new.data, where=spread != 0)


def _turned(rotation: F32, turn: F32, space: Space, rig: PoseLayout) -> F32:
    """Return local rotations [..., J, 4] with the full difference added."""
    if space == "joint":
        return quat.multiply(rotation, turn)
    if space == "parent":
        return quat.multiply(turn, rotation)
    shown = to_model_rotations(rig.skeleton, rotation)
    return to_local_rotations(rig.skeleton, quat.multiply(turn, shown))


def _towards(a: F32, b: F32, weights: F32, rotation: Blend) -> F32:
    """Return interpolated rotations [..., 4], extrapolated along the arc for weights above 1."""
    out = between(a, b, np.minimum(weights, 1), rotation)
    if (weights > 1).any():
        return np.where((weights > 1)[..., None], quat.slerp(a, b, weights), out)
    return out
