"""Joints of a skeleton that lie one below the other, and the matrices along them in float64.

Aims and inverse kinematics turn a joint in its parent's space: there a turn is a turn whatever
the scale above it is, mirrored or uneven, where the product of local rotations would not be the
rotation of the matrix. `into` brings directions there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from . import quat
from .directions import cross, dot
from .pose import Pose
from .skeleton import Skeleton
from .types import F64, Index

_NEXT, _AFTER = np.array((1, 2, 0)), np.array((2, 0, 1))


@dataclass(frozen=True, slots=True)
class Way:
    """The matrices [..., 4, 4] along a chain in one pose.

    Attributes
    ----------
    above
        Parent's space of the first joint to model space.
    own
        [K] local matrix of each joint, to its parent's space.
    links
        [K - 1] the parent's space of the next joint to each joint's own.
    below
        [K] the end joint's space to each joint's own.
    """

    above: F64
    own: list[F64]
    links: list[F64]
    below: list[F64]


class Chain:
    """A path from a root of the hierarchy down to the lowest of some joints.

    Parameters
    ----------
    skeleton
        Whose joints they are.
    joints
        [K >= 1] different joints in any order.

    Attributes
    ----------
    joints
        [K] the joints from the root's side to the end.
    order
        [K] where each of them stands in the list that was given.
    limb
        All joints from the first of the chain to the one above its end.

    Raises
    ------
    ValueError
        Where a joint is given twice, or joints are not one below the other: it names them.
    """

    def __init__(self, skeleton: Skeleton, joints: Sequence[int]) -> None:
        if not joints or len(set(joints)) < len(joints):
            raise ValueError(f"a chain takes one joint or more, each once, not {list(joints)}")
        self.order: Index = np.argsort(skeleton.depths[list(joints)], kind="stable")
        self.joints: list[int] = [int(joints[k]) for k in self.order]
        path = [self.joints[-1]]
        while (parent := int(skeleton.parents[path[-1]])) >= 0:
            path.append(parent)
        path.reverse()
        beside = [skeleton.names[joint] for joint in self.joints if joint not in path]
        if beside:
            end = skeleton.names[path[-1]]
            raise ValueError(f"not on one chain: {', '.join(beside)} not above {end}")
        self._path: Index = np.array(path, np.intp)
        self._at = [path.index(joint) for joint in self.joints]
        self.limb: Index = self._path[self._at[0] : -1]

    def matrices(self, pose: Pose) -> Way:
        """Return the matrices along the chain."""
        local = matrix(pose, self._path)
        own = [local[..., at, :, :] for at in self._at]
        links = [_product(local[..., a + 1 : b, :, :]) for a, b in pairwise(self._at)]
        below = [np.broadcast_to(np.eye(4), own[-1].shape)]
        for k in reversed(range(len(links))):
            below.insert(0, links[k] @ own[k + 1] @ below[0])
        return Way(_product(local[..., : self._at[0], :, :]), own, links, below)


def matrix(pose: Pose, joint: int | Index) -> F64:
    """Return the local matrices T R S [..., 4, 4] of a joint, or [..., n, 4, 4] of n."""
    q = np.asarray(pose.rotation[..., joint, :], np.float64)
    out = np.zeros((*q.shape[:-1], 4, 4))
    np.multiply(quat.to_matrix(q), pose.scale[..., joint, :][..., None, :], out=out[..., :3, :3])
    out[..., :3, 3] = pose.translation[..., joint, :]
    out[..., 3, 3] = 1.0
    return out


def into(linear: F64) -> F64:
    """Return what brings directions into the space that `linear` [..., 3, 3] leads out of.

    The inverse, but for its length, by cofactors: nothing is divided by, so that a scale of 0
    gives short vectors, or none, and not an error.
    """
    size = np.abs(linear).max(axis=(-2, -1))[..., None, None]
    columns = np.swapaxes(linear / np.where(size > 0, size, 1.0), -1, -2)
    out = cross(columns.take(_NEXT, -2), columns.take(_AFTER, -2))
    mirrored = dot(columns[..., 0, :], out[..., 0, :]) < 0
    return np.where(mirrored[..., None, None], -out, out)


def _product(local: F64) -> F64:
    """Return the product of [..., n, 4, 4] along n, the identity where n is 0."""
    if local.shape[-3] == 0:
        return np.broadcast_to(np.eye(4), (*local.shape[:-3], 4, 4))
    out = local[..., 0, :, :]
    for k in range(1, local.shape[-3]):
        out = out @ local[..., k, :, :]
    return out
