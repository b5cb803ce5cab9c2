"""Generate assets/studio.npz: the prefiltered environment of a neutral photo studio.

A grey room, brighter at the top; a large soft box at the front left and above, a weaker one on the
right, a strip light behind for the rim, a soft box overhead. All light is grey.

    python assets/make_studio.py
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from rigview.animation.types import F32, F64  # noqa: E402
from rigview.scene.environment import directions, prefilter, save  # noqa: E402

SIZE = (256, 512)
STRENGTH = 0.285  # white is near 200 of 255 in the key light
FLOOR, HORIZON, CEILING = 0.22, 0.34, 0.52
SOFT_BOXES = (  # towards its middle, half width and half height in radians, light, soft edge
    ((-0.62, 0.62, 0.78), (0.52, 0.36), 5.2, 0.14),
    ((0.95, 0.28, 0.42), (0.34, 0.50), 1.9, 0.16),
    ((0.55, 0.42, -0.90), (0.16, 0.55), 4.2, 0.10),
    ((-0.80, 0.30, -0.75), (0.14, 0.50), 2.4, 0.10),
    ((0.00, 1.00, 0.05), (0.55, 0.40), 2.2, 0.18),
)


def studio() -> F32:
    """Return the radiance of the room [H, W, 3], linear."""
    looked = directions(*SIZE)
    height = looked[..., 1]
    room = np.where(
        height < 0,
        HORIZON + (FLOOR - HORIZON) * _smooth(-height / 0.6),
        HORIZON + (CEILING - HORIZON) * _smooth(height),
    )
    for towards, half, light, edge in SOFT_BOXES:
        room = room + light * _box(looked, np.array(towards), half, edge)
    return np.repeat(STRENGTH * room[..., None], 3, axis=-1).astype(np.float32)


def _box(looked: F64, towards: F64, half: tuple[float, float], edge: float) -> F64:
    """Return 1 inside a rectangle of the sphere and 0 outside, with a soft edge."""
    ahead = towards / np.linalg.norm(towards)
    up = np.array([0.0, 1.0, 0.0]) if abs(ahead[1]) < 0.95 else np.array([0.0, 0.0, -1.0])
    side = np.cross(up, ahead)
    side /= np.linalg.norm(side)
    over = np.cross(ahead, side)
    depth = looked @ ahead
    across = np.arctan2(looked @ side, depth)
    along = np.arctan2(looked @ over, np.hypot(depth, looked @ side))
    inside = _smooth((half[0] - np.abs(across)) / edge + 0.5)
    return inside * _smooth((half[1] - np.abs(along)) / edge + 0.5)


def _smooth(x: F64) -> F64:
    x = np.clip(x, 0, 1)
    return x * x * (3 - 2 * x)


if __name__ == "__main__":
    save(prefilter(studio()), HERE / "studio.npz")
