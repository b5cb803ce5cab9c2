"""The shadow that one directional light casts: a depth picture as the light sees the character."""

import moderngl
import numpy as np

from app.animation.types import F32, F64
from app.light import Light
from app.render.program import UNITS

SIDES = (256, 1024)  # texels, least and most: a map is as fine as the picture
SOFT = 0.012  # of a character's size: half a shadow's soft edge
LIFT = 0.0035  # of a character's size: how far off itself a surface is when its shadow is looked up
_MARGIN = 1.06  # room about what is lit, for the soft edge
_LEAST_SOFT = 2.0  # texels


class ShadowMap:
    """A depth texture to draw into, and the matrix that goes with it."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made: dict[int, tuple[moderngl.Texture, moderngl.Framebuffer]] = {}
        self._side = SIDES[0]
        self.matrix: F32 = np.eye(4, dtype=np.float32)  # world to the map's clip space
        self.softness = 0.0  # radius in which the map is looked up, in parts of its side
        self.lift = 0.0  # metres
        self.margin = 0.0  # how far about what casts its shadow can reach, metres

    def aim(self, light: Light, extent: F32, size: float, pixels: int) -> None:
        """Fit the map about a box [2, 3] of world space, seen along a light.

        Parameters
        ----------
        light
            A directional one.
        extent
            Low and high corner of what is lit, metres.
        size
            Of one character, metres.
        pixels
            The longer side of the picture.
        """
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
        finer = pixels * float(np.linalg.norm(high - low)) / max(size, 1e-9)  # a crowd needs more
        self._side = int(np.clip(2 ** np.ceil(np.log2(max(finer, 1.0))), *SIDES))
        texel = 2.0 * float(half[0]) / self._side
        self.softness = max(SOFT * size / (2.0 * float(half[0])), _LEAST_SOFT / self._side)
        self.margin = 2.0 * float(half[0]) * self.softness + texel
        self.lift = max(LIFT * size, texel)

    def begin(self) -> None:
        """Make the map what is drawn to, empty."""
        context = self._context
        depth, framebuffer = self._at()
        framebuffer.use()
        context.viewport = (0, 0, *depth.size)
        framebuffer.clear(depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="

    def use(self) -> None:
        """Bind the map for looking it up."""
        self._at()[0].use(UNITS["shadow_map"])

    def release(self) -> None:
        """Free it."""
        for depth, framebuffer in self._made.values():
            framebuffer.release()
            depth.release()

    def _at(self) -> tuple[moderngl.Texture, moderngl.Framebuffer]:
        """Return the texture of the present side, made when first needed."""
        if self._side not in self._made:
            depth = self._context.depth_texture((self._side, self._side))
            depth.compare_func = "<="
            depth.filter = (moderngl.LINEAR, moderngl.LINEAR)
            depth.repeat_x = depth.repeat_y = False
            self._made[self._side] = depth, self._context.framebuffer(depth_attachment=depth)
        return self._made[self._side]


def _axes(towards: F64) -> F64:
    """Return the light's right, up and forward axes as rows [3, 3]; depth grows away from it."""
    up = np.array([0.0, 1.0, 0.0]) if abs(towards[1]) < 0.99 else np.array([0.0, 0.0, 1.0])
    right = np.cross(towards, up)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(right, towards), towards])
