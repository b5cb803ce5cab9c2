"""Joints near a point of the picture: their dots and the lines of their bones."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..animation.types import F64
from .camera import Camera
from .character import Character
from .origin import place_points

REACH = 8.0  # points
ON_DOT = 4.0  # points: nearer dots are picked before any line
_NEAR = 1e-6  # least w of a point that is in front of the camera


class JointHit(NamedTuple):
    """A joint near a point of the picture."""

    character: int  # index in the given ones
    joint: int
    distance: float  # points


def joints_at(
    characters: Iterable[Character],
    camera: Camera,
    size: tuple[float, float],
    place: tuple[float, float],
    reach: float = REACH,
) -> list[JointHit]:
    """Return the joints whose dot or bone is within reach of a point, nearest first.

    A bone belongs to its parent joint. Surfaces hide nothing.

    Parameters
    ----------
    size
        Width and height of the picture, points.
    place
        Point of the picture, from the top left, points.
    """
    matrix = camera.projection(size[0] / size[1]) @ camera.view()
    ranked: list[tuple[float, float, JointHit]] = []
    for index, character in enumerate(characters):
        drawn = character.drawn_joints
        shown, bones = drawn.visible(character.hidden_joints)
        points = place_points(character.world, character.matrices[drawn.joints, :3, 3])
        clip = np.column_stack([points, np.ones(len(points))]) @ matrix.T
        parents, children = drawn.bones[bones].T
        dots = _distance(clip[shown], clip[shown], size, place)
        lines = _distance(clip[parents], clip[children], size, place)
        rows = np.concatenate([shown, parents])
        away = np.concatenate([dots, lines])
        rank = np.concatenate([np.where(dots <= ON_DOT, -1.0, dots), lines])
        depth = clip[rows, 2] / np.maximum(clip[rows, 3], _NEAR)
        for k in np.flatnonzero(away <= reach).tolist():
            hit = JointHit(index, int(drawn.joints[rows[k]]), float(away[k]))
            ranked.append((float(rank[k]), float(depth[k]), hit))
    ranked.sort(key=lambda entry: (entry[0], entry[2].distance if entry[0] < 0 else 0.0, entry[1]))
    found: dict[tuple[int, int], JointHit] = {}
    for _, _, hit in ranked:
        found.setdefault((hit.character, hit.joint), hit)
    return list(found.values())


def _distance(begin: F64, end: F64, size: tuple[float, float], place: tuple[float, float]) -> F64:
    """Return the distances [N] of a point from lines between clip-space points [N, 4], points.

    The part of a line behind the camera is cut off; infinite if nothing is in front of it.
    """
    front = (begin[:, 3] > _NEAR) | (end[:, 3] > _NEAR)
    a, b = _before_camera(begin, end), _before_camera(end, begin)
    scale = np.array([0.5, -0.5]) * size
    middle = np.array(size) / 2.0 - place
    with np.errstate(all="ignore"):
        start = a[:, :2] / a[:, 3:] * scale + middle
        along = b[:, :2] / b[:, 3:] * scale + middle - start
        share = -(start * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12)
        away: F64 = np.hypot(*(start + np.clip(share, 0.0, 1.0)[:, None] * along).T)
    return np.where(front & np.isfinite(away), away, np.inf)


def _before_camera(points: F64, others: F64) -> F64:
    """Return points [N, 4], those behind the camera moved along their lines to its plane."""
    behind = points[:, 3] <= _NEAR
    step = others[:, 3] - points[:, 3]
    share = np.where(behind, (_NEAR - points[:, 3]) / np.where(step == 0.0, 1.0, step), 0.0)
    return points + share[:, None] * (others - points)
