"""Vertices on the GPU: the buffers of one primitive, bound to whichever program draws it."""

from typing import Any

import moderngl
import numpy as np

from ..animation.types import F32, U32
from ..model.model import Primitive
from .morph import DEFINES as MORPH_DEFINES
from .morph import MorphTexture

MODES = {"points": moderngl.POINTS, "lines": moderngl.LINES, "triangles": moderngl.TRIANGLES}
_DEFAULTS = {  # what a vertex has where the file has nothing
    "in_normal": (0.0, 0.0, 0.0),
    "in_tangent": (0.0, 0.0, 0.0, 1.0),
    "in_texcoord0": (0.0, 0.0),
    "in_texcoord1": (0.0, 0.0),
    "in_color": (1.0, 1.0, 1.0, 1.0),
}


class GpuPrimitive:
    """Buffers of a primitive, its morph targets, and a vertex array a program."""

    def __init__(self, context: moderngl.Context, primitive: Primitive, *, skinned: bool) -> None:
        self._context = context
        self.mode = MODES[primitive.topology]
        self.morph = MorphTexture(context, primitive.morph) if primitive.morph else None
        self.defines: dict[str, int] = dict(MORPH_DEFINES) if self.morph else {}
        self._content: list[tuple[moderngl.Buffer, list[str], list[str]]] = []
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._crowds: dict[tuple[int, int], moderngl.VertexArray] = {}
        self._add(primitive.positions, "3f", "in_position")
        self._add_surface(primitive)
        if skinned and primitive.joints is not None and primitive.weights is not None:
            self._add_influences(primitive.joints.astype(np.uint16), primitive.weights)
        self._index = (
            context.buffer(np.ascontiguousarray(primitive.indices))
            if primitive.indices is not None
            else None
        )

    def draw(self, program: moderngl.Program) -> None:
        """Draw with a program, which has been given its uniforms."""
        self._array(program).render(self.mode)

    def arrange(self, indices: U32) -> None:
        """Draw the triangles in another order from now on."""
        if self._index is None:  # it had none: no array that was made before knows of them
            for array in self._arrays.values():
                array.release()
            self._arrays.clear()
            self.forget_crowds()
            self._index = self._context.buffer(indices, dynamic=True)
        else:
            self._index.write(indices)

    def draw_many(self, program: moderngl.Program, carriers: moderngl.Buffer, count: int) -> None:
        """Draw `count` characters at once.

        Parameters
        ----------
        carriers
            [count, 13] three rows of a matrix for each, and its line in the textures.
        """
        array = self._crowds.get((program.glo, carriers.glo))
        if array is None:
            names = ["in_carrier0", "in_carrier1", "in_carrier2", "in_character"]
            each = _kept(program, (carriers, ["4f", "4f", "4f", "1f", "/i"], names))
            content = [*self._bound(program), _entry(each)]
            array = self._context.vertex_array(program, content, self._index, 4)
            self._crowds[program.glo, carriers.glo] = array
        array.render(self.mode, instances=count)

    def draw_sorted(
        self, program: moderngl.Program, indices: moderngl.Buffer, first: int, count: int
    ) -> None:
        """Draw `count` indices from the `first` of a buffer of them."""
        array = self._crowds.get((program.glo, indices.glo))
        if array is None:
            array = self._context.vertex_array(program, self._bound(program), indices, 4)
            self._crowds[program.glo, indices.glo] = array
        array.render(self.mode, vertices=count, first=first)

    def transform(self, program: moderngl.Program, result: moderngl.Buffer) -> None:
        """Write what a program without a fragment shader makes of each vertex to `result`."""
        self._array(program).transform(result, moderngl.POINTS)

    def _array(self, program: moderngl.Program) -> moderngl.VertexArray:
        array = self._arrays.get(program.glo)
        if array is None:
            content = self._bound(program)
            array = self._context.vertex_array(program, content, self._index, 4)
            self._arrays[program.glo] = array
        return array

    def _bound(self, program: moderngl.Program) -> list[Any]:
        """Return buffers, layouts and names of the attributes that a program has."""
        kept = [_kept(program, entry) for entry in self._content]
        return [_entry(each) for each in kept if any(not name.isdigit() for name in each[2])]

    def forget_crowds(self) -> None:
        """Free what drew crowds, whose buffers are gone."""
        for array in self._crowds.values():
            array.release()
        self._crowds.clear()

    def release(self) -> None:
        """Free everything."""
        self.forget_crowds()
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

    def _add_surface(self, primitive: Primitive) -> None:
        sets = [*primitive.texcoords[:2], None, None]
        given = {
            "in_normal": primitive.normals,
            "in_tangent": primitive.tangents,
            "in_texcoord0": sets[0],
            "in_texcoord1": sets[1],
            "in_color": primitive.colors,
        }
        if primitive.normals is None:  # points and lines without normals have no sides to light
            self.defines["FLAT" if primitive.topology == "triangles" else "UNLIT"] = 1
        if primitive.topology == "points":
            self.defines["POINTS"] = 1
        if primitive.normals is not None and not primitive.normals.any(axis=1).all():
            self.defines["GAPS"] = 1  # some are zero: the faces' own are taken there
        if primitive.colors is not None:
            self.defines["COLORS"] = 1
        if len(primitive.texcoords) != 1:  # of none at all the defaults are read
            self.defines["TWO_TEXCOORDS"] = 1
        if primitive.tangents is not None:
            self.defines["TANGENTS"] = 1
        for name, default in _DEFAULTS.items():
            data = given[name]
            if data is None:  # one value for the whole draw
                self._add(np.array(default, np.float32), f"{len(default)}f /r", name)
            else:
                self._add(data.astype(np.float32, copy=False), f"{data.shape[1]}f", name)

    def _add_influences(self, joints: np.ndarray, weights: F32) -> None:
        count = joints.shape[1]
        self.defines["SKIN"] = count
        sets = range(count // 4)
        self._add(joints, " ".join(["4u2"] * len(sets)), *[f"in_joints{k}" for k in sets])
        self._add(weights, " ".join(["4f"] * len(sets)), *[f"in_weights{k}" for k in sets])


def _entry(content: tuple[moderngl.Buffer, list[str], list[str]]) -> tuple[Any, ...]:
    """Return buffer, layout and names as moderngl takes them."""
    buffer, formats, names = content
    return buffer, " ".join(formats), *names


def _kept(
    program: moderngl.Program, entry: tuple[moderngl.Buffer, list[str], list[str]]
) -> tuple[moderngl.Buffer, list[str], list[str]]:
    """Leave out attributes that a program's compiler has dropped, padding over them."""
    buffer, formats, names = entry
    size = {"1f": 4, "2f": 8, "3f": 12, "4f": 16, "4u2": 8}
    kept: list[str] = []
    for layout, name in zip(formats, names, strict=False):
        kept.append(layout if name in program else f"{size[layout]}x")
    kept += formats[len(names) :]
    found = [name for name in names if name in program]
    return buffer, kept, found or ["0"]
