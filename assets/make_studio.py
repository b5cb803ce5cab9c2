"""Generate assets/studio.npz: the prefiltered environment of a neutral photo studio.

A grey room with a darker floor, whose edge is the horizon; a large window at the front left and
above, weaker ones on the right and behind, a strip behind for the rim, three lamps overhead. The
windows have panes, so that metal and glass show where they reflect them. All light is grey.

    python assets/make_studio.py
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from rigview.animation.types import F32, F64  # noqa: E402
from rigview.scene import environment  # noqa: E402
from rigview.scene.environment import LEVELS, Environment, directions  # noqa: E402

SIZE = (256, 512)
STRENGTH = 0.345  # white is near 200 of 255 in the key light
NADIR, FLOOR, WALL, CEILING = 0.84, 0.26, 1.04, 0.56  # floor and wall meet at the horizon
WINDOWS = (  # towards its middle, half width and height in radians, panes, light, soft edge
    ((-0.62, 0.62, 0.78), (0.54, 0.42), (2, 2), 3.6, 0.06),
    ((0.95, 0.30, 0.36), (0.36, 0.52), (2, 3), 2.9, 0.06),
    ((0.55, 0.42, -0.90), (0.20, 0.60), (1, 1), 4.2, 0.05),
    ((-0.80, 0.30, -0.75), (0.34, 0.50), (2, 3), 2.6, 0.06),
    ((0.00, 1.00, 0.05), (0.55, 0.40), (3, 1), 1.3, 0.08),
)
BAR = 0.03  # half the width of what separates panes, radians


def studio() -> F32:
    """Return the radiance of the room [H, W, 3], linear."""
    looked = directions(*SIZE)
    height = looked[..., 1]
    room = np.where(
        height < 0,
        FLOOR + (NADIR - FLOOR) * _smooth(-height / 0.8),
        WALL + (CEILING - WALL) * _smooth(height),
    )
    for towards, half, panes, light, edge in WINDOWS:
        room = room + light * _window(looked, np.array(towards), half, panes, edge)
    return np.repeat(STRENGTH * room[..., None], 3, axis=-1).astype(np.float32)


def _window(
    looked: F64,
    towards: F64,
    half: tuple[float, float],
    panes: tuple[int, int],
    edge: float,
) -> F64:
    """Return 1 inside the panes of a rectangle of the sphere and 0 outside, with soft edges."""
    ahead = towards / np.linalg.norm(towards)
    up = np.array([0.0, 1.0, 0.0]) if abs(ahead[1]) < 0.95 else np.array([0.0, 0.0, -1.0])
    side = np.cross(up, ahead)
    side /= np.linalg.norm(side)
    over = np.cross(ahead, side)
    depth = looked @ ahead
    across = np.arctan2(looked @ side, depth)
    along = np.arctan2(looked @ over, np.hypot(depth, looked @ side))
    inside = np.ones(depth.shape)
    for at, reach, count in zip((across, along), half, panes, strict=True):
        inside = inside * _smooth((reach - np.abs(at)) / edge + 0.5)
        pane = 2 * reach / count
        for bar in range(1, count):
            inside = inside * _smooth((np.abs(at + reach - bar * pane) - BAR) / edge + 0.5)
    return inside


def _smooth(x: F64) -> F64:
    x = np.clip(x, 0, 1)
    return x * x * (3 - 2 * x)


def prefiltered(room: F32) -> Environment:
    """Return the environment of a room [H, W, 3]."""
    made = environment.prefilter(room)
    pyramid = environment.mip_pyramid(room.astype(np.float64))
    towards = environment.texel_directions()
    for k in range(1, LEVELS):
        made.levels[k] = sampled(pyramid, towards, (k / (LEVELS - 1)) ** 2)
    return made


def sampled(pyramid: list[F64], directions: F64, alpha: float) -> F64:
    """Return the light [S, S, 3] of each direction: the mean of samples of a GGX lobe."""
    cosine, level = environment.ggx_samples(alpha, pyramid)
    turn = np.arange(len(cosine)) * (np.pi * (3 - np.sqrt(5)))  # golden-angle spiral
    sine = np.sqrt(1 - cosine * cosine)
    light = np.stack([sine * np.cos(turn), cosine, sine * np.sin(turn)], axis=1)  # about +Y
    out = np.empty(directions.shape)
    for row, normals in enumerate(directions):
        around = np.einsum("sab,nb->sna", _frames(normals), light)
        radiance = environment.look_up(pyramid, around, np.broadcast_to(level, around.shape[:2]))
        out[row] = np.einsum("snc,n->sc", radiance, cosine) / cosine.sum()
    return out


def _frames(normals: F64) -> F64:
    """Return rotations [S, 3, 3] from +Y to each normal."""
    other = np.where(np.abs(normals[:, :1]) < 0.9, [[1.0, 0, 0]], [[0, 0, 1.0]])
    x = np.cross(normals, other)
    x /= np.sqrt((x * x).sum(axis=1, keepdims=True))
    z = np.cross(x, normals)
    return np.stack([x, normals, z], axis=-1)


if __name__ == "__main__":
    environment.save(prefiltered(studio()), HERE / "studio.npz")
