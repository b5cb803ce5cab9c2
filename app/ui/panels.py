"""All panels of a frame and their layout; the window calls `draw` and `overlay`."""

from collections.abc import Sequence

from imgui_bundle import imgui

from ..session.clip_import.mapping_rows import ClipImportView
from ..session.export.background_export import cancel
from ..session.export.export_view import ExportView
from ..session.session import Session
from . import (
    aim_handle,
    clip_list,
    compare_panel,
    curves,
    layout,
    legend,
    menu,
    mouse_navigation,
    overlay_row,
    popups,
    pose_gizmo,
    refresh,
    scene_names,
    shortcuts,
    side_panels,
    start_bar,
    theme,
    thumbnail_grid,
    view_cube,
    widgets,
)
from .timeline import dope_rows, lanes, playbar

NOTICE_ROOM = 12.0  # font heights: least width of the free part of the scene for notices in it
CUBE_ROOM = 16.0  # font heights: least height of a view with a view cube
PROGRESS_WIDTH, LEAST_NAME = 20.0, 5.0  # font heights: of the bars; room for a name that is shown


def draw(
    session: Session, chords: Sequence[shortcuts.Chord] = (), *, in_turns: bool = False
) -> None:
    """Handle the frame's keys and mouse, then draw all panels; between `Gui.begin` and `Gui.end`.

    Sets the box of the scene (`interface.viewport.box`) and the aspect ratio of its uncovered part
    (`aspect`).

    Parameters
    ----------
    chords
        Keys pressed since the previous frame, with their modifiers.
    in_turns
        Whether nothing but time, pointer and camera has changed since then; see `refresh`.
    """
    refreshed = session.interface.of(refresh.Refresh)
    refreshed.next_pass(session, in_turns=in_turns)
    if session.interface.widget_boxes is not None:
        session.interface.widget_boxes.clear()
    if not imgui.is_any_mouse_down() and not imgui.is_any_item_active():
        session.editor.end_drag()
    if refreshed.full:
        session.comparison.wanted = False  # unless it is drawn
        session.interface.of(ClipImportView).clips_box = None
    shortcuts.run(session, chords)
    session.interface.outliner.next_frame()
    mouse_navigation.navigate(session)
    compare_panel.follow_pointer(session)
    if session.interface.hidden or not session.interface.mixer_panels.shown:
        session.scene.mask = ()
    free = 0.0, imgui.get_main_viewport().size.x
    if thumbnail_grid.draw(session):
        menu.draw(session)
    elif session.interface.hidden:
        _place_view(session, (0.0, 0.0), 0.0)
    else:
        free = _panels(session)
        menu.draw(session)
    clip_list.preview(session)
    compare_panel.drag_edge(session)
    legend.draw(session)
    _loading(session)
    _notice(session, free, _export(session, *free))
    popups.draw(session)
    _release_keyboard(session)


def overlay(session: Session) -> None:
    """Draw the overlays between scene and panels, after the scene was updated."""
    scene_names.of_characters(session)
    scene_names.of_versions(session)
    compare_panel.draw_edge(session)
    scene_names.of_joints(session)
    scene_names.at_pointer(session)
    pose_gizmo.draw(session)
    aim_handle.draw(session)


def _panels(session: Session) -> tuple[float, float]:
    """Draw the panels beside and below the scene; return the ends of its free part, points."""
    area = imgui.get_main_viewport().size
    em = widgets.em()
    controls = playbar.control_rows(session)
    bar = playbar.height(session, controls)
    margin = widgets.MARGIN * em
    mixing = session.interface.mixer_panels.shown and session.model is not None
    widths = layout.columns(session, mixing=mixing)
    top = imgui.get_frame_height()  # of the menu bar
    top += start_bar.draw(session, top)
    free = area.y - bar - top
    low = bar + curves.height(session, free)
    side_by_side = low == bar or free >= layout.LOW * em
    one = widths.one and side_by_side and not session.interface.mixer_panels.collapsed
    covered = (0.0, 0.0) if widths.one else (widths.left + margin, widths.right + margin)
    _place_view(session, (widths.left if one else 0.0, top), low, covered)

    corner, size = (0.0, area.y - bar), (area.x, bar)
    color, rate = theme.palette().bar, refresh.PLAYHEAD
    if side_panels.begin_docked(session, "Playback", corner, size, color, rate):
        playbar.draw(session, controls)
    imgui.end()
    playbar.flash_events(session)
    if dope_rows.shown(session):
        rows = dope_rows.LANE.height(session, lanes.is_low())
        edge = (0.0, area.y - bar - layout.EDGE * em)
        layout.floating_edge(session, "dope sheet", edge, area.x, area.y - bar + rows)
    if low > bar:
        corner, size = (0.0, area.y - low), (area.x, low - bar)
        color = theme.opaque(theme.palette().panel)
        if side_panels.begin_docked(session, "Curves", corner, size, color, rate):
            curves.draw(session)
        imgui.end()
        edge = (0.0, area.y - low - layout.EDGE * em)
        layout.floating_edge(session, "curves", edge, area.x, area.y - bar)
    taken = widths.right + 2.0 * margin if side_by_side and not widths.one else margin
    begin, end = widths.left + margin if side_by_side else 0.0, area.x - taken
    is_high = area.y - low - top > CUBE_ROOM * em
    if is_high:
        view_cube.draw(session, end, top + margin, end - begin)
    over = session.interface.viewport.over
    right = over[0][0] if over else end
    overlay_row.draw(session, begin + margin, top + margin, right - margin, low=not is_high)
    if not side_by_side:
        return begin, end
    if widths.one:
        high = area.y - low - top
        side_panels.one_column(session, top, high, widths.left, mixing=mixing)
        return begin, end
    room = area.y - low - top - 2.0 * margin
    side_panels.left_column(session, top + margin, room, widths.left, mixing=mixing)
    side_panels.right_column(session, top + margin, room, widths.right)
    return begin, end


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


def _place_view(
    session: Session,
    corner: tuple[float, float],
    bottom: float,
    covered: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Set the box of the scene, from its upper left corner, and the aspect ratio of its free part.

    Parameters
    ----------
    bottom
        Height of the panels below the scene, points.
    covered
        Width of the panels over the left and over the right end of the scene, points.
    """
    size = imgui.get_main_viewport().size
    left, top = corner
    wide, high = max(size.x - left, 1.0), max(size.y - top - bottom, 1.0)
    session.interface.viewport.box = (left, top, left + wide, top + high)
    session.interface.viewport.covered, session.interface.viewport.over = covered, ()
    session.interface.viewport.top = top
    aspect = max(wide - sum(covered), 0.3 * wide, 1.0) / high
    session.interface.viewport.aspect = session.comparison.fit_view(wide, covered, aspect)


def _notice(session: Session, free: tuple[float, float], taken: float) -> None:
    """Draw the notice above the playback bar, and above what has `taken` points there.

    It is between the panels, whose ends are `free`, in points, unless it has no room there.
    """
    interface = session.interface
    if not interface.notice or session.tau > interface.notice_end:
        return
    em, wide = widgets.em(), imgui.get_main_viewport().size.x
    left, right = free if free[1] - free[0] > NOTICE_ROOM * em else (0.0, wide)
    place = (left + right) / 2.0, interface.viewport.box[3] - em - taken
    imgui.set_next_window_pos(place, imgui.Cond_.always, (0.5, 1.0))
    flags = widgets.ON_TOP | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_inputs
    imgui.begin("Notice", None, flags)
    widgets.wrapped(interface.notice, right - left - 2.0 * em)
    imgui.end()


def _loading(session: Session) -> None:
    """Draw what is being read in the middle of the scene, and a bar with the share that is done."""
    loading = session.files.loading
    if loading is None:
        return
    done = loading.share == 1.0  # its stage is "Uploading" then
    left, top, right, bottom = session.interface.viewport.box
    em = widgets.em()
    middle = (left + right) / 2.0, (top + bottom) / 2.0
    imgui.set_next_window_pos(middle, imgui.Cond_.always, (0.5, 0.5))
    inputs = 0 if loading.converts else imgui.WindowFlags_.no_inputs
    imgui.begin("Loading", None, widgets.AUTO_SIZED | inputs)
    width = min(PROGRESS_WIDTH * em, right - left - 2.0 * em)
    imgui.text(widgets.shortened(loading.stage, width))
    widgets.progress(session, "loading", loading.share, width, 0.5 * em)
    if loading.converts and widgets.button(session, "cancel conversion", "Cancel"):
        loading.cancel()
    imgui.end()
    loading.seen = done


def _export(session: Session, left: float, right: float) -> float:
    """Draw file, frames, a bar and a button that cancels, above the playback bar.

    Returns the height that is taken; `left` and `right` are the ends of the free scene, points.
    """
    view = session.interface.of(ExportView)
    if not view.running:
        return 0.0
    bottom = session.interface.viewport.box[3]
    em = widgets.em()
    place = (left + right) / 2.0, bottom - em
    imgui.set_next_window_pos(place, imgui.Cond_.always, (0.5, 1.0))
    imgui.begin("Exporting", None, widgets.ON_TOP | imgui.WindowFlags_.always_auto_resize)
    button = imgui.calc_text_size("Cancel").x + 2.0 * imgui.get_style().frame_padding.x
    width = min(PROGRESS_WIDTH * em, right - left - button - 4.0 * em)
    imgui.begin_group()
    count = f"{view.done} of {view.total}" if view.total else "starting"
    room = width - imgui.calc_text_size(count).x - em
    name = view.running.replace("\\", "/").rpartition("/")[2]
    imgui.text(widgets.shortened(name, room) if room > LEAST_NAME * em else "")
    widgets.hint(view.running)
    imgui.same_line(width - imgui.calc_text_size(count).x)
    widgets.quiet(count)
    share = view.done / view.total if view.total else 0.0
    widgets.progress(session, "export progress", share, width, 0.4 * em)
    imgui.end_group()
    imgui.same_line()
    if widgets.button(session, "cancel export", "Cancel", button):
        cancel(session)
    height = imgui.get_window_height()
    imgui.end()
    return height + 0.5 * em
