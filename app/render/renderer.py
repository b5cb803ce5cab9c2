"""Draw a scene into a render target: characters, ground and overlays."""

from typing import Literal

import moderngl
import numpy as np

from ..animation.types import F32
from ..model.model import MAX_LIGHTS, Model
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
from .model_cache import ModelCache
from .overlay import Overlay
from .program import BLOCKS, Programs
from .render_target import Target
from .shadow import ShadowMap
from .transmission import TransmissionTarget
from .view_mode_shaders import MODES, has_transmission, is_opaque_mode, mode_of

FRAME_FLOATS = 16 + 13 * 4  # the uniform block of lib/frame.glsl
TONE_MAPPINGS = {"none": 0, "neutral": 1, "aces": 2, "linear": 3}


class Renderer:
    """The OpenGL renderer: shader programs and uploaded models; one per context.

    Parameters
    ----------
    context
        The OpenGL context that is current whenever this object is used.
    palette_texture
        Store every skin palette in a texture, as for skins too large for a uniform block.
    """

    def __init__(self, context: moderngl.Context, *, palette_texture: bool = False) -> None:
        self.context = context
        self._programs = Programs(context)
        self._frame = context.buffer(reserve=FRAME_FLOATS * 4, dynamic=True)
        self._light_frame = context.buffer(reserve=FRAME_FLOATS * 4, dynamic=True)
        self._lights = GpuLights(context)
        self._shadow = ShadowMap(context)
        self._studio: dict[float, Environment] = {}  # by share of its light
        self._environment: GpuEnvironment | None = None
        self._overlay = Overlay(context, self._programs)
        self._ground = Ground(context, self._programs)
        self._light_defines: dict[str, int] = {}  # shader definitions of lighting
        self._shadow_light: Light | None = None  # the light of the shadow map
        self._pass_defines: dict[str, int] = {}  # shader definitions of the current pass
        self._background = TransmissionTarget(context)
        self._models = ModelCache(context, palette_texture=palette_texture)
        self._crowd: GpuCrowd | None = None

    def upload(self, model: Model, *, keep_others: bool = False) -> GpuModel:
        """Return the uploaded model; other models are freed unless `keep_others`.

        Raises
        ------
        ContextError
            The driver cannot allocate it.
        """
        known = self._models.find(model)
        if known is not None:
            return known
        if not keep_others:
            self.unload()
        return self._models.upload(model)

    def unload(self) -> None:
        """Free all uploaded models."""
        self._release_crowd()
        self._background.release()
        self._models.release()

    def release(self) -> None:
        """Free all GPU objects of this renderer."""
        self.unload()
        self._overlay.release()
        if self._environment is not None:
            self._environment.release()
        self._shadow.release()
        self._lights.release()
        self._frame.release()
        self._light_frame.release()
        self._ground.release()
        self._programs.release()

    def draw(self, scene: Scene, target: Target) -> None:
        """Draw the scene as of its last `Scene.update`."""
        display = scene.display
        context = self.context
        self._assign_models(scene)
        crowd = self._uploaded_crowd(scene)
        widen_lines(context, target.size[1])
        drawn = [
            (character, self._uploaded_character(scene, character))
            for character in scene.characters
        ]
        self._draw_shadow_map(scene, drawn, crowd)
        environment = self._current_environment(scene)
        environment.use()
        self._write_frame(scene, target.size, environment.rows)
        context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.PROGRAM_POINT_SIZE)
        context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        context.depth_func = "<="
        red, green, blue, alpha = display.background
        clear_color = red * alpha, green * alpha, blue * alpha, alpha
        if has_transmission(scene, drawn, crowd):
            self._background.begin(target.size, target.samples, clear_color)
            self._draw_all(scene, drawn, crowd, self._background)
            self._background.finish()
            self._background.use()
        target.framebuffer.use()
        context.viewport = (0, 0, *target.size)
        target.framebuffer.clear(*clear_color, depth=1.0)
        self._draw_all(scene, drawn, crowd, target)
        if display.wireframe:
            self._draw_wires(drawn)
        if scene.character is not None and scene.crowd is None:
            self._overlay.draw(scene)

    def _draw_all(
        self,
        scene: Scene,
        drawn: list[tuple[Character, GpuModel]],
        crowd: GpuCrowd | None,
        target: Target | TransmissionTarget,
    ) -> None:
        """Draw everything but overlays into a bound target.

        Transmissive surfaces are excluded from the transmission background.
        """
        self._pass_defines = {"RADIANCE": 1} if isinstance(target, TransmissionTarget) else {}
        if crowd is not None:
            self._draw_crowd(scene, crowd, "opaque")
        self._draw_opaque(scene, drawn)
        if scene.display.grid:
            if isinstance(target, TransmissionTarget):
                target.unlit.use()
            self._ground.draw(scene, self._shadow, self._shadow_light)
            target.framebuffer.use()
        if not self._pass_defines:
            self.context.disable(moderngl.BLEND)  # transmissive surfaces replace the background
            if crowd is not None:
                self._draw_crowd(scene, crowd, "transmissive")
            self._draw_transmissive(scene, drawn)
            self.context.enable(moderngl.BLEND)
        target.framebuffer.depth_mask = False
        if crowd is not None:
            self._draw_crowd(scene, crowd, "blended")
        self._draw_blended(scene, drawn)
        target.framebuffer.depth_mask = True
        self._pass_defines = {}

    def _draw_shadow_map(
        self,
        scene: Scene,
        drawn: list[tuple[Character, GpuModel]],
        crowd: GpuCrowd | None,
    ) -> None:
        """Draw the shadow map of the first light that casts a shadow, and upload the lights."""
        character, display = scene.character, scene.display
        camera = scene.view_camera
        lights = shadow_caster_first(
            lights_of(scene.characters, camera) if crowd is None else crowd.lights(camera)
        )
        first = lights[0] if lights and lights[0].kind == "directional" else None
        has_shadow = (
            first is not None and casts_shadow(first) and display.shadow and character is not None
        )
        self._shadow_light = first if has_shadow else None
        self._light_defines = {"TONE": TONE_MAPPINGS[display.tone_mapping]}
        if len(lights) != 1 or first is None:
            self._light_defines["PUNCTUAL"] = min(len(lights), MAX_LIGHTS)
        if self._shadow_light is not None:
            self._light_defines["SHADOW"] = 1
            self._shadow.fit(self._shadow_light, scene.extent, _character_size(scene))
            self._shadow.begin()
            self._light_frame.write(self._shadow.matrix)
            self._light_frame.bind_to_uniform_block(BLOCKS["Frame"])
            if crowd is not None:
                crowd.draw_opaque(self._programs, "depth", {})
            for caster, uploaded in drawn:
                for item in uploaded.visible:
                    self._draw_item(uploaded, item, caster, "depth", both_sides=True)
        self._lights.write(lights, self._shadow if self._shadow_light is not None else None)
        self._lights.use()
        self._shadow.use()

    def _uploaded_character(self, scene: Scene, character: Character) -> GpuModel:
        """Return the uploaded model of a character, with its current pose."""
        display = scene.display
        uploaded = self._models.of_character(character)
        uploaded.set_variant(character.variant)
        if character is scene.character:
            uploaded.write(character, scene.view_camera, display.weights_joint, display.mask)
        else:  # the joint and mask are those of the active character
            uploaded.write(character, scene.view_camera, -1)
        return uploaded

    def _uploaded_crowd(self, scene: Scene) -> GpuCrowd | None:
        """Return the uploaded crowd of the scene with its current poses, None without a crowd."""
        if scene.character is None or scene.crowd is None:
            return None
        uploaded = self.upload(scene.character.model)
        uploaded.set_variant(scene.character.variant)
        if self._crowd is None or self._crowd.crowd is not scene.crowd:
            self._release_crowd()
            self._crowd = GpuCrowd(self.context, uploaded, scene.crowd)
        self._crowd.write(scene.view_camera)
        return self._crowd

    def _draw_crowd(
        self, scene: Scene, crowd: GpuCrowd, part: Literal["opaque", "transmissive", "blended"]
    ) -> None:
        """Draw the opaque, the transmissive or the blended surfaces of a crowd."""
        mode = scene.display.view_mode
        all_opaque = is_opaque_mode(mode)
        extra = (self._light_defines if mode == "lit" else MODES[mode]) | self._pass_defines
        if part == "blended":
            if not all_opaque:
                transmissive = not self._pass_defines
                crowd.draw_blended(
                    self._programs, mode, extra, scene.view_camera, transmissive=transmissive
                )
        elif mode == "lit":
            transmissive = part == "transmissive"
            crowd.draw_opaque(
                self._programs, mode, extra, all_opaque=all_opaque, transmissive=transmissive
            )
        elif part == "opaque":
            crowd.draw_opaque(self._programs, mode, extra, all_opaque=all_opaque)

    def _release_crowd(self) -> None:
        if self._crowd is not None:
            self._crowd.release()
            self._crowd = None

    def _assign_models(self, scene: Scene) -> None:
        """Assign uploaded models to the characters of the scene; free unused ones."""
        unused = self._models.assign([instance.character for instance in scene.instances])
        if unused:
            self._release_crowd()
        for uploaded in unused:
            uploaded.release()

    def _draw_opaque(self, scene: Scene, drawn: list[tuple[Character, GpuModel]]) -> None:
        """Draw opaque and masked surfaces, and the opaque parts of blended ones."""
        if scene.display.wireframe:
            self.context.polygon_offset = 1.0, 1.0
        for character, uploaded in drawn:
            mode, all_opaque = mode_of(scene, character)
            for item in uploaded.visible:
                if item.material.transmits and mode == "lit":
                    continue
                if all_opaque or not item.material.blend:
                    self._draw_item(uploaded, item, character, mode)
                elif item.geometry.mode == moderngl.TRIANGLES:
                    self._draw_item(uploaded, item, character, mode, opaque_part=True)

    def _draw_transmissive(self, scene: Scene, drawn: list[tuple[Character, GpuModel]]) -> None:
        """Draw transmissive surfaces that are not blended; they show the background."""
        for character, uploaded in drawn:
            mode, _ = mode_of(scene, character)
            for item in uploaded.visible if mode == "lit" else ():
                if item.material.transmits and not item.material.blend:
                    self._draw_item(uploaded, item, character, mode)

    def _draw_blended(self, scene: Scene, drawn: list[tuple[Character, GpuModel]]) -> None:
        """Draw blended surfaces, characters back to front."""
        eye, back = scene.view_camera.position(), scene.view_camera.direction()
        for character, uploaded in sorted(
            drawn, key=lambda pair: float((pair[0].world[:3, 3] - eye) @ back)
        ):
            mode, all_opaque = mode_of(scene, character)
            if not all_opaque:
                blended = [item for item in uploaded.visible if item.material.blend]
                if self._pass_defines:
                    blended = [item for item in blended if not item.material.transmits]
                self._draw_back_to_front(uploaded, blended, scene, character, mode)

    def _draw_wires(self, drawn: list[tuple[Character, GpuModel]]) -> None:
        self.context.polygon_offset = 0.0, 0.0
        for character, uploaded in drawn:
            for item in uploaded.visible:
                if item.geometry.mode == moderngl.TRIANGLES:
                    self._draw_item(uploaded, item, character, "wire", both_sides=True)

    def _draw_back_to_front(
        self,
        uploaded: GpuModel,
        items: list[DrawItem],
        scene: Scene,
        character: Character,
        mode: str,
    ) -> None:
        """Draw blended items back to front, each with its triangles back to front."""
        camera = scene.view_camera
        eye, view_axis = camera.position(), -camera.direction()
        world = character.world.astype(np.float64)
        local_axis = world[:3, :3].T @ view_axis  # in model space
        prepared = [(item, uploaded.order(item), uploaded.rows(item)) for item in items]
        depths = [
            float((world[:3, :3] @ order.center(rows) + world[:3, 3] - eye) @ view_axis)
            for _, order, rows in prepared
        ]
        for k in sorted(range(len(items)), key=lambda k: -depths[k]):
            item, order, rows = prepared[k]
            if order.sorted:
                item.geometry.set_indices(order.back_to_front(rows, local_axis))
            elif item.material.double_sided:
                self._draw_item(uploaded, item, character, mode, back_faces=True, blended_part=True)
            back_faces = None if order.sorted else False
            self._draw_item(
                uploaded, item, character, mode, back_faces=back_faces, blended_part=True
            )

    def _draw_item(
        self,
        uploaded: GpuModel,
        item: DrawItem,
        character: Character,
        mode: str,
        *,
        both_sides: bool = False,
        back_faces: bool | None = None,
        opaque_part: bool = False,
        blended_part: bool = False,
    ) -> None:
        extra = self._light_defines if mode == "lit" else MODES[mode]
        if opaque_part:
            extra = extra | {"OPAQUE_PART": 1}
        if blended_part and item.geometry.mode == moderngl.TRIANGLES:
            extra = extra | {"BLENDED_PART": 1}
        if self._pass_defines:
            extra = extra | self._pass_defines
        key = (mode, *extra.items())
        program = item.programs.get(key)
        if program is None:
            name = mode if mode in ("wire", "depth") else "mesh"
            defines = frozenset((item.defines | extra).items())
            program = item.programs[key] = self._programs.get(name, defines)
        double_sided = both_sides or (item.material.double_sided and back_faces is None)
        mirrored = uploaded.mirrored(item, character)
        cull(self.context, mirrored=mirrored, back_faces=None if double_sided else bool(back_faces))
        item.material.use()
        uploaded.use_instance(item.instance)
        if item.palette is not None:
            item.palette.use()
        if item.geometry.morph is not None:
            item.geometry.morph.use(program)
        item.geometry.draw(program)

    def _current_environment(self, scene: Scene) -> GpuEnvironment:
        """Return the uploaded environment: that of the display, or the built-in studio."""
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

    def _write_frame(self, scene: Scene, size: tuple[int, int], environment_rows: F32) -> None:
        camera, display = scene.view_camera, scene.display
        block: F32 = np.zeros((FRAME_FLOATS // 4, 4), np.float32)
        block[:4] = camera.projection(size[0] / size[1]) @ camera.view()
        block[4] = *camera.position(), 0.0 if camera.ortho else 1.0
        block[5, :3] = camera.direction()
        block[6:15] = environment_rows
        block[15] = *size, 2.0**display.exposure, 0.0
        block[16] = scene.floor, scene.cell, radius(scene), SHADOW
        self._frame.write(block)
        self._frame.bind_to_uniform_block(BLOCKS["Frame"])


def _character_size(scene: Scene) -> float:
    """Return the size of one character, metres; of the whole scene if there is no crowd."""
    if scene.crowd is None or scene.bounds is None or scene.character is None:
        return scene.size
    corners = scene.bounds.corners(scene.character.model.skeleton.rest)
    world = scene.crowd.world[0, :3, :3]
    return float(np.linalg.norm(np.ptp(corners, axis=0)) * np.cbrt(abs(np.linalg.det(world))))
