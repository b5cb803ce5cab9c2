"""The look of a picture: overlays, shading, lighting and background."""

from dataclasses import replace
from typing import Any, Literal, TypeVar

from ..fields.command_groups import RENDERING
from ..fields.option import choice, part, switch, toggle, value
from ..fields.readers import (
    Colour,
    colours,
    colours_text,
    number,
    number_from,
    share,
    stops,
    text,
    whole_number_from,
)
from ..fields.record import record
from .view_modes import VIEWS, WEIGHTS, Swatch, ViewMode

Theme = Literal["dark", "light"]
Still = Literal["rest", "bind"]
BoneStyle = Literal["octahedra", "lines"]
ToneMapping = Literal["neutral", "aces", "linear", "none"]
LightChoice = Literal["key", "none"]
P = TypeVar("P", bound="Overlays | Shading | Lighting | Background")

MOST_RIM = 2.0  # strength of the rim light
MOST_SKINS, MOST_STEP = 20, 1000  # onion skins on either side, and frames between them
CLEAR: Colour = (0.0, 0.0, 0.0, 0.0)
_DARK = (38, 40, 44), (61, 64, 70), (45, 47, 51)  # sRGB, from the top
_LIGHT = (197, 201, 207), (224, 227, 231), (208, 212, 217)
GRADIENTS: dict[Theme, tuple[Colour, ...]] = {  # of a background that is not chosen
    "dark": tuple((r / 255, g / 255, b / 255, 1.0) for r, g, b in _DARK),
    "light": tuple((r / 255, g / 255, b / 255, 1.0) for r, g, b in _LIGHT),
}


@record(frozen=True)
class Overlays:
    """What is drawn over the characters and on the ground."""

    skeleton: bool = switch("draw the skeleton over the mesh", crowd=False)
    bones: BoneStyle = choice("how --skeleton draws bones", "SHAPE", BoneStyle, default="octahedra")
    joint_names: bool = switch("draw the names of the joints", crowd=False)
    axes: bool = switch("draw the axes of the joints: X red, Y green, Z blue", crowd=False)
    ghost: Still | None = choice(
        "draw the skeleton in the rest or the bind pose, dashed, over the current one",
        "POSE",
        Still,
        crowd=False,
    )
    joint_path: bool = switch(
        "draw the path of the joint of --select, with dots at frames, keys and foot contacts",
        crowd=False,
    )
    onion_skins: int = value(
        "draw the skeletons of N earlier and N later frames, fading out",
        "N",
        whole_number_from(0, MOST_SKINS),
        default=0,
        crowd=False,
    )
    onion_step: int = value(
        "frames from one skeleton of --onion-skins to the next",
        "FRAMES",
        whole_number_from(1, MOST_STEP),
        default=3,
    )
    overlay_depth: bool = switch(
        "hide skeletons and axes behind the mesh instead of drawing them over it"
    )
    wireframe: bool = switch("draw the edges of the triangles", crowd=False)
    bounds: bool = switch(
        "draw bounding boxes of the character and its meshes, in the current pose", crowd=False
    )
    grid: bool | None = toggle("draw the ground grid")


@record(frozen=True)
class Shading:
    """How surfaces are shown: their light or one of their properties, tone mapping, shadows."""

    shadow: bool = toggle("draw shadows on the ground and the character", default=True)
    occlusion: bool = toggle(
        "darken creases and where surfaces meet (ambient occlusion)", default=True
    )
    weights: str | None = value(
        "show the skin weights of a joint as a heat map, in place of the view mode",
        "JOINT",
        text,
        names="joints",
        crowd=False,
        undo=False,
    )
    view_mode: ViewMode = choice(
        "shading: lit, or one property of the surface", "MODE", ViewMode, default="lit", undo=False
    )
    tone_mapping: ToneMapping = choice("tone mapping", "CURVE", ToneMapping, default="neutral")
    exposure: float = value("exposure in stops (EV)", "EV", stops, default=0.0)

    @property
    def swatches(self) -> tuple[Swatch, ...]:
        """The legend of the colours of surfaces, (): they need none."""
        return VIEWS[self.view_mode].swatches if self.weights is None else WEIGHTS


@record(frozen=True)
class Lighting:
    """The lights: the key light, an environment map, or those of the files. Degrees."""

    light: LightChoice | None = choice(
        "key: the key and rim light instead of others, even with --environment; none: no lights",
        "LIGHT",
        LightChoice,
    )
    azimuth: float | None = value(
        "key light: rotation about +Y from the front, degrees",
        "DEGREES",
        number,
        name="light-azimuth",
    )
    elevation: float | None = value(
        "key light: angle above the horizon, degrees", "DEGREES", number, name="light-elevation"
    )
    rim: float = value(
        "rim light of the key light, from behind: its strength, 0 to 2",
        "STRENGTH",
        number_from(0, MOST_RIM),
        default=1.0,
        name="light-rim",
    )
    environment: str | None = value(
        "environment map (.hdr, .exr), which is the only light; default: a studio", "FILE", text
    )
    rotation: float = value(
        "rotation of the environment about +Y, degrees",
        "DEGREES",
        number,
        default=0.0,
        name="environment-rotation",
    )

    @property
    def has_given_light(self) -> bool:
        """Whether the key light is chosen, placed or switched off: no other lights are used."""
        return (self.light, self.azimuth, self.elevation) != (None, None, None)


@record(frozen=True)
class Background:
    """What is behind the characters."""

    colours: tuple[Colour, ...] | None = value(
        "background colour: a name, #rgb, #rrggbb or #rrggbbaa; several, separated by commas, are "
        "a gradient from top to bottom",
        "COLOUR",
        colours,
        name="background",
        writer=colours_text,
    )
    transparent: bool = switch("transparent background", name="no-background")
    environment: bool = switch(
        "show the environment behind the characters; not with --no-background",
        name="environment-background",
    )
    blur: float = value(
        "how blurred --environment-background is, 0 to 1",
        "BLUR",
        share,
        default=0.0,
        name="environment-blur",
    )

    def shown(self, theme: Theme = "dark") -> tuple[Colour, ...]:
        """Return the colours from top to bottom; a single one is uniform."""
        return (CLEAR,) if self.transparent else self.colours or GRADIENTS[theme]

    @property
    def is_opaque(self) -> bool:
        """Whether nothing of it is transparent."""
        return not self.transparent and all(alpha == 1.0 for *_, alpha in self.colours or ())


@record(frozen=True)
class Look:
    """All of the look of a picture."""

    overlays: Overlays = part(Overlays, commands=RENDERING, undo=False)
    shading: Shading = part(Shading, commands=RENDERING)
    lighting: Lighting = part(Lighting, commands=RENDERING)
    background: Background = part(Background, commands=RENDERING)

    @property
    def grid(self) -> bool:
        """Whether the ground grid is drawn: by default, unless the background is transparent."""
        given = self.overlays.grid
        return not self.background.transparent if given is None else given

    @property
    def has_floor(self) -> bool:
        """Whether the ground receives shadows: below lit surfaces also without the grid."""
        return self.grid or (self.shading.shadow and self.shading.view_mode == "lit")

    def part(self, of: type[P]) -> P:
        """Return the part of a type."""
        return getattr(self, of.__name__.lower())

    def without_environment(self) -> "Look":
        """Return the look with the built-in studio as its light."""
        look = self.changed(Lighting, environment=None, rotation=0.0)
        return look.changed(Background, environment=False, blur=0.0)

    def changed(self, of: type[P], **values: Any) -> "Look":  # noqa: ANN401 - of the fields
        """Return the look with other values in one part; this one if they are equal."""
        before = self.part(of)
        after: Any = replace(before, **values)
        return self if after == before else replace(self, **{of.__name__.lower(): after})
