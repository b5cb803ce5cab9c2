"""Linear blend skinning: skins, matrix palettes, and CPU reference implementations."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .pose import Pose
from .skeleton import BATCH_LAST, Skeleton
from .transform import compose, decompose
from .types import F32, I32, U16


@dataclass(frozen=True, slots=True, eq=False)
class Skin:
    """The joints that deform a mesh, and their inverse bind matrices.

    glTF 2.0, section 3.7.3.2: the transform of the node that holds a skinned mesh is ignored.

    Examples
    --------
    >>> matrices = model.skeleton.to_model(model.clips["Walk"].sample(0.25))
    >>> skin = model.skins[0]
    >>> skin.palette(matrices).shape == (len(skin.joints), 3, 4)
    True
    """

    name: str
    joints: I32  # [S] skeleton joint per palette entry
    inverse_bind: F32  # [S, 4, 4] model space to joint space at bind time

    def __repr__(self) -> str:
        return f"<Skin {self.name[:60]!r} {len(self.joints)} joints>"

    @np.errstate(all="ignore")  # invalid numbers of a file propagate
    def palette(self, model: F32, out: F32 | None = None) -> F32:
        """Return the matrix palette for the vertex shader.

        Parameters
        ----------
        model
            [..., J, 4, 4] model-space matrix of every joint, from `Skeleton.to_model`; multiplied
            by a model-to-world matrix, the palette transforms vertices to world space.
        out
            [..., S, 3, 4] buffer to write into.

        Returns
        -------
        F32
            [..., S, 3, 4] rows of each affine matrix, the layout of the shader's palette.
        """
        chosen = model.take(self.joints, axis=-3)[..., :3, :]
        if math.prod(model.shape[:-3]) < BATCH_LAST:
            return np.matmul(chosen, self.inverse_bind, out=out)
        if out is None:
            out = np.empty(chosen.shape, np.float32)
        rows = np.moveaxis(chosen, -3, 0).reshape(len(self.joints), -1, 4)
        product = (rows @ self.inverse_bind).reshape(len(self.joints), *model.shape[:-3], 3, 4)
        out[...] = np.moveaxis(product, 0, -3)
        return out


def skin_points(points: F32, joints: U16, weights: F32, palette: F32) -> F32:
    """Return skinned points; the reference for skin.glsl.

    Parameters
    ----------
    points
        [..., V, 3] mesh space, after morphing.
    joints, weights
        [V, 4] or [V, 8] indices into the skin, and weights whose rows sum to 1.
    palette
        [..., S, 3, 4] from `Skin.palette`.

    Returns
    -------
    F32
        [..., V, 3] in the target space of the palette.
    """
    blended = np.einsum("vi,...viab->...vab", weights, palette[..., joints, :, :])
    return np.einsum("...vab,...vb->...va", blended[..., :3], points) + blended[..., 3]


def bind_pose(skeleton: Skeleton, skin: Skin) -> Pose:
    """Return a skin's bind pose: the inverse of its inverse bind matrices.

    Joints outside the skin keep their local rest transform. For a joint listed twice the last
    entry is used; a singular inverse bind matrix is treated as missing.
    """
    pose = skeleton.rest.copy()
    rest = compose(pose.translation, pose.rotation, pose.scale)
    inverse = skin.inverse_bind.astype(np.float64)
    regular = np.linalg.det(inverse) != 0
    bind = dict(zip(skin.joints[regular].tolist(), np.linalg.inv(inverse[regular]), strict=True))
    model = np.empty((skeleton.count, 4, 4))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        above = model[parent] if parent >= 0 else np.eye(4)
        model[joint] = bind.get(joint, above @ rest[joint])
        if joint in bind and np.linalg.det(above) != 0:
            local = np.linalg.solve(above, model[joint])
            parts = decompose(local)
            pose.translation[joint], pose.rotation[joint], pose.scale[joint] = parts[:3]
    return pose


def common_bind_pose(skeleton: Skeleton, skins: Sequence[Skin]) -> Pose:
    """Return the bind pose of all skins; a joint of several has that of the last one."""
    pose = skeleton.rest.copy()
    for skin in skins:
        bound = bind_pose(skeleton, skin)
        pose.translation[skin.joints] = bound.translation[skin.joints]
        pose.rotation[skin.joints] = bound.rotation[skin.joints]
        pose.scale[skin.joints] = bound.scale[skin.joints]
    return pose
