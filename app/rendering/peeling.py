"""Depth peeling: blended surfaces in the order of their depth at each sample.

Surfaces that cross have no order. Their layers are found one by one, the furthest first: in each
round what is left is drawn with the depth test "greater", which leaves the depth of a layer; then
the surfaces are drawn where they have that depth. After `LAYERS` the rest is drawn in its order,
so that one layer more is exact.
"""

from collections.abc import Callable, Mapping

import moderngl
import numpy as np

from ..animation.model_space import unit
from ..animation.types import F64, Index
from .context import GpuObjects, SizedObjects, depth_texture
from .picture import Picture
from .program import UNITS

LAYERS = 3
MOST_PEELED = 5000  # triangles of a frame: they are drawn several times
MOST_TESTED = 1000  # triangles of a primitive that are tested; with more it may cross itself
_LOT = 20_000  # pairs of triangles tested together
_LEAST = 1e-5  # of the extent: triangles that cross less deep touch


class Peeling(SizedObjects):
    """The depths of two layers, of the size of the last picture."""

    purpose = "blended surfaces"
    _depths: list[moderngl.Texture]

    def __init__(self, context: moderngl.Context) -> None:
        super().__init__(context)
        self._found = context.query(samples=True)

    def can_peel(self, picture: Picture) -> bool:
        """Return whether the depth of a picture can be read, with all its samples."""
        readable = isinstance(picture.framebuffer.depth_attachment, moderngl.Texture)
        each = picture.samples == 1 or "GL_ARB_sample_shading" in self._context.extensions
        return readable and each

    def draw(
        self,
        picture: Picture,
        draw_depth: Callable[[Mapping[str, int]], None],
        draw_colors: Callable[[], None],
    ) -> None:
        """Draw blended surfaces into a picture, whose depth stays.

        Parameters
        ----------
        draw_depth
            Draws their depth, with definitions of shaders.
        draw_colors
            Draws their colours, over what is behind them.
        """
        context, into = self._context, picture.framebuffer
        kind = {"PEELED": 1} | ({"MULTISAMPLED": 1} if picture.samples > 1 else {})
        nearest = into.depth_attachment
        self.make(picture.drawn, picture.samples)
        with GpuObjects() as made:
            for depth in (self._depths * LAYERS)[:LAYERS]:
                layer = made.add(context.framebuffer([], depth))
                layer.clear(depth=0.0)
                self._use(layer, into)
                context.depth_func = ">"
                assert isinstance(nearest, moderngl.Texture)
                nearest.use(UNITS["surface_depth"])
                with self._found:
                    draw_depth(kind)
                if not self._found.samples:
                    break
                nearest = depth
                colors = made.add(context.framebuffer(into.color_attachments, depth))
                colors.depth_mask = False
                self._use(colors, into)
                context.depth_func = "=="
                draw_colors()
            else:
                context.depth_func = "<"
                draw_colors()
            context.depth_func = "<="
            into.use()

    @staticmethod
    def _use(framebuffer: moderngl.Framebuffer, like: moderngl.Framebuffer) -> None:
        framebuffer.scissor = like.scissor
        framebuffer.use()
        framebuffer.viewport = like.viewport

    def _make(self, size: tuple[int, int], samples: int) -> None:
        self._depths = [self._made.add(self._texture(size, samples)) for _ in range(2)]

    def _texture(self, size: tuple[int, int], samples: int) -> moderngl.Texture:
        if samples > 1:
            return self._context.depth_texture(size, samples=samples)
        return depth_texture(self._context, size)


def triangles_cross(points: F64, triangles: Index) -> bool:
    """Return whether any two triangles cross each other, rather than touch.

    Parameters
    ----------
    points
        [V, 3]
    triangles
        [T, 3] indices of points.
    """
    if len(triangles) < 2:
        return False
    corners = points[triangles]
    size = float(np.ptp(points, axis=0).max(initial=0.0)) * _LEAST
    low, high = corners.min(axis=1), corners.max(axis=1)
    near = np.ones((len(corners), len(corners)), bool)
    for k in range(3):
        near &= low[:, None, k] <= high[None, :, k]
    one, two = np.nonzero(np.triu(near & near.T, 1))
    lots = range(0, len(one), _LOT)
    return any(_cross(corners[one[k : k + _LOT]], corners[two[k : k + _LOT]], size) for k in lots)


def _cross(a: F64, b: F64, least: float) -> bool:
    """Return whether any of the triangles [N, 3, 3] crosses its partner.

    Both reach through the plane of the other, and there their segments overlap: Möller, "A Fast
    Triangle-Triangle Intersection Test" (1997).
    """
    normals = [unit(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])) for t in (a, b)]
    line = unit(np.cross(normals[0], normals[1]))
    ends = []
    for own, other, normal in ((a, b, normals[1]), (b, a, normals[0])):
        away = np.einsum("nka,na->nk", own - other[:, :1], normal)
        along = np.einsum("nka,na->nk", own - a[:, :1], line)
        next_away, next_along = np.roll(away, -1, axis=1), np.roll(along, -1, axis=1)
        through = (away < 0) != (next_away < 0)
        share = away / np.where(through, away - next_away, 1.0)
        at = along + share * (next_along - along)
        reaches = (away.min(axis=1) < -least) & (away.max(axis=1) > least)
        through &= reaches[:, None]
        ends.append([np.where(through, side * at, np.inf).min(axis=1) for side in (1, -1)])
    low, high = np.maximum(ends[0][0], ends[1][0]), -np.maximum(ends[0][1], ends[1][1])
    return bool((high - low > least).any())
