"""The strip of a clip that plays alone: its range, moved and stretched by mouse."""

from imgui_bundle import imgui

from ...model.lookup import clip_prefix
from ...session.player import PlayRange
from ...session.session import Session
from ...session.timeline.timeline_view import (
    RangeDrag,
    RangePart,
    TimelineView,
    dragged_range,
    range_part,
)
from .. import theme, widgets
from ..outliner import clip_details
from . import lanes
from .lanes import REACH, SIZE, STILL, TALL, Lane, Row

_COLOR = 2  # index of a color of curves: that of the first layer


def shown(session: Session) -> bool:
    """Return whether the strip is shown: by the button, while a clip plays alone."""
    character = session.character
    alone = character is not None and character.mixer.clip >= 0
    return alone and session.interface.of(TimelineView).strips is True


def _height(session: Session, _low: bool) -> float:
    """Return the height of the lane, points; 0 if it is hidden."""
    return TALL * widgets.em() if shown(session) else 0.0


def _draw(session: Session, row: Row) -> bool:
    active = session.active
    if active is None:
        return False
    em, palette, lines = widgets.em(), theme.palette(), imgui.get_window_draw_list()
    axis, top, tall = row.axis, row.top, row.tall
    lanes.label(row, "Clip", theme.packed(palette.quiet))
    lanes.begin_strips(row)
    whole = PlayRange(*session.transport.span)
    span, color = active.transport.play_range or whole, palette.series[_COLOR]
    ends = axis.x(whole.begin), axis.x(whole.end)
    lines.add_rect((ends[0], top + 2.0), (ends[1], top + tall - 2.0), theme.packed(color, 0.5))
    ends = axis.x(span.begin), axis.x(span.end)
    strip = (ends[0], top + 2.0), (ends[1], top + tall - 2.0)
    lines.add_rect_filled(*strip, theme.packed(color, 0.4))
    lines.add_rect(*strip, theme.packed(color), 0.0, 1.5)
    name = active.character.mixer.name.removeprefix(clip_prefix(active.model))
    begin = max(ends[0], axis.left) + 0.4 * em
    text = widgets.shortened(name, (min(ends[1], axis.right) - begin) / SIZE)
    lines.add_text(
        imgui.get_font(), SIZE * em, (begin, top + 0.2 * em), theme.packed(palette.text), text
    )
    lines.pop_clip_rect()
    widgets.mark_box(session, "clip strip", (ends[0], top), (ends[1], top + tall))
    return False


def _hover(session: Session, row: Row) -> list[str]:
    """Drag the strip or an end; a double click plays all, the right button opens the settings.

    Returns what the tooltip says.
    """
    active, axis, words = session.active, row.axis, list[str]()
    if active is None:
        return words
    whole = PlayRange(*session.transport.span)
    span = active.transport.play_range or whole
    view, x = session.interface.of(TimelineView), imgui.get_io().mouse_pos.x
    part = range_part(axis, span, x, REACH * widgets.em())
    if imgui.is_item_hovered():
        if part in ("begin", "end"):
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        words = _words(session, span, whole, part)
        if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
            session.transport.clear_play_range()
            view.clip_drag = None
            return words
        if imgui.is_mouse_released(imgui.MouseButton_.right) and session.character is not None:
            session.interface.mixer_panels.tab = "Clips"  # which draws the settings
            clip_details.open_for(session, session.character.mixer.clip)
    left_down = imgui.is_mouse_down(imgui.MouseButton_.left)
    if imgui.is_item_activated() and left_down and part != "new":
        view.clip_drag = RangeDrag(part, axis.seconds(x), x, span)
    drag = view.clip_drag
    if drag is not None and imgui.is_item_active() and abs(x - drag.place) > STILL:
        moved = dragged_range(drag, axis.seconds(x), whole, session.frame_rate)
        session.transport.set_play_range(*moved)
    if imgui.is_item_deactivated():
        view.clip_drag = None
    return words


def _words(session: Session, span: PlayRange, whole: PlayRange, part: RangePart) -> list[str]:
    """Return what plays of the clip, and how to change it."""
    if part == "new" or not imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        return []
    character = session.character
    name = "" if character is None else character.mixer.name
    words = [f"{name} from {span.begin:.2f} s to {span.end:.2f} s"]
    if span != whole:
        words += [f"Part of {whole.begin:.2f} s to {whole.end:.2f} s; double click: all of it"]
    words += ["Drag an end: range that playback repeats; right click: settings of the clip"]
    return words


LANE = Lane("clip lane", _height, _draw, _hover)
