"""What a pixel of a scene shows, by a picture of numbers that the shaders of the surfaces draw."""

from collections.abc import Collection

import moderngl
import numpy as np

from ..animation.types import F32, Index
from ..scene.selected import Hit, MeshPart
from .context import SizedObjects
from .frame import Frame
from .gpu_model import DrawItem

REACH = 3  # pixels around the pointer where thin surfaces are found

Box = tuple[int, int, int, int]  # left, top, width, height; pixels from the top left


class Picker(SizedObjects):
    """Draws item numbers, triangles, characters and depths of the surfaces at some pixels."""

    purpose = "picking"
    _framebuffer: moderngl.Framebuffer

    def pick(
        self,
        frame: Frame,
        size: tuple[int, int],
        pixel: tuple[int, int],
        omitted: Collection[MeshPart] = (),
    ) -> Hit | None:
        """Return the nearest surface at a pixel, else that of the nearest pixel within `REACH`.

        Parameters
        ----------
        frame
            With its poses and its block for pictures of `size` uploaded.
        size
            Width and height of the whole picture, pixels.
        pixel
            From the top left.
        omitted
            Parts that are looked through.
        """
        corner = pixel[0] - REACH, pixel[1] - REACH
        edge = 2 * REACH + 1
        hits, drawn = self.draw(frame, size, (*corner, edge, edge), omitted)
        rows, columns = np.nonzero(hits[..., 0])
        if not len(rows):
            return None
        away = (rows - REACH) ** 2 + (columns - REACH) ** 2
        nearest = away.argmin()
        row, column = int(rows[nearest]), int(columns[nearest])
        if away[nearest] > REACH**2:
            return None
        number, triangle, index, depth = hits[row, column].tolist()
        k, item, members = drawn[int(number) - 1]
        return Hit(
            MeshPart(k, int(members[int(index)]), item.source.joint, item.number),
            int(triangle),
            depth * 2.0 - 1.0,
            (corner[0] + column, corner[1] + row),
        )

    def draw(
        self,
        frame: Frame,
        size: tuple[int, int],
        box: Box,
        omitted: Collection[MeshPart] = (),
    ) -> tuple[F32, list[tuple[int, DrawItem, Index]]]:
        """Return a box of the picture, and the batches whose numbers it holds, from 1.

        The picture is [height, width, 4]: the number of the batch (0: none), triangle, index in the
        batch, and depth (0..1). A batch is the index of its surfaces, its item, and its characters.
        """
        self.make(box[2:])
        context, framebuffer = self._context, self._framebuffer
        framebuffer.use()
        framebuffer.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
        left, top, _, height = box
        context.viewport = (-left, -(size[1] - top - height), *size)
        context.disable(moderngl.BLEND)
        numbered: list[tuple[int, DrawItem, Index]] = []
        for k, surfaces in enumerate(frame.surfaces):
            for item in surfaces.items:
                found = surfaces.draw_pick(item, len(numbered) + 1, _members(k, item, omitted))
                numbered += [(k, item, members) for members in found]
        context.enable(moderngl.BLEND)
        data = np.frombuffer(framebuffer.read(components=4, dtype="f4"), np.float32)
        return data.reshape(height, box[2], 4)[::-1], numbered

    def _make(self, size: tuple[int, int], _samples: int) -> None:
        texture = self._made.add(self._context.texture(size, 4, dtype="f4"))
        depth = self._made.add(self._context.depth_renderbuffer(size))
        self._framebuffer = self._made.add(self._context.framebuffer([texture], depth))


def _members(k: int, item: DrawItem, parts: Collection[MeshPart]) -> set[int]:
    """Return the characters of the parts that are an item of the surfaces `k`."""
    return {
        part.member
        for part in parts
        if (part.instance, part.node, part.primitive) == (k, item.source.joint, item.number)
    }
