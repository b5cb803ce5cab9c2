"""Draws a scene into a target: the character, the grid, and lines over it."""

import moderngl
import numpy as np

from app.animation.crowd import Crowd
from app.animation.types import F32
from app.character import Character
from app.environment import load as load_environment
from app.errors import ContextError
from app.light import key_light, lights_of
from app.model import MOST_LIGHTS, Model
from app.render.assets import DrawItem, GpuModel
from app.render.crowd import GpuCrowd
from app.render.environment import GpuEnvironment
from app.render.lights import GpuLights
from app.render.overlay import Overlay
from app.render.program import BLOCKS, Programs
from app.render.shadow import SOFT, ShadowMap
from app.render.target import Target
from app.resources import asset_path
from app.scene import Scene
from app.views import VIEWS

FRAME_FLOATS = 16 + 13 * 4  # the block of lib/frame.glsl
GRID_REACH = 6.0  # radii of the character the grid reaches before it has faded
GROUND_SHADOW = 0.42  # how dark the ground is where the key light does not reach
LIFT = 0.0035  # of the character's size: a surface is lifted so far when its shadow is looked up
MODES: dict[str, dict[str, int]] = {
    **{name: {"VIEW": view.number} if view.number else {} for name, view in VIEWS.items()},
    "weights": {"WEIGHTS": 1},
    "mask": {"WEIGHTS": 1, "MASK": 1},
    "heat": {"WEIGHTS": 1, "HEAT": 1},
    "wire": {},
    "depth": {},
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
        self._lights = GpuLights(context)
        self._shadow = ShadowMap(context)
        self._environment = GpuEnvironment(context, load_environment(asset_path("studio.npz")))
        self._overlay = Overlay(context, self._programs)
        self._grids: dict[int, moderngl.VertexArray] = {}  # by program
        self._punctual = 0  # lights of the picture, 0: one that is directional
        self._cast = False  # whether the first of them casts a shadow
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
        self._environment.release()
        self._shadow.release()
        self._lights.release()
        self._frame.release()
        for grid in self._grids.values():
            grid.release()
        self._programs.release()

    def draw(self, scene: Scene, target: Target) -> None:
        """Draw the scene as `Scene.update` left it."""
        display = scene.display
        context = self.context
        self._cast_shadow(scene)
        target.framebuffer.use()
        context.viewport = (0, 0, *target.size)
        red, green, blue, alpha = display.background
        target.framebuffer.clear(red * alpha, green * alpha, blue * alpha, alpha, depth=1.0)
        self._write_frame(scene, target.size)
        self._environment.use()
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

    def _cast_shadow(self, scene: Scene) -> None:
        """Draw what the first light sees, and send up the lights."""
        character = scene.character
        lights = [key_light()]
        if character is not None and scene.crowd is None:
            lights = lights_of(character)
        self._punctual = 0 if len(lights) == 1 and lights[0].kind == "directional" else len(lights)
        casts = self._casts(scene) and bool(lights) and lights[0].kind == "directional"
        self._cast = casts
        if casts and character is not None:
            self._shadow.aim(lights[0], scene.extent)
            self._shadow.framebuffer.use()
            self.context.viewport = (0, 0, *self._shadow.depth.size)
            self._shadow.framebuffer.clear(depth=1.0)
            self.context.enable_only(moderngl.DEPTH_TEST)
            uploaded = self._written(scene, character)
            block = np.zeros((FRAME_FLOATS // 4, 4), np.float32)
            block[:4] = self._shadow.matrix
            self._frame.write(block)
            self._frame.bind_to_uniform_block(BLOCKS["Frame"])
            for item in uploaded.visible:
                self._draw_item(uploaded, item, character, "depth", both_sides=True)
        self._lights.write(lights, self._shadow.matrix if casts else None, SOFT, LIFT * scene.size)
        self._lights.use()
        self._shadow.use()

    def _casts(self, scene: Scene) -> bool:
        return scene.display.shadow and scene.character is not None and scene.crowd is None

    def _written(self, scene: Scene, character: Character) -> GpuModel:
        """Return the GPU's copy of the character, as it stands in this frame."""
        uploaded = self.upload(character.model)
        display = scene.display
        uploaded.dress(display.variant)
        uploaded.write(character, scene.lens, display.weights_joint, display.mask)
        return uploaded

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
        uploaded, display = self._written(scene, character), scene.display
        painted = "mask" if display.mask else "weights" if display.weights_joint >= 0 else ""
        mode = painted or display.view_mode
        solid = [item for item in uploaded.visible if painted or not item.material.blend]
        clear = [item for item in uploaded.visible if item.material.blend and not painted]
        if display.wireframe:
            self.context.polygon_offset = 1.0, 1.0
        for item in solid:
            self._draw_item(uploaded, item, character, mode)
        self._draw_transparent(uploaded, clear, scene, character, mode)
        if display.wireframe:
            self.context.polygon_offset = 0.0, 0.0
            for item in uploaded.visible:
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
        eye = scene.lens.position()
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
        lit = (mode, self._punctual, self._cast) if mode == "lit" else (mode, 0, False)
        program = item.programs.get(lit)
        if program is None:
            defines = item.defines | MODES[mode]
            if lit[1]:
                defines = defines | {"PUNCTUAL": min(lit[1], MOST_LIGHTS)}
            if lit[2]:
                defines = defines | {"SHADOW": 1}
            name = mode if mode in ("wire", "depth") else "mesh"
            program = item.programs[lit] = self._programs.get(name, frozenset(defines.items()))
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
        program = self._programs.get("grid", frozenset({("SHADOW", 1)} if self._cast else ()))
        if program.glo not in self._grids:
            self._grids[program.glo] = self.context.vertex_array(program, [])
        context = self.context
        context.disable(moderngl.CULL_FACE)
        context.front_face = "ccw"
        middle = scene.extent.mean(axis=0)
        light = sum(scene.display.background[:3]) > 1.5
        program["grid_center"] = (float(middle[0]), float(middle[2]))
        program["grid_colors"] = (0.2 if light else 0.75, 0.4)
        target = context.fbo
        target.depth_mask = False
        self._grids[program.glo].render(moderngl.TRIANGLE_STRIP, vertices=4)
        target.depth_mask = True

    def _write_frame(self, scene: Scene, size: tuple[int, int]) -> None:
        camera, display = scene.lens, scene.display
        block: F32 = np.zeros((FRAME_FLOATS // 4, 4), np.float32)
        block[:4] = camera.projection(size[0] / size[1]) @ camera.view()
        block[4] = *camera.position(), 0.0 if camera.ortho else 1.0
        block[5, :3] = camera.direction()
        block[6:15, :3] = self._environment.light.irradiance
        block[15] = *size, 2.0**display.exposure, TONE_MAPPINGS[display.tone_mapping]
        block[16] = scene.floor, scene.cell, _grid_radius(scene), GROUND_SHADOW
        self._frame.write(block)
        self._frame.bind_to_uniform_block(BLOCKS["Frame"])


def _grid_radius(scene: Scene) -> float:
    return max(GRID_REACH * scene.size / 2.0, 4.0 * scene.cell)
