"""The name of the joint, part or vertex under the pointer."""

from imgui_bundle import imgui

from ..scene.selected import name_of
from ..session import picking
from ..session.selection import Picked
from ..session.session import Session
from ..session.ui_state import Hovered
from . import short_names, theme, widgets

STALE = 1.0  # seconds after which the name of something that moves is out of date
_OFFSET = 14.0, 18.0  # of the name from the pointer, points


def draw(session: Session) -> None:
    """Draw the name beside the pointer, unless a panel uses the mouse or a button is down."""
    io, viewport = imgui.get_io(), session.interface.viewport
    place = io.mouse_pos.x, io.mouse_pos.y
    left, top, right, bottom = viewport.box
    inside = left <= place[0] < right and top <= place[1] < bottom
    if io.want_capture_mouse or imgui.is_any_mouse_down() or not inside:
        viewport.hovered = Hovered()
        return
    if place != viewport.hovered.place:
        size = max(right - left, 1.0), max(bottom - top, 1.0)
        found = picking.at(session, (place[0] - left, place[1] - top), size)
        name = "" if found is None else _shown_name(found)
        viewport.hovered = Hovered(place, session.tau, name)
    moving = session.moving
    hovered = viewport.hovered
    if hovered.name and not (moving and session.tau > hovered.since + STALE):
        _label(session, hovered.name, place)


def _shown_name(found: Picked) -> str:
    character, chosen = found
    name = name_of(character.model, chosen)
    return name.removeprefix(short_names.joint_prefix(character.model))


def _label(session: Session, name: str, place: tuple[float, float]) -> None:
    """Draw a name on a dark field, within the view."""
    _, _, right, bottom = session.interface.viewport.box
    em = widgets.em()
    size = imgui.calc_text_size(name)
    x = min(place[0] + _OFFSET[0], right - size.x - 0.5 * em)
    y = min(place[1] + _OFFSET[1], bottom - size.y - 0.5 * em)
    lines, palette = imgui.get_background_draw_list(), theme.palette()
    pad = imgui.ImVec2(0.4 * em, 0.2 * em)
    lines.add_rect_filled(
        imgui.ImVec2(x - pad.x, y - pad.y),
        imgui.ImVec2(x + size.x + pad.x, y + size.y + pad.y),
        theme.packed(palette.bar, 0.85),
        4.0,
    )
    lines.add_text(imgui.ImVec2(x, y), theme.packed(palette.text), name)
