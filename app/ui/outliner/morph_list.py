"""The morph targets of the outliner: sliders of their weights, which override the clip."""

import math
from dataclasses import dataclass, field
from typing import get_args

import numpy as np
from imgui_bundle import imgui

from ...memo import is_same
from ...scene.character import Character
from ...session.inspection.morph_effects import morph_effects, moved_text
from ...session.outliner import MorphOrder, MorphRow, searched_morphs, sorted_morphs
from ...session.session import Session
from .. import icons, theme, widgets
from . import row_list

GAP = 3.0  # points between sliders
ORDERS = {"file": "File", "weight": "Weight", "effect": "Effect"}


@dataclass(slots=True)
class MorphList:
    """The rows as they were sorted last, and what they depended on."""

    asked: tuple[object, ...] = ()
    rows: list[MorphRow] = field(default_factory=list)


def draw(session: Session) -> None:
    """Draw a search field, the order, a button that resets all weights, and a slider for each."""
    character, outliner = session.character, session.interface.outliner
    if character is None:
        widgets.quiet("No file is open")
        return
    if not searched_morphs(character.model):
        widgets.quiet("No morph targets")
        return
    outliner.filter_morphs, _ = widgets.search_field(
        session, "search morphs", outliner.filter_morphs
    )
    order = widgets.segments(session, "order of morphs", ORDERS, outliner.morph_order)
    outliner.morph_order = next(each for each in get_args(MorphOrder) if each == order)
    listed = _in_order(session, character)
    with widgets.Disabled(bool(np.isnan(character.override).all())):
        if widgets.button(session, "release morphs", f"{icons.UNDO}  Reset to the clip", -1.0):
            session.editor.drag_morph(None, math.nan, "Reset of morph weights")
    if not listed:
        widgets.quiet("No matching morph targets")
        return

    reaches = _reaches(session, character) if outliner.morph_order == "effect" else {}

    def row(k: int) -> None:
        _row(session, character, listed[k], reaches)

    row_list.draw(session, "morph list", len(listed), -1, row, GAP)


def _in_order(session: Session, character: Character) -> list[MorphRow]:
    """Return the rows in the chosen order, which rests while something is dragged."""
    outliner, state = session.interface.outliner, session.interface.of(MorphList)
    rows = searched_morphs(character.model, outliner.filter_morphs)
    values, order = character.pose.values, outliner.morph_order
    asked = character.model, order, outliner.filter_morphs, session.selected
    if not (imgui.is_any_item_active() and is_same(asked, state.asked)):
        reaches = _reaches(session, character) if order == "effect" else {}
        state.asked, state.rows = asked, sorted_morphs(rows, order, values, reaches)
    return state.rows


def _reaches(session: Session, character: Character) -> dict[int, float]:
    effects = morph_effects(character, session.selected)
    return {effect.value: effect.reach for effect in effects}


def _row(session: Session, character: Character, row: MorphRow, reaches: dict[int, float]) -> None:
    """Draw the name of a mesh, or the slider of a target, coloured if it overrides the clip.

    Where `reaches` has the target, the slider says how far that moves the selection.
    """
    if row.value < 0:
        shown = widgets.shortened(row.label, imgui.get_content_region_avail().x)
        widgets.label(shown, theme.palette().quiet)
        return
    held = not math.isnan(character.override[row.value])
    now = float(character.pose.values[row.value])
    reach = reaches.get(row.value, 0.0)
    shown = moved_text(reach, now) if reach else f"{now:.2f}"
    tall, palette = imgui.get_frame_height(), theme.palette()
    new = widgets.slider(
        session,
        f"morph {row.value}",
        (row.label, shown),
        now,
        (min(0.0, now), max(1.0, now)),
        imgui.get_content_region_avail().x - tall,
        color=palette.accent if held else palette.quiet,
        tip=f"{row.label}: drag to override the clip; right click to reset",
    )
    if new != now:
        session.editor.drag_morph(row.value, new, f"Morph {row.label}")
    reset = imgui.is_item_clicked(imgui.MouseButton_.right)
    if held:
        imgui.same_line(0.0, 0.0)
        with widgets.Colored((imgui.Col_.button, widgets.CLEAR_COLOR)):
            reset |= widgets.toggle(
                session, f"reset morph {row.value}", icons.UNDO, False, "Reset to the clip", tall
            )
    if reset and held:
        session.editor.drag_morph(row.value, math.nan, f"Reset of morph {row.label}")
