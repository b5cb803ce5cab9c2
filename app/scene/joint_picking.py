"""Joints near a point of the picture: their dots, and the octahedra or lines of their bones."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..animation.types import F64, Bool
from ..scenedoc.look import BoneStyle
from .billboard_nodes import matrices_facing
from .bone_shapes import EDGES, FACETS, BoneShapes, bone_shapes
from .camera import Camera
from .character import Character
from .origin import relative_to, tile_origin

REACH = 8.0  # points
OUTLINE = 1.0  # points: of a dot
_NEAR = 1e-6  # least w of a point that is in front of the camera


class JointHit(NamedTuple):
    """A joint near a point of the picture."""

    character: int  # index in the given ones
    joint: int
    distance: float  # points


@np.errstate(all="ignore")  # extreme values of a file may overflow
def joints_at(
    characters: Iterable[Character],
    camera: Camera,
    size: tuple[float, float],
    place: tuple[float, float],
    *,
    style: BoneStyle = "octahedra",
    reach: float = REACH,
) -> list[JointHit]:
    """Return the joints whose dot or bone is within reach of a point, nearest first.

    A bone belongs to its parent joint. What is under the point is nearer than what is beside it: a
    dot first, then bones by their depth. Surfaces hide nothing.

    Parameters
    ----------
    size
        Width and height of the picture, points.
    place
        Point of the picture, from the top left, points.
    """
    view = _View(camera.projection(size[0] / size[1]) @ camera.view(), size, place)
    ranked: list[tuple[float, float, float, JointHit]] = []
    for index, character in enumerate(characters):
        drawn = character.drawn_joints
        visible = drawn.visible(character.hidden_joints)
        origin = tile_origin(camera.focus())
        shapes = bone_shapes(
            drawn,
            visible,
            matrices_facing(character, camera),
            relative_to(character.world, origin),
            camera.moved(-origin),
            size,
        )
        near = view.moved(origin)
        dots, dot_depths = near.lines(shapes.places, shapes.places)
        bones, depths = near.bones(shapes, style)
        rows = np.concatenate([shapes.rows, drawn.bones[shapes.bones, 0]])
        away, depth = np.concatenate([dots, bones]), np.concatenate([dot_depths, depths])
        on_dot = dots <= shapes.dots / 2.0 + OUTLINE
        first = np.concatenate([on_dot, np.zeros(len(bones), bool)])
        for k in np.flatnonzero(away <= reach).tolist():
            hit = JointHit(index, int(drawn.joints[rows[k]]), float(away[k]))
            ranked.append((-1.0 if first[k] else away[k], away[k], float(depth[k]), hit))
    ranked.sort(key=lambda entry: entry[:3])
    found: dict[tuple[int, int], JointHit] = {}
    for *_, hit in ranked:
        found.setdefault((hit.character, hit.joint), hit)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _View:
    """A point of a picture, with the matrix [4, 4] from the scene to the picture's clip space."""

    matrix: F64
    size: tuple[float, float]
    place: tuple[float, float]

    def moved(self, origin: F64) -> "_View":
        """Return the same for points relative to an origin [3]."""
        matrix = self.matrix.copy()
        matrix[:, 3] += self.matrix[:, :3] @ origin
        return replace(self, matrix=matrix)

    def lines(self, begin: F64, end: F64) -> tuple[F64, F64]:
        """Return the distances [N] of the point from lines between points [N, 3], and depths."""
        a, b = self._clip(begin), self._clip(end)
        middle = (a + b) / 2.0
        depth = middle[:, 2] / np.maximum(middle[:, 3], _NEAR)
        return self._distance(a, b), depth

    def bones(self, shapes: BoneShapes, style: BoneStyle) -> tuple[F64, F64]:
        """Return the distances [B] of the point from bones as they are drawn, and depths there."""
        away, depth = self.lines(shapes.heads, shapes.tails)
        if style == "lines":
            return np.where(away <= shapes.widths / 2.0, 0.0, away), depth
        clip = self._clip(shapes.corners().reshape(-1, 3)).reshape(-1, 6, 4)
        whole = (clip[..., 3] > _NEAR).all(axis=1)  # the others are picked at their axes
        inside, at = self._facets(clip[whole])
        edges = clip[whole][:, EDGES]
        beside = self._distance(*edges.transpose(2, 0, 1, 3).reshape(2, -1, 4))
        away[whole] = np.where(inside, 0.0, beside.reshape(-1, len(EDGES)).min(axis=1))
        depth[whole] = np.where(inside, at, depth[whole])
        return away, depth

    def _facets(self, clip: F64) -> tuple[Bool, F64]:
        """Return in which octahedra [B, 6, 4] of clip space the point is, and their depth there."""
        scale = np.array([0.5, -0.5]) * self.size
        seen = clip[..., :2] / clip[..., 3:] * scale + np.array(self.size) / 2.0 - self.place
        depth = clip[..., 2] / clip[..., 3]
        a, b, c = (seen[:, FACETS[:, k]] for k in range(3))  # [B, facet, 2]
        weights = np.stack([_cross(b, c), _cross(c, a), _cross(a, b)], axis=-1)
        area = weights.sum(axis=-1)
        weights = weights / area[..., None]
        hit = (weights >= 0.0).all(axis=-1)  # False for a facet seen edge on
        at = np.where(hit, (weights * depth[:, FACETS]).sum(axis=-1), np.inf)
        return np.asarray(hit.any(axis=1)), np.asarray(at.min(axis=1))

    def _distance(self, begin: F64, end: F64) -> F64:
        """Return the distances [N] of the point from lines between clip points [N, 4], points.

        The part of a line behind the camera is cut off; infinite if nothing is in front of it.
        """
        front = (begin[:, 3] > _NEAR) | (end[:, 3] > _NEAR)
        a, b = _before_camera(begin, end), _before_camera(end, begin)
        scale = np.array([0.5, -0.5]) * self.size
        middle = np.array(self.size) / 2.0 - self.place
        with np.errstate(all="ignore"):
            start = a[:, :2] / a[:, 3:] * scale + middle
            along = b[:, :2] / b[:, 3:] * scale + middle - start
            share = -(start * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12)
            away: F64 = np.hypot(*(start + np.clip(share, 0.0, 1.0)[:, None] * along).T)
        return np.where(front & np.isfinite(away), away, np.inf)

    def _clip(self, points: F64) -> F64:
        return np.column_stack([points, np.ones(len(points))]) @ self.matrix.T


def _cross(a: F64, b: F64) -> F64:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _before_camera(points: F64, others: F64) -> F64:
    """Return points [N, 4], those behind the camera moved along their lines to its plane."""
    behind = points[:, 3] <= _NEAR
    step = others[:, 3] - points[:, 3]
    share = np.where(behind, (_NEAR - points[:, 3]) / np.where(step == 0.0, 1.0, step), 0.0)
    return points + share[:, None] * (others - points)
