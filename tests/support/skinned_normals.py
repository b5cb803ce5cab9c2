"""Skinned normals and tangents in numpy, the reference of the shaders."""

import numpy as np


def skin_normals(normals, joints, weights, palette):
    """Return normals [..., V, 3] transformed by the cofactors of blended matrices, unit length.

    The cofactor matrix is the inverse transpose times the determinant: it needs no inverse and
    allows a scale of 0. Where the determinant is negative (mirroring) its sign is removed, so that
    normals stay on the outer side.
    """
    m = _blend(joints, weights, palette)[..., :3]
    cofactor = np.stack(
        (
            np.cross(m[..., 1, :], m[..., 2, :]),
            np.cross(m[..., 2, :], m[..., 0, :]),
            np.cross(m[..., 0, :], m[..., 1, :]),
        ),
        axis=-2,
    )
    side = np.where(np.einsum("...a,...a->...", m[..., 0, :], cofactor[..., 0, :]) < 0, -1, 1)
    return _unit(np.einsum("...vab,...vb->...va", cofactor, normals)) * side[..., None]


def skin_tangents(tangents, joints, weights, palette):
    """Return tangents [..., V, 4] transformed by blended matrices; mirroring flips w."""
    m = _blend(joints, weights, palette)[..., :3]
    turned = _unit(np.einsum("...vab,...vb->...va", m, tangents[..., :3]))
    side = np.where(np.linalg.det(m) < 0, -1, 1).astype(np.float32)
    return np.concatenate((turned, (tangents[..., 3] * side)[..., None]), axis=-1)


def _blend(joints, weights, palette):
    return np.einsum("vi,...viab->...vab", weights, palette[..., joints, :, :])


def _unit(v):
    length = np.sqrt(np.einsum("...i,...i->...", v, v))[..., None]
    return np.divide(v, length, out=np.zeros_like(v), where=length > 0)
