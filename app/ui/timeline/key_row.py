"""The track below the ruler: keys, events, findings, loop seam; a click or drag seeks.

Events have labels in rows below it, and flash when they fire.
"""

from functools import lru_cache

from imgui_bundle import imgui

from ...memo import Memo
from ...model.joint_key_times import joint_key_times
from ...model.lookup import joint_prefix
from ...model.model import Model
from ...session.file_check import tooltip_text
from ...session.findings.go_to_finding import open_next
from ...session.player import PlayRange
from ...session.session import Session
from ...session.timeline.time_axis import LabelPlace, TimeAxis, key_marks, staggered_labels
from ...session.timeline.timeline_keys import PlayingKeys, playing_keys
from ...session.timeline.timeline_marks import (
    FindingGroup,
    LoopSeam,
    LoopSeams,
    contact_phases,
    finding_groups,
    has_events,
    timeline_events,
)
from ...session.timeline.timeline_view import TimelineView
from .. import icons, theme, widgets
from ..findings import finding_marks
from . import lanes
from .lanes import Lane, Row

TALL, MIDDLE = 1.2, 0.77  # font heights: of the track, and from its upper edge to its keys
_APART = 3.0  # points: nearer keys are one mark
_CONTACT = 0.2  # font heights: bars of foot contacts
_SELECTED = 0.26  # font heights: radius of a selected key
_FINDING = 0.58  # font heights: icon of a finding
_NEAR = 0.7  # font heights: nearer findings have one icon
_REACH = 0.4  # font heights from the middle of an icon to the pointer
ChosenKeys = tuple[PlayingKeys | None, int]  # of the selected joint
_all_marks = Memo(key_marks)
_key_times = Memo(joint_key_times)
FLASH = 0.3  # seconds of the flash of a fired event
LABEL_SIZE = 0.8  # font heights of the labels
LISTED = 6  # events in a tooltip
_ROW = 0.92  # font heights
_HIGH = 56.0  # font heights: in a higher window there are two rows of labels
_GAP, _LEAST = 0.5, 1.6  # font heights: between labels; of the shortest label
_EVENT_REACH = 5.0  # points from a mark to the pointer


def _height(session: Session, low: bool) -> float:
    """Return the height of keys and events, points."""
    return TALL * widgets.em() + _events_height(session, low=low)


def _hover(session: Session, row: Row) -> list[str]:
    """Seek, or go to a finding; return what the tooltip says."""
    x, axis = imgui.get_io().mouse_pos.x, row.axis
    found = _take_finding(session, axis, row.top)
    left_down = imgui.is_mouse_down(imgui.MouseButton_.left)
    seeks = left_down and not session.interface.of(TimelineView).on_finding
    if imgui.is_item_active() and seeks:
        session.transport.seek(axis.seconds(x))
    elif imgui.is_item_hovered():
        seconds = axis.seconds(x)
        words = [lanes.moment(session, seconds), *_events_near(session, axis, x)]
        return [*words, *_contacts_near(session, seconds), *filter(None, [found])]
    return []


def _draw(session: Session, row: Row) -> bool:
    em, lines, box = widgets.em(), imgui.get_window_draw_list(), row.box
    axis, top, span = row.axis, row.top, row.present.span
    lines.push_clip_rect(*box, True)
    middle = top + MIDDLE * em
    if span is not None:
        _draw_outside(axis, span, box)
    rail = theme.packed(theme.palette().rail)
    lines.add_line((axis.left, middle), (axis.right, middle), rail, 0.12 * em)
    _draw_contacts(session, axis, top)
    keys = _chosen_keys(session)
    _draw_keys(session, axis, middle, keys)
    session.interface.of(TimelineView).events = top + TALL * em
    _draw_events(session, axis, top + TALL * em, low=row.low)
    _draw_findings(session, axis, top)
    lines.pop_clip_rect()
    _name(session, row, keys)
    _draw_seam(session, row)
    return False


def _draw_outside(
    axis: TimeAxis, span: PlayRange, box: tuple[tuple[float, float], tuple[float, float]]
) -> None:
    """Shade what is outside the range."""
    lines, shade = imgui.get_window_draw_list(), theme.packed(theme.palette().ink, 0.06)
    (begin, top), (end, bottom) = box
    left, right = axis.x(span.begin), axis.x(min(span.end, axis.end + axis.length))
    lines.add_rect_filled((begin, top), (left, bottom), shade)
    lines.add_rect_filled((right, top), (end, bottom), shade)


def _draw_keys(session: Session, axis: TimeAxis, y: float, keys: ChosenKeys) -> None:
    """Draw the keys of the selected joint; without one all keys, of layers what is scheduled."""
    character = session.transport.playable
    if character is None:
        return
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    playing, chosen = keys
    if playing is None or character.mixer.layered:
        ink = theme.packed(palette.quiet, 0.8)
        for first, last in _all_marks(character.mixer.marked_times, axis, _APART):
            if last > first:
                lines.add_rect_filled((first, y - 0.3 * em), (last, y + 0.3 * em), ink)
            else:
                lines.add_line((first, y - 0.3 * em), (first, y + 0.3 * em), ink)
    if playing is None:
        return
    radius = _SELECTED * em
    marks = joint_marks(character.model, playing, chosen, axis, 2.0 * radius)
    lanes.draw_keys(marks, y, radius)


@Memo
def joint_marks(
    model: Model, playing: PlayingKeys, joint: int, axis: TimeAxis, apart: float
) -> list[tuple[float, float]]:
    """Return the `key_marks` of a joint."""
    return playing.places.marks(_key_times(model, playing.clip, joint), axis, apart)


def _draw_contacts(session: Session, axis: TimeAxis, top: float) -> None:
    """Draw bars where the selected foot is on the ground."""
    em, lines = widgets.em(), imgui.get_window_draw_list()
    low, high = top + (TALL - _CONTACT) * em, top + TALL * em
    ink = theme.packed(theme.palette().series[1], 0.8)
    for number, phase in enumerate(contact_phases(session)):
        for part, (begin, end) in enumerate(phase.parts):
            left, right = axis.x(begin), axis.x(end)
            lines.add_rect_filled((left, low), (right, high), ink, 0.1 * em)
            widgets.mark_box(session, f"contact {number} {part}", (left, low), (right, high))


def _contacts_near(session: Session, seconds: float) -> list[str]:
    """Return a line for each contact of the selected foot at a time."""
    return [
        phase.words
        for phase in contact_phases(session)
        if any(begin <= seconds <= end for begin, end in phase.parts)
    ]


def _chosen_keys(session: Session) -> ChosenKeys:
    """Return the clip and the selected joint whose keys are shown; None: there is none."""
    chosen = session.selected
    return (None, -1) if chosen is None else (playing_keys(session.transport), chosen.joint)


def _name(session: Session, row: Row, keys: ChosenKeys) -> None:
    """Draw whose keys are shown in the gutter; the dope sheet below has a row with the name."""
    model, (playing, chosen) = session.model, keys
    if model is None or playing is None:
        return
    em = widgets.em()
    name = model.skeleton.names[chosen].removeprefix(joint_prefix(model))
    if session.interface.dope_sheet:
        name = "Selected"
    text = widgets.shortened(name, (row.axis.left - row.left - 0.7 * em) / lanes.SIZE)
    around = row._replace(top=row.top + (MIDDLE - 0.5) * em, tall=em)
    lanes.label(around, text, theme.packed(theme.palette().quiet))


def _draw_findings(session: Session, axis: TimeAxis, top: float) -> None:
    """Draw the icons of findings below the upper edge of the track."""
    em, half = widgets.em(), 0.5 * _FINDING * widgets.em()
    for k, group in enumerate(finding_groups(session, axis, _NEAR * em)):
        finding_marks.draw(group.found, (group.x, top + half), _FINDING)
        box = (group.x - half, top), (group.x + half, top + 2.0 * half)
        widgets.mark_box(session, f"findings at {k}", *box)


def _take_finding(session: Session, axis: TimeAxis, top: float) -> str:
    """Go to the finding that was pressed in the track that was drawn last; the next one of several.

    Returns the text of the tooltip of the finding under the pointer, "" without one.
    """
    view, group = session.interface.of(TimelineView), None
    if imgui.is_item_hovered() or imgui.is_item_activated():
        group = _pointed(session, axis, top)
    if imgui.is_item_activated():
        view.on_finding = group is not None and imgui.is_mouse_down(imgui.MouseButton_.left)
        if view.on_finding and group is not None and session.active is not None:
            open_next(session, session.active, group.found)
    if not imgui.is_item_active():
        view.on_finding = False
    return "" if group is None else tooltip_text(group.found)


def _pointed(session: Session, axis: TimeAxis, top: float) -> FindingGroup | None:
    """Return the findings under the pointer."""
    mouse, em = imgui.get_io().mouse_pos, widgets.em()
    groups, middle = finding_groups(session, axis, _NEAR * em), top + 0.5 * _FINDING * em
    if abs(mouse.y - middle) > _REACH * em or not groups:
        return None
    nearest = min(groups, key=lambda group: abs(group.x - mouse.x))
    return nearest if abs(nearest.x - mouse.x) <= _REACH * em else None


def _draw_seam(session: Session, row: Row) -> None:
    """Draw the mark of the loop seam right of the axis, if a clip plays alone."""
    character = session.character
    if character is None or character.mixer.clip < 0:
        return
    seams, clip = session.interface.of(LoopSeams), character.mixer.clip
    seam = seams.find(character.model, session.document, clip, session.jobs)
    if seam is None:
        return
    em = widgets.em()
    left, top, right, tall = row.axis.right + 0.6 * em, row.top, row.right, TALL * em
    imgui.set_cursor_screen_pos((left, top))
    widgets.area(session, "seam", (max(right - left, 1.0), tall))
    icon, color = _look(seam)
    wide = imgui.calc_text_size(icon).x
    place = left + (right - left - wide) / 2.0, top + (MIDDLE - 0.5) * em
    imgui.get_window_draw_list().add_text(place, theme.packed(color), icon)
    found = seam.faults or (("The loop is closed.",) if seam.loops else ())
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        lanes.tooltip(session, [*found, seam.distance])


def _look(seam: LoopSeam) -> tuple[str, theme.Color]:
    """Return icon and color: a fault, a closed loop, or a clip that does not loop."""
    palette = theme.palette()
    if seam.faults:
        return icons.WARNING, palette.warning
    return (icons.CHECKED if seam.loops else icons.ONCE), palette.quiet


LANE = Lane("scrub", _height, _draw, _hover)


def _events_height(session: Session, *, low: bool) -> float:
    """Return the height of the labels, points; 0 without events and in a low window."""
    if low or not has_events(session.document):
        return 0.0
    return _label_rows() * _ROW * widgets.em()


def _label_rows() -> int:
    return 2 if imgui.get_main_viewport().size.y >= _HIGH * widgets.em() else 1


def _draw_events(session: Session, axis: TimeAxis, top: float, *, low: bool) -> None:
    """Draw the marks at the lower edge of the track, `top`, with their labels below."""
    events = timeline_events(session, axis.begin, axis.end)
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    places = axis.places(event.time for event in events)
    for x in places:
        mark = (x - 0.2 * em, top - 0.34 * em), (x + 0.2 * em, top - 0.34 * em), (x, top)
        lines.add_triangle_filled(*mark, theme.packed(palette.warning, 0.9))
    if _events_height(session, low=low) > 0:
        widths = tuple(imgui.calc_text_size(event.name).x * LABEL_SIZE for event in events)
        starts = tuple(x + 0.12 * em for x in places)
        placed = _labels(starts, widths, axis.right + 0.4 * em, _label_rows(), em)
        for k, (event, label, x) in enumerate(zip(events, placed, places, strict=True)):
            if not label.width:
                continue
            y = top + label.row * _ROW * em
            lines.add_line((x, top), (x, y + 0.8 * em), theme.packed(palette.warning, 0.4))
            text = widgets.shortened(event.name, label.width / LABEL_SIZE + 0.5)
            ink, place = theme.packed(palette.text, 0.85), (label.left + 0.08 * em, y)
            lines.add_text(imgui.get_font(), LABEL_SIZE * em, place, ink, text)
            right = label.left + label.width
            widgets.mark_box(session, f"event label {k}", (label.left, y), (right, y + em))


@lru_cache(maxsize=4)
def _labels(
    starts: tuple[float, ...], widths: tuple[float, ...], right: float, rows: int, em: float
) -> list[LabelPlace]:
    """Return the places of labels, kept while the timeline rests; `em` is the font height."""
    gap, least = _GAP * em, _LEAST * em
    return staggered_labels(starts, widths, right, rows=rows, gap=gap, least=least)


def _events_near(session: Session, axis: TimeAxis, x: float) -> list[str]:
    """Return a line for each event within a few points of `x`."""
    found = timeline_events(session, axis.begin, axis.end)
    close = [event for event in found if abs(axis.x(event.time) - x) < _EVENT_REACH]
    return [f"{event.name} of {event.clip} at {event.time:.2f} s" for event in close[:LISTED]]


def flash_events(session: Session, axis: TimeAxis, y: float, *, low: bool) -> None:
    """Draw a ring around events that fired just now; without labels also their names beside it."""
    if not session.editor.shown or not session.editor.fired:
        return
    em, lines, warning = widgets.em(), imgui.get_foreground_draw_list(), theme.palette().warning
    labelled = _events_height(session, low=low) > 0
    for fired, when in reversed(session.editor.fired):
        age = (session.tau - when) / FLASH
        if age >= 1.0:  # as are all earlier ones
            return
        seconds = session.transport.on_ruler(fired.tau)
        if age < 0.0 or not axis.shows(seconds):
            continue
        x, ink = axis.x(seconds), theme.packed(warning, 1.0 - age)
        lines.add_circle((x, y - 0.2 * em), (0.3 + 0.5 * age) * em, ink, 0, 2.0)
        width, gap = imgui.calc_text_size(fired.name).x, 0.9 * em
        left = x - gap - width if x - gap - width >= axis.left else x + gap
        if labelled or left + width > axis.right:
            continue
        at = left, y - 1.1 * em
        box = (at[0] - 4.0, at[1] - 1.0), (at[0] + width + 4.0, at[1] + em + 2.0)
        lines.add_rect_filled(*box, theme.packed(theme.palette().bar, 0.9 * (1.0 - age)), 4.0)
        lines.add_text(at, ink, fired.name)
        widgets.mark_box(session, f"flash {fired.name}", *box)
