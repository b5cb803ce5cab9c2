"""The settings of a stage, and presets of them."""

from dataclasses import dataclass, replace

from ...scene.display_settings import BACKGROUND, LIGHT_BACKGROUND, Colour, Display, LightChoice

WHITE: Colour = (1.0, 1.0, 1.0, 1.0)
BLACK: Colour = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Stage:
    """Environment, light and background.

    Attributes
    ----------
    environment
        File and rotation in degrees about +Y; None: the built-in studio.
    environment_background, environment_blur
        Whether the environment is the background, and how blurred it is, 0 to 1.
    light, azimuth, elevation
        The key light as in `Display`.
    background
        Colours from top to bottom; (): those of the theme.
    """

    environment: tuple[str, float] | None = None
    environment_background: bool = False
    environment_blur: float = 0.0
    light: LightChoice | None = None
    azimuth: float | None = None
    elevation: float | None = None
    background: tuple[Colour, ...] = ()


PRESETS: dict[str, tuple[str, Stage]] = {  # by name: label and settings
    "studio": ("Studio", Stage()),
    "low light": ("Low light from the left", Stage(azimuth=-55.0, elevation=20.0)),
    "side light": ("Side light", Stage(azimuth=85.0, elevation=25.0)),
    "back light": ("Back light", Stage(azimuth=160.0, elevation=35.0)),
    "top light": ("Top light", Stage(azimuth=0.0, elevation=80.0)),
    "soft": ("Soft, without lights", Stage(light="none")),
    "white": ("White background", Stage(background=(WHITE,))),
    "black": ("Black background", Stage(background=(BLACK,))),
}


def stage_of(display: Display) -> Stage:
    """Return the stage that a scene shows."""
    colours = (display.background, *display.background_below)
    theme = colours in ((BACKGROUND,), (LIGHT_BACKGROUND,))
    return Stage(
        display.environment_from,
        display.environment_map is not None,
        display.environment_blur,
        display.light,
        display.light_azimuth,
        display.light_elevation,
        () if theme else colours,
    )


def without_environment(stage: Stage) -> Stage:
    """Return a stage with the built-in studio."""
    return replace(stage, environment=None, environment_background=False, environment_blur=0.0)


def show(stage: Stage, display: Display, theme_background: Colour) -> None:
    """Apply light and background to a scene; the environment is set by its reader."""
    display.light, display.light_azimuth = stage.light, stage.azimuth
    display.light_elevation = stage.elevation
    display.background, *below = stage.background or (theme_background,)
    display.background_below = tuple(below)


def preset_of(stage: Stage) -> str:
    """Return the name of the preset that a stage is, apart from its environment; "" for none.

    A stage with the environment as its background is none.
    """
    if stage.environment_background:
        return ""
    bare = without_environment(stage)
    return next((name for name, (_, preset) in PRESETS.items() if preset == bare), "")
