"""Draw a scene into a render target: upload what it shows, then run a list of passes."""

from collections.abc import Collection

import moderngl
import numpy as np

from ..model.model import Model
from ..scene.character import Character
from ..scene.lights import lights_of
from ..scene.scene import Scene
from ..scene.selected import Hit, MeshPart
from ..scene.versions import PicturePart
from .ambient_occlusion import Occlusion
from .background import EnvironmentPass, GradientPass
from .character_surfaces import CharacterSurfaces
from .context import is_software, set_surface_state
from .crowd_surfaces import CrowdSurfaces
from .environment import Environments
from .forward_drawing import ForwardDrawing
from .frame import Frame, Lighting, Pass
from .frame_block import FrameBlock
from .gpu_model import GpuModel
from .ground_pass import GridPass, GroundPass
from .model_cache import ModelCache
from .overlay_pass import OverlayPass
from .passes import (
    BlendedPass,
    ContactPass,
    GhostPass,
    OpaquePass,
    OutlinePass,
    ShadowPass,
    TransmissivePass,
    WireframePass,
)
from .program import Programs
from .render_target import Target
from .shadow import ShadowMap
from .software.software_drawing import SoftwareDrawing
from .surface_picker import Picker
from .textures.mipmaps import Mipmaps


class Renderer:
    """The OpenGL renderer: shader programs and uploaded models; one per context.

    Parameters
    ----------
    context
        The OpenGL context that is current whenever this object is used.
    streamed
        Upload textures that are not decoded yet by `stream_textures`, between the frames.
    linear
        Draw light before tone mapping, into a `LinearTarget`.
    """

    def __init__(
        self,
        context: moderngl.Context,
        *,
        streamed: bool = False,
        linear: bool = False,
    ) -> None:
        self.context = context
        self._programs = programs = Programs(context, linear=linear)
        mipmaps = Mipmaps(context, programs)
        self._models = ModelCache(context, programs, mipmaps, streamed=streamed)
        self._crowd: CrowdSurfaces | None = None
        self._environments = Environments(context)
        self._block = FrameBlock(context)
        self._picker = Picker(context)
        shadow_map = ShadowMap(context)
        self._shadow = ShadowPass(context, shadow_map)
        self._occlusion = Occlusion(context, programs)
        passes: list[Pass] = [
            GradientPass(context, programs),
            EnvironmentPass(context, programs),
            GridPass(context, programs),
            GroundPass(context, programs, shadow_map),
            ContactPass(context, programs),
            OpaquePass(context, programs),
            TransmissivePass(context, programs),
            BlendedPass(context, programs),
            GhostPass(context, programs),
            WireframePass(context, programs),
            OutlinePass(context, programs),
            OverlayPass(context, programs),
        ]
        self.software = is_software(context)
        drawing = SoftwareDrawing if self.software else ForwardDrawing
        self._drawing = drawing(context, programs, passes)

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

    @property
    def textures_pending(self) -> bool:
        """Whether textures are not uploaded yet."""
        return bool(self._models.streams)

    @property
    def textures_ready(self) -> bool:
        """Whether a piece of a texture can be uploaded."""
        return any(stream.ready for stream in self._models.streams)

    def stream_textures(self) -> bool:
        """Upload a piece of a texture; return whether a texture is complete, to be drawn."""
        return any(stream.advance() for stream in self._models.streams[:1])

    def finish_textures(self) -> bool:
        """Wait for the textures that are not uploaded yet; return whether there were any."""
        streams = self._models.streams
        for stream in streams:
            stream.finish()
        return bool(streams)

    def unload(self) -> None:
        """Free all uploaded models."""
        self._release_crowd()
        self._drawing.unload()
        self._models.release()
        self._programs.trim()

    def release(self) -> None:
        """Free all GPU objects of this renderer."""
        self.unload()
        self._shadow.release()
        self._drawing.release()
        self._occlusion.release()
        self._environments.release()
        self._block.release()
        self._picker.release()
        self._programs.release()

    def draw(self, scene: Scene, target: Target) -> None:
        """Draw the scene as of its last `Scene.update`."""
        # multisampled, llvmpipe also draws the column left of a part: that part clears it later
        for part in reversed(scene.parts):
            self._draw_part(Frame.of(scene, part), target)

    def _draw_part(self, frame: Frame, target: Target) -> None:
        """Draw a part of the picture; the others stay as they are."""
        self._upload_poses(frame)
        self._shadow.draw(frame)
        rows = self._environments.use(frame)
        if self._occlusion.draw(frame, target):
            frame.lighting.occlusion = True
            frame.lighting.defines["OCCLUSION"] = 1
        self._drawing.draw(frame, target, rows)

    def pick(
        self,
        scene: Scene,
        size: tuple[int, int],
        pixel: tuple[int, int],
        omitted: Collection[MeshPart] = (),
        part: PicturePart | None = None,
    ) -> Hit | None:
        """Return the nearest surface at a pixel of a picture, as of the scene's last update.

        Parameters
        ----------
        size
            Width and height of the picture, pixels.
        pixel
            From the top left.
        omitted
            Parts that are looked through.
        part
            What the picture shows, by default the first part; its edges and its shift do not count.
        """
        return self._picker.pick(self._frame_to_pick(scene, size, part), size, pixel, omitted)

    def _frame_to_pick(
        self, scene: Scene, size: tuple[int, int], part: PicturePart | None = None
    ) -> Frame:
        frame = Frame.of(scene, part)
        self._upload_poses(frame)
        self._block.use(frame, size, np.zeros((9, 4), np.float32))
        set_surface_state(self.context)
        return frame

    def _upload_poses(self, frame: Frame) -> None:
        """Upload the poses of all characters or of the crowd; set surfaces and lighting."""
        self._assign_models(frame.uploaded)
        crowd = self._uploaded_crowd(frame)
        if crowd is not None:
            frame.surfaces, lights = [crowd], crowd.lights(frame)
        else:
            frame.surfaces = [self._uploaded_character(frame, shown) for shown in frame.characters]
            frame.ghost_surfaces = [
                self._uploaded_character(frame, shown, "ghost") for shown in frame.ghosts
            ]
            lights = lights_of(
                frame.characters,
                frame.camera,
                frame.front,
                frame.origin,
                frame.look.lighting,
                frame.environment,
            )
        shadow = frame.look.shading.shadow and frame.active is not None
        frame.lighting = Lighting.of(lights, frame.look.shading.tone_mapping, shadow=shadow)

    def _uploaded_character(
        self, frame: Frame, character: Character, mode: str = ""
    ) -> CharacterSurfaces:
        """Return the surfaces of a character, with its current pose; in the mode of the frame."""
        surfaces = self._models.of_character(character)
        surfaces.write(character, frame, mode)
        return surfaces

    def _uploaded_crowd(self, frame: Frame) -> CrowdSurfaces | None:
        """Return the uploaded crowd with its current poses, None without a crowd."""
        if frame.active is None or frame.crowd is None:
            return None
        character = frame.active.character
        uploaded = self.upload(character.model)
        if self._crowd is None or self._crowd.crowd is not frame.crowd:
            self._release_crowd()
            self._crowd = CrowdSurfaces(self.context, self._programs, uploaded, frame.crowd)
        self._crowd.write(character, frame)
        return self._crowd

    def _assign_models(self, characters: list[Character]) -> None:
        """Assign uploaded models to the characters of the scene; free unused ones."""
        unused = self._models.assign(characters)
        if unused:
            self._release_crowd()
            self._drawing.unload()
        for uploaded in unused:
            uploaded.release()

    def _release_crowd(self) -> None:
        if self._crowd is not None:
            self._crowd.release()
            self._crowd = None
