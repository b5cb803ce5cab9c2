"""A crowd on the GPU: palettes, morph weights and moving materials in textures, a line a character.

What is solid takes one draw call a primitive (two where some characters are mirrored). What is
blended is drawn one by one, the farthest character first.
"""

from collections.abc import Mapping

import moderngl
import numpy as np

from ..animation.crowd import Crowd
from ..animation.types import F32
from ..errors import ContextError
from ..model.animated_values import Moving
from ..scene.billboard import turn_billboards
from ..scene.camera import Camera
from ..scene.lights import Light, key_light, lights_of_many
from .context import cull
from .crowd_batches import Batches
from .gpu_model import DrawItem, GpuModel
from .material import MaterialRows
from .palette import Palette
from .program import BLOCKS, Programs

MOST_INDICES = 1 << 24  # of all characters' sorted triangles, 64 MB a primitive; of more: unsorted


class GpuCrowd:
    """What a crowd needs beside the buffers of its model."""

    def __init__(self, context: moderngl.Context, model: GpuModel, crowd: Crowd) -> None:
        self.crowd = crowd
        self._context = context
        self._model = model
        self._animated_values = Moving(model.model)
        self._boards = bool(model.model.billboards)
        rows = crowd.count if self._boards else len(crowd.matrices)
        self._rows = rows
        self._row_of = np.minimum(np.arange(crowd.count), rows - 1)
        self._matrices: F32 = crowd.matrices  # [R, J, 4, 4] with billboards turned
        self._palette_rows: tuple[F32, ...] = crowd.palettes
        self._values: F32 = crowd.values
        self._palettes: list[Palette] = []
        self._materials: dict[int, MaterialRows] = {}  # by number in the model
        self._batches = Batches(context, self._row_of)
        self._orders: dict[tuple[int, int], moderngl.Buffer] = {}  # sorted triangles of all
        lines = [Palette.lines(len(skin.joints)) for skin in crowd.skins]
        highest = context.info["GL_MAX_TEXTURE_SIZE"]
        for skin, count in zip(crowd.skins, lines, strict=True):
            if count * rows > highest:
                self.release()
                raise ContextError(
                    f"{rows} characters of {len(skin.joints)} joints do not fit into a texture "
                    "of this GPU; let them share poses"
                )
            self._palettes.append(Palette(context, len(skin.joints), rows=rows))

    def write(self, camera: Camera) -> None:
        """Send up this frame's palettes, morph weights and materials.

        Parameters
        ----------
        camera
            What billboards face.
        """
        crowd, model = self.crowd, self._model.model
        self._matrices, self._palette_rows, self._values = (
            crowd.matrices,
            crowd.palettes,
            crowd.values,
        )
        if self._boards:
            shared = np.broadcast_to(crowd.matrices, (crowd.count, *crowd.matrices.shape[1:]))
            self._matrices = np.stack(
                [
                    turn_billboards(model, *each, camera)
                    for each in zip(shared, crowd.world, strict=True)
                ]
            )
            self._palette_rows = tuple(skin.palette(self._matrices) for skin in crowd.skins)
            self._values = np.broadcast_to(crowd.values, (crowd.count, crowd.values.shape[1]))
        for palette, rows in zip(self._palettes, self._palette_rows, strict=True):
            palette.write(rows)
        off = self._animated_values.off(self._values) if self._animated_values.switches else None
        self._batches.gather(crowd.world, self._matrices, self._palette_rows, off)
        for item in self._items:
            if item.geometry.morph is not None and item.source.channel >= 0:
                item.geometry.morph.write(
                    self._values[:, model.channels[item.source.channel].slice]
                )
        for number in self._animated_values.materials:
            if self._model.has_material(number):
                self._write_material(number)

    def lights(self, camera: Camera) -> list[Light]:
        """Return what shines: see `lights_of_many`; the key light where the file has none."""
        if not self._model.model.lights:
            return [key_light()]
        placed = self.crowd.world[:, None] @ self._matrices
        values = self._values[self._row_of]
        return lights_of_many(self._animated_values, values, placed, camera.position())

    @property
    def transmits(self) -> bool:
        """Whether anything shows what stands behind it."""
        return any(item.material.transmits for item in self._items)

    def draw_solid(
        self,
        programs: Programs,
        mode: str,
        defines: Mapping[str, int],
        *,
        opaque: bool = False,
        glass: bool | None = None,
    ) -> None:
        """Draw what is solid of all characters, those parts of blended materials too.

        Parameters
        ----------
        programs
            Where they come from.
        mode
            "depth": what casts a shadow.
        defines
            What the mode and the light want of the programs.
        opaque
            Blended materials are solid, too.
        glass
            Only what transmits light, or only what does not; None: both.
        """
        for item in self._items:
            if glass is not None and item.material.transmits is not glass:
                continue
            if opaque or mode == "depth" or not item.material.blend:
                self._draw_many(programs, item, mode, defines)
            elif item.geometry.mode == moderngl.TRIANGLES and not glass:
                self._draw_many(programs, item, mode, {**defines, "SOLID": 1})

    def draw_clear(
        self,
        programs: Programs,
        mode: str,
        defines: Mapping[str, int],
        camera: Camera,
        *,
        glass: bool = True,
    ) -> None:
        """Draw what is blended: the farthest character first, so its primitives and triangles.

        Without `glass` what transmits light is left out.
        """
        blended = [item for item in self._items if item.material.blend]
        clear = [item for item in blended if glass or not item.material.transmits]
        if not clear:
            return
        eye, away = camera.position(), -camera.direction()
        sorted_ = {id(item): self._arrange(item, away) for item in clear}
        world = self.crowd.world.astype(np.float64)
        for number in np.argsort(-((world[:, :3, 3] - eye) @ away), kind="stable").tolist():
            across = world[number, :3, :3].T @ away
            shown = [item for item in clear if self._batches.shows(item, number)]
            depths = [
                float(across @ self._model.order(item).middle(self._posed(item, number)))
                for item in shown
            ]
            for k in sorted(range(len(shown)), key=lambda k: -depths[k]):
                item = shown[k]
                once = {"CLEAR": 1} if item.geometry.mode == moderngl.TRIANGLES else {}
                self._draw_one(programs, item, mode, {**defines, **once}, number, sorted_[id(item)])

    def release(self) -> None:
        """Free everything."""
        for drawn in self._model.items:
            drawn.geometry.forget_crowds()
        self._batches.release()
        for group in (self._palettes, self._materials.values(), self._orders.values()):
            for item in group:
                item.release()

    @property
    def _items(self) -> list[DrawItem]:
        """What some clip may show; `Batches` tell of whom."""
        hidden = self._animated_values.never_shown if self._animated_values.switches else self._model.model.hidden
        return [item for item in self._model.items if item.source.joint not in hidden]

    def _posed(self, item: DrawItem, number: int) -> F32:
        """Return the matrices [S, 3, 4] that pose an item of a character in model space."""
        row = self._row_of[number]
        if item.palette is not None:
            return self._palette_rows[item.source.skin][row]
        return self._matrices[row, item.source.joint, None, :3]

    def _write_material(self, number: int) -> None:
        """Send up a material that moves: one block for all, or a line of texels each."""
        columns = [self._values[:, each.slice] for _, each in self._animated_values.materials[number]]
        told = np.concatenate(columns, axis=1)
        each, row_of = np.unique(told, axis=0, return_index=True, return_inverse=True)[1:]
        found = [self._animated_values.material(number, self._values[row]) for row in each.tolist()]
        if self._rows == 1:
            self._model.write_material(number, found[0])
            return
        if number not in self._materials:
            layered = self._model.layered(number)
            self._materials[number] = MaterialRows(self._context, self._rows, layered=layered)
        self._materials[number].write([found[k] for k in row_of.ravel().tolist()])

    def _draw_many(
        self, programs: Programs, item: DrawItem, mode: str, defines: Mapping[str, int]
    ) -> None:
        """Draw a primitive of all who show it."""
        program = self._use(programs, item, mode, {**defines, "CROWD": 1})
        for batch in self._batches.of(item):
            both = mode == "depth" or item.material.double_sided
            cull(self._context, mirrored=batch.mirrored, inside=None if both else False)
            item.geometry.draw_many(program, batch.buffer, batch.count)

    def _draw_one(
        self,
        programs: Programs,
        item: DrawItem,
        mode: str,
        defines: Mapping[str, int],
        number: int,
        indices: moderngl.Buffer | None,
    ) -> None:
        """Draw a blended primitive of one character: triangles in order, or its inside first."""
        program = self._use(programs, item, mode, {**defines, "CROWD": 2})
        if "crowd_character" in program:
            program["crowd_character"] = int(self._row_of[number])
        batch = self._batches.bind(item, number, BLOCKS["Instance"])
        if indices is not None:
            count = len(self._model.order(item).indices)
            both = item.material.double_sided
            cull(self._context, mirrored=batch.mirrored, inside=None if both else False)
            item.geometry.draw_sorted(program, indices, number * count, count)
            return
        for inside in (True, False) if item.material.double_sided else (False,):
            cull(self._context, mirrored=batch.mirrored, inside=inside)
            item.geometry.draw(program)

    def _use(
        self, programs: Programs, item: DrawItem, mode: str, extra: Mapping[str, int]
    ) -> moderngl.Program:
        """Bind all that an item is drawn with, and return the program, looked up once."""
        rows = self._materials.get(item.material_number)
        key = (mode, rows is not None, *extra.items())
        program = item.programs.get(key)
        if program is None:
            defines = {k: v for k, v in item.defines.items() if not k.startswith("PALETTE_")}
            if item.palette is not None:
                defines |= self._palettes[item.source.skin].defines
            if rows is not None:
                defines["MATERIAL_ROWS"] = 1
            name = "depth" if mode == "depth" else "mesh"
            program = programs.get(name, frozenset({**defines, **extra}.items()))
            item.programs[key] = program
        item.material.use()
        if rows is not None:
            rows.use()
        self._model.use_instance(item.instance)
        if item.palette is not None:
            self._palettes[item.source.skin].use()
        if item.geometry.morph is not None:
            item.geometry.morph.use(program)
        return program

    def _arrange(self, item: DrawItem, away: np.ndarray) -> moderngl.Buffer | None:
        """Send up the triangles of all characters, each with its farthest first; None: unsorted."""
        order = self._model.order(item)
        if not order.sorted or len(order.indices) * self.crowd.count > MOST_INDICES:
            return None
        world = self.crowd.world[:, :3, :3].astype(np.float64)
        found = [
            order.far_first(self._posed(item, number), world[number].T @ away).ravel()
            for number in range(self.crowd.count)
        ]
        data = np.concatenate(found)
        key = id(item.geometry), item.instance
        if key not in self._orders:
            self._orders[key] = self._context.buffer(reserve=data.nbytes, dynamic=True)
        self._orders[key].write(data)
        return self._orders[key]
