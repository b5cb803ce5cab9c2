"""Whether an aim of limited speed has met its target, whatever its direction was before."""

import math

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F64
from ..animation.vectors import angle

_FARTHEST = 2.0 * math.pi  # radians: by way of the middle of a cone


class CatchUp:
    """The greatest angle between an aim and its target, over all directions in the past.

    It grows by what the target moves and shrinks by what the aim may turn. Once it is 0, the aim
    points at the target, and the past has no effect.

    Parameters
    ----------
    speed
        Of the aim, radians per second.

    Attributes
    ----------
    meets
        Whether the angle is 0 now.
    met
        Whether it was 0 at any time since the last `begin` or `allow`.
    """

    def __init__(self, speed: float) -> None:
        self.meets = self.met = False
        self._speed = speed
        self._behind = _FARTHEST
        self._last: tuple[F64, F64] | None = None

    def begin(self) -> None:
        """Forget everything: the aim may point anywhere."""
        self.meets = self.met = False
        self._behind, self._last = _FARTHEST, None

    def allow(self, seconds: float) -> None:
        """Let the aim be off by what it turns in some seconds, and want it to meet again."""
        self.meets = self.met = False
        self._behind, self._last = self._speed * seconds, None

    def follow(self, goal: F64, middle: F64, seconds: ArrayLike) -> None:
        """Note the directions to the target and of the cone's middle [..., 3] after some seconds.

        Without a cone both are that to the target.
        """
        passed = float(np.min(seconds))
        if passed <= 0.0:
            return
        if self._last is not None:
            moved = _most(self._last[0], goal)
            if middle is not goal:
                moved += 2.0 * _most(self._last[1], middle)
            self._behind = max(0.0, self._behind + moved - self._speed * passed)
            self.meets = self._behind == 0.0
            self.met = self.met or self.meets
        self._last = goal, middle


def _most(a: F64, b: F64) -> float:
    return float(np.max(angle(a, b), initial=0.0))
