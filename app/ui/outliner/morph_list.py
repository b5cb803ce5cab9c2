"""The morph targets of the outliner: sliders of their weights, which override the clip."""

import math

import numpy as np
from imgui_bundle import imgui

from ...scene.character import Character
from ...session.outliner import MorphRow
from ...session.session import Session
from .. import icons, theme, widgets
from . import row_list

GAP = 3.0  # points between sliders


def draw(session: Session) -> None:
    """Draw a search field, a button that resets all weights, and a slider for each target."""
    character, outliner = session.character, session.interface.outliner
    if character is None:
        widgets.quiet("No file is open")
        return
    if not outliner.morphs(character.model):
        widgets.quiet("No morph targets")
        return
    outliner.filter_morphs, _ = widgets.search_field(
        session, "search morphs", outliner.filter_morphs
    )
    listed = outliner.morphs(character.model, outliner.filter_morphs)
    with widgets.Disabled(bool(np.isnan(character.override).all())):
        if widgets.button(session, "release morphs", f"{icons.UNDO}  Reset to the clip", -1.0):
            session.editor.drag_morph(None, math.nan, "Reset of morph weights")
    if not listed:
        widgets.quiet("No matching morph targets")
        return

    def row(k: int) -> None:
        _row(session, character, listed[k])

    row_list.draw(session, "morph list", len(listed), -1, row, GAP)


def _row(session: Session, character: Character, row: MorphRow) -> None:
    """Draw the name of a mesh, or the slider of a target, coloured if it overrides the clip."""
    if row.value < 0:
        shown = widgets.shortened(row.label, imgui.get_content_region_avail().x)
        widgets.label(shown, theme.palette().quiet)
        return
    held = not math.isnan(character.override[row.value])
    now = float(character.pose.values[row.value])
    tall, palette = imgui.get_frame_height(), theme.palette()
    new = widgets.slider(
        session,
        f"morph {row.value}",
        (row.label, f"{now:.2f}"),
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
