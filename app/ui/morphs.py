"""Sliders of the morph weights, which override the clip."""

import math
from collections.abc import Iterator

import numpy as np
from imgui_bundle import imgui

from ..scene.character import Character
from ..session.session import Session
from . import icons, theme, widgets


def count(session: Session) -> int:
    """Return the number of morph weights of the character."""
    character = session.character
    if character is None:
        return 0
    return sum(channel.width for channel in character.model.channels if channel.is_weights)


def draw(session: Session) -> None:
    """Draw a slider for each morph target, colored if it overrides the clip."""
    character = session.character
    if character is None:
        return
    held = not np.isnan(character.override).all()
    with widgets.disabled(not held):
        if imgui.button(f"{icons.UNDO}  Reset to the clip"):
            character.override.fill(math.nan)
    widgets.mark(session, "release morphs")
    for group, label, value in sliders(character):
        if label == "":
            widgets.quiet(group)
            continue
        _slider(session, character, label, value)


def sliders(character: Character) -> Iterator[tuple[str, str, int]]:
    """Yield mesh, label and index in `Pose.values` of every slider; label "" is a mesh heading."""
    model = character.model
    several = sum(channel.is_weights for channel in model.channels) > 1
    for number, channel in enumerate(model.channels):
        if not channel.is_weights:
            continue
        instance = next(
            (candidate for candidate in model.instances if candidate.channel == number), None
        )
        mesh = "" if instance is None else model.meshes[instance.mesh].name
        names: tuple[str, ...] = ()
        if instance is not None:
            parts = model.meshes[instance.mesh].primitives
            names = next((part.morph.names for part in parts if part.morph is not None), ())
        if several:
            yield mesh, "", channel.start
        for k in range(channel.width):
            name = names[k] if k < len(names) and names[k] else f"Target {k}"
            yield mesh, name, channel.start + k


def _slider(session: Session, character: Character, label: str, value: int) -> None:
    held = not math.isnan(character.override[value])
    now = float(character.pose.values[value])
    imgui.set_next_item_width(-1)
    changed, now = widgets.slider(
        session,
        f"morph {value}",
        (label, f"{now:.2f}"),
        now,
        (min(0.0, now), max(1.0, now)),
        color=theme.palette().accent if held else theme.palette().quiet,
    )
    if changed:
        character.override[value] = now
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        character.override[value] = math.nan
    widgets.hint("Drag to override the clip; right click to reset")
