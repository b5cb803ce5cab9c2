"""Display options of a scene: overlays, view mode, environment, tone mapping, background."""

from dataclasses import dataclass
from typing import Literal

from ..animation.types import F16
from .bone_shapes import BoneStyle
from .character import Still
from .environment import Environment
from .selected import Selected
from .view_modes import ViewMode

ToneMapping = Literal["neutral", "aces", "linear", "none"]
LightChoice = Literal["key", "none"]
Colour = tuple[float, float, float, float]  # sRGB, straight alpha
BACKGROUND = (0.188, 0.196, 0.212, 1.0)  # a neutral dark grey, sRGB
LIGHT_BACKGROUND = (0xD2 / 255, 0xD5 / 255, 0xDA / 255, 1.0)  # that of a light theme
GRADIENTS = {  # drawn in their place: red, green and blue of 255, lighter in the middle
    BACKGROUND: ((38, 40, 44), (61, 64, 70), (45, 47, 51)),
    LIGHT_BACKGROUND: ((197, 201, 207), (224, 227, 231), (208, 212, 217)),
}


@dataclass(slots=True)
class Display:
    """Display options: overlays, view mode, environment, tone mapping, background."""

    skeleton: bool = False
    bones: BoneStyle = "octahedra"
    joint_names: bool = False
    axes: bool = False
    ghost: Still | None = None  # pose whose skeleton is drawn over the current one
    joint_path: bool = False  # of the selected joint over the clip
    onion_skins: int = 0  # skeletons before, and as many after the present one
    onion_step: int = 3  # frames between them
    frame_rate: float = 30.0  # frames per second of the ticks of a path, and between skeletons
    overlay_depth: bool = False  # skeletons and axes are hidden by the surfaces before them
    wireframe: bool = False
    bounds: bool = False  # boxes of the posed character and each of its meshes
    grid: bool = True
    shadow: bool = (
        True  # of the first directional light, on the ground (with the grid) and on characters
    )
    occlusion: bool = True  # of ambient light, in creases and where surfaces meet
    weights_joint: int = -1  # joint whose skin weights colour the mesh, -1: none
    selected: Selected | None = None  # drawn in the accent colour
    mask: tuple[float, ...] = ()  # [J] joint weights that colour the mesh instead; (): none
    view_mode: ViewMode = "lit"
    environment: Environment | None = None  # image-based light, None: the built-in studio
    environment_from: tuple[str, float] | None = None  # its file and its rotation, degrees
    environment_map: F16 | None = None  # [H, W, 3] drawn as the background; None: its colours
    environment_blur: float = 0.0  # 0 to 1, of that map
    light: LightChoice | None = None  # "key": in place of other lights; "none": no lights
    light_azimuth: float | None = None  # of the key light, degrees from the front
    light_elevation: float | None = None  # degrees
    tone_mapping: ToneMapping = "neutral"
    exposure: float = 0.0  # EV
    background: Colour = BACKGROUND
    background_below: tuple[Colour, ...] = ()  # further colours of a gradient, downwards

    @property
    def has_given_light(self) -> bool:
        """Whether the key light is chosen, placed or switched off: no other lights are used."""
        return (self.light, self.light_azimuth, self.light_elevation) != (None, None, None)

    @property
    def shows_environment(self) -> bool:
        """Whether the environment is drawn as the background: not where that is transparent."""
        opaque = all(alpha == 1.0 for *_, alpha in (self.background, *self.background_below))
        return self.environment_map is not None and opaque

    @property
    def background_colours(self) -> tuple[Colour, ...]:
        """The colours of the background from top to bottom; a single one is uniform."""
        if self.background_below or self.background not in GRADIENTS:
            return self.background, *self.background_below
        return tuple((r / 255, g / 255, b / 255, 1.0) for r, g, b in GRADIENTS[self.background])
