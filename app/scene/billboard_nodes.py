"""Billboards: nodes that face the camera."""

import math

import numpy as np

from ..animation.types import F32, F64
from ..model.model import Model
from ..retargeting.reference_pose import descendants
from .camera import Camera
from .character import Character
from .origin import WORLD_ORIGIN


def matrices_facing(character: Character, camera: Camera, origin: F64 = WORLD_ORIGIN) -> F32:
    """Return a character's model matrices [J, 4, 4] with billboards turned to the camera.

    The camera is relative to `origin` [3] of world space.
    """
    if not character.model.billboards:
        return character.matrices
    world = character.world_from(origin)
    return turn_billboards(character.model, character.matrices, world, camera)


def turn_billboards(model: Model, matrices: F32, world: F32, camera: Camera) -> F32:
    """Return model matrices with billboards and their descendants turned to the camera.

    An "axis" billboard rotates about its local +Y until its +Z is as close to the camera direction
    as possible; a "full" one is parallel to the image plane and upright. Scale and position are
    kept. Descendant lights rotate with it; descendant cameras do not, as they cannot face
    themselves.

    Parameters
    ----------
    model
        Model of the matrices.
    matrices
        [J, 4, 4] model-space matrix of every joint; returned unchanged without billboards.
    world
        [4, 4] model space to the space of the camera.
    camera
        Camera to face.
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
        size[0] = math.copysign(size[0], np.linalg.det(own))  # keep mirroring
        if kind == "full":
            axes = back @ camera.view()[:3, :3].T  # right, up and backward in the image
        else:
            eye = world_to_model @ np.append(camera.position(), 1.0)
            ahead = back @ camera.direction() if camera.ortho else eye[:3] - own[:3, 3]
            axes = _axes_about(own[:3, 1] / size[1], ahead, own[:3, 2])
        facing = own.copy()
        facing[:3, :3] = axes / np.sqrt((axes**2).sum(axis=0)) * size
        below = descendants(skeleton, joint)
        matrices[below] = (facing @ np.linalg.inv(own) @ matrices[below]).astype(np.float32)
    return matrices


def _axes_about(axis: F64, ahead: F64, fallback: F64) -> F64:
    """Return axes [3, 3] as columns: +Y is `axis`, +Z as close to `ahead` as possible."""
    flat = ahead - axis * float(ahead @ axis)
    if float(flat @ flat) < 1e-12 * max(float(ahead @ ahead), 1e-30):
        flat = fallback - axis * float(fallback @ axis)
    flat = flat / max(float(np.linalg.norm(flat)), 1e-30)
    return np.stack([np.cross(axis, flat), axis, flat], axis=1)
