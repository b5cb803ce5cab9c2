"""The tab Events: the schedule of a motion, and the events of its clips."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from imgui_bundle import imgui

from ...blending.sources import ClipSource
from ...model.lookup import find_clip
from ...motion import edit, layer_content
from ...motion.document import (
    ACTIONS,
    At,
    ClipEvent,
    Cut,
    Fade,
    MotionDoc,
    Seek,
    Set,
    Speed,
    action_name,
)
from ...session.clip_settings import clip_key
from ...session.session import Session
from ...session.timeline.strips import title
from .. import icons, source_picker, theme, widgets
from ..record_form import Form
from . import key_row

EASES: dict[Literal["cubic", "linear"], str] = {"cubic": "Cubic", "linear": "Linear"}
KINDS: dict[Literal["smooth", "frozen"], str] = {"smooth": "Smooth", "frozen": "Frozen"}
LONGEST = 3.0  # seconds, upper end of the slider
LAST = 8  # fired events in the list


def draw(session: Session) -> None:
    """Draw the schedule."""
    document = session.editor.document
    if not document.at:
        widgets.note(
            "No scheduled changes. Open a layer to start a cross-fade, or press the stopwatch "
            "beside a parameter."
        )
    order = sorted(range(len(document.at)), key=lambda k: document.at[k].time)
    for k in order:
        imgui.push_id(k)
        _row(session, k, document.at[k])
        imgui.pop_id()
    _new(session, document)


def _new(session: Session, document: MotionDoc) -> None:
    """Draw a list of what can change now: speed and time of a layer, and the camera."""
    model, now = session.model, round(session.transport.time, 3)
    if model is None or not document.layers:
        return
    if not widgets.begin_combo(session, "new moment", f"{icons.ADD}  At {now:.2f} s…", -1.0):
        return
    timed = ("clip", "space", "additive", "additives")
    changes: dict[str, Speed | Seek | Cut] = {}
    for layer in document.layers:
        if layer_content.kind(document, layer.play) in timed:
            changes[f"Speed of {layer.name}"] = Speed(layer.name, 1.0)
            changes[f"Jump in {layer.name}"] = Seek(layer.name, 0.0)
    for number, camera in enumerate(model.cameras):
        own = model.camera_named(camera.name) == number
        name = camera.name if own else model.skeleton.names[camera.joint]
        changes[f"Cut to {name}"] = Cut(name)
    if model.cameras:
        changes["Cut to the free camera"] = Cut("")
    for words, change in changes.items():
        if widgets.selectable(session, f"new moment {words}", words):
            session.editor.edit(edit.with_at(document, At(now, change)), words)
            session.interface.mixer_panels.moment = len(document.at)
    imgui.end_combo()


def details(at: At) -> str:
    """Return how a scheduled change is done."""
    do = at.do
    if isinstance(do, Fade):
        parts = [f"{do.seconds:g} s", do.ease, do.kind]
        return ", ".join([*parts, "in phase"] if do.in_phase else parts)
    if isinstance(do, Set):
        return "" if do.seconds is None else f"over {do.seconds:g} s"
    return "seek" if isinstance(do, Seek) else "cut" if isinstance(do, Cut) else "speed"


def _row(session: Session, k: int, at: At) -> None:
    """Draw a scheduled change: its time, what it does, and a remove button; details of a fade."""
    em = widgets.em()
    document, mixer = session.editor.document, session.interface.mixer_panels
    what, how = title(at), details(at)
    imgui.set_next_item_width(4.4 * em)
    changed, time = imgui.drag_float("##time", at.time, 0.01, 0.0, 1e6, "%.2f s")
    widgets.mark(session, f"moment time {k}", "Time: drag, or Ctrl+click to type")
    if changed and widgets.is_finite(time):
        moved = edit.changed_at(document, k, replace(at, time=max(round(time, 3), 0.0)))
        session.editor.edit(moved, f"Time of {what}", f"time {k}")
    imgui.same_line(0.0, 6.0)
    small = theme.metrics().icon
    editable = isinstance(at.do, Fade | Speed | Seek)
    buttons = 2 if editable else 1
    room = imgui.get_content_region_avail().x - buttons * (small + theme.metrics().gap) - 0.2 * em
    tip = f"{what}{': ' if how else ''}{how}. Click to go to its time"
    shown = widgets.shortened(what, room - em)
    if widgets.button(session, f"moment {k}", shown, room, tip):
        session.transport.seek(at.time)
    opened = mixer.moment == k and editable
    if editable:
        widgets.beside()
        icon = icons.OPENED if opened else icons.CLOSED
        if widgets.toggle(session, f"edit moment {k}", icon, opened, "Change it", small):
            mixer.moment = -1 if opened else k
    widgets.beside()
    label = f"remove moment {k}"
    if widgets.toggle(session, label, icons.REMOVE, False, "Remove", small):
        session.editor.edit(edit.without_at(document, k), f"Remove {what}")
        mixer.moment = -1
    elif opened and isinstance(at.do, Fade):
        fade_details(session, k, at, at.do)
    elif opened and session.model is not None:
        form = Form(session, session.model, document)
        changed_do = form.block(f"moment {k}", ACTIONS[action_name(at)], at.do)
        if changed_do is not at.do:
            made = edit.changed_at(document, k, replace(at, do=changed_do))
            session.editor.edit(made, f"Change {what}", f"moment {k}")


def fade_details(session: Session, k: int, at: At, fade: Fade) -> None:
    """Draw target and settings of a scheduled cross-fade."""
    imgui.indent(0.6 * widgets.em())
    label = layer_content.label(fade.to)
    only = source_picker.FADABLE
    chosen = source_picker.choose(session, f"moment to {k}", label, fade.to, only=only)
    changed = fade_settings(session, fade, f"moment {k}")
    if chosen is not None:
        changed = replace(changed, to=chosen)
    if changed != fade:
        document = edit.changed_at(session.editor.document, k, replace(at, do=changed))
        session.editor.edit(document, f"Fade of {fade.layer}", f"fade {k}")
    imgui.spacing()
    imgui.unindent(0.6 * widgets.em())


def fade_settings(session: Session, fade: Fade, key: str) -> Fade:
    """Draw duration, ease, kind and sync; return the changed fade.

    Parameters
    ----------
    key
        Ends the names of the widgets.
    """
    words, limits = ("Duration", f"{fade.seconds:.2f} s"), (0.0, LONGEST)
    value = widgets.slider(session, f"fade seconds {key}", words, fade.seconds, limits)
    if value != fade.seconds:
        fade = replace(fade, seconds=max(round(value, 2), 0.0))
    third = (imgui.get_content_region_avail().x - 2.0 * imgui.get_style().item_spacing.x) / 3.0
    ease = widgets.choice(session, f"ease {key}", EASES, fade.ease, width=third, arrow=False)
    widgets.hint("Cubic: slow at both ends; linear: constant speed")
    imgui.same_line()
    kind = widgets.choice(session, f"kind {key}", KINDS, fade.kind, width=third, arrow=False)
    widgets.hint("Smooth: the old source keeps playing while it fades; frozen: its pose is held")
    imgui.same_line()
    tip = "The new source starts at the phase of the old one"
    in_phase = widgets.checkbox(session, f"in phase {key}", "Sync", fade.in_phase, tip)
    return replace(fade, ease=ease, kind=kind, in_phase=in_phase)


def draw_events(session: Session) -> None:
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
        if session.tau - when < key_row.FLASH
    }
    for clip, place, mark in listed:
        if place == 0:
            widgets.quiet(widgets.shortened(clip, imgui.get_content_region_avail().x))
        _event(session, clip, place, mark, lit=(clip, mark.name) in fresh)
    _new_event(session)
    _last(session)


def _event(session: Session, clip: str, place: int, mark: ClipEvent, *, lit: bool) -> None:
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
    if widgets.toggle(session, label, icons.REMOVE, False, "Remove the event"):
        less = edit.without_event(session.editor.document, clip, place)
        session.editor.edit(less, f"Remove event {mark.name}")


def _new_event(session: Session) -> None:
    """Draw a field for a name, and an add button for each playing clip."""
    mixer = session.interface.mixer_panels
    playing = {source.clip.name: source for source in _playing(session)}
    if not playing:
        return
    widgets.heading("New")
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
    widgets.heading("Fired")
    for event, _ in reversed(fired):
        low, em = imgui.get_cursor_screen_pos(), widgets.em()
        time = f"{session.transport.on_ruler(event.tau):.2f} s"
        widgets.text_before(low.x + 4.0 * em, low.y, time, theme.palette().quiet)
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + 4.6 * em)
        text = f"{event.name}  {event.clip}, {event.layer}, weight {event.weight:.2f}"
        imgui.text(widgets.shortened(text, imgui.get_content_region_avail().x))
        widgets.hint(text)
