"""Arcs between two rotations that both move: chosen once and followed (SPEC D2)."""

import numpy as np

from ..animation import quat
from ..animation.rotation_mean import Blend
from ..animation.types import F32, F64, Bool

_NEAR = 0.02  # cosine of half the angle between two rotations: below it rounding may choose the arc
_WIDE = -0.1  # the same, about 11 degrees past half a turn
_TURNED = -0.9  # the same, of what is left to go: the other way about is a fifth of it by now

State = tuple[float, F32, Bool, F64, F64, F32, F32]


class Arcs:
    """The ways from rotations `a` to rotations `b`, each on the side it began on.

    Up to half a turn an arc is simply the shorter one; a little beyond it is still the one that
    goes on from there. From then on it is *wide* until the fade ends: what is shown is carried
    along by both motions, each by its share, and brought closer to `b` by as much as the share
    grows. About one axis that is slerp over any number of turns; and about several it stays
    without a jump where no blend of `a` and `b` alone could, since the axis of an arc of a full
    turn is none.

    Parameters
    ----------
    a, b
        [..., J, 4] unit quaternions; the shortest arcs between them are chosen.
    rotation
        How the ways are gone until they are wide.
    """

    def __init__(self, a: F32, b: F32, rotation: Blend) -> None:
        turn = quat.multiply(quat.conjugate(a), b)
        self._rotation: Blend = rotation
        self._share = 0.0
        self._turn: F32 = np.where(turn[..., 3:] < 0, -turn, turn)  # [..., J, 4] from a to b
        self._wide: Bool = np.zeros(turn.shape[:-1], bool)
        self._shown: F64 = np.zeros(turn.shape)  # what wide ones show
        self._goal: F64 = self._shown  # b, on the side that wide ones come to it
        self._a, self._b = a.copy(), b.copy()

    def follow(self, a: F32, b: F32, share: float) -> None:
        """Go on to where both are now, less than half a turn from where they were.

        Parameters
        ----------
        a, b
            [..., J, 4] as when it began.
        share
            How much of `b` shows now, below 1.
        """
        turn = quat.multiply(quat.conjugate(a), b)
        self._turn = np.where(quat.dot(turn, self._turn)[..., None] < 0, -turn, turn)
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
        """Move what wide arcs show along with `a` and `b`, and closer to `b`."""
        wide = self._wide
        along_a, along_b = _move(self._a[wide], a[wide]), _move(self._b[wide], b[wide])
        shown: F64 = quat.multiply(quat.nlerp(along_a, along_b, self._share), self._shown[wide])
        goal: F64 = b[wide].astype(np.float64)
        goal = np.where(quat.dot(goal, self._goal[wide])[..., None] < 0, -goal, goal)
        goal = np.where(quat.dot(goal, shown)[..., None] < _TURNED, -goal, goal)
        closer = 1 - (1 - share) / (1 - self._share)
        self._shown, self._goal = self._shown.copy(), self._goal.copy()
        self._shown[wide] = _along(shown, goal, closer)
        self._goal[wide] = goal

    def blend(self, out: F32) -> None:
        """Correct shortest blends [..., J, 4] of `a` and `b` where the arc is another one."""
        near = self._turn[..., 3] < _NEAR
        if near.any():
            begin, turn = self._a[near].astype(np.float64), self._turn[near].astype(np.float64)
            out[near] = _part(begin, turn, self._share, self._rotation)
        if self._wide.any():
            out[self._wide] = self._shown[self._wide]

    def save(self) -> State:
        """Return the state, for `restore`; its arrays are never written to."""
        return (
            self._share,
            self._turn,
            self._wide,
            self._shown,
            self._goal,
            self._a,
            self._b,
        )

    def restore(self, state: State) -> None:
        """Go back to a state that `save` gave."""
        self._share, self._turn, self._wide, self._shown, self._goal, self._a, self._b = state


def _move(was: F32, now: F32) -> F64:
    """Return what turns rotations [n, 4] into others, from outside, on the shorter way."""
    back: F64 = quat.conjugate(was).astype(np.float64)
    move = quat.multiply(now.astype(np.float64), back)
    return np.where(move[..., 3:] < 0, -move, move)


def _part(begin: F64, turn: F64, share: float, rotation: Blend) -> F64:
    """Return `begin` [n, 4] turned by a share of `turn`, on the side that `turn` is on."""
    end = quat.multiply(begin, turn)
    if rotation == "slerp":
        return _along(begin, end, share)
    return quat.normalize(begin * (1 - share) + end * share)


def _along(a: F64, b: F64, share: float) -> F64:
    """Return slerp [n, 4], without asking which way is shorter."""
    angle = quat.arc(a, b)[..., None]
    return quat.normalize(a * np.sin((1 - share) * angle) + b * np.sin(share * angle))
