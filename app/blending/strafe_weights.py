"""The two halves of the strafe blend space: weights of six clips by direction.

Directions are radians about +Y: 0 forward, positive to the character's left (+X). The circle is
divided into two halves of three clips each, because blending forward and backward clips makes
legs cross. The half changes beyond 90° plus a hysteresis, so that it does not flicker.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F64, Bool

ROLES = ("forward", "left", "right", "back", "left_back", "right_back")
TURNS = ("left_to_back", "left_to_front", "right_to_back", "right_to_front")
HYSTERESIS = np.pi / 18
_SIDE = np.pi / 2


def weights(theta: ArrayLike, back: ArrayLike, hysteresis: float = HYSTERESIS) -> F64:
    """Return the weights [..., 6] of ROLES for directions [...] and halves [...].

    Neighbours are blended by angle; beyond the side, within the hysteresis, only the side clip has
    weight. Beyond the hysteresis, which is reached only while a transition delays the change of
    half, one side blends into the other, so that the weights are continuous.
    """
    angle = wrap(theta)
    behind = np.asarray(back, bool)
    off = np.where(behind, np.pi - np.abs(angle), np.abs(angle))  # from the middle of the half
    share = np.minimum(off / _SIDE, 1.0)
    over = np.clip((off - _SIDE - hysteresis) / (_SIDE - hysteresis), 0.0, 1.0) / 2.0
    near, far = share * (1.0 - over), share * over
    left = angle > 0
    half = np.stack((1.0 - share, np.where(left, near, far), np.where(left, far, near)), axis=-1)
    held = behind[..., None]
    return np.concatenate((np.where(held, 0.0, half), np.where(held, half, 0.0)), axis=-1)


def half(theta: ArrayLike, back: ArrayLike, hysteresis: float) -> Bool:
    """Return whether the backward half applies [...], by the last half and the direction."""
    beyond = np.abs(wrap(theta))
    out: Bool = np.where(back, beyond >= _SIDE - hysteresis, beyond > _SIDE + hysteresis)
    return out


def wrap(theta: ArrayLike) -> F64:
    """Return angles wrapped to (-pi, pi]."""
    return np.pi - np.mod(np.pi - np.asarray(theta, np.float64), 2.0 * np.pi)
