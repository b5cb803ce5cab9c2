"""The surfaces of one character, as the passes of a frame draw them."""

from collections.abc import Collection, Mapping, Sequence

import moderngl
import numpy as np

from ..animation.types import F32
from ..scene.character import Character
from .context import cull
from .draw_item import DrawItem, can_be_deferred
from .frame import Frame
from .gpu_model import GpuModel
from .program import OWN_PROGRAMS, Programs
from .view_mode_shaders import is_opaque_mode


class CharacterSurfaces:
    """Draws the visible items of an uploaded character in one view mode (see `Surfaces`).

    `world` [4, 4] is its world matrix relative to the origin of the frame.
    """

    def __init__(
        self,
        context: moderngl.Context,
        programs: Programs,
        uploaded: GpuModel,
        character: Character,
        world: F32,
        mode: str,
    ) -> None:
        self.mode = mode
        self.origin: F32 = world[:3, 3]
        self._world = world
        self._context = context
        self._programs = programs
        self._uploaded = uploaded
        self._character = character
        lit = mode == "lit"
        self._transmissive = [item for item in uploaded.visible if lit and item.material.transmits]
        self._others = [item for item in uploaded.visible if not (lit and item.material.transmits)]
        self.deferred = [item for item in uploaded.visible if can_be_deferred(item, mode)]

    @property
    def transmits(self) -> bool:
        """Whether any surface shows what is behind it."""
        return bool(self._transmissive)

    @property
    def items(self) -> Sequence[DrawItem]:
        """The visible items."""
        return self._uploaded.visible

    def draw_depth(self) -> None:
        """Draw the depth of all surfaces, from both sides."""
        for item in self._uploaded.visible:
            self._draw(item, "depth", {}, back_faces=None)

    @property
    def deferred_triangles(self) -> int:
        """The number of triangles of the deferred items."""
        return sum(item.geometry.triangles for item in self.deferred)

    def draw_data(self, item: DrawItem, group: int) -> None:
        """Draw the data of a surface that is shaded later, with those of a group."""
        back_faces = None if item.material.double_sided else False
        program = self._use(item, "surface", {}, back_faces=back_faces)
        program["material_group"] = group
        item.geometry.draw(program)

    def draw_opaque(self, defines: dict[str, int], *, rest: bool = False) -> None:
        """Draw opaque and masked surfaces, and the opaque parts of blended ones.

        With `rest`, those that are not `deferred`.
        """
        all_opaque = is_opaque_mode(self.mode)
        for item in self._others:
            if rest and can_be_deferred(item, self.mode):
                continue
            if not item.material.blend:
                self._context.disable(moderngl.BLEND)
                self._draw_front(item, defines)
                self._context.enable(moderngl.BLEND)
            elif all_opaque:
                self._draw_front(item, defines)
            elif item.geometry.mode == moderngl.TRIANGLES:
                self._draw_front(item, defines | {"OPAQUE_PART": 1})

    def draw_transmissive(self, defines: dict[str, int]) -> None:
        """Draw transmissive surfaces that are not blended; they show the background."""
        for item in self._transmissive:
            if not item.material.blend:
                self._draw_front(item, defines)

    def draw_blended(self, defines: dict[str, int], frame: Frame, *, transmissive: bool) -> None:
        """Draw blended items back to front, each with its triangles back to front."""
        if is_opaque_mode(self.mode):
            return
        items = [item for item in self._uploaded.visible if item.material.blend]
        if not transmissive:
            items = [item for item in items if not item.material.transmits]
        uploaded = self._uploaded
        world = self._world.astype(np.float64)
        local_axis = world[:3, :3].T @ frame.view_axis  # in model space
        prepared = [(item, uploaded.order(item), uploaded.rows(item)) for item in items]
        depths = [
            float((world[:3, :3] @ order.center(rows) + world[:3, 3] - frame.eye) @ frame.view_axis)
            for _, order, rows in prepared
        ]
        for k in sorted(range(len(items)), key=lambda k: -depths[k]):
            item, order, rows = prepared[k]
            part = {"BLENDED_PART": 1} if item.geometry.mode == moderngl.TRIANGLES else {}
            if order.sorted:
                item.geometry.set_indices(order.back_to_front(rows, local_axis))
                self._draw_front(item, defines | part)
            else:
                for back_faces in (True, False) if item.material.double_sided else (False,):
                    self._draw(item, self.mode, defines | part, back_faces=back_faces)

    def draw_wires(self) -> None:
        """Draw the edges of all triangles, from both sides."""
        for item in self._uploaded.visible:
            if item.geometry.mode == moderngl.TRIANGLES:
                self._draw(item, "wire", {}, back_faces=None)

    def draw_pick(self, item: DrawItem, number: int, omitted: Collection[int]) -> None:
        """Draw an item's number, triangles in the order of the file, and depth."""
        if omitted:
            return
        if item.material.blend and self._uploaded.order(item).sorted:
            item.geometry.set_indices(self._uploaded.order(item).indices)
        back_faces = None if item.material.double_sided else False
        program = self._use(item, "pick", {"PICK": 1}, back_faces=back_faces)
        program["item_number"] = number
        item.geometry.draw(program)

    def draw_mask(self, item: DrawItem, member: int) -> None:  # noqa: ARG002 - one character
        """Draw the pixels of an item, from both sides."""
        program = self._use(item, "pick", {"PICK": 1}, back_faces=None)
        program["item_number"] = 1.0
        item.geometry.draw(program)

    def member(self, item: DrawItem, index: int) -> int:  # noqa: ARG002 - one character
        """Return 0: there is no crowd."""
        return 0

    def _draw_front(self, item: DrawItem, defines: Mapping[str, int]) -> None:
        """Draw front faces, and back faces of double-sided materials."""
        back_faces = None if item.material.double_sided else False
        self._draw(item, self.mode, defines, back_faces=back_faces)

    def _draw(
        self, item: DrawItem, mode: str, defines: Mapping[str, int], *, back_faces: bool | None
    ) -> None:
        """Draw front faces, back faces, or both (None) of an item."""
        item.geometry.draw(self._use(item, mode, defines, back_faces=back_faces))

    def _use(
        self, item: DrawItem, mode: str, defines: Mapping[str, int], *, back_faces: bool | None
    ) -> moderngl.Program:
        """Bind everything needed to draw an item, and return its program, which is cached."""
        uploaded = self._uploaded
        key = (mode, *defines.items())
        program = item.programs.get(key)
        if program is None:
            name = mode if mode in OWN_PROGRAMS else "mesh"
            program = self._programs.get(name, frozenset({**item.defines, **defines}.items()))
            item.programs[key] = program
        mirrored = uploaded.mirrored(item, self._character)
        cull(self._context, mirrored=mirrored, back_faces=back_faces)
        item.material.use()
        if mode == "heat":
            uploaded.use_vertex_values(item, program)
        uploaded.use_instance(item.instance)
        if item.palette is not None:
            item.palette.use()
        if item.geometry.morph is not None:
            item.geometry.morph.use(program)
        return program
