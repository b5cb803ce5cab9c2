"""A cube that shows the direction of view: its visible faces in the picture."""

import math
from typing import NamedTuple

import numpy as np

from ..animation.types import F64

# of the views: normal, and the two edges of the face; for a front at +Z
_FACES = {
    "front": ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    "back": ((0, 0, -1), (-1, 0, 0), (0, 1, 0)),
    "right": ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    "left": ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    "top": ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    "bottom": ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
}
_VECTORS = np.array(list(_FACES.values()), np.float64)  # [6, 3, 3]
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
_LEAST = 0.02  # cosine at which a face is visible


class Face(NamedTuple):
    """A visible face; its corners lie in the picture, right and up, in half edges of the cube."""

    side: str  # the view that shows it
    corners: F64  # [4, 2]
    facing: float  # cosine of its normal to the view direction: 1 is seen straight on


def visible_faces(axes: F64, front: float) -> list[Face]:
    """Return the faces that a camera sees, at most three, the most oblique first.

    Parameters
    ----------
    axes
        [3, 3] right, up and backward unit vectors of the camera as rows, world space.
    front
        Azimuth of the character's front, radians about +Y, 0 for +Z.
    """
    sin, cos = math.sin(front), math.cos(front)
    turn = np.array([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]])
    seen = _VECTORS @ (axes @ turn).T  # [6, 3, 3] in the camera's axes
    facing = seen[:, 0, 2]
    corners = seen[:, :1, :2] + np.einsum("kc,fcx->fkx", _CORNERS, seen[:, 1:, :2])
    sides = list(_FACES)
    order = [int(k) for k in np.argsort(facing) if facing[k] > _LEAST]
    return [Face(sides[k], corners[k], float(facing[k])) for k in order]


def side_at(faces: list[Face], place: tuple[float, float]) -> str:
    """Return the side of the face at a place of the picture, "" beside the cube."""
    for face in faces:
        edges = np.roll(face.corners, -1, axis=0) - face.corners
        offset = np.array(place) - face.corners
        if (edges[:, 0] * offset[:, 1] - edges[:, 1] * offset[:, 0] >= 0.0).all():
            return face.side
    return ""
