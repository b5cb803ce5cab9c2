"""Geometry on the GPU: vertex and index buffers of a primitive, and its morph targets."""

from typing import Any

import moderngl
import numpy as np

from ..animation.morph import MorphTargets
from ..animation.types import F32
from ..errors import UnsupportedError
from ..model.material import TEXCOORD_SETS
from ..model.model import Primitive
from .program import UNITS
from .upload import Upload

MORPH_WIDTH = 3072  # texels per row
MORPH_DEFINES = {"MORPH": 1, "MORPH_WIDTH": MORPH_WIDTH}


class MorphTexture:
    """The displacements and active weights of the morph targets of a primitive, in textures."""

    def __init__(self, context: moderngl.Context, targets: MorphTargets) -> None:
        self._context = context
        texels, places = morph_texels(targets)
        self._layout = [0, targets.positions.shape[1], *places]
        self._parts = texels.shape[2]
        self._targets = _texture(context, texels.reshape(-1, 3), 3)
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


def morph_texels(targets: MorphTargets) -> tuple[F32, list[int]]:
    """Return displacements [target, vertex, part, 3], and the parts of normals and tangents.

    Positions are part 0; that is also the part of what targets do not displace.
    """
    parts, places = [targets.positions], [0, 0]
    for slot, more in enumerate((targets.normals, targets.tangents)):
        if more is not None:
            places[slot] = len(parts)
            parts.append(more)
    return np.stack(parts, axis=2).astype(np.float32, copy=False), places


def _texture(context: moderngl.Context, texels: F32, components: int) -> moderngl.Texture:
    height = max(1, -(-len(texels) // MORPH_WIDTH))
    if height > context.info["GL_MAX_TEXTURE_SIZE"]:
        raise UnsupportedError(
            f"{len(texels)} displacements of morph targets do not fit into a texture of this GPU"
        )
    padded = np.zeros((height * MORPH_WIDTH, components), np.float32)
    padded[: len(texels)] = texels
    texture = context.texture((MORPH_WIDTH, height), components, padded, dtype="f4", alignment=1)
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return texture


def primitive_defines(primitive: Primitive, *, skinned: bool) -> dict[str, int]:
    """Return the shader definitions of a primitive: what its vertices have."""
    found: dict[str, int] = dict(MORPH_DEFINES) if primitive.morph else {}
    if primitive.normals is None:  # unlit points and lines: glTF 2.0, section 3.7.2.1
        found["FLAT" if primitive.topology == "triangles" else "UNLIT"] = 1
    if primitive.topology == "points":
        found["POINTS"] = 1
    if primitive.normals is not None and not primitive.normals.any(axis=1).all():
        found["ZERO_NORMALS"] = 1  # zero normals are replaced by face normals
    if primitive.colors is not None:
        found["COLORS"] = 1
    sets = len(primitive.texcoords[:TEXCOORD_SETS])
    if sets > 1:
        found["TEXCOORDS"] = sets
    if primitive.tangents is not None:
        found["TANGENTS"] = 1
    if skinned and primitive.joints is not None and primitive.weights is not None:
        found["SKIN"] = primitive.joints.shape[1]
    return found


def surface_arrays(primitive: Primitive) -> dict[str, F32 | None]:
    """Return the arrays [V, C] of the vertex attributes but for skinning; None: not in the file."""
    sets = primitive.texcoords[:TEXCOORD_SETS]
    return {
        "position": primitive.positions,
        "normal": primitive.normals,
        "tangent": primitive.tangents,
        "texcoords01": np.concatenate(sets[:2], axis=1) if sets else None,
        "texcoords23": np.concatenate(sets[2:], axis=1) if len(sets) > 2 else None,
        "color": primitive.colors,
    }


MODES = {"points": moderngl.POINTS, "lines": moderngl.LINES, "triangles": moderngl.TRIANGLES}
_DEFAULTS = {  # values of attributes that the file does not have
    "normal": (0.0, 0.0, 0.0),
    "tangent": (0.0, 0.0, 0.0, 1.0),
    "texcoords01": (0.0, 0.0, 0.0, 0.0),
    "color": (1.0, 1.0, 1.0, 1.0),
}


class GpuPrimitive:
    """Buffers of a primitive, its morph targets, and a vertex array per program."""

    def __init__(self, context: moderngl.Context, primitive: Primitive, *, skinned: bool) -> None:
        self._context = context
        self.mode = MODES[primitive.topology]
        vertices = primitive.positions if primitive.indices is None else primitive.indices
        self.triangles = len(vertices) // 3
        self.morph = MorphTexture(context, primitive.morph) if primitive.morph else None
        self.defines = primitive_defines(primitive, skinned=skinned)
        self._content: list[tuple[moderngl.Buffer, list[str], list[str]]] = []
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._other_arrays: dict[tuple[int, int], moderngl.VertexArray] = {}  # with other buffers
        for name, data in surface_arrays(primitive).items():
            default = _DEFAULTS.get(name)
            if data is not None:
                self._add(data.astype(np.float32, copy=False), f"{data.shape[1]}f", f"in_{name}")
            elif default is not None:  # one value per draw call
                self._add(np.array(default, np.float32), f"{len(default)}f /r", f"in_{name}")
        if skinned and primitive.joints is not None and primitive.weights is not None:
            self._add_influences(primitive.joints.astype(np.uint16), primitive.weights)
        self._index = (
            context.buffer(np.ascontiguousarray(primitive.indices))
            if primitive.indices is not None
            else None
        )

    def write_influences(self, primitive: Primitive) -> None:
        """Upload other joints and weights of as many vertices."""
        joints = None if primitive.joints is None else primitive.joints.astype(np.uint16)
        for buffer, _, names in self._content:
            for data, name in ((joints, "in_joints0"), (primitive.weights, "in_weights0")):
                if name in names and data is not None:
                    buffer.write(np.ascontiguousarray(data))

    def draw(self, program: moderngl.Program) -> None:
        """Draw with a program whose uniforms are set."""
        self._array(program).render(self.mode)

    def draw_instanced(
        self, program: moderngl.Program, matrices: moderngl.Buffer, count: int
    ) -> None:
        """Draw `count` characters with one draw call.

        Parameters
        ----------
        matrices
            [count, 13] three rows of each character's matrix, and its texture row.
        """
        array = self._other_arrays.get((program.glo, matrices.glo))
        if array is None:
            names = ["in_matrix0", "in_matrix1", "in_matrix2", "in_row"]
            each = _used_attributes(program, (matrices, ["4f", "4f", "4f", "1f", "/i"], names))
            content = [*self._attributes(program), _moderngl_entry(each)]
            array = self._context.vertex_array(program, content, self._index, 4)
            self._other_arrays[program.glo, matrices.glo] = array
        array.render(self.mode, instances=count)

    def draw_indices(
        self, program: moderngl.Program, indices: moderngl.Buffer, first: int, count: int
    ) -> None:
        """Draw `count` indices of a buffer, starting at `first`."""
        array = self._other_arrays.get((program.glo, indices.glo))
        if array is None:
            array = self._context.vertex_array(program, self._attributes(program), indices, 4)
            self._other_arrays[program.glo, indices.glo] = array
        array.render(self.mode, vertices=count, first=first)

    def transform(self, program: moderngl.Program, result: moderngl.Buffer) -> None:
        """Write the vertex shader's outputs to `result` (transform feedback)."""
        self._array(program).transform(result, moderngl.POINTS)

    def _array(self, program: moderngl.Program) -> moderngl.VertexArray:
        array = self._arrays.get(program.glo)
        if array is None:
            content = self._attributes(program)
            array = self._context.vertex_array(program, content, self._index, 4)
            self._arrays[program.glo] = array
        return array

    def _attributes(self, program: moderngl.Program) -> list[Any]:
        """Return buffers, layouts and names of the attributes that a program uses."""
        kept = [_used_attributes(program, entry) for entry in self._content]
        return [
            _moderngl_entry(attribute)
            for attribute in kept
            if any(not name.isdigit() for name in attribute[2])
        ]

    def release_other_arrays(self) -> None:
        """Free the vertex arrays with other buffers, before these are freed."""
        for array in self._other_arrays.values():
            array.release()
        self._other_arrays.clear()

    def release(self) -> None:
        """Free all GPU objects."""
        self.release_other_arrays()
        for array in self._arrays.values():
            array.release()
        for buffer, _, _ in self._content:
            buffer.release()
        if self._index is not None:
            self._index.release()
        if self.morph is not None:
            self.morph.release()

    def _add(self, data: F32, layout: str, *names: str) -> None:
        buffer = self._context.buffer(np.ascontiguousarray(data))
        self._content.append((buffer, layout.split(), list(names)))

    def _add_influences(self, joints: np.ndarray, weights: F32) -> None:
        sets = range(joints.shape[1] // 4)
        self._add(joints, " ".join(["4u2"] * len(sets)), *[f"in_joints{k}" for k in sets])
        self._add(weights, " ".join(["4f"] * len(sets)), *[f"in_weights{k}" for k in sets])


def _moderngl_entry(content: tuple[moderngl.Buffer, list[str], list[str]]) -> tuple[Any, ...]:
    """Return buffer, layout and names as moderngl expects them."""
    buffer, formats, names = content
    return buffer, " ".join(formats), *names


def _used_attributes(
    program: moderngl.Program, entry: tuple[moderngl.Buffer, list[str], list[str]]
) -> tuple[moderngl.Buffer, list[str], list[str]]:
    """Return an entry without the attributes that the compiler removed, replaced by padding."""
    buffer, formats, names = entry
    size = {"1f": 4, "2f": 8, "3f": 12, "4f": 16, "4u2": 8}
    kept: list[str] = []
    for layout, name in zip(formats, names, strict=False):
        kept.append(layout if name in program else f"{size[layout]}x")
    kept += formats[len(names) :]
    found = [name for name in names if name in program]
    return buffer, kept, found or ["0"]
