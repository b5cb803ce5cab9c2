"""The panel "Stage": presets, environment, light and background."""

from dataclasses import replace
from pathlib import Path
from typing import cast

from imgui_bundle import imgui

from ...scene.display_settings import Colour, LightChoice
from ...session.session import Session
from ...session.stage.stage_settings import PRESETS, Stage, preset_of, without_environment
from .. import theme, widgets

AZIMUTHS, ELEVATIONS = (-180.0, 180.0), (-10.0, 90.0)  # degrees, ranges of the sliders
_AZIMUTH, _ELEVATION = 35.0, 45.0  # degrees, shown while the default light is used
_BACKGROUNDS = {"theme": "Of the theme", "one": "One colour", "two": "Gradient"}
_ENVIRONMENT = {"environment": "Environment"}  # offered if the stage has one
_LIGHTS = {"": "Default", "key": "Key light only", "none": "None"}
_GREYS: tuple[Colour, Colour] = ((0.35, 0.37, 0.40, 1.0), (0.12, 0.12, 0.13, 1.0))
_LEVELS = 255  # of a component, as commands write colours


def draw(session: Session) -> None:
    """Draw the panel; every change is one undo step."""
    stage, now = session.stage, session.stage.stage
    if not imgui.is_any_item_active():
        stage.end_drag()
    presets = {name: label for name, (label, _) in PRESETS.items()}
    own = preset_of(now)
    listed = presets if own else {"": "Own", **presets}
    chosen = widgets.choice(session, "stage preset", listed, own, "Preset: ")
    if chosen != own and chosen:
        preset = replace(PRESETS[chosen][1], environment=now.environment)
        stage.set(preset, f"Stage {presets[chosen]}")
    _environment(session, now)
    _light(session, now)
    _background(session, now)


def _environment(session: Session, now: Stage) -> None:
    """Draw the environment: its file, its rotation, and buttons to open and remove it."""
    stage = session.stage
    room = imgui.get_content_region_avail().x
    name = "built-in studio" if now.environment is None else Path(now.environment[0]).name
    widgets.quiet(widgets.shortened(f"Environment: {name}", room))
    widgets.hint("" if now.environment is None else now.environment[0])
    if imgui.button("Open…##environment"):
        session.ask("environment")
    widgets.mark(session, "open environment")
    widgets.hint("An .hdr or .exr file; it can be dropped on the window, too")
    if now.environment is None:
        return
    imgui.same_line()
    if imgui.button("Remove##environment"):
        stage.set(without_environment(now), "Remove the environment")
    widgets.mark(session, "remove environment")
    path, turn = now.environment
    imgui.set_next_item_width(-1)
    words = ("Rotation", f"{turn:.0f}°")
    changed, turned = widgets.slider(session, "environment rotation", words, turn, AZIMUTHS)
    if changed and round(turned) != round(turn):
        rotated = replace(now, environment=(path, float(round(turned))))
        stage.set(rotated, "Rotation of the environment", "rotation")
    if stage.reading:
        with widgets.colored((imgui.Col_.text, theme.palette().quiet)):
            imgui.text_wrapped("The environment is being prepared…")


def _light(session: Session, now: Stage) -> None:
    """Draw the choice of the lights, and the direction of the key light."""
    stage = session.stage
    light = widgets.choice(session, "stage light", _LIGHTS, now.light or "", "Light: ")
    if light != (now.light or ""):
        chosen = cast(LightChoice, light) if light else None
        stage.set(replace(now, light=chosen, azimuth=None, elevation=None), "Light")
        return
    with widgets.disabled(now.light == "none"):
        for label, value, default, limits in (
            ("Azimuth", now.azimuth, _AZIMUTH, AZIMUTHS),
            ("Elevation", now.elevation, _ELEVATION, ELEVATIONS),
        ):
            shown = "default" if value is None else f"{value:.0f}°"
            degrees = default if value is None else value
            imgui.set_next_item_width(-1)
            changed, given = widgets.slider(
                session, f"light {label}", (label, shown), degrees, limits
            )
            if changed:
                angle = float(round(min(max(given, limits[0]), limits[1])))
                azimuth = angle if label == "Azimuth" else now.azimuth
                elevation = angle if label == "Elevation" else now.elevation
                moved = replace(now, azimuth=azimuth, elevation=elevation)
                stage.set(moved, "Direction of the light", label)


def _background(session: Session, now: Stage) -> None:
    """Draw the background: that of the theme, a colour, a gradient of two, or the environment."""
    stage = session.stage
    kind = ("theme", "one", "two")[min(len(now.background), 2)]
    listed = _BACKGROUNDS
    if now.environment is not None:
        listed = _BACKGROUNDS | _ENVIRONMENT
        kind = "environment" if now.environment_background else kind
    chosen = widgets.choice(session, "stage background", listed, kind, "Background: ")
    if chosen != kind:
        first = _rounded(now.background[0] if now.background else _GREYS[0])
        second = _rounded(_GREYS[1])
        colours = {"one": (first,), "two": (first, second)}.get(chosen, ())
        shown = chosen == "environment"
        blur = now.environment_blur if shown else 0.0
        moved = replace(now, environment_background=shown, environment_blur=blur)
        stage.set(replace(moved, background=colours), "Background")
        return
    if kind == "environment":
        _blur(session, now)
        return
    for k, colour in enumerate(now.background):
        given = imgui.ImVec4(*colour)
        flags = imgui.ColorEditFlags_.no_inputs | imgui.ColorEditFlags_.no_alpha
        if k:
            imgui.same_line()
        changed, picked = imgui.color_edit3(f"##background {k}", list(colour[:3]), flags)
        widgets.mark(session, f"background {k}")
        if changed:
            own = _rounded((picked[0], picked[1], picked[2], given.w))
            colours = (*now.background[:k], own, *now.background[k + 1 :])
            stage.set(replace(now, background=colours), "Background", f"background {k}")


def _rounded(colour: Colour) -> Colour:
    """Return a colour that a command can write."""
    r, g, b, a = (round(float(part) * _LEVELS) / _LEVELS for part in colour)
    return r, g, b, a


def _blur(session: Session, now: Stage) -> None:
    """Draw the slider of the environment's blur."""
    blur = now.environment_blur
    imgui.set_next_item_width(-1)
    words = ("Blur", f"{blur:.2f}")
    changed, given = widgets.slider(session, "environment blur", words, blur, (0.0, 1.0))
    given = round(min(max(given, 0.0), 1.0), 2)
    if changed and given != blur:
        session.stage.set(replace(now, environment_blur=given), "Blur of the background", "blur")
