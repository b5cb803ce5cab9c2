"""Where the joints of the shown characters are in a picture."""

import numpy as np

from ..animation.types import F64
from .character import Character
from .origin import place_points
from .scene import Scene


def joint_places(scene: Scene, aspect: float) -> tuple[list[tuple[Character, int]], F64]:
    """Return the joints in a picture, nearest first, and their places; a crowd has none.

    Parameters
    ----------
    aspect
        Width over height of the picture.

    Returns
    -------
    joints
        Character and joint.
    places
        [N, 2] right and down, 0 to 1.
    """
    joints: list[tuple[Character, int]] = []
    points: list[F64] = [np.zeros((0, 3))]
    edges: list[F64] = [np.zeros((0, 3))]  # left and right edge of the part, and its shift
    for part in scene.parts if scene.crowd is None else ():
        for each in part.instances:
            character = each.character
            every = character.drawn_joints
            drawn = every.joints[every.visible(character.hidden_joints)[0]]
            points.append(place_points(character.world, character.matrices[drawn, :3, 3]))
            edges.append(np.tile((part.left, part.right, part.shift), (len(drawn), 1)))
            joints += [(character, joint) for joint in drawn.tolist()]
    left, right, shift = np.concatenate(edges).T
    seen = scene.camera.used.project(np.concatenate(points), aspect)
    x, y = seen[:, 0] + shift, seen[:, 1]
    with np.errstate(invalid="ignore"):
        inside = (np.abs(x - 0.5) <= 0.5) & (np.abs(y - 0.5) <= 0.5) & (x >= left) & (x <= right)
    rows = np.flatnonzero(inside)
    rows = rows[np.argsort(seen[rows, 2])]
    return [joints[row] for row in rows.tolist()], np.stack([x[rows], y[rows]], axis=-1)
