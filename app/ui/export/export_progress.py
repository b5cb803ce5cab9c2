"""The progress of the running export, above the playback bar, with a button that cancels it."""

from imgui_bundle import imgui

from ...session.export.background_export import cancel
from ...session.export.export_view import ExportView
from ...session.session import Session
from .. import theme, widgets

WIDTH, LEAST_NAME = 20.0, 5.0  # font heights: of the bar; room for a name that is shown


def draw(session: Session, left: float, right: float) -> float:
    """Draw file, frames and a bar between two places, points; return the height that is taken."""
    view = session.interface.of(ExportView)
    if not view.running:
        return 0.0
    bottom = session.interface.viewport.box[3]
    em = widgets.em()
    place = imgui.ImVec2((left + right) / 2.0, bottom - em)
    imgui.set_next_window_pos(place, imgui.Cond_.always, imgui.ImVec2(0.5, 1.0))
    flags = widgets.ON_TOP | imgui.WindowFlags_.always_auto_resize
    imgui.begin("Exporting", None, flags)
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
    with widgets.colored((imgui.Col_.plot_histogram, theme.palette().accent)):
        share = view.done / view.total if view.total else 0.0
        imgui.progress_bar(share, imgui.ImVec2(width, 0.4 * em), "")
    widgets.mark(session, "export progress")
    imgui.end_group()
    imgui.same_line()
    if imgui.button("Cancel", imgui.ImVec2(button, 0.0)):
        cancel(session)
    widgets.mark(session, "cancel export")
    height = imgui.get_window_height()
    imgui.end()
    return height + 0.5 * em
