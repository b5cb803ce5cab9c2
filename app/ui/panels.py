"""All panels of a frame and their layout; the window calls `draw` and `overlay`."""

from collections.abc import Sequence

from imgui_bundle import imgui

from ..session.session import Session
from ..wording import counted
from . import (
    aim_handle,
    character_list,
    clips,
    curves,
    display,
    joint_names,
    menu,
    mixer_panels,
    morphs,
    mouse_navigation,
    playbar,
    popups,
    shortcuts,
    statistics,
    theme,
    widgets,
)

WIDE = 48.0  # font heights: a narrower window hides the right panels
WIDE_BENCH = 56.0  # the same while the mixer is open


def draw(session: Session, chords: Sequence[shortcuts.Chord] = ()) -> None:
    """Handle the frame's keys and mouse, then draw all panels; between `Gui.begin` and `Gui.end`.

    Sets the box of the scene (`interface.view`) and the aspect ratio of its uncovered part
    (`aspect`).

    Parameters
    ----------
    chords
        Keys pressed since the previous frame, with their modifiers.
    """
    if session.interface.widget_boxes is not None:
        session.interface.widget_boxes.clear()
    _end_drag(session)
    shortcuts.run(session, chords)
    mouse_navigation.navigate(session)
    if session.interface.hidden or not session.interface.mixer_panels.shown:
        session.scene.display.mask = ()
    if session.interface.hidden:
        _place_view(session, 0.0, 0.0, 0.0)
    else:
        _panels(session)
        menu.draw(session)
    _notice(session)
    popups.draw(session)
    _release_keyboard(session)


def overlay(session: Session) -> None:
    """Draw the overlays between scene and panels, after the scene was updated."""
    character_list.captions(session)
    joint_names.draw(session)
    aim_handle.draw(session)


def _panels(session: Session) -> None:
    area = imgui.get_main_viewport()
    em = widgets.em()
    bar = playbar.height()
    margin = widgets.MARGIN * em
    mixing = session.interface.mixer_panels.shown and session.model is not None
    width = (mixer_panels.WIDTH if mixing else widgets.PANEL_WIDTH) * em
    wide = area.size.x >= (WIDE_BENCH if mixing else WIDE) * em
    top = imgui.get_frame_height()  # of the menu bar
    low = bar + curves.height(session, area.size.y - bar - top)
    _place_view(session, top, low, (width + margin) * (2.0 if wide else 0.0))
    room = area.size.y - low - top - 2.0 * margin

    _begin("Playback", 0.0, area.size.y - bar, area.size.x, bar, theme.palette().bar)
    playbar.draw(session)
    imgui.end()
    if low > bar:
        _begin("Curves", 0.0, area.size.y - low, area.size.x, low - bar, theme.palette().panel)
        curves.draw(session)
        imgui.end()

    _begin_floating("Clips", margin, top + margin, width, room)
    if mixing and not wide:
        character_list.draw(session)
        mixer_panels.single_panel(
            session, (("Clips", clips.draw), mixer_panels.MIXER, ("View", _view_panels))
        )
        imgui.end()
        return
    character_list.draw(session)
    clips.draw(session)
    used = imgui.get_window_size().y
    imgui.end()
    if mixing:
        down = used + 0.5 * margin
        _begin_floating("Mixer", margin, top + margin + down, width, room - down)
        mixer_panels.mixer_panel(session)
        imgui.end()
    if not wide:
        return
    _begin_floating("View", area.size.x - width - margin, top + margin, width, room)
    if mixing:
        mixer_panels.tabs(session, (("View", _view_panels),))
    else:
        _view_panels(session)
    imgui.end()


def _view_panels(session: Session) -> None:
    model = session.model
    if model is not None and model.warnings:
        label = counted(len(model.warnings), "warning")
        with widgets.colored((imgui.Col_.text, theme.palette().warning)):
            opened = widgets.section(f"{label}###warnings", opened=False)
        widgets.mark(session, "warnings")
        if opened:
            statistics.warnings(session)
    if widgets.section("View"):
        display.draw(session)
    if morphs.count(session):
        opened = widgets.section(f"Morph targets  {morphs.count(session)}###morphs")
        widgets.mark(session, "morphs")
        if opened:
            morphs.draw(session)
    opened = widgets.section("File", opened=False)
    widgets.mark(session, "file")
    if opened:
        statistics.draw(session)


def _end_drag(session: Session) -> None:
    """End the editor's drag when no button is down and no widget is active."""
    if not imgui.is_any_mouse_down() and not imgui.is_any_item_active():
        session.editor.end_drag()


def _release_keyboard(session: Session) -> None:
    """Remove the keyboard focus from a clicked panel: arrows and Space control playback.

    After Ctrl+Tab they control the panels, until Esc or a click.
    """
    interface = session.interface
    if imgui.is_mouse_clicked(imgui.MouseButton_.left):
        interface.keyboard_navigation = False
    held = imgui.is_any_item_active() or imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    if not interface.keyboard_navigation and not held:
        imgui.set_window_focus(None)


def _place_view(session: Session, top: float, bottom: float, covered: float) -> None:
    size = imgui.get_main_viewport().size
    high = max(size.y - top - bottom, 1.0)
    session.interface.view = (0.0, top, max(size.x, 1.0), top + high)
    session.aspect = max(size.x - covered, 0.3 * size.x, 1.0) / high


def _begin(name: str, x: float, y: float, width: float, height: float, color: theme.Color) -> None:
    imgui.set_next_window_pos(imgui.ImVec2(x, y))
    imgui.set_next_window_size(imgui.ImVec2(width, height))
    imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
    imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
    with widgets.colored((imgui.Col_.window_bg, color)):
        imgui.begin(name, None, widgets.FIXED | imgui.WindowFlags_.no_scrollbar)
    imgui.pop_style_var(2)


def _begin_floating(name: str, x: float, y: float, width: float, room: float) -> None:
    """Begin a panel as high as its contents, at most `room`."""
    imgui.set_next_window_pos(imgui.ImVec2(x, y))
    imgui.set_next_window_size_constraints(
        imgui.ImVec2(width, 0.0), imgui.ImVec2(width, max(room, 1.0))
    )
    imgui.begin(name, None, widgets.FIXED | imgui.WindowFlags_.always_auto_resize)


def _notice(session: Session) -> None:
    """Draw the notice above the playback bar."""
    interface = session.interface
    if not interface.notice or session.tau > interface.notice_end:
        return
    left, _, right, bottom = interface.view
    place = imgui.ImVec2((left + right) / 2.0, bottom - widgets.em())
    imgui.set_next_window_pos(place, imgui.Cond_.always, imgui.ImVec2(0.5, 1.0))
    flags = widgets.FIXED | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_inputs
    imgui.begin("Notice", None, flags)
    imgui.text(interface.notice)
    imgui.end()
