"""The legend of what colours the surface: view mode, joint weights, mask, or errors."""

from collections.abc import Sequence
from itertools import pairwise

from imgui_bundle import imgui

from ..scenedoc.view_modes import VIEWS, VIRIDIS, Swatch
from ..session.session import Session
from ..wording import millimetres
from . import layout, theme, widgets

SCALE = 12.0  # font heights: width of the colour scale
WIDE = 22.0  # font heights: longer lines are wrapped


def draw(session: Session) -> None:
    """Draw the legend between the panels, unless the surface is lit."""
    title, words = _words(session)
    if not title:
        return
    left, right = _ends(session)
    em = widgets.em()
    room = right - left - 2.0 * imgui.get_style().window_padding.x
    if room < 2.0 * em:
        return
    place = left, session.interface.viewport.box[3] - widgets.MARGIN * em
    imgui.set_next_window_pos(place, imgui.Cond_.always, (0.0, 1.0))
    imgui.begin("Legend", None, widgets.AUTO_SIZED | imgui.WindowFlags_.no_inputs)
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + min(room, WIDE * em))
    imgui.text(title)
    if words:
        imgui.text_disabled(words)
    imgui.pop_text_wrap_pos()
    if session.comparison.mode == "error":
        full = millimetres(session.comparison.painted_errors.full, ".3g")
        _color_scale(min(SCALE * em, room), ("0", full))
    else:
        _swatches(session.scene.swatches, room)
    low, size = imgui.get_window_pos(), imgui.get_window_size()
    widgets.mark_box(session, "legend", (low.x, low.y), (low.x + size.x, low.y + size.y))
    imgui.end()


def _swatches(swatches: Sequence[Swatch], room: float) -> None:
    """Draw swatches with their labels in lines, as `images.swatches` does on pictures."""
    em, lines, used = widgets.em(), imgui.get_window_draw_list(), 0.0
    for swatch in swatches:
        width = 2.4 * em + imgui.calc_text_size(swatch.label).x
        if 0.0 < used <= room - width:
            imgui.same_line(0.0, em)
        else:
            used = 0.0
        used += width
        low = imgui.get_cursor_screen_pos()
        box = (low.x, low.y + 0.2 * em), (low.x + em, low.y + em)
        lines.add_rect_filled(*box, theme.packed((*swatch.colour, 1.0)))
        imgui.dummy(imgui.ImVec2(em, em))
        imgui.same_line(0.0, 0.4 * em)
        widgets.quiet(swatch.label)


def _color_scale(width: float, ends: tuple[str, str]) -> None:
    """Draw the color scale of errors, as in `lib/color.glsl`, with its ends."""
    em = widgets.em()
    low = imgui.get_cursor_screen_pos()
    step = width / (len(VIRIDIS) - 1)
    lines = imgui.get_window_draw_list()
    for k, (a, b) in enumerate(pairwise(VIRIDIS)):
        left, right = theme.packed((*a, 1.0)), theme.packed((*b, 1.0))
        box = (low.x + k * step, low.y), (low.x + (k + 1) * step, low.y + 0.5 * em)
        lines.add_rect_filled_multi_color(*box, left, right, right, left)
    imgui.dummy(imgui.ImVec2(width, 0.5 * em))
    widgets.quiet(ends[0])
    imgui.same_line(imgui.get_cursor_pos_x() + width - imgui.calc_text_size(ends[1]).x)
    widgets.quiet(ends[1])


def _words(session: Session) -> tuple[str, str]:
    """Return the title and the explanation, which may be empty."""
    scene, model = session.scene, session.model
    mode = scene.look.shading.view_mode
    if model is None:
        return "", ""
    if session.comparison.mode == "error":
        return _errors(session)
    if scene.mask:
        return f"Mask: {session.interface.mixer_panels.mask}", ""
    if scene.weights_joint >= 0:
        return f"Weights of {model.skeleton.names[scene.weights_joint]}", ""
    if mode == "lit":
        return "", ""
    view = VIEWS[mode]
    return view.label, "" if view.swatches else view.what


def _errors(session: Session) -> tuple[str, str]:
    """Return the title and the explanation of the errors of the new version."""
    pair, errors = session.comparison.pair, session.comparison.painted_errors
    title = "Error" if pair is None else f"Error of {pair[1].name}"
    within = f"grey: within {millimetres(errors.threshold, '.3g')}"
    return title, f"{errors.place}; {within}" if errors.place else within


def _ends(session: Session) -> tuple[float, float]:
    """Return the left and right end of the scene between the panels, points."""
    interface, margin = session.interface, widgets.MARGIN * widgets.em()
    left, _, right, _ = interface.viewport.box
    widths = layout.columns(session, mixing=interface.mixer_panels.shown)
    if not (interface.hidden or widths.one):
        left, right = left + widths.left + margin, right - widths.right - margin
    return left + margin, right - margin
