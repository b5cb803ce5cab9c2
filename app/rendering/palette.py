"""Skin palettes on the GPU, as a uniform block or a texture; values of joints and vertices."""

from collections.abc import Sequence

import moderngl
import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F32, I32
from ..scene.character import VertexValues
from .program import BLOCKS, UNITS
from .upload import Upload

ENTRY = 48  # bytes per joint: three rows of four floats
SMALL = 341  # joints in 16 KB, the guaranteed block size
TEXTURE_WIDTH = 3 * 1024  # texels per row, a multiple of three
VALUES_WIDTH = 1024  # texels per row of the values of vertices


class Palette:
    """One skin's palette; `defines` are the definitions of programs that read it.

    With `rows` it is a texture for a crowd: consecutive rows of texels for each character.
    """

    def __init__(self, context: moderngl.Context, joints: int, *, rows: int = 0) -> None:
        limit = -1 if rows else context.info["GL_MAX_UNIFORM_BLOCK_SIZE"] // ENTRY
        self._buffer: moderngl.Buffer | None = None
        self._texture: moderngl.Texture | None = None
        self.defines = palette_defines(joints, limit)
        if "PALETTE_SIZE" in self.defines:
            size = self.defines["PALETTE_SIZE"] * ENTRY
            self._buffer = context.buffer(reserve=size, dynamic=True)
            self._upload = Upload(self._buffer)
            return
        width, lines = self.defines["PALETTE_WIDTH"], self.defines["PALETTE_LINES"]
        self._texels = np.zeros((max(rows, 1), lines * width, 4), np.float32)
        self._texture = context.texture((width, max(rows, 1) * lines), 4, dtype="f4")
        self._upload = Upload(self._texture)
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)

    def write(self, palette: F32) -> None:
        """Upload the palette [S, 3, 4], or [R, S, 3, 4] of all rows; its rows need no transpose."""
        if self._buffer is not None:
            self._upload.write(palette.reshape(-1, 3, 4))
        elif self._texture is not None:
            count = 3 * palette.shape[-3]
            self._texels[:, :count] = palette.reshape(len(self._texels), count, 4)
            self._upload.write(self._texels)

    def use(self) -> None:
        """Bind the palette."""
        if self._buffer is not None:
            self._buffer.bind_to_uniform_block(BLOCKS["Palette"])
        elif self._texture is not None:
            self._texture.use(UNITS["palette_texture"])

    def release(self) -> None:
        """Free the palette."""
        for item in (self._buffer, self._texture):
            if item is not None:
                item.release()


def palette_lines(joints: int) -> int:
    """Return the number of texel rows of one character's palette in a texture."""
    return max(-(-3 * joints // TEXTURE_WIDTH), 1)


def palette_defines(joints: int, limit: int = SMALL) -> dict[str, int]:
    """Return the shader definitions of a palette: a uniform block, a texture for many joints."""
    if joints <= limit:
        return {"PALETTE_SIZE": SMALL if joints <= SMALL else limit}
    width, lines = min(3 * joints, TEXTURE_WIDTH), palette_lines(joints)
    return {"PALETTE_TEXTURE": 1, "PALETTE_WIDTH": width, "PALETTE_LINES": lines}


class MaskTexture:
    """Joint weights by skin and palette entry, for displaying a mask."""

    def __init__(self, context: moderngl.Context, skins: Sequence[I32]) -> None:
        self._skins = skins
        width = max([1, *(len(joints) for joints in skins)])
        self._texels = np.zeros((max(len(skins), 1), width), np.float32)
        self._texture = context.texture(self._texels.shape[::-1], 1, dtype="f4", alignment=4)
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)

    def write(self, mask: ArrayLike) -> None:
        """Upload the weights [J] of the skeleton's joints."""
        weights = np.asarray(mask, np.float32)
        for row, joints in enumerate(self._skins):
            self._texels[row, : len(joints)] = weights[joints]
        self._texture.write(self._texels)

    def use(self) -> None:
        """Bind the texture."""
        self._texture.use(UNITS["mask_weights"])

    def release(self) -> None:
        """Free the texture."""
        self._texture.release()


class VertexValueTexture:
    """The values of all vertices of a model, which colour them in the mode "heat"."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._texture: moderngl.Texture | None = None
        self._written: VertexValues = ()
        self._first: dict[tuple[int, int], int] = {}

    def write(self, values: VertexValues) -> None:
        """Upload the values [V] of the primitives of each mesh instance, unless they are there."""
        if values is self._written:
            return
        self._written, self._first = values, {}
        count = sum(len(own) for group in values for own in group)
        texels = np.zeros((max(-(-count // VALUES_WIDTH), 1), VALUES_WIDTH), np.float32)
        flat, at = texels.reshape(-1), 0
        for instance, group in enumerate(values):
            for primitive, own in enumerate(group):
                self._first[instance, primitive] = at
                flat[at : at + len(own)] = own
                at += len(own)
        size = texels.shape[::-1]
        if self._texture is None or self._texture.size != size:
            self.release()
            self._texture = self._context.texture(size, 1, dtype="f4", alignment=4)
            self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._texture.write(texels)

    def use(self, program: moderngl.Program, instance: int, primitive: int) -> None:
        """Bind the texture, for a primitive of a mesh instance."""
        if self._texture is not None:
            self._texture.use(UNITS["vertex_values"])
            program["first_value"] = self._first[instance, primitive]

    def release(self) -> None:
        """Free the texture."""
        if self._texture is not None:
            self._texture.release()
