"""One frame: what the scene shows, read once, as the passes draw it."""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, field

import moderngl
import numpy as np

from ..animation.crowd import Crowd
from ..animation.types import F16, F32, F64
from ..fields.readers import Colour
from ..model.model import MAX_LIGHTS
from ..scene.camera import Camera
from ..scene.character import Character
from ..scene.environment import Environment
from ..scene.instance import Instance
from ..scene.lights import Light, casts_shadow, shadow_caster_first
from ..scene.loaded import LoadedEnvironment
from ..scene.origin import TILE, WORLD_ORIGIN, tile_origin
from ..scene.scene import Scene
from ..scene.selected import Selected
from ..scene.versions import PicturePart
from ..scenedoc.look import Look, ToneMapping
from .picture import Picture
from .program import Programs
from .surfaces import MODES, Surfaces

OCCLUSION_RADIUS = 0.14  # of the size of the first character
TONE_MAPPINGS = {"none": 0, "neutral": 1, "aces": 2, "linear": 3}


@dataclass(slots=True)
class Lighting:
    """The lights of a frame.

    Attributes
    ----------
    lights
        Relative to the origin of the frame; the one of the shadow map first.
    shadow_light
        The light of the shadow map, None if there is no shadow.
    defines
        Shader definitions.
    occlusion
        Whether lit surfaces are occluded by others.
    """

    lights: list[Light] = field(default_factory=list)
    shadow_light: Light | None = None
    defines: dict[str, int] = field(default_factory=dict)
    occlusion: bool = False

    @classmethod
    def of(cls, lights: list[Light], tone_mapping: ToneMapping, *, shadow: bool) -> "Lighting":
        """Return the lighting by lights, with a shadow if one can cast it."""
        lights = shadow_caster_first(lights)
        first = lights[0] if lights and lights[0].kind == "directional" else None
        shadow_light = first if first and shadow and casts_shadow(first) else None
        defines = {"TONE": TONE_MAPPINGS[tone_mapping]}
        if first is None or any(light.kind != "directional" for light in lights):
            defines["PUNCTUAL"] = min(len(lights), MAX_LIGHTS)
        elif len(lights) > 1:
            defines["SUNS"] = min(len(lights), MAX_LIGHTS)
            if lights[1].is_rim:
                defines["RIM"] = 1
        if shadow_light is not None:
            defines["SHADOW"] = 1
        return cls(lights, shadow_light, defines)


@dataclass(slots=True)
class Frame:
    """What a scene shows as of its last update; metres, relative to `origin`.

    Attributes
    ----------
    origin
        [3] world space: 0 near the world origin, otherwise the tile of the camera's focus. Its
        edge is a whole number of grid cells, so the grid does not move when the origin does.
    eye, view_axis
        [3] position of the camera, and the unit vector into the picture.
    background
        Colours from top to bottom.
    loaded
        The environment map that was read, None: the built-in studio.
    selected, weights_joint, mask, frame_rate
        As in `Scene`.
    active
        The instance whose joint weights, mask and skeleton selection are shown.
    part
        The part of the picture that is drawn.
    instances
        Those in it.
    compared
        Whether it shows versions of one character.
    characters
        Theirs; empty while a crowd is drawn.
    ghosts
        The characters that are drawn as translucent shapes.
    uploaded
        All characters of the scene, whose models are kept on the GPU while they are hidden.
    extent, size
        [2, 3] low and high corner of what is shown, and the length of its diagonal.
    floor, cell
        Height of the ground grid and the edge of its cells.
    front
        Azimuth of the front of the first instance, radians: of the key light and the studio.
    surfaces, ghost_surfaces, lighting
        Set by the renderer once the poses are uploaded.
    caster_points
        Of `shadow_caster_points`, computed on first use.
    """

    look: Look
    background: tuple[Colour, ...]
    loaded: LoadedEnvironment | None
    selected: Selected | None
    weights_joint: int
    mask: tuple[float, ...]
    frame_rate: float
    origin: F64
    camera: Camera
    eye: F64
    view_axis: F64
    active: Instance | None
    part: PicturePart
    compared: bool
    instances: list[Instance]
    characters: list[Character]
    ghosts: list[Character]
    uploaded: list[Character]
    crowd: Crowd | None
    extent: F32
    size: float
    floor: float
    cell: float
    front: float
    surfaces: list[Surfaces] = field(default_factory=list)
    ghost_surfaces: list[Surfaces] = field(default_factory=list)
    lighting: Lighting = field(default_factory=Lighting)
    caster_points: F32 | None = None

    @classmethod
    def of(cls, scene: Scene, part: PicturePart | None = None) -> "Frame":
        """Return what a scene shows in a part of its picture, by default the first one."""
        part, look = part or scene.parts[0], scene.shown_look
        camera, instances, bounds = scene.camera.used, scene.instances, scene.bounds
        origin = tile_origin(camera.focus(), TILE * bounds.cell)
        near, crowd = origin is WORLD_ORIGIN, scene.crowd
        camera = camera if near else camera.moved(-origin)
        extent = (bounds.extent if near else bounds.extent - origin).astype(np.float32)
        return cls(
            look=look,
            background=look.background.shown(scene.theme),
            loaded=None if look.lighting.environment is None else scene.environment,
            selected=scene.selected,
            weights_joint=scene.weights_joint,
            mask=scene.mask,
            frame_rate=scene.frame_rate,
            origin=origin,
            camera=camera,
            eye=camera.position(),
            view_axis=-camera.direction(),
            active=instances.active,
            part=part,
            compared=instances.versions is not None,
            instances=list(part.instances),
            characters=[each.character for each in part.instances] if crowd is None else [],
            ghosts=[each.character for each in part.ghosts],
            uploaded=[instance.character for instance in instances],
            crowd=crowd,
            extent=extent,
            size=float(np.linalg.norm(extent[1] - extent[0])),
            floor=bounds.floor - float(origin[1]),
            cell=bounds.cell,
            front=instances.front,
        )

    @property
    def clear_color(self) -> tuple[float, float, float, float]:
        """The top of the background, sRGB, premultiplied; nothing if a part is transparent."""
        colours = self.background
        if len(colours) > 1 and min(alpha for *_, alpha in colours) < 1.0:
            return 0.0, 0.0, 0.0, 0.0
        red, green, blue, alpha = colours[0]
        return red * alpha, green * alpha, blue * alpha, alpha

    @property
    def environment(self) -> Environment | None:
        """The light of an environment map, None for the built-in studio."""
        return None if self.loaded is None else self.loaded.light

    @property
    def environment_map(self) -> F16 | None:
        """The map [H, W, 3] of the environment behind the characters, None: the colours."""
        background = self.look.background
        shown = background.environment and background.is_opaque
        return self.loaded.map if shown and self.loaded is not None else None

    @property
    def is_above_floor(self) -> bool:
        """Whether the camera sees the floor from above."""
        return self.view_axis[1] < 0.0 if self.camera.ortho else self.eye[1] > self.floor

    @property
    def has_floor(self) -> bool:
        """Whether the floor receives shadows: seen from below, only with the grid."""
        return self.look.has_floor and (self.look.grid or self.is_above_floor)

    @property
    def character_size(self) -> float:
        """The size of one character of a crowd; of everything if there is no crowd."""
        if self.crowd is None or self.active is None:
            return self.size
        corners = self.active.bounds.corners(self.active.character.model.skeleton.rest)
        if not len(corners):  # the file has no nodes
            return self.size
        world = self.crowd.world[0, :3, :3]
        return float(np.linalg.norm(np.ptp(corners, axis=0)) * np.cbrt(abs(np.linalg.det(world))))

    @property
    def occlusion_radius(self) -> float:
        """The distance beyond which surfaces do not occlude others, metres."""
        size = self.character_size
        if self.crowd is None and self.instances:  # at rest: the same in all poses
            corners = self.instances[0].rest_corners
            size = float(np.linalg.norm(np.ptp(corners, axis=0))) if len(corners) else size
        return max(OCCLUSION_RADIUS * size, 1e-9)

    def is_active(self, character: Character) -> bool:
        """Return whether a character is that of the active instance."""
        return self.active is not None and character is self.active.character

    def mode_of(self, character: Character) -> str:
        """Return the mode in which a character is drawn: weights or a mask only if active."""
        if character.vertex_values:
            return "heat"
        if self.is_active(character) and self.mask:
            return "mask"
        if self.joint_of(character, self.weights_joint) >= 0:
            return "weights"
        return self.look.shading.view_mode

    def joint_of(self, character: Character, joint: int) -> int:
        """Return the joint of a character that is a joint of the active one, -1: none.

        Only compared versions have joints in common: those of the same name.
        """
        if joint < 0 or self.active is None:
            return -1
        if self.is_active(character):
            return joint
        names = self.active.character.model.skeleton.names
        return character.model.skeleton.index_of.get(names[joint], -1) if self.compared else -1

    def defines(self, surfaces: Surfaces, target: Picture) -> dict[str, int]:
        """Return the shader definitions of surfaces in a target."""
        mode = surfaces.mode
        return (self.lighting.defines if mode == "lit" else MODES[mode]) | target.defines


class Pass(ABC):
    """One step of drawing a frame.

    Attributes
    ----------
    over_surfaces
        Whether it draws over the surfaces, which do not refract it.
    """

    over_surfaces = False

    def __init__(self, context: moderngl.Context, programs: Programs) -> None:
        self._context, self._programs = context, programs

    @abstractmethod
    def draw(self, frame: Frame, target: Picture) -> None:
        """Draw into a target, which is bound."""

    def draws(self, frame: Frame) -> bool:  # noqa: ARG002 - most passes may draw in every frame
        """Return whether it may draw anything in a frame."""
        return True

    def release(self) -> None:  # noqa: B027 - most passes own nothing
        """Free all GPU objects."""


class StillPass(Pass):
    """A pass that draws the same in all poses, once a pixel."""

    @abstractmethod
    def look(self, frame: Frame) -> Hashable:
        """Return what it draws in a frame, beside the values of the frame's uniform block."""
