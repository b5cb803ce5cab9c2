"""The list of clips, on the left."""

from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from ..model.lookup import clip_prefix
from ..model.model import Model
from ..session import played_motion
from ..session.clip_import.mapping_rows import ClipImportView
from ..session.clip_settings import clips_with_settings, searched_names
from ..session.commands.actions import action
from ..session.findings.go_to_finding import open_next
from ..session.opened_character import OpenedCharacter
from ..session.session import Session
from . import icons, shortcuts, theme, widgets
from .findings import finding_marks
from .motion_panel import open_clip

PREVIEW = 0.3  # seconds that the pointer rests on a row before its clip is shown
MANY = 8  # clips; from this count on there is a search field
LEAST_ROWS = 2  # of the list; in a lower panel the panel scrolls


@dataclass(slots=True)
class ClipPreview:
    """The clip under the pointer, which the character shows until the pointer leaves it.

    Attributes
    ----------
    hovered
        Index of the clip under the pointer in this frame, -1: none.
    since
        The clip under the pointer, of a character, and tau from which on it is.
    """

    hovered: int = -1
    since: tuple[OpenedCharacter | None, int, float] = (None, -1, 0.0)


def preview(session: Session) -> None:
    """Show the clip under the resting pointer in place of what plays; call after all panels."""
    state, active = session.interface.of(ClipPreview), session.active
    clip, state.hovered = state.hovered, -1
    before, last, since = state.since
    plays = active is not None and active.character.mixer.clip == clip
    if (active, clip) != (before, last):
        state.since = active, clip, session.tau
    elif active is not None and clip >= 0 and not plays:
        if active.character.preview is None and session.tau >= since + PREVIEW:
            played_motion.preview_clip(active, clip)
        return
    if before is not None and before.character.preview is not None:
        played_motion.preview_clip(before, -1)


def draw(session: Session) -> None:
    """Draw the list; a click plays a clip, and the pointer resting on one shows it.

    In the search field, Enter plays the first match, and the arrows down and up the next ones.
    """
    model = session.model
    corner, size = imgui.get_window_pos(), imgui.get_window_size()
    box = (corner.x, corner.y, corner.x + size.x, session.interface.panel_bottom)
    session.interface.of(ClipImportView).clips_box = box
    if model is None:
        imgui.text("No file is open" if session.files.loading is None else "Opening a file")
        key = shortcuts.first_key(session, action("open"))
        press = f", or press {key}" if key else ""
        widgets.note(f"Drop a .glb, .gltf, .vrm, .blend or .fbx file here{press}.")
        return
    count = len(model.clips)
    if not count:
        imgui.text("No clips")
        widgets.note("This file has no animations. Drop a file here to add its clips.")
        return
    takes_first, step = False, 0
    if count >= MANY:
        session.interface.filter_clips, takes_first, step = widgets.search_field(
            session, "search clips", session.interface.filter_clips, steps=True
        )
    names = searched_names(model, session.document)
    listed = widgets.matching(session.interface.filter_clips, names)
    if not listed:
        widgets.quiet("No matching clips")
        return
    if takes_first:
        played_motion.start_clip(session.transport, listed[0])
    elif step:
        played_motion.start_clip(session.transport, _further(session, listed, step))
        session.interface.scroll_to_clip = True
    _motion(session)
    row = imgui.get_frame_height() + theme.metrics().row_gap
    height = min(len(listed) * row, max(widgets.room_below(session), LEAST_ROWS * row))
    if imgui.begin_child("list", imgui.ImVec2(0.0, height), imgui.ChildFlags_.nav_flattened):
        _rows(session, model, listed, row)
    imgui.end_child()


def _rows(session: Session, model: Model, listed: Sequence[int], height: float) -> None:
    """Draw the rows in sight, and that of the clip to scroll to."""
    prefix = clip_prefix(model)
    playing = _playing(session)
    scrolls = session.interface.scroll_to_clip and playing in listed
    for k in widgets.in_sight(len(listed), height, listed.index(playing) if scrolls else -1):
        _row(session, model, listed[k], prefix, height)


def _playing(session: Session) -> int:
    """Return the index of the clip that plays by itself, -1: none."""
    return -1 if session.character is None else session.character.mixer.clip


def _further(session: Session, listed: Sequence[int], step: int) -> int:
    """Return the listed clip after or before the one that plays; at the ends the last or first."""
    now = _playing(session)
    if now not in listed:
        return listed[0]
    return listed[min(max(listed.index(now) + step, 0), len(listed) - 1)]


def _motion(session: Session) -> None:
    """Draw the row that plays the layers, if the motion has layers."""
    if not session.editor.has_layers:
        return
    shown = session.editor.shown
    count = len(session.editor.document.layers)
    label = f"{icons.PLAY if shown else icons.LAYERS}  Layers ({count})"
    tip = "Play the layers of the mixer; a clip below plays by itself"
    pressed = widgets.row(session, "play layers", (0.0, 0.0), selected=shown, label=label, tip=tip)
    if pressed and not shown:
        session.editor.show()


def _row(session: Session, model: Model, clip: int, prefix: str, height: float) -> None:
    """Draw a clip: a mark if it plays, its name without the prefix, its length."""
    em, entry, plays = widgets.em(), model.clips[clip], clip == _playing(session)
    top = imgui.get_cursor_screen_pos()
    width = imgui.get_content_region_avail().x
    size = width, height - imgui.get_style().item_spacing.y
    imgui.set_next_item_allow_overlap()
    pressed = widgets.row(session, f"clip {entry.name}", size, selected=plays)
    hovered = imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_overlapped_by_item)
    if plays and session.interface.scroll_to_clip:
        imgui.set_scroll_here_y(0.5)
        session.interface.scroll_to_clip = False
    length, active = f"{entry.end:.2f} s", session.active
    wide = imgui.calc_text_size(length).x
    right = top.x + width - wide - 1.8 * em
    found = () if active is None else active.check.places(active.model).clips.get(clip, ())
    middle = top.y + size[1] / 2.0
    on_mark = finding_marks.row_mark(session, entry.name, found, right - 0.3 * em, middle)
    taken = wide + 3.8 * em + finding_marks.width(found)
    name = widgets.shortened(entry.name.removeprefix(prefix), width - taken)
    known = searched_names(model, session.document)[clip]
    tags = known.removeprefix(entry.name).strip()
    room = width - taken - imgui.calc_text_size(name).x - 0.8 * em
    fits = imgui.calc_text_size(tags).x < room
    if (name != entry.name or not fits) and not on_mark:
        widgets.hint(known)
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    y = top.y + (height - imgui.get_style().item_spacing.y - em) / 2.0
    if plays:
        lines.add_text((top.x + 0.35 * em, y), theme.packed(palette.accent), icons.PLAY)
    lines.add_text((top.x + 1.5 * em, y), theme.packed(palette.text), name)
    lines.add_text((right, y), theme.packed(palette.quiet), length)
    if tags and fits:
        place = top.x + 2.3 * em + imgui.calc_text_size(name).x, y
        lines.add_text(place, theme.packed(palette.accent), tags)
    if hovered:
        session.interface.of(ClipPreview).hovered = clip
    gear = (top.x + width - 1.6 * em, top.y), size[1]
    if _gear(session, model, clip, *gear, hovered=hovered):
        open_clip(session, clip)
    elif pressed and on_mark and active is not None:
        open_next(session, active, found)
    elif pressed:
        played_motion.start_clip(session.transport, clip)


def _gear(
    session: Session,
    model: Model,
    clip: int,
    place: tuple[float, float],
    tall: float,
    *,
    hovered: bool,
) -> bool:
    """Draw the gear in the row of a clip, if the clip has settings or the row is hovered.

    Returns whether it, or the row by the right button, was pressed.

    Parameters
    ----------
    place, tall
        Upper left corner and height, points.
    """
    if not hovered and clip not in clips_with_settings(model, session.document):
        return False
    em = widgets.em()
    imgui.set_cursor_screen_pos(place)
    name = f"settings of {model.clips[clip].name}"
    tip = "Settings of the clip in the motion file: loop, range, sync marks, events, tags"
    pressed = widgets.area(session, name, (1.5 * em, tall), tip=tip)
    over, palette = imgui.is_item_hovered(), theme.palette()
    at = place[0] + 0.3 * em, place[1] + (tall - em) / 2.0
    ink = theme.packed(palette.text if over else palette.quiet)
    imgui.get_window_draw_list().add_text(at, ink, icons.SETTINGS)
    return pressed or (hovered and imgui.is_mouse_released(imgui.MouseButton_.right))
