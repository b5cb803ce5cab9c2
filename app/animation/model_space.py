"""Local to model space and back: rotations in any precision, matrices in float64.

A rotation in model space is the product of the local rotations along the hierarchy, without scale.
"""

from typing import Any

import numpy as np

from . import quat, vectors
from .pose import Pose
from .skeleton import Skeleton
from .transform import compose, decompose
from .types import F32, F64, Floats
from .vectors import length

_UP = np.array([0.0, 1.0, 0.0])
_AFFINE = np.array([0.0, 0.0, 0.0, 1.0])  # last row of an affine matrix
_SHEAR = 1e-4  # greatest cosine between two axes that counts as rounding


def to_model_rotations(skeleton: Skeleton, local: Floats) -> Floats:
    """Return the model-space rotations of local ones, in the precision of the input.

    Parameters
    ----------
    skeleton
        With J joints.
    local
        [..., J, 4] unit quaternions, parent space.

    Returns
    -------
    Floats
        [..., J, 4] model space; scale, which may rotate axes where it is non-uniform, is ignored.
    """
    model = local.copy()
    for level in skeleton.levels[1:]:
        above = model[..., skeleton.parents[level], :]
        model[..., level, :] = quat.multiply(above, local[..., level, :])
    return model


def to_local_rotations(skeleton: Skeleton, model: Floats) -> Floats:
    """Return the local rotations [..., J, 4] of model-space ones, in the precision of the input."""
    local = model.copy()
    if len(skeleton.levels) > 1:
        below_roots = slice(skeleton.levels[1].start, None)
        above = model[..., skeleton.parents[below_roots], :]
        local[..., below_roots, :] = quat.multiply(
            quat.conjugate(above), model[..., below_roots, :]
        )
    return local


def to_model_transforms(skeleton: Skeleton, pose: Pose) -> tuple[F64, F64]:
    """Return the model-space matrices [..., J, 4, 4] and rotations [..., J, 4], in float64."""
    rotations = pose.rotation.astype(np.float64)
    matrices = np.empty((*pose.batch, skeleton.count, 4, 4))
    narrow: Any = compose  # also valid for float64
    narrow(pose.translation.astype(float), rotations, pose.scale.astype(float), out=matrices)
    for level in skeleton.levels[1:]:
        above = matrices[..., skeleton.parents[level], :, :]
        matrices[..., level, :, :] = above @ matrices[..., level, :, :]
    return matrices, to_model_rotations(skeleton, rotations)


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
    for ancestor in reversed(skeleton.upwards(joint)):
        local = np.empty((*pose.batch, 3, 4))
        turned = quat.to_matrix(pose.rotation[..., ancestor, :].astype(np.float64))
        local[..., :3] = turned * pose.scale[..., ancestor, None, :]
        local[..., 3] = pose.translation[..., ancestor, :]
        matrix = below(np.asarray(matrix, np.float64), local)
    return np.array(matrix)


def set_joint_matrix(skeleton: Skeleton, pose: Pose, joint: int, matrix: F32 | F64) -> None:
    """Set the local transform of a joint so that its model-space matrix is `matrix`.

    The local transforms of all other joints stay, so its descendants move with it.

    Parameters
    ----------
    skeleton
        With J joints.
    pose
        The pose to change, any batch in front: one matrix for each character, or one for all.
    joint
        Index of the joint; `skeleton.find(name)` returns that of a name.
    matrix
        [..., 4, 4] joint space to model space, metres; `rigview.animation.transform.compose`
        makes one of a translation, a rotation and a scale.

    Raises
    ------
    ValueError
        No translation, rotation and scale of the joint give this matrix: an ancestor has a scale of
        0, or the local matrix would be sheared, as a rotation below a non-uniform scale is. Or the
        joint does not exist, or the matrix is not affine and finite, or does not fit the batch. The
        pose is unchanged then.

    Examples
    --------
    >>> pose, hand = model.clips["Walk"].sample(0.25), model.skeleton.find("LeftHand")
    >>> matrix = model.skeleton.to_model(pose)[hand].copy()
    >>> matrix[1, 3] += 0.1  # 10 cm up
    >>> rigview.set_joint_matrix(model.skeleton, pose, hand, matrix)
    >>> np.allclose(model.skeleton.to_model(pose)[hand], matrix, atol=1e-6)
    True
    """
    if not isinstance(joint, int | np.integer):
        raise ValueError(f"joint must be an index, not {joint!r}; skeleton.find returns one")
    if not 0 <= joint < skeleton.count:
        raise ValueError(f"joint must be within 0 and {skeleton.count - 1}, not {joint}")
    wanted = np.asarray(matrix, np.float64)
    if wanted.shape[-2:] != (4, 4) or not _fits(wanted.shape[:-2], pose.batch):
        expected = [*pose.batch, 4, 4]
        raise ValueError(f"matrix must be [4, 4] or {expected}, not {list(wanted.shape)}")
    if not np.isfinite(wanted).all() or not (wanted[..., 3, :] == _AFFINE).all():
        raise ValueError("matrix must be finite, with the last row 0, 0, 0, 1")
    name, parent = skeleton.names[joint], int(skeleton.parents[joint])
    for ancestor in skeleton.upwards(parent):
        if not pose.scale[..., ancestor, :].all():
            raise ValueError(f"{skeleton.names[ancestor]}, an ancestor of {name}, has a scale of 0")
    above = np.zeros((*pose.batch, 4, 4))
    above[..., :3, :] = joint_matrix(skeleton, pose, parent)
    above[..., 3, 3] = 1.0
    local = np.linalg.solve(above, np.broadcast_to(wanted, above.shape))
    translation, rotation, scale, shear = decompose(np.asarray(local, np.float64))
    if shear.size and shear.max() > _SHEAR:
        raise ValueError(
            f"the local matrix of {name} would be sheared by {shear.max():.2g}: an ancestor is "
            "scaled non-uniformly, or the matrix itself is sheared"
        )
    pose.translation[..., joint, :] = translation
    pose.rotation[..., joint, :] = rotation
    pose.scale[..., joint, :] = scale


def _fits(shape: tuple[int, ...], batch: tuple[int, ...]) -> bool:
    """Return whether arrays of `shape` broadcast to `batch`."""
    ends = zip(reversed(shape), reversed(batch), strict=False)
    return len(shape) <= len(batch) and all(a in (1, b) for a, b in ends)


def to_local_points(matrix: F64, points: F64) -> F64:
    """Return model-space points [..., 3] in the local space of affine matrices [..., 3, 4]."""
    apart = (points - matrix[..., 3])[..., None]
    return np.asarray(np.linalg.solve(matrix[..., :3], apart), np.float64)[..., 0]


def arc(a: F64, b: F64) -> F64:
    """Return the shortest rotation [..., 4] from directions a [..., 3] to b."""
    return vectors.arc(unit(a), unit(b), _UP)


def unit(v: F64) -> F64:
    """Return vectors [..., 3] of length 1; zero vectors stay zero."""
    size = length(v)[..., None]
    scaled: F64 = v / np.where(size > 0, size, 1)
    return scaled


def about_y(angle: F64 | float) -> F64:
    """Return the rotations [..., 4] about +Y by angles [...], radians."""
    half = np.asarray(angle, np.float64) / 2
    zero = np.zeros_like(half)
    return np.stack([zero, np.sin(half), zero, np.cos(half)], axis=-1)
