"""A transform as scale, rotation, translation (applied in that order) and as a 4x4 matrix."""

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
    """Split affine matrices into what `compose` takes.

    Parameters
    ----------
    matrix
        [..., 4, 4]; a mirrored one (negative determinant) gets a negative x scale.

    Returns
    -------
    translation, rotation, scale, shear
        [..., 3], [..., 4], [..., 3] and [...]: the greatest cosine between two axes that ought to
        be at right angles, 0 where there is no shear. A sheared matrix gives the rotation
        nearest to its axes.
    """
    m: F64 = np.asarray(matrix, np.float64)
    axes = m[..., :3, :3]
    scale = np.sqrt(np.einsum("...ij,...ij->...j", axes, axes))
    scale[..., 0] = np.where(np.linalg.det(axes) < 0, -scale[..., 0], scale[..., 0])
    unit = axes / np.where(scale == 0, 1, scale)[..., None, :]
    gram = np.swapaxes(unit, -1, -2) @ unit
    shear = np.abs(gram[..., (0, 0, 1), (1, 2, 2)]).max(axis=-1)
    left, _, right = np.linalg.svd(unit)
    left[..., :, 2] *= np.linalg.det(left @ right)[..., None]  # a flat axis may turn either way
    rotation = quat.from_matrix(np.asarray(left @ right))
    return (
        np.asarray(m[..., :3, 3], np.float32),
        np.asarray(rotation, np.float32),
        np.asarray(scale, np.float32),
        np.asarray(shear, np.float32),
    )
