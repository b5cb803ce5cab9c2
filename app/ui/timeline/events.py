"""The list of the clips' events, with those that fired last."""

from collections.abc import Iterator

from imgui_bundle import imgui

from ...blending.sources import ClipSource
from ...model.lookup import find_clip
from ...motion import edit
from ...motion.document import ClipEvent
from ...session.clip_settings import clip_key
from ...session.session import Session
from .. import icons, theme, widgets
from . import event_marks

LAST = 8  # fired events in the list


def draw(session: Session) -> None:
    """Draw the clips' events, a form that adds one, and the last fired events."""
    document = session.editor.document
    listed = [
        (clip, place, mark)
        for clip, settings in document.clips.items()
        for place, mark in enumerate(settings.events)
    ]
    if not listed:
        widgets.note(
            "An event is a name at a time of a clip, such as a footstep or a shout. It "
            "fires whenever the clip passes that time."
        )
    fresh = {
        (fired.clip, fired.name)
        for fired, when in session.editor.fired
        if session.tau - when < event_marks.FLASH
    }
    for clip, place, mark in listed:
        if place == 0:
            widgets.quiet(widgets.shortened(clip, imgui.get_content_region_avail().x))
        _row(session, clip, place, mark, lit=(clip, mark.name) in fresh)
    _add(session)
    _last(session)


def _row(session: Session, clip: str, place: int, mark: ClipEvent, *, lit: bool) -> None:
    """Draw an event, with a bell beside it while it fires."""
    em = widgets.em()
    lines = imgui.get_window_draw_list()
    low = imgui.get_cursor_screen_pos()
    tall = imgui.get_frame_height()
    room = imgui.get_content_region_avail().x - 2.1 * em
    if lit:
        high = (low.x + room, low.y + tall)
        lines.add_rect_filled(low, high, theme.packed(theme.palette().warning, 0.30), 4.0)
        at = (low.x + 0.2 * em, low.y + imgui.get_style().frame_padding.y)
        lines.add_text(at, theme.packed(theme.palette().warning), icons.BELL)
    imgui.align_text_to_frame_padding()
    words = f"{mark.time:.2f} s" if mark.time is not None else f"phase {mark.phase or 0.0:.2f}"
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + 1.4 * em)
    start = imgui.get_cursor_pos_x()
    shown = widgets.shortened(mark.name, room - 2.4 * em - imgui.calc_text_size(words).x)
    widgets.text(session, f"event {mark.name}", shown, tip=f"{mark.name}: {clip}, {words}")
    imgui.same_line(start + room - 2.0 * em - imgui.calc_text_size(words).x)
    widgets.quiet(words)
    imgui.same_line(start - 1.4 * em + room + 0.4 * em)
    label = f"remove event {clip} {place}"
    if widgets.toggle(session, label, icons.REMOVE, False, "Remove the event", 1.7 * em):
        less = edit.without_event(session.editor.document, clip, place)
        session.editor.edit(less, f"Remove event {mark.name}")


def _add(session: Session) -> None:
    """Draw a field for a name, and an add button for each playing clip."""
    mixer = session.interface.mixer_panels
    playing = {source.clip.name: source for source in _playing(session)}
    if not playing:
        return
    imgui.separator_text("New")
    mixer.event = widgets.text_field(session, "event name", mixer.event, placeholder="Name")
    name = mixer.event.strip()
    with widgets.Disabled(not name):
        for clip, source in list(playing.items())[:6]:
            now = float(source.time) - float(source.playback.start)  # within the clip's range
            title = widgets.shortened(clip, imgui.get_content_region_avail().x / 2.0)
            label = f"{icons.ADD}  {title} at {now:.2f} s"
            tip = "Adds the event at the clip's current time"
            if widgets.button(session, f"add event {clip}", label, -1.0, tip):
                _add_event(session, clip, ClipEvent(name, time=round(now, 3)))


def _add_event(session: Session, clip: str, mark: ClipEvent) -> None:
    """Add an event to the clip of a name."""
    model, document = session.model, session.editor.document
    if model is not None:
        key = clip_key(model, document, find_clip(model, clip).index)
        session.editor.edit(edit.with_event(document, key, mark), f"Add event {mark.name}")


def _playing(session: Session) -> Iterator[ClipSource]:
    if session.character is not None:
        yield from session.character.mixer.layer_clips()


def _last(session: Session) -> None:
    """Draw the last fired events, newest first."""
    fired = list(session.editor.fired)[-LAST:]
    if not fired:
        return
    imgui.separator_text("Fired")
    for event, _ in reversed(fired):
        widgets.quiet(f"{session.transport.on_ruler(event.tau):6.2f} s")
        imgui.same_line(4.6 * widgets.em())
        text = f"{event.name}  {event.clip}, {event.layer}, weight {event.weight:.2f}"
        imgui.text(widgets.shortened(text, imgui.get_content_region_avail().x))
        widgets.hint(text)
