"""The card at the start without a file: drop a file, recent files with pictures, the demo."""

from functools import lru_cache
from pathlib import Path

from imgui_bundle import imgui

from ..resources import is_bundled
from ..session import character_files
from ..session.commands.actions import action
from ..session.session import Session
from . import icons, theme, widgets

PICTURE = (8.0, 6.0)  # font heights
MOST = 8  # recent files
ROWS = 2  # of recent files
_FORMATS = "Drop a .glb, .gltf, .vrm, .bvh, .blend or .fbx file here"


def draw(session: Session, left: float, right: float) -> None:
    """Draw the card over the scene between two panels, until a file is opened or it is closed."""
    start, path = session.interface.start, session.path
    if start.shown and path is not None and not _bundled(str(path)):
        start.shown = False
    if not start.shown or session.files.loading is not None:
        return
    em = widgets.em()
    top, bottom = session.interface.viewport.box[1], session.interface.viewport.box[3]
    room = right - left - 4.0 * em
    if room < PICTURE[0] * em:
        return
    place = (left + right) / 2.0, bottom - widgets.MARGIN * em
    imgui.set_next_window_pos(place, imgui.Cond_.always, (0.5, 1.0))
    imgui.set_next_window_size_constraints((0.0, 0.0), (right - left, bottom - top))
    imgui.begin("Start", None, widgets.AUTO_SIZED)
    imgui.push_text_wrap_pos(right - left - imgui.get_style().window_padding.x)
    _head(session)
    imgui.pop_text_wrap_pos()
    _recent(session, room, bottom - top)
    imgui.end()


def _head(session: Session) -> None:
    """Draw what can be dropped, and the buttons."""
    imgui.text_colored(theme.palette().accent, icons.OPEN)
    imgui.same_line()
    imgui.text(_FORMATS)
    opening = action("open")
    tip = widgets.named(session, opening)
    if widgets.button(session, "start open", opening.label, tip=tip):
        opening.run(session)
    imgui.same_line()
    tip = "The character behind this card. Help > Keys and mouse lists what you can do"
    if widgets.button(session, "start demo", "Look at the demo", tip=tip):
        session.interface.start.shown = False


def _recent(session: Session, room: float, high: float) -> None:
    """Draw recent files as pictures with their names; a click opens one."""
    files = [text for text in session.settings.recent if not _bundled(text)][:MOST]
    if not files:
        return
    em = widgets.em()
    gap = imgui.get_style().item_spacing.x
    wide = PICTURE[0] * em
    columns = max(int((room + gap) // (wide + gap)), 1)
    rows = ROWS if high > 34.0 * em else 1
    imgui.spacing()
    widgets.quiet("Recent")
    for k, text in enumerate(list(files[: columns * rows])):
        if k % columns:
            imgui.same_line()
        _picture(session, text, (wide, PICTURE[1] * em), k)


@lru_cache(16)
def _bundled(text: str) -> bool:
    return is_bundled(Path(text))


def _picture(session: Session, text: str, size: tuple[float, float], k: int) -> None:
    em, path = widgets.em(), Path(text)
    low = imgui.get_cursor_screen_pos()
    field = size[0], size[1] + 1.4 * em
    pressed = widgets.area(session, f"start recent {k}", field, tip=text)
    hovered = imgui.is_item_hovered()
    lines, palette = imgui.get_window_draw_list(), theme.palette()
    high = imgui.ImVec2(low.x + size[0], low.y + size[1])
    number = session.interface.start.pictures.get(text)
    if number is None:
        lines.add_rect_filled(low, high, theme.packed(palette.field))
        middle = (low.x + (size[0] - em) / 2.0, low.y + (size[1] - em) / 2.0)
        lines.add_text(middle, theme.packed(palette.quiet), icons.OPEN)
    else:
        lines.add_image(imgui.ImTextureRef(number), low, high)
    if hovered:
        lines.add_rect(low, high, theme.packed(palette.accent), 0.0, 2.0)
    name = widgets.shortened(path.name, size[0])
    ink = palette.accent if hovered else palette.text
    lines.add_text((low.x, high.y + 0.2 * em), theme.packed(ink), name)
    if pressed:
        character_files.try_open(session, path)
