"""The track below the ruler: keys, events, findings; a click or drag seeks."""

from imgui_bundle import imgui

from ...session import linked_transport, transport
from ...session.play_range import PlayRange
from ...session.session import Session
from ...session.timeline.time_axis import TimeAxis, frame_at
from ...session.timeline.timeline_keys import PlayingKeys, playing_keys
from ...session.timeline.timeline_marks import contact_phases
from ...session.timeline.timeline_view import Present, TimelineView
from .. import short_names, theme, widgets
from . import event_marks, finding_track
from .ruler import BUTTONS

TALL, MIDDLE = 1.2, 0.77  # font heights: of the track, and from its upper edge to its keys
_APART = 3.0  # points: nearer keys are one mark
_CONTACT = 0.2  # font heights: bars of foot contacts
_SELECTED = 0.26  # font heights: radius of a selected key
ChosenKeys = tuple[PlayingKeys | None, int]  # of the selected joint


def height(session: Session, *, low: bool) -> float:
    """Return the height of keys and events, points."""
    return TALL * widgets.em() + event_marks.height(session, low=low)


def draw(session: Session, axis: TimeAxis, top: float, present: Present, *, low: bool) -> bool:
    """Draw the track; return whether it is dragged."""
    em = widgets.em()
    tall, inset = height(session, low=low), 0.5 * em
    imgui.set_cursor_screen_pos((axis.left - inset, top))
    imgui.invisible_button("scrub", (axis.width + 2.0 * inset, tall), BUTTONS)
    widgets.mark(session, "scrub")
    mouse = imgui.get_io().mouse_pos
    active = imgui.is_item_active()
    found = finding_track.take_mouse(session, axis, top)
    left_down = imgui.is_mouse_down(imgui.MouseButton_.left)
    if active and left_down and not session.interface.of(TimelineView).on_finding:
        linked_transport.seek(session, axis.seconds(mouse.x))
    elif imgui.is_item_hovered():
        _tooltip(session, axis, mouse.x, found)
    lines = imgui.get_window_draw_list()
    box = (axis.left - inset, top), (axis.right + inset, top + tall)
    lines.push_clip_rect(*box, True)
    middle = top + MIDDLE * em
    if present.span is not None:
        _draw_outside(axis, present.span, top, top + tall)
    rail = theme.packed(theme.palette().rail)
    lines.add_line((axis.left, middle), (axis.right, middle), rail, 0.12 * em)
    _draw_contacts(session, axis, top)
    keys = _chosen_keys(session)
    _draw_keys(session, axis, middle, keys)
    event_marks.draw(session, axis, top + TALL * em, low=low)
    finding_track.draw(session, axis, top)
    lines.pop_clip_rect()
    _name(session, axis, middle, keys)
    return active


def _draw_outside(axis: TimeAxis, span: PlayRange, top: float, bottom: float) -> None:
    """Shade what is outside the range."""
    lines, shade = imgui.get_window_draw_list(), theme.packed(theme.palette().ink, 0.06)
    inset = 0.5 * widgets.em()
    left, right = axis.x(span.begin), axis.x(min(span.end, axis.end + axis.length))
    lines.add_rect_filled((axis.left - inset, top), (left, bottom), shade)
    lines.add_rect_filled((right, top), (axis.right + inset, bottom), shade)


def _draw_keys(session: Session, axis: TimeAxis, y: float, keys: ChosenKeys) -> None:
    """Draw the keys of the selected joint; without one all keys, of layers what is scheduled."""
    character = transport.playable_character(session)
    if character is None:
        return
    em, lines, palette = widgets.em(), imgui.get_window_draw_list(), theme.palette()
    playing, chosen = keys
    if playing is None or character.mixer.layered:
        ink = theme.packed(palette.quiet, 0.8)
        for first, last in session.interface.of(TimelineView).marks(
            character.mixer.marked_times, axis, _APART
        ):
            if last > first:
                lines.add_rect_filled((first, y - 0.3 * em), (last, y + 0.3 * em), ink)
            else:
                lines.add_line((first, y - 0.3 * em), (first, y + 0.3 * em), ink)
    if playing is None:
        return
    radius, ink = _SELECTED * em, theme.packed(palette.accent)
    for first, last in _selected_marks(session, playing, chosen, axis, 2.0 * radius):
        if last > first:
            box = (first, y - 0.7 * radius), (last, y + 0.7 * radius)
            lines.add_rect_filled(*box, ink, 0.7 * radius)
        else:
            lines.add_ngon_filled((first, y), radius, ink, 4)


def _selected_marks(
    session: Session, playing: PlayingKeys, joint: int, axis: TimeAxis, apart: float
) -> list[tuple[float, float]]:
    """Return the marks of the keys of a joint."""
    view, model = session.interface.of(TimelineView), session.model
    if model is None:
        return []
    return view.key_marks(playing.places, view.keys(model, playing.clip, joint), axis, apart)


def _draw_contacts(session: Session, axis: TimeAxis, top: float) -> None:
    """Draw bars where the selected foot is on the ground."""
    em, lines = widgets.em(), imgui.get_window_draw_list()
    low, high = top + (TALL - _CONTACT) * em, top + TALL * em
    ink, boxes = theme.packed(theme.palette().series[1], 0.8), session.interface.widget_boxes
    for number, phase in enumerate(contact_phases(session)):
        for part, (begin, end) in enumerate(phase.parts):
            left, right = axis.x(begin), axis.x(end)
            lines.add_rect_filled((left, low), (right, high), ink, 0.1 * em)
            if boxes is not None:
                boxes[f"contact {number} {part}"] = (left, low, right, high)


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
    return (None, -1) if chosen is None else (playing_keys(session), chosen.joint)


def _name(session: Session, axis: TimeAxis, y: float, keys: ChosenKeys) -> None:
    """Draw whose keys are shown in the gutter; the dope sheet below has a row with the name."""
    model, (playing, chosen) = session.model, keys
    if model is None or playing is None:
        return
    em, size = widgets.em(), 0.8
    left = imgui.get_window_pos().x + imgui.get_style().window_padding.x
    name = model.skeleton.names[chosen].removeprefix(short_names.joint_prefix(model))
    if session.interface.dope_sheet:
        name = "Selected"
    text = widgets.shortened(name, (axis.left - left - 0.7 * em) / size)
    place = left, y - size * em / 2.0
    ink = theme.packed(theme.palette().quiet)
    imgui.get_window_draw_list().add_text(imgui.get_font(), size * em, place, ink, text)


def _tooltip(session: Session, axis: TimeAxis, x: float, found: str) -> None:
    seconds = axis.seconds(x)
    frame = frame_at(seconds, session.frame_rate)
    words = [f"{seconds:.2f} s, frame {frame}", *event_marks.near(session, axis, x)]
    words += [*_contacts_near(session, seconds), *filter(None, [found])]
    widgets.tooltip("\n".join(words), session.interface.of(TimelineView).top)
