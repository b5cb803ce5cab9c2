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
    light, azimuth, elevation
        The key light as in `Display`.
    background
        Colours from top to bottom; (): those of the theme.
    """

    environment: tuple[str, float] | None = None
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
        display.light,
        display.light_azimuth,
        display.light_elevation,
        () if theme else colours,
    )


def show(stage: Stage, display: Display, theme_background: Colour) -> None:
    """Apply light and background to a scene; the environment is set by its reader."""
    display.light, display.light_azimuth = stage.light, stage.azimuth
    display.light_elevation = stage.elevation
    display.background, *below = stage.background or (theme_background,)
    display.background_below = tuple(below)


def preset_of(stage: Stage) -> str:
    """Return the name of the preset that a stage is, apart from its environment; "" for none."""
    bare = replace(stage, environment=None)
    return next((name for name, (_, preset) in PRESETS.items() if preset == bare), "")
