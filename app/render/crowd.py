"""A crowd on the GPU: palettes in textures, a row a character, and one draw call a primitive."""

from collections.abc import Mapping

import moderngl
import numpy as np

from app.animation.crowd import Crowd
from app.animation.types import F32
from app.errors import ContextError
from app.render.assets import DrawItem, GpuModel
from app.render.palette import Palette
from app.render.program import Programs


class GpuCrowd:
    """What a crowd needs beside the buffers of its model."""

    def __init__(self, context: moderngl.Context, model: GpuModel, crowd: Crowd) -> None:
        self.crowd = crowd
        self._context = context
        self._model = model
        rows, highest = len(crowd.matrices), context.info["GL_MAX_TEXTURE_SIZE"]
        self._palettes: list[Palette] = []
        self._carriers: dict[int, moderngl.Buffer] = {}  # by joint, -1: of what is skinned
        self._programs: dict[tuple[object, ...], moderngl.Program] = {}
        for skin in crowd.skins:
            if Palette.lines(len(skin.joints)) * rows > highest:
                self.release()
                raise ContextError(
                    f"{rows} characters of {len(skin.joints)} joints do not fit into a texture "
                    "of this GPU; let them share poses"
                )
            self._palettes.append(Palette(context, len(skin.joints), rows=rows))

    def write(self) -> None:
        """Send up this frame's palettes, carriers and morph weights."""
        crowd = self.crowd
        for palette, rows in zip(self._palettes, crowd.palettes, strict=True):
            palette.write(rows)
        for item in self._items:
            self._write_carriers(_carrier_of(item))
            if item.geometry.morph is not None and item.source.channel >= 0:
                channel = self._model.model.channels[item.source.channel]
                item.geometry.morph.write(crowd.values[:, channel.slice])

    @property
    def _items(self) -> list[DrawItem]:
        """What is shown of the model at rest: nothing comes and goes in a crowd."""
        hidden = self._model.model.hidden
        return [item for item in self._model.items if item.source.joint not in hidden]

    def draw(self, programs: Programs, mode: str, defines: Mapping[str, int]) -> None:
        """Draw every primitive of all characters: what is solid, then what is not.

        Parameters
        ----------
        programs
            Where they come from.
        mode
            "depth": what casts a shadow.
        defines
            What the mode and the light want of the programs.
        """
        context = self._context
        for item in sorted(self._items, key=lambda item: item.material.blend):
            program = self._program(programs, item, mode, defines)
            turned = self._turned(item)
            if mode == "depth" or item.material.double_sided or len(turned) > 1:
                context.disable(moderngl.CULL_FACE)
            else:
                context.enable(moderngl.CULL_FACE)
                context.cull_face = "back"
            context.front_face = "cw" if turned == {True} else "ccw"
            item.material.use()
            self._model.use_instance(item.instance)
            if item.palette is not None:
                self._palettes[item.source.skin].use()
            if item.geometry.morph is not None:
                item.geometry.morph.use(program)
            if "crowd_rows" in program:
                program["crowd_rows"] = len(self.crowd.matrices)
            carriers = self._carriers[_carrier_of(item)]
            item.geometry.draw_many(program, carriers, self.crowd.count)

    def release(self) -> None:
        """Free everything."""
        for drawn in self._model.items:
            drawn.geometry.forget_crowds()
        for palette in self._palettes:
            palette.release()
        for buffer in self._carriers.values():
            buffer.release()

    def _program(
        self, programs: Programs, item: DrawItem, mode: str, extra: Mapping[str, int]
    ) -> moderngl.Program:
        """Return the program that draws many of an item, looked up once."""
        key = id(item), mode, *extra.items()
        if key not in self._programs:
            defines = {k: v for k, v in item.defines.items() if not k.startswith("PALETTE_")}
            if item.palette is not None:
                defines |= self._palettes[item.source.skin].defines
            defines |= {**extra, "CROWD": 1}
            name = "depth" if mode == "depth" else "mesh"
            self._programs[key] = programs.get(name, frozenset(defines.items()))
        return self._programs[key]

    def _write_carriers(self, joint: int) -> None:
        """Send up the rows of every character's matrix from mesh (skinned: model) to world."""
        world = self.crowd.world
        rows = world if joint < 0 else world @ self.crowd.matrices[:, joint]
        data = np.ascontiguousarray(rows[:, :3])
        if joint not in self._carriers:
            self._carriers[joint] = self._context.buffer(reserve=max(data.nbytes, 1), dynamic=True)
        self._carriers[joint].write(data)

    def _turned(self, item: DrawItem) -> set[bool]:
        """Return whether triangles are turned inside out by a negative scale; both: some are."""
        crowd = self.crowd
        inner = (
            crowd.matrices[:, item.source.joint, :3, :3]
            if item.palette is None
            else crowd.palettes[item.source.skin][:, 0, :, :3]
        )
        return set((_signs(inner) * _signs(crowd.world[:, :3, :3]) < 0).tolist())


def _carrier_of(item: DrawItem) -> int:
    return -1 if item.palette is not None else item.source.joint


def _signs(matrices: F32) -> F32:
    """Return the signs of determinants, 1 where there is none."""
    signs: F32 = np.where(np.linalg.det(matrices) < 0, np.float32(-1), np.float32(1))
    return signs
