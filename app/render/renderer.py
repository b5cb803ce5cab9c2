"""Draws a scene into a target: the character, the grid, and lines over it."""

from typing import Literal

import moderngl
import numpy as np

from ..animation.types import F32
from ..model.model import MOST_LIGHTS, Model
from ..resources import asset_path
from ..scene.character import Character
from ..scene.environment import Environment, scaled
from ..scene.environment import load as load_environment
from ..scene.lights import Light, casts_shadow, lights_of, shadow_caster_first, studio_share
from ..scene.scene import Scene
from .context import cull, widen_lines
from .crowd import GpuCrowd
from .environment import GpuEnvironment
from .gpu_model import DrawItem, GpuModel
from .ground import SHADOW, Ground, radius
from .lights import GpuLights
from .model_cache import Copies
from .overlay import Overlay
from .program import BLOCKS, Programs
from .render_target import Target
from .shadow import ShadowMap
from .transmission import Behind
from .view_mode_shaders import MODES, all_solid, has_glass, mode_of

FRAME_FLOATS = 16 + 13 * 4  # the block of lib/frame.glsl
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
        self._programs = Programs(context)
        self._frame = context.buffer(reserve=FRAME_FLOATS * 4, dynamic=True)
        self._seen = context.buffer(reserve=FRAME_FLOATS * 4, dynamic=True)  # the same of the light
        self._lights = GpuLights(context)
        self._shadow = ShadowMap(context)
        self._studio: dict[float, Environment] = {}  # by the share of its light that is there
        self._environment: GpuEnvironment | None = None
        self._overlay = Overlay(context, self._programs)
        self._ground = Ground(context, self._programs)
        self._light: dict[str, int] = {}  # definitions of programs that shade
        self._caster: Light | None = None  # of all lights the one whose shadow is drawn
        self._pass: dict[str, int] = {}  # definitions of what is drawn just now
        self._behind = Behind(context)
        self._copies = Copies(context, palette_texture=palette_texture)
        self._crowd: GpuCrowd | None = None

    def upload(self, model: Model, *, beside: bool = False) -> GpuModel:
        """Return the GPU's copy of a model; those before it are freed, but not `beside` them.

        Raises
        ------
        ContextError
            The driver refuses it.
        """
        known = self._copies.find(model)
        if known is not None:
            return known
        if not beside:
            self.unload()
        return self._copies.send(model)

    def unload(self) -> None:
        """Free the GPU's copies of all models."""
        self._forget_crowd()
        self._behind.release()
        self._copies.release()

    def release(self) -> None:
        """Free all that this renderer made."""
        self.unload()
        self._overlay.release()
        if self._environment is not None:
            self._environment.release()
        self._shadow.release()
        self._lights.release()
        self._frame.release()
        self._seen.release()
        self._ground.release()
        self._programs.release()

    def draw(self, scene: Scene, target: Target) -> None:
        """Draw the scene as `Scene.update` left it."""
        display = scene.display
        context = self.context
        self._hand_over(scene)
        gathered = self._gathered(scene)
        widen_lines(context, target.size[1])
        drawn = [(each, self._written(scene, each)) for each in scene.characters]
        self._cast_shadow(scene, drawn, gathered)
        surroundings = self._surroundings(scene)
        surroundings.use()
        self._write_frame(scene, target.size, surroundings.rows)
        context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.PROGRAM_POINT_SIZE)
        context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        context.depth_func = "<="
        red, green, blue, alpha = display.background
        empty = red * alpha, green * alpha, blue * alpha, alpha
        if has_glass(scene, drawn, gathered):
            self._behind.begin(target.size, target.samples, empty)
            self._draw_all(scene, drawn, gathered, self._behind)
            self._behind.finish()
            self._behind.use()
        target.framebuffer.use()
        context.viewport = (0, 0, *target.size)
        target.framebuffer.clear(*empty, depth=1.0)
        self._draw_all(scene, drawn, gathered, target)
        if display.wireframe:
            self._draw_wires(drawn)
        if scene.character is not None and scene.crowd is None:
            self._overlay.draw(scene)

    def _draw_all(
        self,
        scene: Scene,
        drawn: list[tuple[Character, GpuModel]],
        gathered: GpuCrowd | None,
        target: Target | Behind,
    ) -> None:
        """Draw all but lines over it into what is bound; no glass into what is seen through it."""
        self._pass = {"RADIANCE": 1} if isinstance(target, Behind) else {}
        if gathered is not None:
            self._draw_crowd(scene, gathered, "solid")
        self._draw_solid(scene, drawn)
        if scene.display.grid:
            if isinstance(target, Behind):
                target.shown.use()
            self._ground.draw(scene, self._shadow, self._caster)
            target.framebuffer.use()
        if not self._pass:
            self.context.disable(moderngl.BLEND)  # it takes the place of what it shows
            if gathered is not None:
                self._draw_crowd(scene, gathered, "glass")
            self._draw_glass(scene, drawn)
            self.context.enable(moderngl.BLEND)
        target.framebuffer.depth_mask = False
        if gathered is not None:
            self._draw_crowd(scene, gathered, "clear")
        self._draw_clear(scene, drawn)
        target.framebuffer.depth_mask = True
        self._pass = {}

    def _cast_shadow(
        self,
        scene: Scene,
        drawn: list[tuple[Character, GpuModel]],
        gathered: GpuCrowd | None,
    ) -> None:
        """Draw what the light that casts a shadow sees, and send up the lights."""
        character, display = scene.character, scene.display
        lens = scene.view_camera
        lights = shadow_caster_first(
            lights_of(scene.characters, lens) if gathered is None else gathered.lights(lens)
        )
        first = lights[0] if lights and lights[0].kind == "directional" else None
        casting = (
            first is not None and casts_shadow(first) and display.shadow and character is not None
        )
        self._caster = first if casting else None
        self._light = {"TONE": TONE_MAPPINGS[display.tone_mapping]}
        if len(lights) != 1 or first is None:
            self._light["PUNCTUAL"] = min(len(lights), MOST_LIGHTS)
        if self._caster is not None:
            self._light["SHADOW"] = 1
            self._shadow.aim(self._caster, scene.extent, _reach_of_one(scene))
            self._shadow.begin()
            self._seen.write(self._shadow.matrix)
            self._seen.bind_to_uniform_block(BLOCKS["Frame"])
            if gathered is not None:
                gathered.draw_solid(self._programs, "depth", {})
            for each, uploaded in drawn:
                for item in uploaded.visible:
                    self._draw_item(uploaded, item, each, "depth", both_sides=True)
        self._lights.write(lights, self._shadow if self._caster is not None else None)
        self._lights.use()
        self._shadow.use()

    def _written(self, scene: Scene, character: Character) -> GpuModel:
        """Return the GPU's copy of a character, as it stands in this frame."""
        display = scene.display
        copy = self._copies.of(character)
        copy.dress(character.variant)
        if character is scene.character:
            copy.write(character, scene.view_camera, display.weights_joint, display.mask)
        else:  # the joints are those of the active one
            copy.write(character, scene.view_camera, -1)
        return copy

    def _gathered(self, scene: Scene) -> GpuCrowd | None:
        """Return the GPU's copy of the scene's crowd, as it stands in this frame."""
        if scene.character is None or scene.crowd is None:
            return None
        uploaded = self.upload(scene.character.model)
        uploaded.dress(scene.character.variant)
        if self._crowd is None or self._crowd.crowd is not scene.crowd:
            self._forget_crowd()
            self._crowd = GpuCrowd(self.context, uploaded, scene.crowd)
        self._crowd.write(scene.view_camera)
        return self._crowd

    def _draw_crowd(
        self, scene: Scene, gathered: GpuCrowd, part: Literal["solid", "glass", "clear"]
    ) -> None:
        """Draw what is solid of all characters of a crowd, what is of glass, or what is blended."""
        mode = scene.display.view_mode
        opaque = all_solid(mode)
        extra = (self._light if mode == "lit" else MODES[mode]) | self._pass
        if part == "clear":
            if not opaque:
                glass = not self._pass
                gathered.draw_clear(self._programs, mode, extra, scene.view_camera, glass=glass)
        elif mode == "lit":
            glass = part == "glass"
            gathered.draw_solid(self._programs, mode, extra, opaque=opaque, glass=glass)
        elif part == "solid":
            gathered.draw_solid(self._programs, mode, extra, opaque=opaque)

    def _forget_crowd(self) -> None:
        if self._crowd is not None:
            self._crowd.release()
            self._crowd = None

    def _hand_over(self, scene: Scene) -> None:
        """Let everyone on stage have a copy; free those of who has left."""
        spare = self._copies.hand_over([instance.character for instance in scene.instances])
        if spare:
            self._forget_crowd()
        for copy in spare:
            copy.release()

    def _draw_solid(self, scene: Scene, drawn: list[tuple[Character, GpuModel]]) -> None:
        """Draw what is solid of all characters, those parts of blended materials too."""
        if scene.display.wireframe:
            self.context.polygon_offset = 1.0, 1.0
        for character, uploaded in drawn:
            mode, opaque = mode_of(scene, character)
            for item in uploaded.visible:
                if item.material.transmits and mode == "lit":
                    continue
                if opaque or not item.material.blend:
                    self._draw_item(uploaded, item, character, mode)
                elif item.geometry.mode == moderngl.TRIANGLES:
                    self._draw_item(uploaded, item, character, mode, solid=True)

    def _draw_glass(self, scene: Scene, drawn: list[tuple[Character, GpuModel]]) -> None:
        """Draw what is solid and transmits light: it shows what is behind."""
        for character, uploaded in drawn:
            mode, _ = mode_of(scene, character)
            for item in uploaded.visible if mode == "lit" else ():
                if item.material.transmits and not item.material.blend:
                    self._draw_item(uploaded, item, character, mode)

    def _draw_clear(self, scene: Scene, drawn: list[tuple[Character, GpuModel]]) -> None:
        """Draw what is blended, the farthest character first."""
        eye, back = scene.view_camera.position(), scene.view_camera.direction()
        for character, uploaded in sorted(
            drawn, key=lambda each: float((each[0].world[:3, 3] - eye) @ back)
        ):
            mode, opaque = mode_of(scene, character)
            if not opaque:
                clear = [item for item in uploaded.visible if item.material.blend]
                if self._pass:
                    clear = [item for item in clear if not item.material.transmits]
                self._draw_transparent(uploaded, clear, scene, character, mode)

    def _draw_wires(self, drawn: list[tuple[Character, GpuModel]]) -> None:
        self.context.polygon_offset = 0.0, 0.0
        for character, uploaded in drawn:
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
        """Draw blended items, the farthest first, and so the triangles of each."""
        lens = scene.view_camera
        eye, away = lens.position(), -lens.direction()
        world = character.world.astype(np.float64)
        across = world[:3, :3].T @ away  # along the view, before the character is placed
        told = [(item, uploaded.order(item), uploaded.rows(item)) for item in items]
        depths = [
            float((world[:3, :3] @ order.middle(rows) + world[:3, 3] - eye) @ away)
            for _, order, rows in told
        ]
        for k in sorted(range(len(items)), key=lambda k: -depths[k]):
            item, order, rows = told[k]
            if order.sorted:
                item.geometry.arrange(order.far_first(rows, across))
            elif item.material.double_sided:
                self._draw_item(uploaded, item, character, mode, inside=True, clear=True)
            inside = None if order.sorted else False
            self._draw_item(uploaded, item, character, mode, inside=inside, clear=True)

    def _draw_item(
        self,
        uploaded: GpuModel,
        item: DrawItem,
        character: Character,
        mode: str,
        *,
        both_sides: bool = False,
        inside: bool | None = None,
        solid: bool = False,
        clear: bool = False,
    ) -> None:
        extra = self._light if mode == "lit" else MODES[mode]
        if solid:
            extra = extra | {"SOLID": 1}
        if clear and item.geometry.mode == moderngl.TRIANGLES:
            extra = extra | {"CLEAR": 1}
        if self._pass:
            extra = extra | self._pass
        key = (mode, *extra.items())
        program = item.programs.get(key)
        if program is None:
            name = mode if mode in ("wire", "depth") else "mesh"
            defines = frozenset((item.defines | extra).items())
            program = item.programs[key] = self._programs.get(name, defines)
        both = both_sides or (item.material.double_sided and inside is None)
        mirrored = uploaded.mirrored(item, character)
        cull(self.context, mirrored=mirrored, inside=None if both else bool(inside))
        item.material.use()
        uploaded.use_instance(item.instance)
        if item.palette is not None:
            item.palette.use()
        if item.geometry.morph is not None:
            item.geometry.morph.use(program)
        item.geometry.draw(program)

    def _surroundings(self, scene: Scene) -> GpuEnvironment:
        """Return the light from all around on the GPU: the scene's own, or the studio's."""
        wanted = scene.display.environment
        if wanted is None:
            share = studio_share(instance.character for instance in scene.visible)
            if share not in self._studio:
                studio = load_environment(asset_path("studio.npz"))
                self._studio[share] = scaled(studio, share)
            wanted = self._studio[share]
        if self._environment is None or self._environment.light is not wanted:
            if self._environment is not None:
                self._environment.release()
            self._environment = GpuEnvironment(self.context, wanted)
        return self._environment

    def _write_frame(self, scene: Scene, size: tuple[int, int], around: F32) -> None:
        camera, display = scene.view_camera, scene.display
        block: F32 = np.zeros((FRAME_FLOATS // 4, 4), np.float32)
        block[:4] = camera.projection(size[0] / size[1]) @ camera.view()
        block[4] = *camera.position(), 0.0 if camera.ortho else 1.0
        block[5, :3] = camera.direction()
        block[6:15] = around
        block[15] = *size, 2.0**display.exposure, 0.0
        block[16] = scene.floor, scene.cell, radius(scene), SHADOW
        self._frame.write(block)
        self._frame.bind_to_uniform_block(BLOCKS["Frame"])


def _reach_of_one(scene: Scene) -> float:
    """Return the size of one character, metres: that of the scene where there is no crowd."""
    if scene.crowd is None or scene.bounds is None or scene.character is None:
        return scene.size
    corners = scene.bounds.corners(scene.character.model.skeleton.rest)
    world = scene.crowd.world[0, :3, :3]
    return float(np.linalg.norm(np.ptp(corners, axis=0)) * np.cbrt(abs(np.linalg.det(world))))
