"""The two halves of the circle that strafing has: six clips by direction (SPEC D6, RULINGS M28).

Directions are radians about +Y: 0 forward, positive to the character's left (+X). Two halves of
three clips each share the circle, because hips that face forward cannot walk back by a blend of
legs that cross: the half changes behind the side, and later than at it, so that it does not
flicker there.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F64, Bool

ROLES = ("forward", "left", "right", "back", "left_back", "right_back")
HYSTERESIS = np.pi / 18
_SIDE = np.pi / 2


def weights(theta: ArrayLike, back: ArrayLike, hysteresis: float = HYSTERESIS) -> F64:
    """Return the weights [..., 6] of ROLES in directions [...] and halves [...].

    Between neighbours by angle; beyond the side, where a half still holds, the side alone. Still
    further on, where a half is only kept while a transition plays, one side goes over into the
    other, so that nothing jumps there either.
    """
    angle = wrap(theta)
    behind = np.asarray(back, bool)
    off = np.where(behind, np.pi - np.abs(angle), np.abs(angle))  # from the half's middle
    share = np.minimum(off / _SIDE, 1.0)
    over = np.clip((off - _SIDE - hysteresis) / (_SIDE - hysteresis), 0.0, 1.0) / 2.0
    near, far = share * (1.0 - over), share * over
    left = angle > 0
    half = np.stack((1.0 - share, np.where(left, near, far), np.where(left, far, near)), axis=-1)
    held = behind[..., None]
    return np.concatenate((np.where(held, 0.0, half), np.where(held, half, 0.0)), axis=-1)


def half(theta: ArrayLike, back: ArrayLike, hysteresis: float) -> Bool:
    """Return whether it is the back half [...], from the half before and the direction now."""
    beyond = np.abs(wrap(theta))
    out: Bool = np.where(back, beyond >= _SIDE - hysteresis, beyond > _SIDE + hysteresis)
    return out


def wrap(theta: ArrayLike) -> F64:
    """Return angles within (-pi, pi]."""
    return np.pi - np.mod(np.pi - np.asarray(theta, np.float64), 2.0 * np.pi)
