"""The dope sheet below the keys: rows of the joints of a branch, a click goes to a key."""

from imgui_bundle import imgui

from ...scene.selected import Selected
from ...session import linked_transport, transport
from ...session.session import Session
from ...session.timeline.time_axis import TimeAxis, frame_at
from ...session.timeline.timeline_keys import (
    ROOT,
    DopeRow,
    DopeSheet,
    KeyPlaces,
    nearest_key,
    playing_keys,
)
from ...session.timeline.timeline_view import TimelineView
from .. import short_names, theme, widgets

TALL, SIZE = 1.05, 0.8  # font heights: of a row, of its name
MOST, MOST_LOW = 7, 3  # visible rows
_RADIUS = 0.2  # font heights: of a key
_REACH = 0.5  # font heights from a key to the pointer
_INDENT, _DEEPEST = 0.35, 4  # font heights for each step of depth, up to some steps


def shown(session: Session) -> bool:
    """Return whether the dope sheet is shown: while something plays."""
    playable = transport.playable_character(session) is not None
    return session.interface.dope_sheet and playable


def height(session: Session, *, low: bool) -> float:
    """Return the height of the visible rows, points; 0 if they are hidden."""
    if not shown(session):
        return 0.0
    return min(max(len(_rows(session)), 1), MOST_LOW if low else MOST) * TALL * widgets.em()


def draw(session: Session, axis: TimeAxis, corner: tuple[float, float], *, low: bool) -> None:
    """Draw the rows, which scroll if they are many."""
    tall = height(session, low=low)
    if not tall:
        return
    imgui.set_cursor_screen_pos(corner)
    size = imgui.ImVec2(imgui.get_content_region_avail().x, tall)
    with widgets.colored((imgui.Col_.child_bg, (0.0, 0.0, 0.0, 0.0))):
        if imgui.begin_child("dope sheet", size):
            _visible(session, axis, corner, tall)
        imgui.end_child()


def _visible(session: Session, axis: TimeAxis, corner: tuple[float, float], tall: float) -> None:
    """Draw the rows that are in view."""
    rows, step, playing = _rows(session), TALL * widgets.em(), playing_keys(session)
    if not rows or playing is None:
        imgui.set_cursor_screen_pos(corner)
        none = "No keys of this joint, nor of those below it"
        widgets.quiet("No layer plays a clip by itself" if playing is None else none)
        return
    top = imgui.get_cursor_screen_pos().y
    first = max(int((corner[1] - top) / step), 0)
    last = min(int((corner[1] + tall - top) / step) + 1, len(rows))
    sheet, apart = session.interface.of(DopeSheet), 2.0 * _RADIUS * widgets.em()
    marks = sheet.marks(rows, axis, playing.places, apart)
    for number in range(first, last):
        place = corner[0], top + number * step
        _name(session, rows[number], place, axis.left - corner[0], playing.clip.name)
        _keys(session, axis, playing.places, rows[number], marks[number], place[1])
    imgui.set_cursor_screen_pos((corner[0], top + len(rows) * step))
    imgui.dummy((1.0, 0.0))


def _rows(session: Session) -> list[DopeRow]:
    model, chosen, playing = session.model, session.selected, playing_keys(session)
    if model is None or playing is None:
        return []
    joint = ROOT if chosen is None else chosen.joint
    return session.interface.of(DopeSheet).rows(model, playing.clip, joint)


def _name(
    session: Session, row: DopeRow, place: tuple[float, float], width: float, clip: str
) -> None:
    """Draw the name of a joint; a click selects it."""
    model, em = session.model, widgets.em()
    if model is None:
        return
    name = model.skeleton.names[row.joint]
    indent = _INDENT * em * min(row.depth, _DEEPEST)
    room = max(width - 0.9 * em, em)
    text = name.removeprefix(short_names.joint_prefix(model))
    imgui.set_cursor_screen_pos(place)
    pressed = imgui.invisible_button(f"dope name {row.joint}", (room, TALL * em))
    if pressed and session.active is not None:
        session.selections.select(session.active, Selected(row.joint))
    widgets.mark(session, f"dope name {name}")
    widgets.hint(f"{name}: click to select\nKeys of {clip}")
    color = theme.palette().text if imgui.is_item_hovered() else theme.palette().quiet
    shortened = widgets.shortened(text, (room - indent) / SIZE)
    at = place[0] + indent, place[1] + (TALL - SIZE) * em / 2.0
    lines = imgui.get_window_draw_list()
    lines.add_text(imgui.get_font(), SIZE * em, at, theme.packed(color), shortened)


def _keys(
    session: Session,
    axis: TimeAxis,
    places: KeyPlaces,
    row: DopeRow,
    marks: list[tuple[float, float]],
    top: float,
) -> None:
    """Draw the keys of a joint; a click on one goes to its time."""
    em, lines = widgets.em(), imgui.get_window_draw_list()
    reach, middle = _REACH * em, top + TALL * em / 2.0
    imgui.set_cursor_screen_pos((axis.left - reach, top))
    pressed = imgui.invisible_button(f"dope {row.joint}", (axis.width + 2.0 * reach, TALL * em))
    if session.model is not None:
        widgets.mark(session, f"dope {session.model.skeleton.names[row.joint]}")
    key = None
    if pressed or imgui.is_item_hovered():
        at = axis.seconds(imgui.get_io().mouse_pos.x)
        times = places.on_ruler(row.times, axis.begin, axis.end)
        key = nearest_key(times, at, reach / axis.width * axis.length)
    if imgui.is_item_hovered():
        low, high = (axis.left - reach, top), (axis.right + reach, top + TALL * em)
        lines.add_rect_filled(low, high, theme.packed(theme.palette().ink, 0.06))
    if key is not None:
        if pressed:
            linked_transport.pause_at(session, key)
        words = f"{key:.3f} s, frame {frame_at(key, session.frame_rate)}"
        widgets.tooltip(words, session.interface.of(TimelineView).top)
    rail = theme.packed(theme.palette().rail)
    lines.add_line((axis.left, middle), (axis.right, middle), rail, 1.0)
    radius, ink = _RADIUS * em, theme.packed(theme.palette().accent)
    for first, last in marks:
        if last > first:
            box = (first, middle - 0.7 * radius), (last, middle + 0.7 * radius)
            lines.add_rect_filled(*box, ink, 0.7 * radius)
        else:
            lines.add_ngon_filled((first, middle), radius, ink, 4)
    if key is not None and axis.shows(key):
        knob = theme.packed(theme.palette().knob)
        lines.add_ngon((axis.x(key), middle), 1.6 * radius, knob, 4, 1.5)
