"""The names of the joints in a picture, and the faces that names do not cover."""

from typing import NamedTuple

import numpy as np

from ..animation.types import F64
from ..images.label_layout import Box
from ..model.lookup import joint_prefix
from .character import Character
from .origin import place_points
from .scene import Scene

_FACE = 0.12  # height of a head above its joint, of the skeleton's height


class NamedJoint(NamedTuple):
    """A joint of a character, and its name without the prefix of the character's joints."""

    character: Character
    joint: int
    name: str


def named_joints(scene: Scene, size: tuple[float, float]) -> tuple[list[NamedJoint], F64]:
    """Return the joints in a picture, nearest first, and their places [N, 2], right and down.

    `size` is the width and height of the picture, in the unit of the places.
    """
    joints, places = joint_places(scene, size[0] / size[1])
    models = {character: character.model for character in dict.fromkeys(each for each, _ in joints)}
    prefixes = {character: joint_prefix(model) for character, model in models.items()}
    named = [
        NamedJoint(each, joint, models[each].skeleton.names[joint].removeprefix(prefixes[each]))
        for each, joint in joints
    ]
    return named, places * size


def face_boxes(scene: Scene, size: tuple[float, float]) -> list[Box]:
    """Return boxes around the heads of all characters in a picture of a size."""
    boxes = []
    for part in scene.parts if scene.crowd is None else ():
        for character in (instance.character for instance in part.instances):
            for x, y, half in _heads(scene, character, size):
                x += part.shift * size[0]
                boxes.append((x - half, y - half, x + half, y + half))
    return boxes


def _heads(scene: Scene, character: Character, size: tuple[float, float]) -> list[list[float]]:
    """Return x, y and half the height of each head of a character."""
    drawn, matrices = character.drawn_joints, character.matrices
    if not drawn.heads:
        return []
    heights = matrices[drawn.joints, 1, 3]
    base = matrices[drawn.heads, :3, 3]
    top = base + np.array([0.0, _FACE * float(np.ptp(heights)), 0.0], np.float32)
    ends = place_points(character.world, np.concatenate([base, top]))
    seen = scene.camera.used.project(ends, size[0] / size[1])[:, :2] * size
    low, high = np.split(seen, 2)
    half = 0.5 * np.linalg.norm(high - low, axis=-1, keepdims=True)
    found = np.concatenate([(low + high) / 2, half], axis=-1)
    places: list[list[float]] = found[np.isfinite(found).all(axis=-1)].tolist()
    return places


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
