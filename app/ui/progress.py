"""The progress of files that are being read, and of the running export, over the scene."""

from imgui_bundle import imgui

from ..session.export.background_export import cancel
from ..session.export.export_view import ExportView
from ..session.session import Session
from . import widgets

WIDTH, LEAST_NAME = 20.0, 5.0  # font heights: of the bars; room for a name that is shown


def of_loading(session: Session) -> None:
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
    width = min(WIDTH * em, right - left - 2.0 * em)
    imgui.text(widgets.shortened(loading.stage, width))
    widgets.progress(session, "loading", loading.share, width, 0.5 * em)
    if loading.converts and widgets.button(session, "cancel conversion", "Cancel"):
        loading.cancel()
    imgui.end()
    loading.seen = done


def of_export(session: Session, left: float, right: float) -> float:
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
    width = min(WIDTH * em, right - left - button - 4.0 * em)
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
