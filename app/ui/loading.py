"""The progress of files that are being read, in the middle of the scene."""

from imgui_bundle import imgui

from ..session.session import Session
from . import theme, widgets

WIDTH = 20.0  # font heights


def draw(session: Session) -> None:
    """Draw what is being done and a bar with the share that is done."""
    loading = session.files.loading
    if loading is None:
        return
    done = loading.share == 1.0  # its stage is "Uploading" then
    left, top, right, bottom = session.interface.viewport.box
    em = widgets.em()
    middle = imgui.ImVec2((left + right) / 2.0, (top + bottom) / 2.0)
    imgui.set_next_window_pos(middle, imgui.Cond_.always, imgui.ImVec2(0.5, 0.5))
    flags = widgets.FIXED | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_inputs
    imgui.begin("Loading", None, flags)
    width = min(WIDTH * em, right - left - 2.0 * em)
    imgui.text(widgets.shortened(loading.stage, width))
    with widgets.colored((imgui.Col_.plot_histogram, theme.palette().accent)):
        imgui.progress_bar(loading.share, imgui.ImVec2(width, 0.5 * em), "")
    widgets.mark(session, "loading")
    imgui.end()
    loading.seen = done
