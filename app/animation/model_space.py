"""Local to model space in float64, rotations separate from matrices, for offline work.

A rotation in model space is the product of the local rotations along the hierarchy, without scale.
"""

import numpy as np

from . import quat, vectors
from .pose import Pose
from .skeleton import Skeleton
from .types import F64

_UP = np.array([0.0, 1.0, 0.0])


def to_model_rotations(skeleton: Skeleton, local: F64) -> F64:
    """Return the model-space rotations [..., J, 4] of local ones."""
    model = np.array(local, np.float64)
    for level in skeleton.levels[1:]:
        above = model[..., skeleton.parents[level], :]
        model[..., level, :] = quat.multiply(above, model[..., level, :])
    return model


def to_local_rotations(skeleton: Skeleton, model: F64) -> F64:
    """Return the local rotations [..., J, 4] of model-space ones."""
    local = np.array(model, np.float64)
    for level in skeleton.levels[1:]:
        above = quat.conjugate(model[..., skeleton.parents[level], :])
        local[..., level, :] = quat.multiply(above, model[..., level, :])
    return local


def to_matrices(skeleton: Skeleton, translation: F64, rotation: F64, scale: F64) -> F64:
    """Return model-space matrices [..., J, 3, 4] of local transforms [..., J, 3], 4 and 3."""
    matrices = np.empty((*rotation.shape[:-1], 3, 4))
    matrices[..., :3] = quat.to_matrix(np.asarray(rotation)) * scale[..., None, :]
    matrices[..., 3] = translation
    for level in skeleton.levels[1:]:
        matrices[..., level, :, :] = below(
            matrices[..., skeleton.parents[level], :, :], matrices[..., level, :, :]
        )
    return matrices


def below(above: F64, matrix: F64) -> F64:
    """Return the product of two affine matrices [..., 3, 4]."""
    product = above[..., :3] @ matrix
    product[..., 3] += above[..., 3]
    return product


def joint_matrix(skeleton: Skeleton, pose: Pose, joint: int) -> F64:
    """Return the model-space matrices [..., 3, 4] of one joint; -1: the identity."""
    matrix = np.broadcast_to(np.eye(3, 4), (*pose.batch, 3, 4))
    chain: list[int] = []
    while joint >= 0:
        chain.append(joint)
        joint = int(skeleton.parents[joint])
    for each in reversed(chain):
        local = np.empty((*pose.batch, 3, 4))
        turned = quat.to_matrix(pose.rotation[..., each, :].astype(np.float64))
        local[..., :3] = turned * pose.scale[..., each, None, :]
        local[..., 3] = pose.translation[..., each, :]
        matrix = below(np.asarray(matrix, np.float64), local)
    return np.array(matrix)


def to_local_points(matrix: F64, points: F64) -> F64:
    """Return model-space points [..., 3] in the local space of affine matrices [..., 3, 4]."""
    apart = (points - matrix[..., 3])[..., None]
    return np.asarray(np.linalg.solve(matrix[..., :3], apart), np.float64)[..., 0]


def arc(a: F64, b: F64) -> F64:
    """Return the shortest rotation [..., 4] from directions a [..., 3] to b."""
    return vectors.arc(unit(a), unit(b), _UP)


def unit(v: F64) -> F64:
    """Return vectors [..., 3] of length 1; zero vectors stay zero."""
    length = np.sqrt(np.einsum("...i,...i->...", v, v))[..., None]
    scaled: F64 = v / np.where(length > 0, length, 1)
    return scaled


def about_y(angle: F64 | float) -> F64:
    """Return the rotations [..., 4] about +Y by angles [...], radians."""
    half = np.asarray(angle, np.float64) / 2
    zero = np.zeros_like(half)
    return np.stack([zero, np.sin(half), zero, np.cos(half)], axis=-1)
