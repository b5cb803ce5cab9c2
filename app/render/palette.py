"""Skin palettes on the GPU: a uniform block, or a texture for skins with many joints."""

from collections.abc import Sequence

import moderngl
import numpy as np
from numpy.typing import ArrayLike

from ..animation.types import F32, I32
from .program import BLOCKS, UNITS

ENTRY = 48  # bytes per joint: three rows of four floats
SMALL = 341  # joints in 16 KB, the guaranteed block size
TEXTURE_WIDTH = 3 * 1024  # texels per row, a multiple of three


class Palette:
    """One skin's palette; `defines` are the definitions of programs that read it.

    With `rows` it is a texture for a crowd: consecutive rows of texels for each character.
    """

    def __init__(
        self, context: moderngl.Context, joints: int, *, texture: bool = False, rows: int = 0
    ) -> None:
        limit = context.info["GL_MAX_UNIFORM_BLOCK_SIZE"] // ENTRY
        self._buffer: moderngl.Buffer | None = None
        self._texture: moderngl.Texture | None = None
        if joints <= limit and not texture and not rows:
            size = SMALL if joints <= SMALL else limit
            self._buffer = context.buffer(reserve=size * ENTRY, dynamic=True)
            self.defines = {"PALETTE_SIZE": size}
            return
        width = min(3 * joints, TEXTURE_WIDTH)
        lines = self.lines(joints)
        self._texels = np.zeros((max(rows, 1), lines * width, 4), np.float32)
        self._texture = context.texture((width, max(rows, 1) * lines), 4, dtype="f4")
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.defines = {"PALETTE_TEXTURE": 1, "PALETTE_WIDTH": width, "PALETTE_LINES": lines}

    @staticmethod
    def lines(joints: int) -> int:
        """Return the number of texel rows of one character's palette."""
        return max(-(-3 * joints // TEXTURE_WIDTH), 1)

    def write(self, palette: F32) -> None:
        """Upload the palette [S, 3, 4] or [R, S, 3, 4]; its rows need no transpose."""
        if self._buffer is not None:
            self._buffer.write(palette)
        elif self._texture is not None:
            count = 3 * palette.shape[-3]
            self._texels[:, :count] = palette.reshape(len(self._texels), count, 4)
            self._texture.write(self._texels)

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

    @property
    def nbytes(self) -> int:
        """GPU memory of the palette, bytes."""
        return self._buffer.size if self._buffer is not None else self._texels.nbytes


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
