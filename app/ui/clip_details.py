"""The pop-up with the settings of a clip: loop mode, range, sync marks, root motion."""

from dataclasses import replace
from typing import Literal

from imgui_bundle import imgui

from ..model.model import Model
from ..model.skin_joints import joint_reference
from ..motion import edit
from ..motion.document import ClipSettings, Root
from ..session.clip_settings import (
    ClipDetails,
    LoopKind,
    clips_with_settings,
    default_root,
    even_phases,
    loop_kind,
    loop_setting,
    settings_of,
    with_cycles,
    with_mark,
    with_settings,
    without_mark,
)
from ..session.session import Session
from . import icons, theme, widgets

_NAME = "clip settings"
_WIDTH, _TALL = 17.0, 30.0  # font heights: of the contents, about
_JOINTS = 12.0  # font heights: of the list of joints
_LOOPS: dict[LoopKind, str] = {
    "": "Not set",
    "loop": "Loop",
    "pingpong": "Ping-pong",
    "once": "Once",
    "times": "N times",
    "pingpong times": "Ping-pong, N times",
}
RootMode = Literal["keep", "in-place", "accumulate"]
_MODES: dict[RootMode | Literal[""], str] = {
    "": "Not set",
    "keep": "Keep",
    "in-place": "In place",
    "accumulate": "Accumulate",
}


def button(
    session: Session, clip: int, place: tuple[float, float], tall: float, *, hovered: bool
) -> bool:
    """Draw the gear in the row of a clip, if the clip has settings or the row is hovered.

    Returns whether it, or the row by the right button, was pressed.

    Parameters
    ----------
    place, tall
        Upper left corner and height, points.
    """
    model = session.model
    if model is None:
        return False
    has = clip in clips_with_settings(model, session.document)
    if not (has or hovered):
        return False
    em = widgets.em()
    imgui.set_cursor_screen_pos(place)
    name = f"settings of {model.clips[clip].name}"
    tip = "Settings of the clip in the motion file: loop, range, sync marks, root motion"
    pressed = widgets.area(session, name, (1.5 * em, tall), tip=tip)
    over, palette = imgui.is_item_hovered(), theme.palette()
    at = place[0] + 0.3 * em, place[1] + (tall - em) / 2.0
    ink = theme.packed(palette.text if over else palette.quiet)
    imgui.get_window_draw_list().add_text(at, ink, icons.SETTINGS)
    return pressed or (hovered and imgui.is_mouse_released(imgui.MouseButton_.right))


def open_for(session: Session, clip: int) -> None:
    """Open the pop-up for a clip."""
    details = session.interface.of(ClipDetails)
    details.clip, details.opens = clip, True


def draw(session: Session) -> None:
    """Draw the pop-up if it is open."""
    details, model = session.interface.of(ClipDetails), session.model
    if details.opens:
        imgui.open_popup(_NAME)
        details.opens = False
        _place()
    area = imgui.get_main_viewport().size
    imgui.set_next_window_size_constraints((0.0, 0.0), (area.x, area.y))
    if not imgui.begin_popup(_NAME):
        return
    if model is None or details.clip >= len(model.clips):
        imgui.close_current_popup()
        imgui.end_popup()
        return
    clip = model.clips[details.clip]
    imgui.dummy((_WIDTH * widgets.em(), 0.0))
    imgui.text(widgets.shortened(clip.name, _WIDTH * widgets.em()))
    before = settings_of(model, session.document, details.clip)
    after, what = before, ""
    for draw_part, label in (
        (_loop, "Loop mode"),
        (_range, "Range"),
        (_sync, "Sync marks"),
        (_root, "Root motion"),
    ):
        changed = draw_part(session, model, after)
        what = what if changed == after else label
        after = changed
    if after != before:
        document = with_settings(model, session.document, details.clip, after)
        merge = f"clip {details.clip} {what}" if imgui.is_any_item_active() else ""
        session.editor.edit(document, f"{what} of {clip.name}", merge)
    imgui.end_popup()


def _place() -> None:
    """Open the pop-up beside the panel of the clips."""
    em, area = widgets.em(), imgui.get_main_viewport().size
    right = imgui.get_window_pos().x + imgui.get_window_width() + 0.4 * em
    wide = _WIDTH * em + 2.0 * imgui.get_style().window_padding.x
    top = min(imgui.get_mouse_pos().y, area.y - _TALL * em)
    imgui.set_next_window_pos((min(right, area.x - wide), max(top, 0.0)))


def _loop(session: Session, _model: Model, settings: ClipSettings) -> ClipSettings:
    imgui.separator_text("Loop mode")
    kind, times = loop_kind(settings.loop)
    tip = "How the clip repeats, alone and in layers; not set: it loops"
    new = widgets.choice(session, "clip loop", _LOOPS, kind, tip=tip)
    if new in ("times", "pingpong times"):
        imgui.set_next_item_width(-1)
        _, times = imgui.input_int("##clip times", times)
        widgets.mark(session, "clip times")
        times = min(max(times, 2), 999_999_999)
    if (new, times) == (kind, loop_kind(settings.loop)[1]):
        return settings
    return replace(settings, loop=loop_setting(new, times))


def _range(session: Session, model: Model, settings: ClipSettings) -> ClipSettings:
    if settings.source is not None:
        return _cut(session, model, settings)
    imgui.separator_text("Range")
    number = session.interface.of(ClipDetails).clip
    clip = model.clips[number]
    whole = max(min(0.0, clip.start), 0.0), clip.end
    given = settings.range is not None
    wanted = widgets.checkbox(session, "clip range", "Part of the clip", given)
    if wanted != given:
        settings = replace(settings, range=whole if wanted else None)
    active = session.active
    span = None if active is None else active.transport.play_range
    plays = session.character is not None and session.character.mixer.clip == number
    with widgets.Disabled(span is None or not plays):
        imgui.same_line()
        name, tip = (
            "clip range from timeline",
            "Takes the in and out point of the timeline, while the clip plays",
        )
        if widgets.button(session, name, "From the timeline", tip=tip) and span is not None:
            begin, end = (round(max(each, 0.0), 4) for each in span)
            settings = replace(settings, range=(begin, end))
    return settings if settings.range is None else _span(session, settings, clip.end)


def _cut(session: Session, model: Model, settings: ClipSettings) -> ClipSettings:
    """Draw name and range of a clip that is cut out of another, and a button to remove it."""
    imgui.separator_text(f"Cut from {settings.source}")
    details, document = session.interface.of(ClipDetails), session.document
    name = model.clips[details.clip].name
    if details.renamed[0] != name:
        details.renamed = (name, name)
    room = imgui.get_content_region_avail().x - 2.2 * widgets.em()
    typed = widgets.text_field(session, "cut name", details.renamed[1], room, "Name")
    details.renamed = (name, typed)
    typed = typed.strip()
    if imgui.is_item_deactivated_after_edit() and typed and typed not in model.clips.names:
        session.editor.edit(edit.renamed_entry(document, "clips", name, typed), f"Rename {name}")
        imgui.close_current_popup()
    imgui.same_line()
    if widgets.toggle(session, "remove cut", icons.REMOVE, False, "Remove the clip", -1.0):
        removed = edit.with_clip_settings(document, name, ClipSettings())
        session.editor.edit(removed, f"Remove {name}")
        imgui.close_current_popup()
    ends = [each.end for each in model.clips if each.name == settings.source]
    return _span(session, settings, max(ends, default=0.0))


def _span(session: Session, settings: ClipSettings, most: float) -> ClipSettings:
    """Draw the start and end of a range, up to `most` seconds."""
    assert settings.range is not None
    begin, end = settings.range
    imgui.set_next_item_width(-1)
    changed, (first, last) = imgui.drag_float2("##range", [begin, end], 0.01, 0.0, most, "%.3f s")
    widgets.mark(session, "clip range seconds")
    if changed and widgets.is_finite(first, last) and 0.0 <= first < last:
        settings = replace(settings, range=(round(first, 4), round(last, 4)))
    return settings


def _sync(session: Session, model: Model, settings: ClipSettings) -> ClipSettings:
    imgui.separator_text("Sync marks")
    em = widgets.em()
    imgui.set_next_item_width(6.0 * em)
    changed, cycles = imgui.input_int("Cycles", settings.cycles)
    tip = "Number of cycles (pairs of steps); a mark has one phase in each of them"
    widgets.mark(session, "clip cycles", tip)
    if changed:
        settings = with_cycles(settings, min(max(cycles, 1), 64))
    for name, phases in list(settings.sync.items()):
        imgui.push_id(name)
        settings = _mark(session, settings, name, phases)
        imgui.pop_id()
    details = session.interface.of(ClipDetails)
    room = imgui.get_content_region_avail().x - 9.0 * em
    details.mark = widgets.text_field(session, "sync mark name", details.mark, room, "Name")
    imgui.same_line()
    phase, name = _phase(session, model), details.mark.strip()
    with widgets.Disabled(not name or name in settings.sync):
        label, tip = (
            f"{icons.ADD}  Mark at {phase:.2f}",
            "Adds a mark at the present phase of the clip",
        )
        if widgets.button(session, "add sync mark", label, -1.0, tip):
            settings = with_mark(settings, name, even_phases(phase, settings.cycles))
            details.mark = ""
    return settings


def _mark(
    session: Session, settings: ClipSettings, name: str, phases: tuple[float, ...]
) -> ClipSettings:
    """Draw a sync mark: its name, its phases, a remove button."""
    em = widgets.em()
    widgets.label(widgets.shortened(name, 4.0 * em))
    widgets.hint(name)
    imgui.same_line(4.4 * em)
    start = imgui.get_cursor_pos_x()
    width = imgui.get_content_region_avail().x - 2.2 * em
    for k, phase in enumerate(phases):
        if k:
            imgui.set_cursor_pos_x(start)
        imgui.set_next_item_width(width)
        changed, new = imgui.drag_float(f"##{k}", phase, 0.002, 0.0, 1.0, "%.4f")
        widgets.mark(session, f"sync {name} {k}")
        if changed and widgets.is_finite(new):
            moved = (*phases[:k], new, *phases[k + 1 :])
            settings = with_mark(settings, name, moved)
        if not k:
            imgui.same_line()
            words = "Remove the mark"
            if widgets.toggle(session, f"remove sync {name}", icons.REMOVE, False, words, 1.7 * em):
                return without_mark(settings, name)
    return settings


def _phase(session: Session, model: Model) -> float:
    """Return the present phase of the clip of the pop-up, 0 while it does not play."""
    character = session.character
    details = session.interface.of(ClipDetails)
    if character is None or character.mixer.clip != details.clip:
        clip = model.clips[details.clip]
        seconds = 0.0 if character is None else character.mixer.time_in_clip(clip, session.tau)
        begin, end = min(clip.start, 0.0), clip.end
    else:
        seconds, (begin, end) = session.transport.time, session.transport.span
    return min(max((seconds - begin) / (end - begin), 0.0), 1.0) if end > begin else 0.0


def _root(session: Session, model: Model, settings: ClipSettings) -> ClipSettings:
    imgui.separator_text("Root motion")
    root = settings.root
    tip = "Keep: as it is; in place: removed; accumulate: moves the character, pass after pass"
    now: RootMode | Literal[""] = root.mode if root else ""
    mode = widgets.choice(session, "root mode", _MODES, now, tip=tip)
    if not mode:
        return replace(settings, root=None)
    if root is None:
        root = default_root(model)
    if root is None:
        return settings
    root = replace(root, mode=mode)
    root = _root_joint(session, model, root)
    axes = set(root.axes)
    for axis in "xyz":
        on = widgets.checkbox(session, f"root axis {axis}", axis.upper(), axis in axes)
        if on or len(axes) > 1:
            axes = axes | {axis} if on else axes - {axis}
        imgui.same_line()
    turn = widgets.checkbox(session, "root turn", "Turn", root.turn, "Also the heading about +Y")
    ordered = root.axes if axes == set(root.axes) else "".join(sorted(axes))
    return replace(settings, root=replace(root, axes=ordered, turn=turn))


def _root_joint(session: Session, model: Model, root: Root) -> Root:
    """Draw the list of joints with a search field."""
    height = _JOINTS * widgets.em()
    imgui.set_next_window_size_constraints((0.0, 0.0), (imgui.FLT_MAX, height))
    opened = widgets.begin_searched_list(
        session, "root joint", root.joint, flags=0, placeholder="Search"
    )
    widgets.hint("The joint whose motion moves the character")
    if opened is None:
        return root
    for joint, name in enumerate(model.skeleton.names):
        if opened.entry(f"root joint {name}", name):
            root = replace(root, joint=joint_reference(model, joint))
    imgui.end_combo()
    return root
