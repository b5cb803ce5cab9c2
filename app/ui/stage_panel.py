"""The panel "Stage": presets, surface, environment, light and background."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

from imgui_bundle import imgui

from ..fields.readers import LARGEST_CROWD, MAX_STOPS, Colour, grid
from ..scenedoc.look import (
    MOST_RIM,
    Background,
    LightChoice,
    Lighting,
    Look,
    Shading,
    ToneMapping,
)
from ..scenedoc.scene_doc import Crowd
from ..scenedoc.view_modes import VIEWS, ViewMode
from ..session.session import Session
from ..session.stage import PRESETS, preset_of
from . import widgets

VIEW_MODES: dict[ViewMode, str] = {name: view.label for name, view in VIEWS.items()}
VIEW_HINTS: dict[ViewMode, str] = {name: view.what for name, view in VIEWS.items()}
TONE_MAPPINGS: dict[ToneMapping, str] = {
    "neutral": "Neutral",
    "aces": "ACES",
    "linear": "Linear",
    "none": "None",
}
EXPOSURES = -4.0, 4.0  # EV, range of the slider
AZIMUTHS, ELEVATIONS = (-180.0, 180.0), (-10.0, 90.0)  # degrees, ranges of the sliders
_AZIMUTH, _ELEVATION = 35.0, 45.0  # degrees, shown while the default light is used
_BACKGROUNDS = {"theme": "Of the theme", "one": "One colour", "two": "Gradient"}
_ENVIRONMENT = {"environment": "Environment"}  # offered if the stage has one
LIGHTS: dict[LightChoice | Literal[""], str] = {
    "": "Default",
    "key": "Key light only",
    "none": "None",
}
_GREYS: tuple[Colour, Colour] = ((0.35, 0.37, 0.40, 1.0), (0.12, 0.12, 0.13, 1.0))
FIRST_CROWD, CROWDS = 30, (1.0, 200.0)  # characters; range of the slider, more can be typed
_SHARES = {  # name of the slider, and of its undo step
    "blur": ("environment blur", "Blur of the background"),
    "rim": ("light rim", "Rim light"),
}
_LEVELS = 255  # of a component, as commands write colours


def draw(session: Session) -> None:
    """Draw the panel; every change is one undo step."""
    stage, now = session.stage, session.scene.look
    if not imgui.is_any_item_active():
        session.history.close()
    presets = {name: label for name, (label, _) in PRESETS.items()}
    own = preset_of(now)
    listed = presets if own else {"": "Own", **presets}
    chosen = widgets.choice(session, "stage preset", listed, own, "Preset: ")
    if chosen != own and chosen:
        stage.use(chosen)
    _surface(session)
    _environment(session, now)
    _light(session, now)
    _background(session, now)
    _crowd(session)


def _surface(session: Session) -> None:
    """Draw the view mode, and the tone mapping and exposure of the lit surface."""
    shading = session.scene.look.shading
    now = shading.view_mode
    widgets.heading("Surface")
    mode = widgets.choice(session, "view mode", VIEW_MODES, now, "View mode: ", hints=VIEW_HINTS)
    if mode != now:  # a new choice hides joint weights
        session.change(Shading, view_mode=mode, weights=None)
    with widgets.Disabled(shading.view_mode != "lit"):
        mapping = widgets.choice(
            session, "tone mapping", TONE_MAPPINGS, shading.tone_mapping, "Tone mapping: "
        )
        session.change(Shading, "Tone mapping", tone_mapping=mapping)
        ev = shading.exposure
        words = ("Exposure", f"{ev:+.1f} EV")
        ev = widgets.slider(session, "exposure", words, ev, EXPOSURES)
        ev = min(max(ev, -MAX_STOPS), MAX_STOPS)
        session.change(Shading, "Exposure", "exposure", exposure=ev)


def _environment(session: Session, now: Look) -> None:
    """Draw the environment: its file, its rotation, and buttons to open and remove it."""
    stage = session.stage
    room = imgui.get_content_region_avail().x
    path, turn = now.lighting.environment, now.lighting.rotation
    name = "Built-in studio" if path is None else Path(path).name
    widgets.heading("Environment")
    widgets.quiet(widgets.shortened(name, room))
    widgets.hint(path or "")
    tip = "An .hdr or .exr file; it can be dropped on the window, too"
    if widgets.button(session, "open environment", "Open…", tip=tip):
        session.interface.ask("environment")
    if path is None:
        return
    imgui.same_line()
    if widgets.button(session, "remove environment", "Remove"):
        stage.set(now.without_environment(), "Remove the environment")
    words = ("Rotation", f"{turn:.0f}°")
    turned = widgets.slider(session, "environment rotation", words, turn, AZIMUTHS)
    if round(turned) != round(turn):
        label = "Rotation of the environment"
        session.change(Lighting, label, "rotation", rotation=float(round(turned)))
    if stage.reading:
        widgets.note("The environment is being prepared…")


def _light(session: Session, now: Look) -> None:
    """Draw the choice of the lights, and the direction of the key light."""
    lighting = now.lighting
    widgets.heading("Light")
    light = widgets.choice(session, "stage light", LIGHTS, lighting.light or "", "Light: ")
    if light != (lighting.light or ""):
        session.change(Lighting, "Light", light=light or None, azimuth=None, elevation=None)
        return
    with widgets.Disabled(lighting.light == "none"):
        for label, value, default, limits in (
            ("Azimuth", lighting.azimuth, _AZIMUTH, AZIMUTHS),
            ("Elevation", lighting.elevation, _ELEVATION, ELEVATIONS),
        ):
            shown = "default" if value is None else f"{value:.0f}°"
            degrees = default if value is None else value
            given = widgets.slider(session, f"light {label}", (label, shown), degrees, limits)
            if given != degrees:
                angle = float(round(min(max(given, limits[0]), limits[1])))
                session.change(Lighting, "Direction of the light", label, **{label.lower(): angle})
        _share(session, Lighting, "rim", MOST_RIM)


def _background(session: Session, now: Look) -> None:
    """Draw the background: that of the theme, a colour, a gradient of two, or the environment."""
    stage, background = session.stage, now.background
    shown = background.colours or ()
    kind = ("theme", "one", "two")[min(len(shown), 2)]
    listed = _BACKGROUNDS
    widgets.heading("Background")
    if now.lighting.environment is not None:
        listed = _BACKGROUNDS | _ENVIRONMENT
        kind = "environment" if background.environment else kind
    chosen = widgets.choice(session, "stage background", listed, kind, "Background: ")
    if chosen != kind:
        first = _rounded(shown[0] if shown else _GREYS[0])
        second = _rounded(_GREYS[1])
        new = Background(
            colours={"one": (first,), "two": (first, second)}.get(chosen),
            environment=chosen == "environment",
        )
        stage.set(replace(now, background=new), "Background")
        return
    if kind == "environment":
        _share(session, Background, "blur", 1.0)
        return
    for k, colour in enumerate(shown):
        given = imgui.ImVec4(*colour)
        flags = imgui.ColorEditFlags_.no_inputs | imgui.ColorEditFlags_.no_alpha
        if k:
            imgui.same_line()
        changed, picked = imgui.color_edit3(f"##background {k}", list(colour[:3]), flags)
        widgets.mark(session, f"background {k}")
        if changed:
            own = _rounded((picked[0], picked[1], picked[2], given.w))
            colours = (*shown[:k], own, *shown[k + 1 :])
            session.change(Background, "Background", f"background {k}", colours=colours)


def _crowd(session: Session) -> None:
    """Draw how many instances of the only character are shown, with which clips and phases."""
    model, now = session.model, session.crowd
    if model is None or len(session.open_characters) != 1:
        return
    widgets.heading("Crowd")
    tip = "Many instances of the character, while it plays a clip"
    on = widgets.checkbox(session, "crowd", "Many of this character", now.size is not None, tip)
    if on != (now.size is not None):
        session.set_crowd(Crowd(size=grid(FIRST_CROWD)) if on else Crowd())
    if now.size is None or not on:
        return
    if session.scene.crowd is None:
        widgets.note("It is shown while a clip plays, not layers or a still pose")
    words = ("Characters", str(now.size[2]))
    moved = widgets.slider(session, "crowd size", words, float(now.size[2]), CROWDS)
    count = min(max(round(moved), 1), LARGEST_CROWD)
    if count != now.size[2]:
        session.set_crowd(replace(now, size=grid(count)), "crowd size")
    if len(model.clips) > 1:
        tip = "All clips of the file, distributed evenly"
        every = widgets.checkbox(session, "crowd clips", "All clips", bool(now.clips), tip)
        if every != bool(now.clips):
            active = max(session.character.clip, 0) if session.character is not None else 0
            order = [active, *(k for k in range(len(model.clips)) if k != active)]
            clips = tuple(f"#{k}" for k in order) if every else ()
            session.set_crowd(replace(now, clips=clips, in_step=False))
    tip = "All characters in one pose instead of each at its own phase"
    in_step = widgets.checkbox(session, "in step", "In step", now.in_step, tip)
    if in_step != now.in_step:
        session.set_crowd(replace(now, in_step=in_step, clips=()))


def _rounded(colour: Colour) -> Colour:
    """Return a colour that a command can write."""
    r, g, b, a = (round(float(part) * _LEVELS) / _LEVELS for part in colour)
    return r, g, b, a


def _share(session: Session, of: type[Lighting | Background], name: str, most: float) -> None:
    """Draw the slider of a share, 0 to `most`: the blur of the environment, or the rim light."""
    now = getattr(session.scene.look.part(of), name)
    words = (name.capitalize(), f"{now:.2f}")
    moved = widgets.slider(session, _SHARES[name][0], words, now, (0.0, most))
    given = round(min(max(moved, 0.0), most), 2)
    if moved != now and given != now:
        session.change(of, _SHARES[name][1], name, **{name: given})
