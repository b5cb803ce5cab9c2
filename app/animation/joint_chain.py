"""Joint chains: joints on one path of the hierarchy, and the matrices along it in float64.

Look-at and inverse kinematics rotate a joint in its parent's space. This is exact under any scale
of the ancestors, mirrored or non-uniform, where the product of local rotations would not be the
rotation of the matrix. `direction_inverse` brings directions into that space.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from . import quat
from . import scalar_math as scalar
from .pose import Pose
from .skeleton import Skeleton
from .types import F64, Index
from .vectors import cross, dot

_EYE = np.eye(4)
_EYE.flags.writeable = False
_NEXT, _AFTER = np.array((1, 2, 0)), np.array((2, 0, 1))


@dataclass(frozen=True, slots=True)
class ChainMatrices:
    """The matrices [..., 4, 4] along a chain of K joints in one pose.

    Attributes
    ----------
    above
        The first joint's parent space to model space.
    own
        [K] local matrix of each joint, to its parent's space.
    links
        [K - 1] the next joint's parent space to each joint's space.
    below
        [K] the end joint's space to each joint's space.
    """

    above: F64
    own: list[F64]
    links: list[F64]
    below: list[F64]


class Chain:
    """Joints on one path of the hierarchy, and the path from the root to the lowest of them.

    Parameters
    ----------
    skeleton
        The skeleton of the joints.
    joints
        [K >= 1] distinct joints in any order.

    Attributes
    ----------
    joints
        [K] the joints from the root to the end.
    order
        [K] their indices in the list given.
    limb
        All joints from the first of the chain to the parent of its end.

    Raises
    ------
    ValueError
        A joint is repeated, or the joints are not on one path (they are named).
    """

    def __init__(self, skeleton: Skeleton, joints: Sequence[int]) -> None:
        if not joints or len(set(joints)) < len(joints):
            raise ValueError(f"a chain needs one or more distinct joints, not {list(joints)}")
        self.order: Index = np.argsort(skeleton.depths[list(joints)], kind="stable")
        self.joints: list[int] = [int(joints[k]) for k in self.order]
        path = skeleton.upwards(self.joints[-1])[::-1]
        beside = [skeleton.names[joint] for joint in self.joints if joint not in path]
        if beside:
            end = skeleton.names[path[-1]]
            raise ValueError(f"not on one chain: {', '.join(beside)} not an ancestor of {end}")
        self._path: Index = np.array(path, np.intp)
        self._at = [path.index(joint) for joint in self.joints]
        self.limb: Index = self._path[self._at[0] : -1]

    def matrices(self, pose: Pose) -> ChainMatrices:
        """Return the matrices along the chain."""
        local = matrix(pose, self._path)
        own = [local[..., at, :, :] for at in self._at]
        links = [_product(local[..., a + 1 : b, :, :]) for a, b in pairwise(self._at)]
        below = [_identity(own[-1].shape)]
        for k in reversed(range(len(links))):
            below.insert(0, links[k] @ own[k + 1] @ below[0])
        return ChainMatrices(_product(local[..., : self._at[0], :, :]), own, links, below)


def matrix(pose: Pose, joint: int | Index) -> F64:
    """Return the local matrices T R S [..., 4, 4] of a joint, or [..., n, 4, 4] of n."""
    q = np.asarray(pose.rotation[..., joint, :], np.float64)
    out = np.zeros((*q.shape[:-1], 4, 4))
    np.multiply(quat.to_matrix(q), pose.scale[..., joint, :][..., None, :], out=out[..., :3, :3])
    out[..., :3, 3] = pose.translation[..., joint, :]
    out[..., 3, 3] = 1.0
    return out


def direction_inverse(linear: F64) -> F64:
    """Return the inverse of `linear` [..., 3, 3] up to a positive factor, for directions.

    By cofactors, without a division: a scale of 0 gives short or zero vectors instead of an error.
    """
    if linear.ndim == 2:
        return np.array(scalar.direction_inverse(linear.tolist()))
    size = np.abs(linear).max(axis=(-2, -1))[..., None, None]
    columns = np.swapaxes(linear / np.where(size > 0, size, 1.0), -1, -2)
    out = cross(columns.take(_NEXT, -2), columns.take(_AFTER, -2))
    mirrored = dot(columns[..., 0, :], out[..., 0, :]) < 0
    return np.where(mirrored[..., None, None], -out, out)


def _identity(shape: tuple[int, ...]) -> F64:
    """Return identity matrices of a shape [..., 4, 4]; numpy takes long to repeat a single one."""
    return _EYE if len(shape) == 2 else np.broadcast_to(_EYE, shape)


def _product(local: F64) -> F64:
    """Return the product of matrices [..., n, 4, 4] along n; the identity for n = 0."""
    if local.shape[-3] == 0:
        return _identity((*local.shape[:-3], 4, 4))
    out = local[..., 0, :, :]
    for k in range(1, local.shape[-3]):
        out = out @ local[..., k, :, :]
    return out
