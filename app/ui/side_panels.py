"""The panels beside the scene: outliner and mixer at the left, one column of tabs at the right.

A narrow window has one column, with a list of its panels.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from imgui_bundle import imgui

from ..session.session import Session
from ..session.settings import PANEL_SIZES
from ..wording import counted
from . import (
    blend_spaces,
    character_list,
    clip_list,
    compare_panel,
    icons,
    inspector_panel,
    layout,
    mapping_panel,
    mask_panel,
    mixer,
    motion_panel,
    outliner_panel,
    refresh,
    stage_panel,
    theme,
    view_panel,
    widgets,
)
from .findings import findings_panel
from .timeline import schedule

GAP = 0.5  # font heights, between the clips and the mixer
CLIPS_SHARE = 0.45  # of the column: least height of the clips above a tall mixer
LOW = 28.0  # font heights: in a lower column clips and mixer are tabs
OUTLINER: tuple[layout.Panel, ...] = (
    ("Clips", clip_list.draw),
    ("Joints", outliner_panel.draw),
    ("Meshes", outliner_panel.draw_meshes),
    ("Morphs", outliner_panel.draw_morphs),
)
MIXER: layout.Panel = ("Mixer", mixer.draw)
_LEAST = 8.0  # font heights: of the mixer below the clips


def left_column(session: Session, top: float, room: float, width: float, *, mixing: bool) -> None:
    """Draw the characters and clips, and the mixer below them if it is open.

    In a low column mixer and clips are tabs.

    Parameters
    ----------
    top, room, width
        Upper end, greatest height and width of the column, points.
    """
    em = widgets.em()
    left, gap = widgets.MARGIN * em, GAP * em
    if mixing and room < LOW * em:
        if _begin(session, "Clips", (left, top), width, room):
            character_list.draw(session)
            layout.tabs(session, "left", (MIXER, *OUTLINER), as_icons=True)
        layout.floating_edge(session, "left", (left + width, top), _end(), left)
        return
    high = _clips_height(session, room, gap) if mixing else room
    if _begin(session, "Clips", (left, top), width, high):
        character_list.draw(session)
        if session.model is None:
            clip_list.draw(session)
        else:
            _outliner(session)
    used = _end()
    if mixing:
        below = top + used + gap
        layout.floating_edge(session, "clips", (left, top + used), width, top)
        if _begin(session, "Mixer", (left, below), width, room - used - gap, filled=True):
            label, draw = MIXER
            with theme.Bold():
                widgets.label(label)
            imgui.same_line()
            draw(session)
            padding = imgui.get_style().window_padding.y
            session.interface.mixer_panels.height = imgui.get_cursor_pos_y() + padding
        used += gap + _end()
    layout.floating_edge(session, "left", (left + width, top), used, left)


def _outliner(session: Session) -> None:
    """Draw the outliner; of joints and meshes the list that has a new selection is shown."""
    interface, chosen = session.interface, session.selected
    if chosen is not None and interface.outliner.scroll_to_selected:
        wanted = "Joints" if chosen.primitive < 0 else "Meshes"
        if interface.outliner.tab in {"Joints", "Meshes"} - {wanted}:
            interface.mixer_panels.tab = wanted
    interface.outliner.tab = layout.tabs(session, "outliner", OUTLINER)


def right_column(session: Session, top: float, room: float, width: float) -> None:
    """Draw the right-hand panels as tabs.

    The first selection opens the inspector; a tab chosen by hand stays.
    """
    em = widgets.em()
    end = imgui.get_main_viewport().size.x - widgets.MARGIN * em
    if _begin(session, "Right", (end - width, top), width, room):
        _right_tabs(session)
    used = _end()
    layout.floating_edge(session, "right", (end - width - layout.EDGE * em, top), used, end)


@dataclass(slots=True)
class ChosenTab:
    """Whether a tab at the right was chosen by hand."""

    chosen: bool = False


def _right_tabs(session: Session) -> None:
    interface, by_hand = session.interface, session.interface.of(ChosenTab)
    before = interface.tabs.setdefault("right", session.settings.tab or "View")
    if interface.inspect and not by_hand.chosen and before == "View":
        before = interface.tabs["right"] = "Inspector"
    interface.inspect = False
    listed, counts = right_panels(session), badges(session)
    if layout.tabs(session, "right", listed, counts, as_icons=True) != "Mask":
        session.scene.mask = ()
    if interface.tabs["right"] != before:
        by_hand.chosen, session.settings.tab = True, interface.tabs["right"]
        interface.mixer_panels.show_mask |= interface.tabs["right"] == "Mask"


def right_panels(session: Session) -> tuple[layout.Panel, ...]:
    """Return those of the right-hand panels that are listed at present."""
    return tuple((each.label, each.draw) for each in RIGHT if each.listed(session))


def labels(session: Session) -> tuple[str, ...]:
    """Return the labels of all panels beside the scene that are listed at present."""
    return tuple(label for label, _ in (*OUTLINER, *right_panels(session)))


def badges(session: Session) -> dict[str, int]:
    """Return the counts over the tabs of right-hand panels, by label."""
    return {"Findings": findings_panel.count(session)}


def one_column(session: Session, top: float, high: float, width: float, *, mixing: bool) -> None:
    """Draw one panel, chosen from a list, at the left end of the window; collapsed it floats.

    The first selection opens the inspector, unless a panel was chosen by hand.
    """
    own = session.interface.mixer_panels
    if session.interface.inspect and not mixing and not own.panel:
        own.panel = "Inspector"
    session.interface.inspect = False
    mixers = (MIXER,) if mixing else ()
    panels: tuple[layout.Panel, ...] = (*OUTLINER, *mixers, *right_panels(session))
    if own.collapsed:
        margin = widgets.MARGIN * widgets.em()
        if _begin(session, "Clips", (margin, top + margin), width, high - 2.0 * margin):
            _single_panel(session, panels, badges(session))
        imgui.end()
        return
    session.interface.panel_bottom = top + high
    color = theme.opaque(theme.palette().panel)
    if begin_docked(session, "Column", (0.0, top), (width, high), color):
        character_list.draw(session)
        _single_panel(session, panels, badges(session))
    imgui.end()
    layout.floating_edge(session, "left", (width, top), high, 0.0)


def _single_panel(
    session: Session, listed: tuple[layout.Panel, ...], badges: Mapping[str, int]
) -> None:
    """Draw one panel, chosen from a list; a button collapses it."""
    own, panels = session.interface.mixer_panels, dict(listed)
    if own.tab in panels:
        own.panel, own.tab = own.tab, ""
    default = MIXER[0] if MIXER[0] in panels else listed[0][0]
    now = own.panel if own.panel in panels else default
    button = imgui.get_frame_height()
    width = imgui.get_content_region_avail().x - button - theme.metrics().gap
    names = {name: layout.named(name, badges) for name in panels}
    chosen = widgets.choice(session, "panel", names, now, width=width)
    if chosen != now:
        own.panel = now = chosen
        own.show_mask |= chosen == "Mask"
    widgets.beside()
    arrow, words = (icons.CLOSED, "Expand") if own.collapsed else (icons.OPENED, "Collapse")
    if widgets.toggle(session, "collapse", arrow, False, f"{words} the panel", button):
        own.collapsed = not own.collapsed
    if not own.collapsed:
        panels[now](session)
    if now != "Mask" or own.collapsed:
        session.scene.mask = ()


def begin_docked(
    session: Session,
    name: str,
    place: tuple[float, float],
    size: tuple[float, float],
    color: theme.Color,
    rate: float = refresh.VALUES,
) -> bool:
    """Begin a panel of a fixed size at the edge of the window; what does not fit scrolls.

    Returns whether to draw its contents, as `refresh.begin` does.
    """
    imgui.set_next_window_pos(place)
    imgui.set_next_window_size(size)
    imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
    imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
    with widgets.Colored((imgui.Col_.window_bg, color)):
        drawn = refresh.begin(session, name, widgets.FIXED, rate)
    imgui.pop_style_var(2)
    return drawn


def _clips_height(session: Session, room: float, gap: float) -> float:
    """Return the greatest height of the clips above the mixer, points.

    Unless it was dragged, they take what the mixer leaves free, and at least a share.
    """
    em = widgets.em()
    free = max(room - session.interface.mixer_panels.height - gap, CLIPS_SHARE * room)
    wanted = layout.size(session, "clips", free / em) * em
    return max(min(wanted, room - gap - _LEAST * em), PANEL_SIZES["clips"][0] * em)


def _begin(
    session: Session,
    name: str,
    place: tuple[float, float],
    width: float,
    room: float,
    *,
    filled: bool = False,
) -> bool:
    """Begin a panel as high as its contents, at most `room`; beyond it scrolls.

    If it is `filled`, it has this height even with less in it. Returns whether to draw its
    contents, as `refresh.begin` does.
    """
    place, room = (place[0], int(place[1])), float(max(int(room), 1))  # as ImGui rounds them
    imgui.set_next_window_pos(place)
    imgui.set_next_window_size_constraints((width, room if filled else 0.0), (width, room))
    session.interface.panel_bottom = place[1] + room
    return refresh.begin(session, name, widgets.AUTO_SIZED)


def _end() -> float:
    """End a panel; return its height, points."""
    used = imgui.get_window_size().y
    imgui.end()
    return used


def _view_panels(session: Session) -> None:
    model = session.model
    if model is not None and model.warnings:
        label = counted(len(model.warnings), "warning")
        with widgets.Colored((imgui.Col_.text, theme.palette().warning)):
            opened = widgets.section(session, f"{label}###warnings", "warnings", opened=False)
        if opened:
            view_panel._warnings(session)
    view_panel.draw(session)
    has_clips = model is not None and model.clips
    if has_clips and widgets.section(session, "Follows", "follows", opened=False):
        view_panel._follows(session)
    if widgets.section(session, "File", "file"):
        view_panel._facts(session)


def _events(session: Session) -> None:
    count = len(session.editor.document.at)
    if widgets.section(session, f"Schedule  {count}###moments"):
        schedule.draw(session)
    if widgets.section(session, "Events"):
        schedule.draw_events(session)


def _mixing(session: Session) -> bool:
    """Return whether the mixer is open."""
    return session.interface.mixer_panels.shown and session.model is not None


class RightPanel(NamedTuple):
    """A panel of the right column."""

    label: str
    draw: layout.Body
    listed: Callable[[Session], bool] = lambda _: True  # whether it has a tab at present


RIGHT = (
    RightPanel("View", _view_panels),
    RightPanel("Stage", stage_panel.draw),
    RightPanel("Inspector", inspector_panel.draw),
    RightPanel("Findings", findings_panel.draw),
    RightPanel("Mapping", mapping_panel.draw, mapping_panel.listed),
    RightPanel("Compare", compare_panel.draw, compare_panel.listed),
    RightPanel("Space", blend_spaces.draw, _mixing),
    RightPanel("Mask", mask_panel.draw, _mixing),
    RightPanel("Motion", motion_panel.draw, lambda session: session.model is not None),
    RightPanel("Events", _events, _mixing),
)
