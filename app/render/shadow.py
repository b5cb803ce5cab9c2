"""The shadow that one directional light casts: a depth picture as the light sees the character."""

import moderngl
import numpy as np

from ..animation.types import F32, F64
from ..scene.lights import Light
from .program import UNITS

MOST = 1024  # texels of a map's longer side
STEP = 32  # texels: sides are multiples of it, so that a map stays as long as little changes
SOFT = 0.012  # of a character's size: half a shadow's soft edge
TEXELS = 3.0  # in that half: what is finer is blurred away, coarser would show
LIFT = 0.0035  # of a character's size: how far off itself a surface is when its shadow is looked up
ROUNDS = 3  # of three look-ups each; the others only where the first ones differ
_MARGIN = 1.06  # room in depth
_BORDER = 1  # texels about what is drawn that stay empty: beyond the map nothing casts
_LEAST_SOFT = 2.0  # texels


class ShadowMap:
    """A depth texture to draw into, and the matrix that goes with it."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made: tuple[moderngl.Texture, moderngl.Framebuffer] | None = None
        self._aimed: tuple[bytes, bytes, float] | None = None
        self._sides = STEP, STEP  # texels
        self.matrix: F32 = np.eye(4, dtype=np.float32)  # world to the clip space of what is drawn
        self.place: F32 = np.eye(4, dtype=np.float32)  # world to where it is looked up, 0 to 1
        self.softness = 0.0, 0.0  # radius in which the map is looked up, in parts of its sides
        self.lift = 0.0  # metres
        self.margin = 0.0  # how far about what casts its shadow can reach, metres

    def aim(self, light: Light, extent: F32, size: float) -> None:
        """Fit the map about a box [2, 3] of world space, seen along a light.

        Parameters
        ----------
        light
            A directional one.
        extent
            Low and high corner of what is lit, metres.
        size
            Of one character, metres.
        """
        aimed = light.direction.tobytes(), extent.tobytes(), size
        if aimed == self._aimed:
            return
        self._aimed = aimed
        corners = np.stack(np.meshgrid(*extent.T.astype(np.float64)), -1).reshape(-1, 3)
        axes = _axes(light.direction)
        seen = corners @ axes.T
        least, most = seen.min(axis=0), seen.max(axis=0)
        middle, spans = (most + least) / 2, np.maximum(most - least, 1e-9)
        texel = max(SOFT * size / TEXELS, float(spans[:2].max()) / (MOST - 2 * _BORDER))
        steps = np.ceil((spans[:2] / texel + 2 * _BORDER) / STEP)
        sides = np.minimum(steps * STEP, MOST)
        half = np.array([*(sides * (texel / 2)), spans[2] / 2 * _MARGIN])
        inner = half - [_BORDER * texel, _BORDER * texel, 0.0]
        self.matrix = _onto(axes, middle, inner)
        self.place = _onto(axes, middle, 2 * half)
        self.place[:3, 3] += 0.5
        radius = max(SOFT * size, _LEAST_SOFT * texel)
        across, up = (radius / (2 * half[:2])).tolist()
        self.softness = across, up
        self.margin = radius + texel
        self.lift = max(LIFT * size, texel)
        self._sides = int(sides[0]), int(sides[1])

    def begin(self) -> None:
        """Make the map what is drawn to, empty."""
        context = self._context
        (width, height), framebuffer = self._sides, self._at()[1]
        framebuffer.use()
        context.viewport = (_BORDER, _BORDER, width - 2 * _BORDER, height - 2 * _BORDER)
        framebuffer.clear(depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="

    def use(self) -> None:
        """Bind the map for looking it up."""
        self._at()[0].use(UNITS["shadow_map"])

    def release(self) -> None:
        """Free it."""
        if self._made is not None:
            depth, framebuffer = self._made
            framebuffer.release()
            depth.release()
            self._made = None

    def _at(self) -> tuple[moderngl.Texture, moderngl.Framebuffer]:
        """Return the texture of the present sides, made when first needed."""
        if self._made is None or self._made[0].size != self._sides:
            self.release()
            depth = self._context.depth_texture(self._sides)
            depth.compare_func = "<="
            depth.filter = (moderngl.LINEAR, moderngl.LINEAR)
            depth.repeat_x = depth.repeat_y = False
            self._made = depth, self._context.framebuffer(depth_attachment=depth)
        return self._made


def _onto(axes: F64, middle: F64, half: F64) -> F32:
    """Return the map [4, 4] that brings a box of some half sides along axes to -1..1."""
    matrix = np.eye(4, dtype=np.float32)
    matrix[:3, :3] = axes / half[:, None]
    matrix[:3, 3] = -middle / half
    return matrix


def _axes(towards: F64) -> F64:
    """Return the light's right, up and forward axes as rows [3, 3]; depth grows away from it."""
    up = np.array([0.0, 1.0, 0.0]) if abs(towards[1]) < 0.99 else np.array([0.0, 0.0, 1.0])
    right = np.cross(towards, up)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(right, towards), towards])
