"""The schedule of a motion: fades, values, seeks, speeds and cuts in order of time."""

from dataclasses import replace

from imgui_bundle import imgui

from ...motion import edit, layer_content
from ...motion.document import At, Cut, Fade, Seek, Set
from ...session.session import Session
from ...session.timeline.strips import title
from .. import icons, source_picker, widgets

EASES = {"cubic": "Cubic", "linear": "Linear"}
KINDS = {"smooth": "Smooth", "frozen": "Frozen"}
LONGEST = 3.0  # seconds, upper end of the slider


def draw(session: Session) -> None:
    """Draw the schedule."""
    document = session.editor.document
    if not document.at:
        widgets.note(
            "No scheduled changes. Open a layer to start a cross-fade, or press the stopwatch "
            "beside a parameter."
        )
        return
    order = sorted(range(len(document.at)), key=lambda k: document.at[k].time)
    for k in order:
        imgui.push_id(k)
        _row(session, k, document.at[k])
        imgui.pop_id()


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
    small = 1.7 * em
    buttons = 2 if isinstance(at.do, Fade) else 1
    room = imgui.get_content_region_avail().x - buttons * (small + 4.0) - 0.2 * em
    tip = f"{what}{': ' if how else ''}{how}. Click to go to its time"
    shown = widgets.shortened(what, room - em)
    if widgets.button(session, f"moment {k}", shown, room, tip):
        session.transport.seek(at.time)
    opened = mixer.moment == k and isinstance(at.do, Fade)
    if isinstance(at.do, Fade):
        imgui.same_line(0.0, 4.0)
        icon = icons.OPENED if opened else icons.CLOSED
        if widgets.toggle(session, f"edit moment {k}", icon, opened, "Change the fade", small):
            mixer.moment = -1 if opened else k
    imgui.same_line(0.0, 4.0)
    label = f"remove moment {k}"
    if widgets.toggle(session, label, icons.REMOVE, False, "Remove", small):
        session.editor.edit(edit.without_at(document, k), f"Remove {what}")
        mixer.moment = -1
    elif opened and isinstance(at.do, Fade):
        fade_details(session, k, at, at.do)


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
    return replace(
        fade,
        ease="linear" if ease == "linear" else "cubic",
        kind="frozen" if kind == "frozen" else "smooth",
        in_phase=in_phase,
    )
