"""The legend of what colours the surface: view mode, joint weights, mask, or errors."""

from collections.abc import Sequence
from itertools import pairwise

from imgui_bundle import imgui

from ..scenedoc.view_modes import NONE, VIEWS, VIRIDIS, Swatch
from ..session.session import Session
from ..wording import millimetres
from . import layout, theme, widgets

SCALE = 14.0  # font heights: width of the colour scale
WIDE = 20.0  # font heights: greatest width, so that it is beside a character
TICKS = (0.0, 0.5, 1.0)  # of its width


def draw(session: Session) -> None:
    """Draw the legend as a strip at the top of the scene, unless the surface is lit.

    It is below the icons of the overlays; its lower end becomes `viewport.top`.
    """
    title = _title(session)
    if not title:
        return
    left, right = _ends(session)
    em, viewport = widgets.em(), session.interface.viewport
    right = min((right, *(box[0] - em for box in viewport.over if box[3] > viewport.top)))
    room = min(right - left - 2.0 * imgui.get_style().window_padding.x, WIDE * em)
    if room < 2.0 * em:
        return
    row = viewport.top > viewport.box[1]  # of icons
    place = left, viewport.top + (theme.metrics().gap if row else widgets.MARGIN * em)
    imgui.set_next_window_pos(place)
    imgui.begin("Legend", None, widgets.AUTO_SIZED | imgui.WindowFlags_.no_inputs)
    with theme.Bold():
        title = widgets.shortened(title, room)
        used = imgui.calc_text_size(title).x
        imgui.text(title)
    errors = session.comparison.painted_errors
    swatches: Sequence[Swatch] = session.scene.swatches
    if session.comparison.mode == "error":
        swatches = [Swatch(NONE, f"within {millimetres(errors.threshold, '.3g')}")]
        swatches += [Swatch(VIRIDIS[-1], errors.place)] if errors.place else []
    _swatches(swatches or VIEWS[session.scene.look.shading.view_mode].ticks, room, used)
    if session.comparison.mode == "error":
        _color_scale(min(SCALE * em, room), errors.full)
    low, size = imgui.get_window_pos(), imgui.get_window_size()
    box = low.x, low.y, low.x + size.x, low.y + size.y
    widgets.mark_box(session, "legend", box[:2], box[2:])
    viewport.over += (box,)
    viewport.top = box[3]
    imgui.end()


def _swatches(swatches: Sequence[Swatch], room: float, used: float) -> None:
    """Draw swatches with their labels as `images.swatches` does on pictures.

    They go on in the line that `used` points of begin, or in further ones.
    """
    em, lines = widgets.em(), imgui.get_window_draw_list()
    for swatch in swatches:
        width = 2.4 * em + imgui.calc_text_size(swatch.label).x
        if 0.0 < used <= room - width:
            imgui.same_line(0.0, em)
        else:
            used = 0.0
        used += width + em
        low = imgui.get_cursor_screen_pos()
        box = (low.x, low.y + 0.2 * em), (low.x + em, low.y + em)
        lines.add_rect_filled(*box, theme.packed((*swatch.colour, 1.0)))
        lines.add_rect(*box, theme.packed(theme.palette().line))
        imgui.dummy(imgui.ImVec2(em, em))
        imgui.same_line(0.0, 0.4 * em)
        widgets.quiet(swatch.label)


def _color_scale(width: float, full: float) -> None:
    """Draw the color scale of errors up to `full`, metres, as in `lib/color.glsl`, with ticks."""
    em, low = widgets.em(), imgui.get_cursor_screen_pos()
    step = width / (len(VIRIDIS) - 1)
    lines, ink = imgui.get_window_draw_list(), theme.packed(theme.palette().quiet)
    for k, (a, b) in enumerate(pairwise(VIRIDIS)):
        left, right = theme.packed((*a, 1.0)), theme.packed((*b, 1.0))
        box = (low.x + k * step, low.y), (low.x + (k + 1) * step, low.y + 0.5 * em)
        lines.add_rect_filled_multi_color(*box, left, right, right, left)
    for share in TICKS:
        x, text = low.x + share * width, millimetres(share * full, ".3g")
        lines.add_line((x, low.y), (x, low.y + 0.75 * em), ink)
        wide = imgui.calc_text_size(text).x
        lines.add_text((x - share * wide, low.y + 0.75 * em), ink, text)
    imgui.dummy(imgui.ImVec2(width, 1.75 * em))


def _title(session: Session) -> str:
    """Return what the colours show; "": the surface is lit."""
    scene, model = session.scene, session.model
    if model is None:
        return ""
    if session.comparison.mode == "error":
        pair = session.comparison.pair
        return "Error" if pair is None else f"Error of {pair[1].name}"
    if scene.mask:
        return f"Mask {session.interface.mixer_panels.mask}"
    if scene.weights_joint >= 0:
        return f"Weights of {model.skeleton.names[scene.weights_joint]}"
    mode = scene.look.shading.view_mode
    return "" if mode == "lit" else VIEWS[mode].label


def _ends(session: Session) -> tuple[float, float]:
    """Return the left and right end of the scene between the panels, points."""
    interface, margin = session.interface, widgets.MARGIN * widgets.em()
    left, _, right, _ = interface.viewport.box
    widths = layout.columns(session, mixing=interface.mixer_panels.shown)
    if not (interface.hidden or widths.one):
        left, right = left + widths.left + margin, right - widths.right - margin
    return left + margin, right - margin
