"""The bar at the start without a file: drop a file, the demo, recent files with pictures."""

from functools import lru_cache
from pathlib import Path

from imgui_bundle import imgui

from ..resources import is_bundled
from ..session import character_files
from ..session.commands.actions import action
from ..session.session import Session
from . import icons, side_panels, theme, thumbnail_grid, widgets

PICTURE = 4.0  # font heights: edge of a picture
WORDS = 21.0  # font heights: width of what can be dropped, and the buttons
MOST = 8  # recent files
_FORMATS = "Drop a .glb, .gltf, .vrm, .bvh, .blend or .fbx file here"


def draw(session: Session, top: float) -> float:
    """Draw the bar below the menu bar, until a file is opened or it is closed.

    Returns its height, points; `top` is its upper edge.
    """
    start, path = session.interface.start, session.path
    if start.shown and path is not None and not _bundled(str(path)):
        start.shown = False
    if not start.shown:
        return 0.0
    em, style = widgets.em(), imgui.get_style()
    wide = imgui.get_main_viewport().size.x
    room = min(WORDS * em, wide - 2.0 * style.window_padding.x) - 2.0 * em
    high = imgui.calc_text_size(_FORMATS, wrap_width=room).y + style.item_spacing.y
    high += imgui.get_frame_height()
    files = [text for text in session.settings.recent if not _bundled(text)][:MOST]
    if files:
        high = max(high, (PICTURE + thumbnail_grid.NAME) * em)
    high = round(high + 2.0 * style.window_padding.y)
    color = theme.palette().bar
    if side_panels.begin_docked(session, "Start", (0.0, top), (wide, high), color):
        imgui.begin_group()
        _words(session, room)
        imgui.end_group()
        _recent(session, files)
    imgui.end()
    return high


def _words(session: Session, width: float) -> None:
    """Draw what can be dropped, and the buttons."""
    imgui.text_colored(theme.palette().accent, icons.OPEN)
    imgui.same_line()
    widgets.wrapped(_FORMATS, width)
    opening = action("open")
    tip = widgets.named(session, opening)
    if widgets.button(session, "start open", opening.label, tip=tip):
        opening.run(session)
    imgui.same_line()
    tip = "The character below. Help > Keys and mouse lists what you can do"
    if widgets.button(session, "start demo", "Look at the demo", tip=tip):
        session.interface.start.shown = False


def _recent(session: Session, files: list[str]) -> None:
    """Draw recent files as pictures with their names, as many as there is room for."""
    gap = imgui.get_style().item_spacing.x
    size = PICTURE * widgets.em()
    room = imgui.get_window_width() - imgui.get_item_rect_max().x - 3.0 * gap
    for k, text in enumerate(files[: int((room + gap) // (size + gap))]):
        imgui.same_line(0.0, gap if k else 3.0 * gap)
        if thumbnail_grid.draw_tile(session, f"start recent {k}", Path(text), size):
            character_files.try_open(session, Path(text))


@lru_cache(16)
def _bundled(text: str) -> bool:
    return is_bundled(Path(text))
