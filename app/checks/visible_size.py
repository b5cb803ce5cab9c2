"""How far the surface moves because of a fault: the visible size of a finding."""

from collections.abc import Callable
from math import radians, sin
from typing import Literal

import numpy as np

from ..animation import quat
from ..animation.model_space import to_model_transforms
from ..animation.pose import Pose
from ..animation.types import F32, F64, Bool, Index
from ..animation.vectors import length
from ..retargeting.ground_contact import outermost
from ..retargeting.reference_pose import descendants
from .check_context import REFERENCE_HEIGHT, CheckContext
from .finding import severity_of_size

LEAST = 1e-4  # metres, of a character 1.8 m tall: smaller displacements count as none


def size_of_rotation(
    context: CheckContext, joint: int, degrees: float, axis: F64 | None = None
) -> float:
    """Return how far a rotation about a joint moves the surface at most, metres.

    `axis` [3] is in the joint's space; None: any.
    """
    turn = radians(min(abs(degrees), 180.0))
    return 2.0 * sin(turn / 2.0) * joint_reach(context, joint, axis)


def size_of_displacement(context: CheckContext, joint: int, metres: float) -> float:
    """Return how far a displacement of a joint moves the surface, metres; 0 if it has none."""
    return abs(metres) if joint_reach(context, joint) > 0 else 0.0


def size_of_amount(
    context: CheckContext, joint: int, amount: float, unit: str, axis: F64 | None = None
) -> float:
    """Return how far the surface moves if a joint is off by an amount, metres.

    The unit is that of a rotation about an axis [3], "°", a displacement, "mm", or a scale, "%".
    """
    if unit == "mm":
        return size_of_displacement(context, joint, amount / 1000)
    if unit == "%":
        return amount / 100 * joint_reach(context, joint)
    return size_of_rotation(context, joint, amount, axis)


def joint_reach(context: CheckContext, joint: int, axis: F64 | None = None) -> float:
    """Return how far the surface that follows a joint is from it at rest, metres; 0: none does.

    With an axis [3] in the joint's space: from that axis. A vertex follows the joint of its
    greatest weight and all joints above that.
    """
    points = context.cached(_followers, joint)
    if axis is not None and (long := float(np.linalg.norm(axis))) > 0:
        points = np.cross(points, axis / long)
    return float(length(points).max(initial=0.0))


def axis_of(keys: F64, differences: F64) -> F64:
    """Return the axes [..., 3], in joint space, of the rotations that lead to keys [..., 4].

    Differences are those of the quaternions from the ones before; axes are not of unit length.
    """
    return quat.multiply(quat.conjugate(keys), differences)[..., :3]


def unless_seen(context: CheckContext, size: float) -> Literal["info", ""]:
    """Return info for a fault that is too small to be seen, ``""`` for others.

    For faults that are seen in some engines only, or that are often meant, whose severity does not
    grow with their size.
    """
    height = context.scale * REFERENCE_HEIGHT
    return "info" if severity_of_size(size, height) == "info" else ""


def size_of_rest(context: CheckContext, change: Callable[[Pose], object]) -> float:
    """Return how far a change of the rest pose moves the surface, metres."""
    skeleton = context.model.skeleton
    changed = skeleton.rest.copy()
    change(changed)
    other = surface(context, to_model_transforms(skeleton, changed)[0], changed.values)
    return greatest(other - context.cached(_rest)[0])


def size_of_skinning(context: CheckContext, skin: int, off: F64, rows: Bool) -> float:
    """Return how far skinning matrices that are off move the vertices of a skin, metres.

    `off` [S, 4, 4] are differences from the right matrices; only those of `rows` [S] count.
    """
    return float(displaced_by_joint(context, skin, off)[0][rows].max(initial=0.0))


def displaced_by_joint(context: CheckContext, skin: int, off: F64) -> tuple[F64, Index]:
    """Return how far the joints of a skin displace their vertices, and the number of these.

    Parameters
    ----------
    context, skin
        The character, and the index of one of its skins.
    off
        [S, 4, 4] difference of the skinning matrix of each joint from the right one.

    Returns
    -------
    gone
        [S] metres.
    vertices
        [S] that have a weight for the joint; 0 of joints whose matrix is right.
    """
    model = context.model
    gone, vertices = np.zeros(len(off)), np.zeros(len(off), np.intp)
    for instance in model.instances:
        for part in model.meshes[instance.mesh].primitives if instance.skin == skin else ():
            if part.joints is None or part.weights is None:
                continue
            furthest = np.abs(part.positions).max(initial=0.0)
            bound = np.abs(off[:, :3, :3]).sum(axis=(1, 2)) * furthest
            bound += np.abs(off[:, :3, 3]).sum(axis=1)
            far = bound > LEAST * context.scale
            row, column = np.nonzero(far[part.joints] & (part.weights > 0))
            entry = part.joints[row, column]
            way = np.einsum("vab,vb->va", off[entry, :3, :3], part.positions[row].astype(float))
            moved = length(way + off[entry, :3, 3]) * part.weights[row, column]
            np.maximum.at(gone, entry, np.where(np.isfinite(moved), moved, 0.0))
            vertices += np.bincount(entry, minlength=len(off))
    return gone, vertices


def greatest(differences: F64) -> float:
    """Return the greatest length of differences [V, 3], without NaN; 0 if there are none."""
    return float(np.nan_to_num(length(differences), nan=0.0).max(initial=0.0))


def surface(context: CheckContext, matrices: F64, values: F32) -> F64:
    """Return the vertices [V, 3] in a pose: matrices [J, 4, 4] of the joints, morph weights [P].

    Without vertices, those are the origins of the joints of the skins.
    """
    if not context.blocks:
        return matrices[context.skin_joints, :3, 3]
    return np.concatenate(
        [block.skinned(block.palette(matrices), block.morphed(values)) for block in context.blocks]
    )


def _rest(context: CheckContext) -> tuple[F64, Index, F64, F64]:
    """Return the surface [V, 3] at rest, the joint [V] of the greatest weight of each vertex.

    Also the matrices [J, 4, 4] and the rotations [J, 4] of the joints, model space.
    """
    skeleton = context.model.skeleton
    matrices, rotations = context.rest
    owners = [block.joints[block.weights.argmax(axis=1)] for block in context.blocks]
    joints = np.concatenate(owners) if owners else context.skin_joints.astype(np.intp)
    return surface(context, matrices, skeleton.rest.values), joints, matrices, rotations


def _followers(context: CheckContext, joint: int) -> F64:
    """Return the outermost points [n, 3] of the surface that follows a joint, in its axes."""
    points, owners, matrices, rotations = context.cached(_rest)
    points = points[descendants(context.model.skeleton, joint)[owners]] - matrices[joint, :3, 3]
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return points
    local = quat.rotate(quat.conjugate(rotations[joint]), points)
    return np.concatenate([outermost(local), local[[int(length(local).argmax())]]])
