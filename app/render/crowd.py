"""A crowd on the GPU: palettes, morph weights and animated materials, a texture row per character.

Opaque surfaces take one instanced draw call per primitive (two if some characters are mirrored).
Blended surfaces are drawn one by one, back to front.
"""

from collections.abc import Collection, Mapping

import moderngl
import numpy as np

from ..animation.crowd import Crowd
from ..animation.types import F32, F64, Index
from ..errors import ContextError
from ..model.pointer_values import PointerValues
from ..scene.billboard_nodes import turn_billboards
from ..scene.camera import Camera
from ..scene.lights import Light, default_lights, lights_of_many
from ..scene.origin import WORLD_ORIGIN, relative_to
from .context import cull
from .crowd_batches import CrowdBatches
from .draw_item import DrawItem, can_be_deferred
from .frame import Frame
from .gpu_material import MaterialRows
from .gpu_model import GpuModel
from .palette import Palette
from .program import BLOCKS, OWN_PROGRAMS, Programs
from .view_mode_shaders import is_opaque_mode

MOST_OMITTED = 16  # characters that a pick looks through
MOST_INDICES = 1 << 24  # of all characters' triangles, 64 MB per primitive; above: unsorted


class GpuCrowd:
    """The GPU objects of a crowd, beside those of its model."""

    def __init__(
        self, context: moderngl.Context, programs: Programs, model: GpuModel, crowd: Crowd
    ) -> None:
        self.crowd = crowd
        self.mode = "lit"  # view mode of the current frame
        self.hidden_parts: frozenset[tuple[int, int]] = frozenset()  # of all characters
        self.hidden_joints: frozenset[int] = frozenset()
        self.origin: F32 = np.zeros(3, np.float32)
        self._world = crowd.world  # [N, 4, 4] relative to the origin of the frame
        self._context = context
        self._programs = programs
        self._model = model
        self._pointer_values = PointerValues(model.model)
        self._has_billboards = bool(model.model.billboards)
        rows = crowd.count if self._has_billboards else len(crowd.matrices)
        self._rows = rows
        self._row_of = np.minimum(np.arange(crowd.count), rows - 1)
        self._matrices: F32 = crowd.matrices  # [R, J, 4, 4] with billboards facing the camera
        self._palette_rows: tuple[F32, ...] = crowd.palettes
        self._values: F32 = crowd.values
        self._palettes: list[Palette] = []
        self._materials: dict[int, MaterialRows] = {}  # by material index
        self._batches = CrowdBatches(context, self._row_of)
        self._orders: dict[tuple[int, int], moderngl.Buffer] = {}  # sorted triangles
        row_heights = [Palette.lines(len(skin.joints)) for skin in crowd.skins]
        limit = context.info["GL_MAX_TEXTURE_SIZE"]
        for skin, count in zip(crowd.skins, row_heights, strict=True):
            if count * rows > limit:
                self.release()
                raise ContextError(
                    f"{rows} characters of {len(skin.joints)} joints do not fit into a texture "
                    "of this GPU; let them share poses"
                )
            self._palettes.append(Palette(context, len(skin.joints), rows=rows))

    def write(self, camera: Camera, mode: str, frame_origin: F64 = WORLD_ORIGIN) -> None:
        """Upload palettes, morph weights and materials of the current frame.

        Parameters
        ----------
        camera
            Faced by billboards.
        mode
            The view mode.
        frame_origin
            [3] world space; the camera is relative to it.
        """
        self.mode = mode
        self._world = relative_to(self.crowd.world, frame_origin)
        self.origin = -frame_origin.astype(np.float32)
        crowd, model = self.crowd, self._model.model
        self._matrices, self._palette_rows, self._values = (
            crowd.matrices,
            crowd.palettes,
            crowd.values,
        )
        if self._has_billboards:
            shared = np.broadcast_to(crowd.matrices, (crowd.count, *crowd.matrices.shape[1:]))
            self._matrices = np.stack(
                [
                    turn_billboards(model, *pair, camera)
                    for pair in zip(shared, self._world, strict=True)
                ]
            )
            self._palette_rows = tuple(skin.palette(self._matrices) for skin in crowd.skins)
            self._values = np.broadcast_to(crowd.values, (crowd.count, crowd.values.shape[1]))
        for palette, rows in zip(self._palettes, self._palette_rows, strict=True):
            palette.write(rows)
        off = (
            self._pointer_values.off(self._values)
            if self._pointer_values.animates_visibility
            else None
        )
        self._batches.set_frame(self._world, self._matrices, self._palette_rows, off)
        for item in self.items:
            if item.geometry.morph is not None and item.source.channel >= 0:
                item.geometry.morph.write(
                    self._values[:, model.channels[item.source.channel].slice]
                )
        for number in self._pointer_values.materials:
            if self._model.has_material(number):
                self._write_material(number)

    def lights(self, frame: Frame) -> list[Light]:
        """Return the lights of the crowd (see `lights_of_many`), else the default ones."""
        lighting, camera = frame.look.lighting, frame.camera
        if not self._model.model.lights or lighting.has_given_light:
            return default_lights(lighting, frame.environment, frame.front, camera)
        placed = self._world[:, None] @ self._matrices
        values = self._values[self._row_of]
        return lights_of_many(self._pointer_values, values, placed, camera.position())

    @property
    def transmits(self) -> bool:
        """Whether any surface shows what is behind it."""
        return self.mode == "lit" and any(item.material.transmits for item in self.items)

    def draw_depth(self) -> None:
        """Draw the depth of all surfaces."""
        for item in self.items:
            self._draw_instanced(item, "depth", {})

    @property
    def deferred(self) -> list[DrawItem]:
        """The items that can be shaded after the data of all are drawn: with one material."""
        return [item for item in self.items if self._is_deferred(item)]

    @property
    def deferred_triangles(self) -> int:
        """The number of triangles of the deferred items of all characters."""
        return self.crowd.count * sum(item.geometry.triangles for item in self.deferred)

    def _is_deferred(self, item: DrawItem) -> bool:
        return can_be_deferred(item, self.mode) and item.material_number not in self._materials

    def draw_data(self, item: DrawItem, group: int) -> None:
        """Draw the data of a surface that is shaded later, with those of a group."""
        self._draw_instanced(item, "surface", {}, group)

    def draw_opaque(self, defines: dict[str, int], *, rest: bool = False) -> None:
        """Draw the opaque surfaces of all characters, and the opaque parts of blended ones.

        With `rest`, those that are not `deferred`.
        """
        all_opaque = is_opaque_mode(self.mode)
        for item in self.items:
            if item.material.transmits and self.mode == "lit":
                continue
            if rest and self._is_deferred(item):
                continue
            if not item.material.blend:
                self._context.disable(moderngl.BLEND)
                self._draw_instanced(item, self.mode, defines)
                self._context.enable(moderngl.BLEND)
            elif all_opaque:
                self._draw_instanced(item, self.mode, defines)
            elif item.geometry.mode == moderngl.TRIANGLES:
                self._draw_instanced(item, self.mode, {**defines, "OPAQUE_PART": 1})

    def draw_transmissive(self, defines: dict[str, int]) -> None:
        """Draw transmissive surfaces that are not blended."""
        for item in self.items:
            if item.material.transmits and self.mode == "lit" and not item.material.blend:
                self._draw_instanced(item, self.mode, defines)

    def draw_pick(self, item: DrawItem, number: int, omitted: Collection[int]) -> None:
        """Draw an item's number, triangles, characters and depth."""
        program = self._use(item, "pick", {"PICK": 1, "CROWD": 1, "MOST_OMITTED": MOST_OMITTED})
        program["item_number"] = number
        batches = self._batches.batches(item)
        rows = np.full(MOST_OMITTED, -1)
        found = np.flatnonzero(np.isin(self._members(item), list(omitted)))[:MOST_OMITTED]
        rows[: len(found)] = found
        program["omitted_members"], program["omitted_count"] = rows.tolist(), len(found)
        first = 0
        for batch in batches:
            program["first_member"] = first
            back_faces = None if item.material.double_sided else False
            cull(self._context, mirrored=batch.mirrored, back_faces=back_faces)
            item.geometry.draw_instanced(program, batch.buffer, batch.count)
            first += batch.count

    def draw_mask(self, item: DrawItem, member: int) -> None:
        """Draw the pixels of an item of one character, from both sides."""
        if not self._batches.is_visible(item, member):
            return
        program = self._use(item, "pick", {"PICK": 1, "CROWD": 2})
        program["item_number"] = 1.0
        if "crowd_character" in program:
            program["crowd_character"] = int(self._row_of[member])
        batch = self._batches.bind_instance(item, member, BLOCKS["Instance"])
        cull(self._context, mirrored=batch.mirrored, back_faces=None)
        item.geometry.draw(program)

    def member(self, item: DrawItem, index: int) -> int:
        """Return the character by its index in the batches of an item."""
        return int(self._members(item)[index])

    def _members(self, item: DrawItem) -> Index:
        """Return the characters that show an item, in the order of its batches."""
        batches = self._batches.batches(item)
        return np.concatenate([np.zeros(0, int), *(batch.members for batch in batches)])

    def draw_wires(self) -> None:
        """Draw nothing: a crowd has no wireframe."""

    def draw_blended(self, defines: dict[str, int], frame: Frame, *, transmissive: bool) -> None:
        """Draw blended surfaces back to front: characters, then primitives, then triangles."""
        if is_opaque_mode(self.mode):
            return
        blended = [item for item in self.items if item.material.blend]
        items = [item for item in blended if transmissive or not item.material.transmits]
        if not items:
            return
        eye, view_axis = frame.eye, frame.view_axis
        sorted_ = {id(item): self._sorted_triangles(item, view_axis) for item in items}
        world = self._world.astype(np.float64)
        for number in np.argsort(-((world[:, :3, 3] - eye) @ view_axis), kind="stable").tolist():
            local_axis = world[number, :3, :3].T @ view_axis
            shown = [item for item in items if self._batches.is_visible(item, number)]
            depths = [
                float(local_axis @ self._model.order(item).center(self._posed(item, number)))
                for item in shown
            ]
            for k in sorted(range(len(shown)), key=lambda k: -depths[k]):
                item = shown[k]
                part = {"BLENDED_PART": 1} if item.geometry.mode == moderngl.TRIANGLES else {}
                self._draw_one(item, {**defines, **part}, number, sorted_[id(item)])

    def release(self) -> None:
        """Free all GPU objects."""
        for drawn in self._model.items:
            drawn.geometry.release_crowd_arrays()
        self._batches.release()
        for group in (self._palettes, self._materials.values(), self._orders.values()):
            for item in group:
                item.release()

    @property
    def items(self) -> list[DrawItem]:
        """The items that any clip may show; `CrowdBatches` selects the characters."""
        hidden = (
            self._pointer_values.never_visible
            if self._pointer_values.animates_visibility
            else self._model.model.hidden
        )
        return [
            item
            for item in self._model.items
            if item.source.joint not in hidden | self.hidden_joints
            and (item.source.joint, item.number) not in self.hidden_parts
        ]

    def _posed(self, item: DrawItem, number: int) -> F32:
        """Return the matrices [S, 3, 4] of an item of one character, to model space."""
        row = self._row_of[number]
        if item.palette is not None:
            return self._palette_rows[item.source.skin][row]
        return self._matrices[row, item.source.joint, None, :3]

    def _write_material(self, number: int) -> None:
        """Upload an animated material: one block for all characters, or a row of texels each."""
        columns = [
            self._values[:, each.slice] for _, each in self._pointer_values.materials[number]
        ]
        prepared = np.concatenate(columns, axis=1)
        each, row_of = np.unique(prepared, axis=0, return_index=True, return_inverse=True)[1:]
        found = [self._pointer_values.material(number, self._values[row]) for row in each.tolist()]
        if self._rows == 1:
            self._model.write_material(number, found[0])
            return
        if number not in self._materials:
            extended = self._model.extended(number)
            self._materials[number] = MaterialRows(self._context, self._rows, extended=extended)
        self._materials[number].write([found[k] for k in row_of.ravel().tolist()])

    def _draw_instanced(
        self, item: DrawItem, mode: str, defines: Mapping[str, int], group: int = -1
    ) -> None:
        """Draw an item of all characters that show it; of data to be shaded, with their group."""
        program = self._use(item, mode, {**defines, "CROWD": 1})
        if group >= 0:
            program["material_group"] = group
        for batch in self._batches.batches(item):
            double_sided = mode == "depth" or item.material.double_sided
            cull(self._context, mirrored=batch.mirrored, back_faces=None if double_sided else False)
            item.geometry.draw_instanced(program, batch.buffer, batch.count)

    def _draw_one(
        self,
        item: DrawItem,
        defines: Mapping[str, int],
        number: int,
        indices: moderngl.Buffer | None,
    ) -> None:
        """Draw a blended item of one character: sorted triangles, or back faces first."""
        program = self._use(item, self.mode, {**defines, "CROWD": 2})
        if "crowd_character" in program:
            program["crowd_character"] = int(self._row_of[number])
        batch = self._batches.bind_instance(item, number, BLOCKS["Instance"])
        if indices is not None:
            count = len(self._model.order(item).indices)
            double_sided = item.material.double_sided
            cull(self._context, mirrored=batch.mirrored, back_faces=None if double_sided else False)
            item.geometry.draw_indices(program, indices, number * count, count)
            return
        for back_faces in (True, False) if item.material.double_sided else (False,):
            cull(self._context, mirrored=batch.mirrored, back_faces=back_faces)
            item.geometry.draw(program)

    def _use(self, item: DrawItem, mode: str, extra: Mapping[str, int]) -> moderngl.Program:
        """Bind everything needed to draw an item, and return its program, which is cached."""
        rows = self._materials.get(item.material_number)
        key = (mode, rows is not None, *extra.items())
        program = item.programs.get(key)
        if program is None:
            own = [k for k in item.defines if k.startswith("PALETTE_") or k == "CARRIED"]
            defines = {k: v for k, v in item.defines.items() if k not in own}
            if item.palette is not None:
                defines |= self._palettes[item.source.skin].defines
            if rows is not None:
                defines["MATERIAL_ROWS"] = 1
            name = mode if mode in OWN_PROGRAMS else "mesh"
            program = self._programs.get(name, frozenset({**defines, **extra}.items()))
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

    def _sorted_triangles(self, item: DrawItem, view_axis: np.ndarray) -> moderngl.Buffer | None:
        """Upload the triangles of all characters, each back to front; None if they are too many."""
        order = self._model.order(item)
        if not order.sorted or len(order.indices) * self.crowd.count > MOST_INDICES:
            return None
        world = self._world[:, :3, :3].astype(np.float64)
        found = [
            order.back_to_front(self._posed(item, number), world[number].T @ view_axis).ravel()
            for number in range(self.crowd.count)
        ]
        data = np.concatenate(found)
        key = id(item.geometry), item.instance
        if key not in self._orders:
            self._orders[key] = self._context.buffer(reserve=data.nbytes, dynamic=True)
        self._orders[key].write(data)
        return self._orders[key]
