"""The names of both versions over the scene, where each of them is drawn."""

from imgui_bundle import imgui

from ...session.comparison import Comparison
from ...session.session import Session
from .. import theme, widgets

ROW = 1.7  # font heights: of a name
_GHOST = (0.55, 0.66, 1.0, 1.0)  # as of ghosts in mesh.frag


def height(session: Session) -> float:
    """Return the height of the names at the top of the view, points; 0 if there are none."""
    comparison = session.comparison
    if comparison.pair is None or comparison.versions is None:
        return 0.0
    rows = {"overlaid": 2, "error": 0}.get(comparison.versions.mode, 1)
    return rows * ROW * widgets.em()


def draw(session: Session) -> None:
    """Draw a name at the top of each part of the view."""
    comparison = session.comparison
    pair, versions = comparison.pair, comparison.versions
    if pair is None or versions is None or session.interface.hidden:
        return
    left, top, right, _ = session.interface.viewport.box
    width, em = right - left, widgets.em()
    old, new = (_shown_name(comparison, k) for k in range(2))
    begin, end = (left + edge * width for edge in versions.free)
    y = top + 1.2 * em
    if versions.mode == "side-by-side":
        middle = left + versions.middle * width
        _label(session, old, (begin, middle), y, 0.5)
        _label(session, new, (middle, end), y, 0.5)
    elif versions.mode == "wipe":
        edge = left + versions.edge * width
        _label(session, old, (begin, edge - 0.6 * em), y, 1.0)
        _label(session, new, (edge + 0.6 * em, end), y, 0.0)
    elif versions.mode == "overlaid":
        _label(session, new, (begin, end), y, 0.5)
        _label(session, f"{old} (translucent)", (begin, end), y + ROW * em, 0.5, _GHOST)


def _shown_name(comparison: Comparison, version: int) -> str:
    """Return the name of a version, with a note if it lacks the playing clip."""
    pair, missing = comparison.pair, comparison.missing
    if pair is None:
        return ""
    own, other = pair[version], pair[1 - version]
    name = own.name if own.name != other.name else f"{own.name} ({('old', 'new')[version]})"
    if missing is not None and missing[0] is own:
        return f"{name}: no clip {missing[1]}"
    return name


def _label(
    session: Session,
    text: str,
    room: tuple[float, float],
    y: float,
    align: float,
    color: theme.Color | None = None,
) -> None:
    """Draw a name on a dark field between two places: at the left end (0), middle or right (1)."""
    em, palette = widgets.em(), theme.palette()
    wide = room[1] - room[0] - 0.8 * em
    if wide < 2.0 * em:
        return
    text = widgets.shortened(text, wide)
    size = imgui.calc_text_size(text).x
    x = round(room[0] + 0.4 * em + align * (wide - size))
    low, high = (x - 0.4 * em, y - 0.2 * em), (x + size + 0.4 * em, y + 1.25 * em)
    lines = imgui.get_background_draw_list()
    lines.add_rect_filled(low, high, theme.packed(palette.bar, 0.8), 4.0)
    if color is not None:
        lines.add_rect_filled(low, (low[0] + 4.0, high[1]), theme.packed(color), 2.0)
    lines.add_text((x, y), theme.packed(palette.text), text)
    if session.interface.widget_boxes is not None:
        session.interface.widget_boxes[f"version {text}"] = (*low, *high)
