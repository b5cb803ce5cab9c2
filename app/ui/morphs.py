"""Sliders of the morph weights, which override the clip."""

import math

import numpy as np
from imgui_bundle import imgui

from ..model.morph_weights import morph_weights
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
    weights = morph_weights(character.model)
    several = len({weight.node for weight in weights}) > 1
    above = -1
    for weight in weights:
        if several and weight.node != above:
            widgets.quiet(weight.mesh)
        above = weight.node
        _slider(session, character, weight.target, weight.value)


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
