"""Nodes that face the camera: sprites, flip-books, signs (SPEC B8)."""

import math

import numpy as np

from app.animation.stance import descendants
from app.animation.types import F32, F64
from app.camera import Lens
from app.character import Character


def faced(character: Character, lens: Lens) -> F32:
    """Return the model matrices [J, 4, 4] with billboards, and all below them, turned.

    An "axis" billboard turns about its own +Y until its +Z points as near to the camera as it can;
    a "full" one faces the picture's plane, upright in it. Size and place stay.
    """
    boards = character.model.billboards
    if not boards:
        return character.matrices
    skeleton = character.model.skeleton
    matrices = character.matrices.copy()
    back: F64 = np.linalg.inv(character.world[:3, :3].astype(np.float64))
    world_to_model = np.linalg.inv(character.world.astype(np.float64))
    for joint, kind in sorted(boards.items()):  # parents come before children
        own = matrices[joint].astype(np.float64)
        if abs(np.linalg.det(own)) < 1e-30:
            continue
        size = np.sqrt((own[:3, :3] ** 2).sum(axis=0))
        size[0] = math.copysign(size[0], np.linalg.det(own))  # what is mirrored stays so
        if kind == "full":
            axes = back @ _picture_axes(lens)
        else:
            eye = world_to_model @ np.append(lens.position(), 1.0)
            ahead = back @ lens.direction() if lens.ortho else eye[:3] - own[:3, 3]
            axes = _about(own[:3, 1] / size[1], ahead, own[:3, 2])
        turned = own.copy()
        turned[:3, :3] = axes / np.sqrt((axes**2).sum(axis=0)) * size
        below = descendants(skeleton, joint)
        matrices[below] = (turned @ np.linalg.inv(own) @ matrices[below]).astype(np.float32)
    return matrices


def _picture_axes(lens: Lens) -> F64:
    """Return the picture's right, up and backward axes as columns [3, 3], world space."""
    return lens.view()[:3, :3].T


def _about(axis: F64, ahead: F64, otherwise: F64) -> F64:
    """Return axes [3, 3] as columns: +Y is the axis, +Z as near to `ahead` as it can be."""
    flat = ahead - axis * float(ahead @ axis)
    if float(flat @ flat) < 1e-12 * max(float(ahead @ ahead), 1e-30):
        flat = otherwise - axis * float(otherwise @ axis)
    flat = flat / max(float(np.linalg.norm(flat)), 1e-30)
    return np.stack([np.cross(axis, flat), axis, flat], axis=1)
