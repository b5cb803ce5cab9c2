"""How far the surface moves when a joint is rotated or displaced: the visible size of a fault."""

from math import radians, sin

import numpy as np

from ..animation.types import F64, Index
from .check_context import CheckContext


def size_of_rotation(context: CheckContext, joint: int, degrees: float) -> float:
    """Return how far a rotation about a joint moves the surface at most, metres."""
    return 2.0 * sin(radians(min(abs(degrees), 180.0)) / 2.0) * joint_reach(context, joint)


def size_of_displacement(context: CheckContext, joint: int, metres: float) -> float:
    """Return how far a displacement of a joint moves the surface, metres; 0 if it has none."""
    return abs(metres) if joint_reach(context, joint) > 0 else 0.0


def joint_reach(context: CheckContext, joint: int) -> float:
    """Return how far the surface that follows a joint is from it at rest, metres; 0: none does.

    A vertex follows the joint of its greatest weight and all joints above that.
    """
    return float(context.cached(_reaches)[joint])


def _reaches(context: CheckContext, _: int) -> F64:
    """Return the reach [J] of all joints, metres."""
    skeleton = context.model.skeleton
    matrices = skeleton.to_model(skeleton.rest).astype(np.float64)
    origins, parents = matrices[:, :3, 3], skeleton.parents
    points, joints = _surface(context, matrices)
    reaches = np.zeros(skeleton.count)
    while len(points):  # one level of the hierarchy after the other
        apart = np.linalg.norm(points - origins[joints], axis=1)
        np.maximum.at(reaches, joints, np.where(np.isfinite(apart), apart, 0.0))
        joints = parents[joints].astype(np.intp)
        points, joints = points[joints >= 0], joints[joints >= 0]
    return reaches


def _surface(context: CheckContext, matrices: F64) -> tuple[F64, Index]:
    """Return the vertices [V, 3] at rest, and the joint [V] of the greatest weight of each."""
    rest, points, joints = context.model.skeleton.rest, [np.zeros((0, 3))], [np.zeros(0, np.intp)]
    for block in context.blocks:
        points.append(block.skinned(block.palette(matrices), block.morphed(rest.values)))
        joints.append(np.asarray(block.joints)[block.weights.argmax(axis=1)])
    return np.concatenate(points), np.concatenate(joints)
