"""Nodes that face the camera: sprites, flip-books, signs (SPEC B8)."""

import math

import numpy as np

from ..animation.types import F32, F64
from ..model.model import Model
from ..retargeting.reference_pose import descendants
from .camera import Lens
from .character import Character


def faced(character: Character, lens: Lens) -> F32:
    """Return a character's model matrices [J, 4, 4] as `turned` has them."""
    return turned(character.model, character.matrices, character.world, lens)


def turned(model: Model, matrices: F32, world: F32, lens: Lens) -> F32:
    """Return model matrices with billboards, and all below them, turned to the camera.

    An "axis" billboard turns about its own +Y until its +Z points as near to the camera as it can;
    a "full" one faces the picture's plane, upright in it. Size and place stay. Lights below one
    turn with it. A camera below one stands where the file has it: it cannot look at itself.

    Parameters
    ----------
    model
        Whose joints they are of.
    matrices
        [J, 4, 4] model-space matrix of every joint; given back where there is no billboard.
    world
        [4, 4] model space to world space.
    lens
        What they face.
    """
    boards = model.billboards
    if not boards:
        return matrices
    skeleton = model.skeleton
    matrices = matrices.copy()
    back: F64 = np.linalg.inv(world[:3, :3].astype(np.float64))
    world_to_model = np.linalg.inv(world.astype(np.float64))
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
        facing = own.copy()
        facing[:3, :3] = axes / np.sqrt((axes**2).sum(axis=0)) * size
        below = descendants(skeleton, joint)
        matrices[below] = (facing @ np.linalg.inv(own) @ matrices[below]).astype(np.float32)
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
