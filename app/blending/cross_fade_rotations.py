"""Rotations in a cross-fade: the arc between two clips, chosen once and tracked without jumps."""

import numpy as np

from ..animation import quat
from ..animation.rotation_mean import Blend
from ..animation.types import F32, F64, Bool
from ..animation.vectors import dot
from .state import Node

_NEAR = 0.02  # cosine of half the angle of an arc, below which rounding may select the other arc
_WIDE = -0.1  # the same, about 11 degrees beyond half a turn
_TURNED = -0.9  # the same, of the remaining arc: the other arc is a fifth of it


class CrossFadeRotations(Node):
    """The blended rotations of a cross-fade from `a` to `b`, each along an arc chosen once.

    Up to 180° an arc is the shorter one; a little beyond, it is continued. From then on it is
    *wide* until the fade ends: the blended rotation moves along with both motions by their
    weights, and towards `b` by the increase of its weight. About one axis this is slerp over any
    number of turns; about several it is continuous where no blend of `a` and `b` alone would be,
    since the axis of an arc of a full turn is undefined.

    Parameters
    ----------
    a, b
        [..., J, 4] unit quaternions; the shortest arcs between them are chosen.
    rotation
        Interpolation along the arcs until they are wide.
    """

    changing = ("_share", "_turn", "_wide", "_shown", "_goal", "_a", "_b")

    def __init__(self, a: F32, b: F32, rotation: Blend) -> None:
        turn = quat.multiply(quat.conjugate(a), b)
        self._rotation: Blend = rotation
        self._share = 0.0
        self._turn: F32 = np.where(turn[..., 3:] < 0, -turn, turn)  # [..., J, 4] from a to b
        self._wide: Bool = np.zeros(turn.shape[:-1], bool)
        self._shown: F64 = np.zeros(turn.shape)  # the blended rotation of wide arcs
        self._goal: F64 = self._shown  # b, with the sign that wide arcs approach
        self._a, self._b = a.copy(), b.copy()

    def follow(self, a: F32, b: F32, share: float) -> None:
        """Update the arcs for current rotations, less than half a turn from the last ones.

        Parameters
        ----------
        a, b
            [..., J, 4] current rotations.
        share
            Current share of `b`, below 1.
        """
        turn = quat.multiply(quat.conjugate(a), b)
        self._turn = np.where(dot(turn, self._turn)[..., None] < 0, -turn, turn)
        if self._wide.any():
            self._carry(a, b, share)
        new = ~self._wide & (self._turn[..., 3] < _WIDE)
        if new.any():
            self._shown, self._goal = self._shown.copy(), self._goal.copy()
            begin = a[new].astype(np.float64)
            turned = self._turn[new].astype(np.float64)
            self._shown[new] = _part(begin, turned, share, self._rotation)
            self._goal[new] = quat.multiply(begin, turned)
            self._wide = self._wide | new
        self._a, self._b, self._share = a.copy(), b.copy(), share

    def _carry(self, a: F32, b: F32, share: float) -> None:
        """Move the blended rotations of wide arcs along with `a` and `b`, and towards `b`."""
        wide = self._wide
        along_a, along_b = _move(self._a[wide], a[wide]), _move(self._b[wide], b[wide])
        shown: F64 = quat.multiply(quat.nlerp(along_a, along_b, self._share), self._shown[wide])
        goal: F64 = b[wide].astype(np.float64)
        goal = np.where(dot(goal, self._goal[wide])[..., None] < 0, -goal, goal)
        goal = np.where(dot(goal, shown)[..., None] < _TURNED, -goal, goal)
        closer = 1 - (1 - share) / (1 - self._share)
        self._shown, self._goal = self._shown.copy(), self._goal.copy()
        self._shown[wide] = _along(shown, goal, closer)
        self._goal[wide] = goal

    def blend(self, out: F32) -> None:
        """Correct shortest-arc blends [..., J, 4] of `a` and `b` in place where the arc differs."""
        near = self._turn[..., 3] < _NEAR
        if near.any():
            begin, turn = self._a[near].astype(np.float64), self._turn[near].astype(np.float64)
            out[near] = _part(begin, turn, self._share, self._rotation)
        if self._wide.any():
            out[self._wide] = self._shown[self._wide]


def _move(was: F32, now: F32) -> F64:
    """Return the rotations from `was` to `now` [n, 4] in the outer space, on the shorter arc."""
    back: F64 = quat.conjugate(was).astype(np.float64)
    move = quat.multiply(now.astype(np.float64), back)
    return np.where(move[..., 3:] < 0, -move, move)


def _part(begin: F64, turn: F64, share: float, rotation: Blend) -> F64:
    """Return `begin` [n, 4] rotated by a share of `turn`, along the arc given by its sign."""
    end = quat.multiply(begin, turn)
    if rotation == "slerp":
        return _along(begin, end, share)
    return quat.normalize(begin * (1 - share) + end * share)


def _along(a: F64, b: F64, share: float) -> F64:
    """Return slerp [n, 4] along the given arc, which need not be the shorter one."""
    angle = quat.arc(a, b)[..., None]
    return quat.normalize(a * np.sin((1 - share) * angle) + b * np.sin(share * angle))
