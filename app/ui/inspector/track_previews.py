"""The tracks of a joint as spark lines with the present time; a click opens the curves."""

from functools import lru_cache

from imgui_bundle import imgui

from ...session.inspection.inspector import Inspector, Spark, spark_boxes
from ...session.opened_character import OpenedCharacter
from ...session.session import Session
from .. import curve_legend, theme, widgets
from ..shown_clip import clip_time, shown_clip

HIGH = 2.4  # font heights of a box
MOST = 8  # boxes, and lines of a box


def draw(session: Session, active: OpenedCharacter, joint: int) -> None:
    """Draw a box for each track of the joint in the present clip."""
    state, character = session.interface.of(Inspector), active.character
    clip = state.clip = shown_clip(session, state.clip)
    if clip is None:
        widgets.quiet("No clip is playing")
        return
    begin = character.mixer.clip_begin(clip)
    sparks = spark_boxes(active.model, clip, joint, begin)
    if not sparks:
        widgets.quiet(f"No tracks in {clip.name}")
        return
    share = (clip_time(session, clip) - begin) / max(clip.end - begin, 1e-9)
    for spark in sparks[:MOST]:
        if _box(session, spark, min(max(share, 0.0), 1.0)):
            view = session.interface.curves
            view.shown, view.chart = True, spark.name
            view.subject, view.missing = active.model.skeleton.names[joint], ""
    if len(sparks) > MOST:
        widgets.quiet(f"and {len(sparks) - MOST} more")


def _box(session: Session, spark: Spark, share: float) -> bool:
    """Draw the lines of a chart; return whether it was clicked."""
    em, palette = widgets.em(), theme.palette()
    low, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    caption = curve_legend.SMALL * em
    size, flags = (width, HIGH * em + caption), imgui.ButtonFlags_.enable_nav
    tip = f"{spark.words}\nA click opens the curves"
    pressed = widgets.area(session, f"track {spark.name}", size, flags, tip)
    opaque = 0.9 if imgui.is_item_hovered() else 0.5
    lines, font = imgui.get_window_draw_list(), imgui.get_font()
    quiet = theme.packed(palette.quiet)
    lines.add_text(font, caption, low, quiet, spark.name)
    end = low.x + width - imgui.calc_text_size(spark.reach).x * curve_legend.SMALL
    lines.add_text(font, caption, (end, low.y), quiet, spark.reach)
    top, high = low.y + caption + 1.0, HIGH * em - 3.0
    corner = low.x + width, top + high
    lines.add_rect_filled((low.x, top), corner, theme.packed(palette.field, opaque), 3.0)
    for style, points in _placed(spark, low.x, top, width, high):
        color = theme.packed(curve_legend.color(style))
        lines.add_polyline(points, color, thickness=1.3, flags=0)
    x = low.x + share * width
    lines.add_line((x, top), (x, top + high), theme.packed(palette.knob), 1.0)
    return pressed


@lru_cache(maxsize=MOST)
def _placed(
    spark: Spark, left: float, top: float, width: float, high: float
) -> list[tuple[int, list[imgui.ImVec2Like]]]:
    """Return the style and the window positions of each line."""
    return [
        (style, [imgui.ImVec2(*each) for each in (points * (width, high) + (left, top)).tolist()])
        for style, points in spark.lines[:MOST]
    ]
