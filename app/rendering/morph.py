"""Morph targets on the GPU: displacements and active weights in textures."""

import moderngl
import numpy as np

from ..animation.morph import MorphTargets
from ..animation.types import F32
from ..errors import UnsupportedError
from .program import UNITS
from .upload import Upload

WIDTH = 3072  # texels per row
DEFINES = {"MORPH": 1, "MORPH_WIDTH": WIDTH}


class MorphTexture:
    """The morph targets of one primitive and their current weights."""

    def __init__(self, context: moderngl.Context, targets: MorphTargets) -> None:
        self._context = context
        parts = [targets.positions]
        self._layout = [0, targets.positions.shape[1], 0, 0]
        for slot, more in ((2, targets.normals), (3, targets.tangents)):
            if more is not None:
                self._layout[slot] = len(parts)
                parts.append(more)
        self._parts = len(parts)
        texels = np.stack(parts, axis=2).reshape(-1, 3)  # [target, vertex, part]
        self._targets = _texture(context, texels.astype(np.float32, copy=False), 3)
        self._active_texels = np.zeros((len(targets.positions), 2), np.float32)
        self._active = _texture(context, self._active_texels, 2)
        self._upload = Upload(self._active)
        self._padded = np.zeros(self._active.width * self._active.height * 2, np.float32)

    def write(self, weights: F32) -> None:
        """Upload the weights [M], or [R, M] of a crowd, without targets that are 0 for all."""
        rows = weights.reshape(-1, weights.shape[-1])
        active = np.flatnonzero(rows.any(axis=0))
        self._layout[0] = len(active)
        texels = np.empty((len(rows), len(active), 2), np.float32)
        texels[..., 0] = active
        texels[..., 1] = rows[:, active]
        if texels.size > self._padded.size:
            self._active.release()
            self._active = _texture(self._context, texels.reshape(-1, 2), 2)
            self._upload = Upload(self._active)
            self._padded = np.zeros(self._active.width * self._active.height * 2, np.float32)
        self._padded[: texels.size] = texels.ravel()
        self._upload.write(self._padded)

    def use(self, program: moderngl.Program) -> None:
        """Bind both textures and set the program's layout uniforms."""
        self._targets.use(UNITS["morph_targets"])
        self._active.use(UNITS["morph_active"])
        for name, value in (("morph_layout", tuple(self._layout)), ("morph_parts", self._parts)):
            if name in program:
                program[name] = value

    def release(self) -> None:
        """Free both textures."""
        self._targets.release()
        self._active.release()


def _texture(context: moderngl.Context, texels: F32, components: int) -> moderngl.Texture:
    height = max(1, -(-len(texels) // WIDTH))
    if height > context.info["GL_MAX_TEXTURE_SIZE"]:
        raise UnsupportedError(
            f"{len(texels)} displacements of morph targets do not fit into a texture of this GPU"
        )
    padded = np.zeros((height * WIDTH, components), np.float32)
    padded[: len(texels)] = texels
    texture = context.texture((WIDTH, height), components, padded, dtype="f4", alignment=1)
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return texture
