"""The surfaces of a model, as the passes of a frame draw them: of one character or of a crowd."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import moderngl
import numpy as np

from ..animation.types import F32, F64, Bool, Index
from ..model.model import Model
from ..model.pointer_values import PointerValues
from ..scene.billboard_nodes import turn_billboards
from ..scene.camera import Camera
from ..scene.character import Character
from ..scenedoc.view_modes import VIEWS
from .context import cull
from .gpu_material import MaterialRows
from .gpu_model import DrawItem, GpuModel, can_be_deferred
from .palette import Palette
from .program import BLOCKS, OWN_PROGRAMS, Programs

MODES: dict[str, dict[str, int]] = {
    **{name: {"VIEW": 1, f"VIEW_{name.upper().replace('-', '_')}": 1} for name in VIEWS},
    "lit": {},
    "weights": {"WEIGHTS": 1},
    "mask": {"WEIGHTS": 1, "MASK": 1},
    "heat": {"WEIGHTS": 1, "HEAT": 1},  # by the values of vertices
    "ghost": {"GHOST": 1},
    "wire": {},
    "depth": {},
}


def is_opaque_mode(mode: str) -> bool:
    """Return whether a mode draws all surfaces as opaque."""
    return mode not in ("lit", "base-colour")


SLOT = 256  # bytes of an instance block: an alignment that every driver accepts
_NONE: Mapping[str, int] = {}
MOST_INDICES = 1 << 24  # of all characters' triangles, 64 MB per primitive; above: unsorted


class Poses(NamedTuple):
    """Where N characters of a model are, and their R poses: one for each, or one for all.

    Attributes
    ----------
    world
        [N, 4, 4] model space to world space, relative to the origin of the frame.
    matrices, palettes
        [R, J, 4, 4] of the joints, [R, S, 3, 4] of each skin, in model space.
    values
        [R, P] morph weights and other values.
    """

    world: F32
    matrices: F32
    palettes: tuple[F32, ...]
    values: F32

    def facing(self, camera: Camera, model: Model) -> "Poses":
        """Return the poses with billboards turned to the camera, one for each character."""
        count = len(self.world)
        shared = np.broadcast_to(self.matrices, (count, *self.matrices.shape[1:]))
        matrices = np.stack(
            [turn_billboards(model, *pair, camera) for pair in zip(shared, self.world, strict=True)]
        )
        palettes = tuple(skin.palette(matrices) for skin in model.skins)
        values = np.broadcast_to(self.values, (count, self.values.shape[1]))
        return Poses(self.world, matrices, palettes, values)


class Batch(NamedTuple):
    """Characters of which an item is drawn by one call.

    Attributes
    ----------
    members
        [count] their indices.
    mirrored
        Whether a negative scale mirrors their triangles.
    buffer
        Their matrices and rows: attributes of each instance, or uniform blocks.
    slot
        The uniform block of the only one; -1: they are instances.
    """

    members: Index
    mirrored: bool
    buffer: moderngl.Buffer
    slot: int = -1


class SortedItem(NamedTuple):
    """A blended item of one character, with its triangles in order; None: they are not sorted."""

    item: DrawItem
    member: int
    indices: moderngl.Buffer | None


class Surfaces(ABC):
    """Draws the visible items of an uploaded model, with the current poses of its characters.

    Poses reach the shaders in uniform blocks, or as a texture row for each. The `defines` of the
    methods are shader definitions of mode, lighting and target (see `Frame.defines`).

    Parameters
    ----------
    rows
        Rows of the textures with the palettes; 0: uniform blocks, for one character.

    Attributes
    ----------
    mode
        The view mode that they are drawn in.
    origin
        [3] of the character, relative to the origin of the frame.
    items
        What is drawn, at least of some characters.
    """

    _poses: Poses  # of the current frame

    def __init__(
        self,
        context: moderngl.Context,
        programs: Programs,
        uploaded: GpuModel,
        *,
        rows: int = 0,
    ) -> None:
        self.uploaded = uploaded
        self.mode = "lit"
        self.origin: F32 = np.zeros(3, np.float32)
        self.items: list[DrawItem] = []
        self._context = context
        self._programs = programs
        self._moving = PointerValues(uploaded.model)
        self._rows = rows
        self._row_of: Index = np.zeros(1, np.intp)  # [N] of each character
        self._off: Bool | None = None  # [R, J] hidden meshes; None: visibility is not animated
        self._palettes = [
            Palette(context, len(skin.joints), rows=rows) for skin in uploaded.model.skins
        ]
        self._materials: dict[int, MaterialRows] = {}  # animated ones that differ, by index
        self._sorted: dict[tuple[int, int], moderngl.Buffer] = {}  # triangles of blended items

    @abstractmethod
    def batches(self, item: DrawItem, omitted: Collection[int] = ()) -> Sequence[Batch]:
        """Return the characters that show an item, but for `omitted` ones."""

    @abstractmethod
    def single(self, item: DrawItem, member: int) -> Batch:
        """Return one character, to be drawn by its uniform block."""

    def _pose(self, poses: Poses, character: Character, camera: Camera) -> None:
        """Upload palettes, morph weights and animated materials; select the visible items.

        Parameters
        ----------
        character
            Has the variant, and what is hidden.
        camera
            Faced by billboards.
        """
        uploaded, model = self.uploaded, character.model
        if uploaded.model is not model:  # edited
            uploaded.renew(model)
            self._moving = PointerValues(model)
        moving = self._moving
        uploaded.set_variant(character.variant)
        self._poses = poses = poses.facing(camera, model) if model.billboards else poses
        for palette, rows in zip(self._palettes, poses.palettes, strict=True):
            palette.write(rows)
        hidden = model.hidden
        if moving.animates_visibility:
            self._off = moving.off(poses.values)
            hidden = frozenset(np.flatnonzero(self._off.all(axis=0)).tolist())
        hidden, parts = hidden | character.hidden_joints, character.hidden_parts
        self.items = [
            item
            for item in uploaded.items
            if item.source.joint not in hidden and (item.source.joint, item.number) not in parts
        ]
        for item in self.items:
            if item.geometry.morph is not None and item.source.channel >= 0:
                channel = model.channels[item.source.channel]
                item.geometry.morph.write(poses.values[:, channel.slice])
        for number in moving.materials:
            if number in uploaded.materials:
                self._write_material(number)

    def _write_material(self, number: int) -> None:
        """Upload an animated material: one block for all characters, or a row of texels each."""
        values, uploaded = self._poses.values, self.uploaded.materials[number]
        if len(values) == 1:
            uploaded.write(self._moving.material(number, values[0]))
            return
        columns = [values[:, each.slice] for _, each in self._moving.materials[number]]
        prepared = np.concatenate(columns, axis=1)
        each, row_of = np.unique(prepared, axis=0, return_index=True, return_inverse=True)[1:]
        found = [self._moving.material(number, values[row]) for row in each.tolist()]
        if number not in self._materials:
            extended = uploaded.extended
            self._materials[number] = MaterialRows(self._context, self._rows, extended=extended)
        self._materials[number].write([found[k] for k in row_of.ravel().tolist()])

    @property
    def transmits(self) -> bool:
        """Whether any surface shows what is behind it."""
        return any(self._transmits(item) for item in self.items)

    @property
    def deferred(self) -> list[DrawItem]:
        """The items that can be shaded after the data of all are drawn: with one material."""
        return [item for item in self.items if self._is_deferred(item)]

    @property
    def deferred_triangles(self) -> int:
        """The number of their triangles, of all characters."""
        return len(self._row_of) * sum(item.geometry.triangles for item in self.deferred)

    @property
    def blended(self) -> list[DrawItem]:
        """The items with a blended material."""
        return [item for item in self.items if item.material.blend]

    def draw_depth(self, defines: Mapping[str, int] = _NONE, *, blended: bool = False) -> None:
        """Draw the depth of all surfaces, or only of `blended` ones, from both sides."""
        for item in self.blended if blended else self.items:
            self._draw_all(item, "depth", defines, both_sides=True)

    def draw_data(self, item: DrawItem, group: int) -> None:
        """Draw the data of a surface that is shaded later, with those of a group."""
        self._draw_all(item, "surface", values={"material_group": group})

    def draw_opaque(self, defines: Mapping[str, int], *, rest: bool = False) -> None:
        """Draw opaque and masked surfaces, and the opaque parts of blended ones.

        With `rest`, those that are not `deferred`.
        """
        all_opaque = is_opaque_mode(self.mode)
        for item in self.items:
            if self._transmits(item) or (rest and self._is_deferred(item)):
                continue
            if not item.material.blend:
                self._context.disable(moderngl.BLEND)
                self._draw_all(item, self.mode, defines)
                self._context.enable(moderngl.BLEND)
            elif all_opaque:
                self._draw_all(item, self.mode, defines)
            elif item.geometry.mode == moderngl.TRIANGLES:
                self._draw_all(item, self.mode, {**defines, "OPAQUE_PART": 1})

    def draw_transmissive(self, defines: Mapping[str, int]) -> None:
        """Draw transmissive surfaces that are not blended; they show the background."""
        for item in self.items:
            if self._transmits(item) and not item.material.blend:
                self._draw_all(item, self.mode, defines)

    def back_to_front(self, eye: F64, view_axis: F64, *, transmissive: bool) -> list[SortedItem]:
        """Return blended surfaces back to front: characters, then primitives, then triangles.

        Parameters
        ----------
        eye, view_axis
            [3] position of the camera, and the unit vector into the picture.
        transmissive
            Whether to return transmissive ones too.
        """
        items = [item for item in self.blended if transmissive or not item.material.transmits]
        if is_opaque_mode(self.mode) or not items:
            return []
        found = []
        sorted_ = {id(item): self._sorted_triangles(item, view_axis) for item in items}
        world, order = self._poses.world.astype(np.float64), self.uploaded.order
        away = (world[:, :3, 3] - eye) @ view_axis
        for member in np.argsort(-away, kind="stable").tolist():
            axis = world[member, :3, :3].T @ view_axis  # in model space
            shown = [item for item in items if self._shows(item, member)]
            depths = [axis @ order(item).center(self._posed(item, member)) for item in shown]
            for k in sorted(range(len(shown)), key=lambda k: -depths[k]):
                found.append(SortedItem(shown[k], member, sorted_[id(shown[k])]))
        return found

    def draw_blended(self, defines: Mapping[str, int], items: Iterable[SortedItem]) -> None:
        """Draw blended surfaces in their order: sorted triangles, or back faces first."""
        for item, member, indices in items:
            triangles = item.geometry.mode == moderngl.TRIANGLES
            every = {**defines, "BLENDED_PART": 1} if triangles else defines
            batch = self.single(item, member)
            if indices is not None:
                self._draw(item, batch, self.mode, every, _sides(item), indices=indices)
                continue
            for back_faces in (True, False) if item.material.double_sided else (False,):
                self._draw(item, batch, self.mode, every, back_faces)

    def draw_blended_depth(self, defines: Mapping[str, int], items: Iterable[SortedItem]) -> None:
        """Draw the depth of the visible sides of blended surfaces."""
        for item, member, _ in items:
            self._draw(item, self.single(item, member), "depth", defines, _sides(item))

    def cross(self, items: Sequence[SortedItem]) -> bool:
        """Return whether blended surfaces may cross each other: one itself, or two that are near.

        Those of different characters of a crowd do not count.
        """
        found: dict[int, list[tuple[F64, float]]] = {}
        for item, member, _ in items:
            if item.geometry.mode == moderngl.TRIANGLES:
                order, matrices = self.uploaded.order(item), self._posed(item, member)
                if order.crosses_itself:
                    return True
                sizes = np.sqrt((matrices[..., :3] ** 2).sum(axis=-2))
                radius = order.radius * float(sizes.max(initial=0.0))
                found.setdefault(member, []).append((order.center(matrices), radius))
        return any(
            float(np.linalg.norm(a - b)) < r + s
            for near in found.values()
            for (a, r), (b, s) in combinations(near, 2)
        )

    def draw_wires(self) -> None:
        """Draw the edges of all triangles of one character, in the order of its blended ones."""
        for item in self.items:
            if item.geometry.mode == moderngl.TRIANGLES:
                indices = self._sorted.get((id(item.geometry), item.instance))
                self._draw(item, self.single(item, 0), "wire", _NONE, None, indices=indices)

    def draw_pick(self, item: DrawItem, first: int, omitted: Collection[int]) -> list[Index]:
        """Draw triangles, depth and index in a batch of an item, but not of `omitted` characters.

        Each batch has a number, from `first` on; returns the characters of each.
        """
        batches = self.batches(item, omitted)
        for number, batch in enumerate(batches, first):
            self._draw(
                item, batch, "pick", {"PICK": 1}, _sides(item), values={"item_number": number}
            )
        return [batch.members for batch in batches]

    def draw_mask(self, item: DrawItem, member: int) -> None:
        """Draw the pixels of an item of one character, from both sides."""
        if self._shows(item, member):
            batch = self.single(item, member)
            self._draw(item, batch, "pick", {"PICK": 1}, None, values={"item_number": 1})

    def release(self) -> None:
        """Free all GPU objects but those of the model."""
        for item in self.uploaded.items:
            item.geometry.release_other_arrays()
        for group in (self._palettes, self._materials.values(), self._sorted.values()):
            for each in group:
                each.release()

    def _transmits(self, item: DrawItem) -> bool:
        return self.mode == "lit" and item.material.transmits

    def _is_deferred(self, item: DrawItem) -> bool:
        return can_be_deferred(item, self.mode) and item.material_number not in self._materials

    def _shows(self, item: DrawItem, member: int) -> bool:
        """Return whether a character shows an item."""
        return self._off is None or not self._off[self._row_of[member], item.source.joint]

    def _posed(self, item: DrawItem, member: int) -> F32:
        """Return the matrices [S, 3, 4] of an item of one character, to model space."""
        row = self._row_of[member]
        if item.skin >= 0:
            return self._poses.palettes[item.skin][row]
        return self._poses.matrices[row, item.source.joint, None, :3]

    def _sorted_triangles(self, item: DrawItem, view_axis: F64) -> moderngl.Buffer | None:
        """Upload the triangles of all characters, each back to front; None if they are too many."""
        order, world = self.uploaded.order(item), self._poses.world[:, :3, :3].astype(np.float64)
        if not order.sorted or len(order.indices) * len(world) > MOST_INDICES:
            return None
        found = [
            order.back_to_front(self._posed(item, member), world[member].T @ view_axis).ravel()
            for member in range(len(world))
        ]
        data = np.concatenate(found)
        key = id(item.geometry), item.instance
        if key not in self._sorted:
            self._sorted[key] = self._context.buffer(reserve=data.nbytes, dynamic=True)
        self._sorted[key].write(data)
        return self._sorted[key]

    def _draw_all(
        self,
        item: DrawItem,
        mode: str,
        defines: Mapping[str, int] = _NONE,
        *,
        both_sides: bool = False,
        values: Mapping[str, int] = _NONE,
    ) -> None:
        """Draw an item of all characters: front faces, and back faces of double-sided materials."""
        back_faces = None if both_sides else _sides(item)
        for batch in self.batches(item):
            self._draw(item, batch, mode, defines, back_faces, values=values)

    def _draw(
        self,
        item: DrawItem,
        batch: Batch,
        mode: str,
        defines: Mapping[str, int],
        back_faces: bool | None,
        *,
        values: Mapping[str, int] = _NONE,
        indices: moderngl.Buffer | None = None,
    ) -> None:
        """Draw front faces, back faces, or both (None) of an item.

        Parameters
        ----------
        values
            Of uniforms.
        indices
            Triangles of all characters in another order; of a batch of one.
        """
        program = self._use(item, mode, defines, instanced=batch.slot < 0)
        for name, value in values.items():
            program[name] = value
        cull(self._context, mirrored=batch.mirrored, back_faces=back_faces)
        if batch.slot < 0:
            item.geometry.draw_instanced(program, batch.buffer, len(batch.members))
            return
        offset = batch.slot * SLOT
        batch.buffer.bind_to_uniform_block(BLOCKS["Instance"], offset=offset, size=SLOT)
        if indices is None:
            item.geometry.draw(program)
        else:
            count = len(self.uploaded.order(item).indices)
            item.geometry.draw_indices(program, indices, int(batch.members[0]) * count, count)

    def _use(
        self, item: DrawItem, mode: str, defines: Mapping[str, int], *, instanced: bool
    ) -> moderngl.Program:
        """Bind everything that characters share, and return the program, which is cached."""
        rows = self._materials.get(item.material_number)
        key = (self._rows > 0, rows is not None, instanced, mode, *defines.items())
        program = item.programs.get(key)
        if program is None:
            every: dict[str, Any] = {**item.defines, **defines}
            if item.skin >= 0:
                every |= self._palettes[item.skin].defines
            if instanced:
                every["INSTANCED"] = 1
            if rows is not None:
                every["MATERIAL_ROWS"] = 1
            if self._rows:  # many small characters have few fragments for each vertex
                every.pop("CARRIED", None)
            name = mode if mode in OWN_PROGRAMS else "mesh"
            program = item.programs[key] = self._programs.get(name, every)
        item.material.use()
        if rows is not None:
            rows.use()
        if item.skin >= 0:
            self._palettes[item.skin].use()
        if item.geometry.morph is not None:
            item.geometry.morph.use(program)
        return program


def _sides(item: DrawItem) -> bool | None:
    """Return the faces that are drawn: only those in front (False), or both (None)."""
    return None if item.material.double_sided else False
