"""Where a selection is: the points that a camera frames, and the point that it follows."""

import numpy as np

from ..animation.types import F64, Index
from .instance import Instance
from .selected import Selected, primitive_of, vertex_positions

AROUND = 0.18  # as LEAST, to show a selection with what is around it
CLOSE = 0.07  # as LEAST, to show vertices with the surface around them
LEAST = 0.04  # of the character's size: half of the least edge of a framed box
_CORNERS = np.stack(np.meshgrid(*[(-1.0, 1.0)] * 3), axis=-1).reshape(-1, 3)


def selected_points(
    instance: Instance, chosen: Selected, least: float = LEAST, rows: Index | None = None
) -> F64:
    """Return points [N, 3] around a selection in the current pose, world space, metres.

    Those of a joint and its children, of the vertices of a part, or of a box around a vertex.

    Parameters
    ----------
    least
        Half of the least edge of their box, of the character's size.
    rows
        [N] indices of vertices of the part; None: all, or the selected one.
    """
    character = instance.character
    if chosen.primitive < 0:
        children = np.flatnonzero(character.model.skeleton.parents == chosen.joint)
        joints = [chosen.joint, *children.tolist()]
        points = np.stack([character.joint_world(joint)[:3, 3] for joint in joints])
    else:
        part = primitive_of(character.model, chosen)
        count = 0 if part is None else len(part.positions)
        if rows is None:
            rows = np.arange(count) if chosen.vertex < 0 else np.array([chosen.vertex])
        rows = rows[rows < count]
        points = vertex_positions(character, chosen, rows)
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return points
    scale = float(np.cbrt(abs(np.linalg.det(character.world[:3, :3]))))
    around = points.mean(axis=0) + _CORNERS * (least * instance.size * scale)
    return np.concatenate([points, around])


def selected_point(instance: Instance, chosen: Selected) -> F64:
    """Return the point [3] of a selection that a camera follows, world space, metres.

    The joint; of a part the joint (node) that carries it; or the vertex.
    """
    if chosen.vertex >= 0:
        return vertex_positions(instance.character, chosen, np.array([chosen.vertex]))[0]
    return instance.character.joint_world(chosen.joint)[:3, 3]
