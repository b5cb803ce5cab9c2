"""Draws a scene into a target: the character, the grid, and lines over it."""

import moderngl
import numpy as np

from app.animation.crowd import Crowd
from app.animation.types import F32
from app.character import Character
from app.errors import ContextError
from app.model import Model
from app.render.assets import DrawItem, GpuModel
from app.render.crowd import GpuCrowd
from app.render.overlay import Overlay
from app.render.program import BLOCKS, Programs
from app.render.target import Target
from app.scene import Scene

FRAME_FLOATS = 16 + 8 * 4  # the block of lib/frame.glsl
KEY_DIRECTION = (-0.45, 0.75, 0.62)  # towards the light: from the front, above, on one side
KEY_COLOR = 2.5  # linear, neutral
SKY, GROUND = 0.62, 0.30  # ambient from above and from below, linear
GRID_REACH = 6.0  # radii of the character the grid reaches before it has faded
MODES: dict[str, dict[str, int]] = {
    "lit": {},
    "base-colour": {"BASE_COLOUR": 1},
    "weights": {"WEIGHTS": 1},
    "mask": {"WEIGHTS": 1, "MASK": 1},
    "heat": {"WEIGHTS": 1, "HEAT": 1},
    "wire": {},
}
TONE_MAPPINGS = {"none": 0, "neutral": 1, "aces": 2, "linear": 3}


class Renderer:
    """Owns the programs and the GPU's copies of models; one for a context.

    Parameters
    ----------
    context
        The OpenGL context that is current whenever this object is used.
    palette_texture
        Put every palette into a texture, as is done for skins too large for a uniform array.
    """

    def __init__(self, context: moderngl.Context, *, palette_texture: bool = False) -> None:
        self.context = context
        self._palette_texture = palette_texture
        self._programs = Programs(context)
        self._frame = context.buffer(reserve=FRAME_FLOATS * 4, dynamic=True)
        self._overlay = Overlay(context, self._programs)
        self._grid: moderngl.VertexArray | None = None
        self._uploaded: GpuModel | None = None
        self._crowd: GpuCrowd | None = None

    def upload(self, model: Model) -> GpuModel:
        """Return the GPU's copy of a model; the one before it is freed.

        Raises
        ------
        ContextError
            The driver refuses it.
        """
        if self._uploaded is None or self._uploaded.model is not model:
            self.unload()
            try:
                self._uploaded = GpuModel(
                    self.context, model, palette_texture=self._palette_texture
                )
            except moderngl.Error as error:  # mostly: it has no room
                raise ContextError(f"the GPU cannot take {model.name!r} ({error})") from None
        return self._uploaded

    def unload(self) -> None:
        """Free the GPU's copy of the present model."""
        self._forget_crowd()
        if self._uploaded is not None:
            self._uploaded.release()
            self._uploaded = None

    def release(self) -> None:
        """Free all that this renderer made."""
        self.unload()
        self._overlay.release()
        self._frame.release()
        if self._grid is not None:
            self._grid.release()
        self._programs.release()

    def draw(self, scene: Scene, target: Target) -> None:
        """Draw the scene as `Scene.update` left it."""
        display = scene.display
        context = self.context
        target.framebuffer.use()
        context.viewport = (0, 0, *target.size)
        red, green, blue, alpha = display.background
        target.framebuffer.clear(red * alpha, green * alpha, blue * alpha, alpha, depth=1.0)
        self._write_frame(scene, target.size)
        context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.PROGRAM_POINT_SIZE)
        context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        context.depth_func = "<="
        if scene.character is not None and scene.crowd is not None:
            self._draw_crowd(scene, scene.character.model, scene.crowd)
        elif scene.character is not None:
            self._draw_character(scene, scene.character)
        if display.grid:
            self._draw_grid(scene)
        if scene.character is not None and scene.crowd is None:
            self._overlay.draw(scene)

    def _draw_crowd(self, scene: Scene, model: Model, crowd: Crowd) -> None:
        """Draw all characters of a crowd, a primitive a draw call."""
        uploaded = self.upload(model)
        if self._crowd is None or self._crowd.crowd is not crowd:
            self._forget_crowd()
            self._crowd = GpuCrowd(self.context, uploaded, crowd)
        self._crowd.write()
        self._crowd.draw(self._programs, scene.display.view_mode)

    def _forget_crowd(self) -> None:
        if self._crowd is not None:
            self._crowd.release()
            self._crowd = None

    def _draw_character(self, scene: Scene, character: Character) -> None:
        uploaded = self.upload(character.model)
        display = scene.display
        uploaded.write(character, display.weights_joint, display.mask)
        painted = "mask" if display.mask else "weights" if display.weights_joint >= 0 else ""
        mode = painted or display.view_mode
        solid = [item for item in uploaded.items if painted or not item.material.blend]
        clear = [item for item in uploaded.items if item.material.blend and not painted]
        if display.wireframe:
            self.context.polygon_offset = 1.0, 1.0
        for item in solid:
            self._draw_item(uploaded, item, character, mode)
        self._draw_transparent(uploaded, clear, scene, character, mode)
        if display.wireframe:
            self.context.polygon_offset = 0.0, 0.0
            for item in uploaded.items:
                if item.geometry.mode == moderngl.TRIANGLES:
                    self._draw_item(uploaded, item, character, "wire", both_sides=True)

    def _draw_transparent(
        self,
        uploaded: GpuModel,
        items: list[DrawItem],
        scene: Scene,
        character: Character,
        mode: str,
    ) -> None:
        """Draw blended items from the farthest node to the nearest, back faces first."""
        eye = scene.camera.position()
        places = character.matrices[:, :3, 3]
        items = sorted(
            items,
            key=lambda item: -float(np.linalg.norm(places[item.source.joint] - eye)),
        )
        for item in items:
            if item.material.double_sided:
                self._draw_item(uploaded, item, character, mode, inside=True)
            self._draw_item(uploaded, item, character, mode, inside=False)

    def _draw_item(
        self,
        uploaded: GpuModel,
        item: DrawItem,
        character: Character,
        mode: str,
        *,
        both_sides: bool = False,
        inside: bool | None = None,
    ) -> None:
        program = item.programs.get(mode)
        if program is None:
            defines = item.defines | MODES[mode]
            name = "wire" if mode == "wire" else "mesh"
            program = item.programs[mode] = self._programs.get(name, frozenset(defines.items()))
        context = self.context
        if both_sides or (item.material.double_sided and inside is None):
            context.disable(moderngl.CULL_FACE)
        else:
            context.enable(moderngl.CULL_FACE)
            context.cull_face = "front" if inside else "back"
        context.front_face = "cw" if uploaded.mirrored(item, character) else "ccw"
        item.material.use()
        uploaded.use_instance(item.instance)
        if item.palette is not None:
            item.palette.use()
        if item.geometry.morph is not None:
            item.geometry.morph.use(program)
        item.geometry.draw(program)

    def _draw_grid(self, scene: Scene) -> None:
        program = self._programs.get("grid")
        if self._grid is None:
            self._grid = self.context.vertex_array(program, [])
        context = self.context
        context.disable(moderngl.CULL_FACE)
        context.front_face = "ccw"
        middle = scene.extent.mean(axis=0)
        light = sum(scene.display.background[:3]) > 1.5
        program["grid_center"] = (float(middle[0]), float(middle[2]))
        program["grid_colors"] = (0.2 if light else 0.75, 0.4)
        target = context.fbo
        target.depth_mask = False
        self._grid.render(moderngl.TRIANGLE_STRIP, vertices=4)
        target.depth_mask = True

    def _write_frame(self, scene: Scene, size: tuple[int, int]) -> None:
        camera, display = scene.camera, scene.display
        block: F32 = np.zeros((FRAME_FLOATS // 4, 4), np.float32)
        block[:4] = camera.projection(size[0] / size[1]) @ camera.view()
        block[4] = *camera.position(), 0.0 if camera.ortho else 1.0
        block[5, :3] = camera.direction()
        block[6, :3] = np.array(KEY_DIRECTION) / np.linalg.norm(KEY_DIRECTION)
        block[7, :3] = KEY_COLOR
        block[8, :3] = SKY
        block[9, :3] = GROUND
        block[10] = *size, 2.0**display.exposure, TONE_MAPPINGS[display.tone_mapping]
        block[11] = scene.floor, scene.cell, _grid_radius(scene), 0.0
        self._frame.write(block)
        self._frame.bind_to_uniform_block(BLOCKS["Frame"])


def _grid_radius(scene: Scene) -> float:
    return max(GRID_REACH * scene.size / 2.0, 4.0 * scene.cell)
