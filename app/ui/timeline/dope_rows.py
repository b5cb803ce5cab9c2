"""The dope sheet below the keys: rows of the joints of a branch, a click goes to a key."""

from imgui_bundle import imgui

from ...model.lookup import joint_prefix
from ...scene.selected import Selected
from ...session.session import Session
from ...session.timeline.time_axis import frame_at
from ...session.timeline.timeline_keys import (
    ROOT,
    DopeRow,
    KeyPlaces,
    dope_rows,
    nearest_key,
    playing_keys,
    row_marks,
)
from .. import layout, theme, widgets
from . import lanes
from .lanes import SIZE, Lane, Row

TALL = 1.05  # font heights: of a row
MOST, MOST_LOW = 7, 3  # visible rows, unless the height was dragged
SHARE = 0.5  # of the window: the rows are not higher
_RADIUS = 0.2  # font heights: of a key
_INDENT, _DEEPEST = 0.35, 4  # font heights for each step of depth, up to some steps


def shown(session: Session) -> bool:
    """Return whether the dope sheet is shown: while something plays."""
    playable = session.transport.playable is not None
    return session.interface.dope_sheet and playable


def _height(session: Session, low: bool) -> float:
    """Return the height of the visible rows, points; 0 if they are hidden."""
    if not shown(session):
        return 0.0
    em = widgets.em()
    usual = (MOST_LOW if low else MOST) * TALL
    most = min(
        layout.size(session, "dope sheet", usual) * em, imgui.get_main_viewport().size.y * SHARE
    )
    return min(max(len(_rows(session)), 1) * TALL * em, most)


def _draw(session: Session, lane: Row) -> bool:
    """Draw the rows, which scroll if they are many."""
    imgui.set_cursor_screen_pos((lane.left, lane.top))
    size = imgui.ImVec2(lane.right - lane.left, lane.tall)
    with widgets.Colored((imgui.Col_.child_bg, widgets.CLEAR_COLOR)):
        if imgui.begin_child("dope sheet", size):
            _visible(session, lane)
        imgui.end_child()
    return False


def _visible(session: Session, lane: Row) -> None:
    """Draw the rows that are in view."""
    rows, step, playing = _rows(session), TALL * widgets.em(), playing_keys(session.transport)
    if not rows or playing is None:
        imgui.set_cursor_screen_pos((lane.left, lane.top))
        none = "No keys of this joint, nor of those below it"
        widgets.quiet("No layer plays a clip by itself" if playing is None else none)
        return
    top = imgui.get_cursor_screen_pos().y
    first = max(int((lane.top - top) / step), 0)
    last = min(int((lane.top + lane.tall - top) / step) + 1, len(rows))
    marks = row_marks(rows, lane.axis, playing.places, 2.0 * _RADIUS * widgets.em())
    for number in range(first, last):
        row = lane._replace(top=top + number * step, tall=step)
        _name(session, rows[number], row, playing.clip.name)
        _keys(session, row, playing.places, rows[number], marks[number])
    imgui.set_cursor_screen_pos((lane.left, top + len(rows) * step))
    imgui.dummy((1.0, 0.0))


def _rows(session: Session) -> list[DopeRow]:
    model, chosen, playing = session.model, session.selected, playing_keys(session.transport)
    if model is None or playing is None:
        return []
    joint = ROOT if chosen is None else chosen.joint
    return dope_rows(model, playing.clip, joint)


def _name(session: Session, dope: DopeRow, row: Row, clip: str) -> None:
    """Draw the name of a joint; a click selects it."""
    model, em = session.model, widgets.em()
    if model is None:
        return
    name = model.skeleton.names[dope.joint]
    indent = _INDENT * em * min(dope.depth, _DEEPEST)
    room = max(row.axis.left - row.left - 0.9 * em, em)
    text = name.removeprefix(joint_prefix(model))
    imgui.set_cursor_screen_pos((row.left, row.top))
    tip = f"{name}: click to select\nKeys of {clip}"
    pressed = widgets.area(session, f"dope name {name}", (room, row.tall), tip=tip)
    if pressed and session.active is not None:
        session.selections.select(session.active, Selected(dope.joint))
    color = theme.palette().text if imgui.is_item_hovered() else theme.palette().quiet
    shortened = widgets.shortened(text, (room - indent) / SIZE)
    lanes.label(row._replace(left=row.left + indent), shortened, theme.packed(color))


def _keys(
    session: Session,
    row: Row,
    places: KeyPlaces,
    dope: DopeRow,
    marks: list[tuple[float, float]],
) -> None:
    """Draw the keys of a joint; a click on one goes to its time."""
    em, lines, axis, name = widgets.em(), imgui.get_window_draw_list(), row.axis, ""
    if session.model is not None:
        name = session.model.skeleton.names[dope.joint]
    middle, key = row.top + row.tall / 2.0, None
    pressed = lanes.button(session, row, f"dope {name}")
    if pressed or imgui.is_item_hovered():
        at = axis.seconds(imgui.get_io().mouse_pos.x)
        times = places.on_ruler(dope.times, axis.begin, axis.end)
        key = nearest_key(times, at, lanes.INSET * em / axis.width * axis.length)
    if imgui.is_item_hovered():
        lines.add_rect_filled(*row.box, theme.packed(theme.palette().ink, 0.06))
    if key is not None:
        if pressed:
            session.transport.pause_at(key)
        lanes.tooltip(session, [f"{key:.3f} s, frame {frame_at(key, session.frame_rate)}"])
    rail = theme.packed(theme.palette().rail)
    lines.add_line((axis.left, middle), (axis.right, middle), rail, 1.0)
    lanes.draw_keys(marks, middle, _RADIUS * em)
    if key is not None and axis.shows(key):
        knob = theme.packed(theme.palette().knob)
        lines.add_ngon((axis.x(key), middle), 1.6 * _RADIUS * em, knob, 4, 1.5)


LANE = Lane("", _height, _draw, named=True)
