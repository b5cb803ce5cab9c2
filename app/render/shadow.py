"""The shadow that one directional light casts: a depth picture as the light sees the character."""

import moderngl
import numpy as np

from app.animation.types import F32, F64
from app.light import Light
from app.render.program import UNITS

SIDE = 1024  # texels
SOFT = 0.012  # of the width of what is lit: half a shadow's soft edge
_MARGIN = 1.06  # room about what is lit, for the soft edge


class ShadowMap:
    """A depth texture to draw into, and the matrix that goes with it."""

    def __init__(self, context: moderngl.Context) -> None:
        self.depth = context.depth_texture((SIDE, SIDE))
        self.depth.compare_func = "<="
        self.depth.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self.depth.repeat_x = self.depth.repeat_y = False
        self.framebuffer = context.framebuffer(depth_attachment=self.depth)
        self.matrix: F32 = np.eye(4, dtype=np.float32)

    def aim(self, light: Light, extent: F32) -> None:
        """Fit the map about a box [2, 3] of world space, seen along a light."""
        low, high = extent.astype(np.float64)
        corners = np.stack(np.meshgrid(*np.stack([low, high]).T, indexing="ij"), -1).reshape(-1, 3)
        axes = _axes(light.towards)
        seen = corners @ axes.T
        least, most = seen.min(axis=0), seen.max(axis=0)
        half = np.maximum((most - least) / 2 * _MARGIN, 1e-9)
        half[:2] = half[:2].max()  # one softness both ways
        middle = (most + least) / 2
        matrix = np.eye(4)
        matrix[:3, :3] = axes / half[:, None]
        matrix[:3, 3] = -middle / half
        self.matrix = matrix.astype(np.float32)

    def use(self) -> None:
        """Bind the map for looking it up."""
        self.depth.use(UNITS["shadow_map"])

    def release(self) -> None:
        """Free it."""
        self.framebuffer.release()
        self.depth.release()


def _axes(towards: F64) -> F64:
    """Return the light's right, up and forward axes as rows [3, 3]; depth grows away from it."""
    up = np.array([0.0, 1.0, 0.0]) if abs(towards[1]) < 0.99 else np.array([0.0, 0.0, 1.0])
    right = np.cross(towards, up)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(right, towards), towards])
