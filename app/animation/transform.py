"""Transforms as translation, rotation, scale (scale applied first) and as 4x4 matrices."""

import numpy as np

from . import quat
from .types import F32, F64


def compose(translation: F32, rotation: F32, scale: F32, out: F32 | None = None) -> F32:
    """Return the matrices T R S.

    Parameters
    ----------
    translation, rotation, scale
        [..., 3], [..., 4] unit quaternions xyzw, [..., 3].
    out
        [..., 4, 4] buffer to write into.

    Returns
    -------
    F32
        [..., 4, 4], `M @ [x, y, z, 1]`.

    Notes
    -----
    glTF 2.0, section 3.5.3.
    """
    if out is None:
        out = np.empty((*rotation.shape[:-1], 4, 4), np.float32)
    sizes = scale[..., 0], scale[..., 1], scale[..., 2]
    for (row, column), entry in quat.matrix_entries(rotation).items():
        np.multiply(entry, sizes[column], out=out[..., row, column])
    out[..., :3, 3] = translation
    out[..., 3, :3] = 0
    out[..., 3, 3] = 1
    return out


def decompose(matrix: F32 | F64) -> tuple[F32, F32, F32, F32]:
    """Return translation, rotation, scale and shear of affine matrices.

    Parameters
    ----------
    matrix
        [..., 4, 4]; a mirroring matrix (negative determinant) gives a negative x scale.

    Returns
    -------
    translation, rotation, scale, shear
        [..., 3], [..., 4], [..., 3] and [...]: the greatest cosine between two axes, 0 without
        shear. A sheared matrix gives the rotation nearest to its axes.
    """
    m: F64 = np.asarray(matrix, np.float64)
    axes = m[..., :3, :3]
    scale = np.sqrt(np.einsum("...ij,...ij->...j", axes, axes))
    scale[..., 0] = np.where(np.linalg.det(axes) < 0, -scale[..., 0], scale[..., 0])
    unit = axes / np.where(scale == 0, 1, scale)[..., None, :]
    gram = np.swapaxes(unit, -1, -2) @ unit
    shear = np.abs(gram[..., (0, 0, 1), (1, 2, 2)]).max(axis=-1)
    left, _, right = np.linalg.svd(unit)
    left[..., :, 2] *= np.linalg.det(left @ right)[..., None]  # a zero axis may have either sign
    rotation = quat.from_matrix(np.asarray(left @ right))
    return (
        np.asarray(m[..., :3, 3], np.float32),
        np.asarray(rotation, np.float32),
        np.asarray(scale, np.float32),
        np.asarray(shear, np.float32),
    )
