"""How the panels look: a dark, quiet theme, a readable font, and icons."""

from pathlib import Path

import imgui_bundle
from imgui_bundle import imgui

FONT_SIZE = 16.0  # points at scale 1
_ASSETS = Path(imgui_bundle.__file__).parent / "assets" / "fonts"
TEXT_FONT = _ASSETS / "Roboto" / "Roboto-Regular.ttf"  # Apache 2.0; comes with imgui-bundle
ICON_FONT = _ASSETS / "Font_Awesome_6_Free-Solid-900.otf"  # SIL OFL 1.1; comes with imgui-bundle

Color = tuple[float, float, float, float]  # sRGB, straight alpha
ACCENT: Color = (0.30, 0.60, 0.97, 1.0)
HOVERED_ACCENT: Color = (0.38, 0.67, 1.0, 1.0)
TEXT: Color = (0.90, 0.91, 0.93, 1.0)
QUIET: Color = (0.60, 0.62, 0.67, 1.0)
WARNING: Color = (0.98, 0.76, 0.35, 1.0)
PANEL: Color = (0.105, 0.110, 0.122, 0.94)
BAR: Color = (0.090, 0.095, 0.106, 1.0)
FIELD: Color = (0.195, 0.204, 0.227, 1.0)
RAIL: Color = (0.26, 0.27, 0.30, 1.0)
KNOB: Color = (0.95, 0.96, 0.97, 1.0)
LINE: Color = (0.22, 0.23, 0.26, 1.0)
_CLEAR: Color = (0.0, 0.0, 0.0, 0.0)


def _tint(color: Color, alpha: float) -> Color:
    return (*color[:3], alpha)


def _lift(color: Color, step: float) -> Color:
    return (color[0] + step, color[1] + step, color[2] + step, color[3])


_COL = imgui.Col_
COLORS: dict[imgui.Col_, Color] = {
    _COL.text: TEXT,
    _COL.text_disabled: QUIET,
    _COL.window_bg: PANEL,
    _COL.popup_bg: _tint(_lift(BAR, 0.02), 0.98),
    _COL.menu_bar_bg: BAR,
    _COL.border: LINE,
    _COL.separator: LINE,
    _COL.frame_bg: FIELD,
    _COL.frame_bg_hovered: _lift(FIELD, 0.04),
    _COL.frame_bg_active: _lift(FIELD, 0.06),
    _COL.button: FIELD,
    _COL.button_hovered: _lift(FIELD, 0.06),
    _COL.button_active: _tint(ACCENT, 0.75),
    _COL.header: _tint(ACCENT, 0.30),
    _COL.header_hovered: (1.0, 1.0, 1.0, 0.08),
    _COL.header_active: _tint(ACCENT, 0.45),
    _COL.check_mark: (1.0, 1.0, 1.0, 1.0),
    _COL.checkbox_selected_bg: ACCENT,
    _COL.slider_grab: ACCENT,
    _COL.slider_grab_active: _lift(ACCENT, 0.02),
    _COL.scrollbar_bg: _CLEAR,
    _COL.scrollbar_grab: (1.0, 1.0, 1.0, 0.16),
    _COL.scrollbar_grab_hovered: (1.0, 1.0, 1.0, 0.26),
    _COL.scrollbar_grab_active: (1.0, 1.0, 1.0, 0.36),
    _COL.title_bg: BAR,
    _COL.title_bg_active: BAR,
    _COL.modal_window_dim_bg: (0.0, 0.0, 0.0, 0.45),
    _COL.text_selected_bg: _tint(ACCENT, 0.45),
    _COL.tab: _CLEAR,
    _COL.tab_hovered: (1.0, 1.0, 1.0, 0.08),
    _COL.tab_selected: FIELD,
    _COL.tab_selected_overline: ACCENT,
    _COL.tab_dimmed: _CLEAR,
    _COL.tab_dimmed_selected: FIELD,
    _COL.tab_dimmed_selected_overline: ACCENT,
    _COL.nav_cursor: ACCENT,
    _COL.nav_windowing_highlight: ACCENT,
    _COL.nav_windowing_dim_bg: (0.0, 0.0, 0.0, 0.35),
    _COL.table_border_light: _CLEAR,
}

SIZES: dict[str, float | tuple[float, float]] = {  # points at scale 1
    "window_padding": (12.0, 10.0),
    "window_rounding": 8.0,
    "window_border_size": 1.0,
    "popup_rounding": 8.0,
    "child_rounding": 4.0,
    "frame_padding": (8.0, 5.0),
    "frame_rounding": 5.0,
    "item_spacing": (8.0, 6.0),
    "item_inner_spacing": (8.0, 4.0),
    "tab_bar_overline_size": 2.0,
    "scrollbar_size": 11.0,
    "scrollbar_rounding": 6.0,
    "grab_min_size": 12.0,
    "grab_rounding": 5.0,
    "selectable_rounding": 4.0,
}


def load_fonts(text: Path = TEXT_FONT, icons: Path = ICON_FONT) -> None:
    """Load the fonts into the present context; ImGui's own where a file is not there."""
    fonts = imgui.get_io().fonts
    if text.is_file():
        fonts.add_font_from_file_ttf(str(text), 0.0)
    else:
        fonts.add_font_default_vector()
    if icons.is_file():
        merged = imgui.ImFontConfig()
        merged.merge_mode = True
        merged.extra_size_scale = 0.82  # icons are drawn larger than letters of the same size
        fonts.add_font_from_file_ttf(str(icons), 0.0, merged)


def apply(scale: float) -> None:
    """Set sizes and colours of the present context; `scale` 1 is for an ordinary screen."""
    fresh = imgui.Style()
    imgui.style_colors_dark(fresh)
    for name, size in SIZES.items():
        setattr(fresh, name, imgui.ImVec2(*size) if isinstance(size, tuple) else size)
    fresh.scale_all_sizes(scale)
    style = imgui.get_style()
    for name, value in _plain(fresh).items():
        setattr(style, name, value)
    style.font_size_base = FONT_SIZE
    style.font_scale_main = scale
    for number in range(imgui.Col_.count):
        color = COLORS.get(imgui.Col_(number))
        style.set_color_(number, imgui.ImVec4(*color) if color else fresh.color_(number))


def packed(color: Color, alpha: float = 1.0) -> int:
    """Return a colour as draw lists take it, its alpha times `alpha`."""
    return imgui.color_convert_float4_to_u32(imgui.ImVec4(*color[:3], color[3] * alpha))


def _plain(style: imgui.Style) -> dict[str, object]:
    """Return the sizes and numbers of a style, without its methods and colours."""
    values = {name: getattr(style, name) for name in dir(style) if not name.startswith("_")}
    return {name: value for name, value in values.items() if not callable(value)}
