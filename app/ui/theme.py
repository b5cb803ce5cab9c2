"""The look of the panels: a dark and a light theme, two densities, text and icon fonts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import imgui_bundle
from imgui_bundle import imgui

from ..session.settings import Density, Theme

_FONT_SIZE = 16.0  # points, before scaling; it cannot change within a frame
_ASSETS = Path(imgui_bundle.__file__).parent / "assets" / "fonts"
TEXT_FONT = _ASSETS / "Roboto" / "Roboto-Regular.ttf"  # Apache 2.0; comes with imgui-bundle
BOLD_FONT = "Roboto-Bold.ttf"  # in the same folder
ICON_FONT = _ASSETS / "Font_Awesome_6_Free-Solid-900.otf"  # SIL OFL 1.1; comes with imgui-bundle

Color = tuple[float, float, float, float]  # sRGB, straight alpha
_CLEAR: Color = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Palette:
    """The colors of all panels."""

    accent: Color
    hovered_accent: Color
    text: Color
    quiet: Color
    warning: Color
    error: Color
    panel: Color
    bar: Color
    field: Color
    rail: Color
    knob: Color
    line: Color
    face: Color  # background of pads and curves
    ink: Color  # blended thinly over hovered widgets
    tick: Color  # check marks and icons on the accent color
    series: tuple[Color, ...]  # of curves
    lift: float  # added to the color of hovered fields


DARK = Palette(
    accent=(0.30, 0.60, 0.97, 1.0),
    hovered_accent=(0.38, 0.67, 1.0, 1.0),
    text=(0.90, 0.91, 0.93, 1.0),
    quiet=(0.60, 0.62, 0.67, 1.0),
    warning=(0.98, 0.76, 0.35, 1.0),
    error=(0.98, 0.48, 0.44, 1.0),
    panel=(0.105, 0.110, 0.122, 0.94),
    bar=(0.090, 0.095, 0.106, 1.0),
    field=(0.195, 0.204, 0.227, 1.0),
    rail=(0.26, 0.27, 0.30, 1.0),
    knob=(0.95, 0.96, 0.97, 1.0),
    line=(0.22, 0.23, 0.26, 1.0),
    face=(0.075, 0.080, 0.090, 1.0),
    ink=(1.0, 1.0, 1.0, 1.0),
    tick=(1.0, 1.0, 1.0, 1.0),
    series=(
        (0.96, 0.45, 0.40, 1.0),
        (0.48, 0.80, 0.45, 1.0),
        (0.45, 0.66, 1.00, 1.0),
        (0.80, 0.62, 0.97, 1.0),
        (0.95, 0.70, 0.36, 1.0),
        (0.38, 0.80, 0.83, 1.0),
        (0.95, 0.55, 0.76, 1.0),
        (0.74, 0.77, 0.82, 1.0),
    ),
    lift=0.02,
)
LIGHT = Palette(
    accent=(0.10, 0.42, 0.85, 1.0),
    hovered_accent=(0.16, 0.48, 0.92, 1.0),
    text=(0.12, 0.13, 0.15, 1.0),
    quiet=(0.38, 0.40, 0.44, 1.0),
    warning=(0.60, 0.34, 0.00, 1.0),
    error=(0.74, 0.13, 0.11, 1.0),
    panel=(0.955, 0.957, 0.962, 0.96),
    bar=(0.925, 0.928, 0.935, 1.0),
    field=(0.855, 0.862, 0.875, 1.0),
    rail=(0.74, 0.75, 0.77, 1.0),
    knob=(0.20, 0.22, 0.25, 1.0),
    line=(0.80, 0.81, 0.83, 1.0),
    face=(0.985, 0.986, 0.988, 1.0),
    ink=(0.0, 0.0, 0.0, 1.0),
    tick=(1.0, 1.0, 1.0, 1.0),
    series=(
        (0.78, 0.20, 0.17, 1.0),
        (0.17, 0.49, 0.24, 1.0),
        (0.16, 0.36, 0.82, 1.0),
        (0.49, 0.25, 0.62, 1.0),
        (0.66, 0.36, 0.00, 1.0),
        (0.00, 0.48, 0.53, 1.0),
        (0.69, 0.19, 0.48, 1.0),
        (0.31, 0.35, 0.40, 1.0),
    ),
    lift=-0.02,
)
THEMES: dict[Theme, Palette] = {"dark": DARK, "light": LIGHT}


Size = float | tuple[float, float]  # points


@dataclass(frozen=True, slots=True)
class Metrics:
    """The sizes of all panels, points.

    Attributes
    ----------
    gap
        Between widgets that belong together.
    row_gap
        Between the rows of a list.
    icon
        Width of a button with an icon.
    style
        Sizes of ImGui's style that `SIZES` lacks.
    """

    font: float
    gap: float
    row_gap: float
    icon: float
    style: Mapping[str, Size] = field(default_factory=dict)


METRICS: dict[Density, Metrics] = {  # at scale 1
    "roomy": Metrics(
        font=16.0,
        gap=4.0,
        row_gap=2.0,
        icon=28.0,
        style={
            "window_padding": (12.0, 10.0),
            "frame_padding": (8.0, 5.0),
            "item_spacing": (8.0, 6.0),
            "item_inner_spacing": (8.0, 4.0),
            "scrollbar_size": 12.0,
            "grab_min_size": 12.0,
        },
    ),
    "compact": Metrics(  # a row of 20 points
        font=14.0,
        gap=3.0,
        row_gap=2.0,
        icon=22.0,
        style={
            "window_padding": (8.0, 6.0),
            "frame_padding": (6.0, 2.0),
            "item_spacing": (6.0, 2.0),
            "item_inner_spacing": (6.0, 2.0),
            "scrollbar_size": 10.0,
            "grab_min_size": 10.0,
        },
    ),
}


class _Current:
    """Palette, sizes and bold font of the current ImGui context; there is only one context."""

    palette = DARK
    metrics = METRICS["roomy"]
    bold: imgui.ImFont | None = None


def palette() -> Palette:
    """Return the colors of the current frame."""
    return _Current.palette


def metrics() -> Metrics:
    """Return the sizes of the current frame, at its scale."""
    return _Current.metrics


def _tint(color: Color, alpha: float) -> Color:
    return (*color[:3], alpha)


def opaque(color: Color) -> Color:
    """Return a color without transparency."""
    return _tint(color, 1.0)


@lru_cache(maxsize=16)
def mixed(one: Color, other: Color, share: float) -> Color:
    """Return the opaque color between two, with a share of the other one."""
    r, g, b = ((1.0 - share) * a + share * b for a, b in zip(one[:3], other[:3], strict=True))
    return r, g, b, 1.0


def _lift(color: Color, step: float) -> Color:
    return (color[0] + step, color[1] + step, color[2] + step, color[3])


def _colors(p: Palette) -> dict[imgui.Col_, Color]:
    """Return the colors of ImGui's own widgets."""
    col = imgui.Col_
    return {
        col.text: p.text,
        col.text_disabled: p.quiet,
        col.window_bg: p.panel,
        col.popup_bg: _tint(_lift(p.bar, p.lift), 0.98),
        col.menu_bar_bg: p.bar,
        col.border: p.line,
        col.separator: p.line,
        col.frame_bg: p.field,
        col.frame_bg_hovered: _lift(p.field, 2 * p.lift),
        col.frame_bg_active: _lift(p.field, 3 * p.lift),
        col.button: p.field,
        col.button_hovered: _lift(p.field, 3 * p.lift),
        col.button_active: _tint(p.accent, 0.75),
        col.header: _tint(p.accent, 0.30),
        col.header_hovered: _tint(p.ink, 0.08),
        col.header_active: _tint(p.accent, 0.45),
        col.check_mark: p.tick,
        col.checkbox_selected_bg: p.accent,
        col.slider_grab: p.accent,
        col.slider_grab_active: _lift(p.accent, p.lift),
        col.scrollbar_bg: _CLEAR,
        col.scrollbar_grab: _tint(p.ink, 0.16),
        col.scrollbar_grab_hovered: _tint(p.ink, 0.26),
        col.scrollbar_grab_active: _tint(p.ink, 0.36),
        col.title_bg: p.bar,
        col.title_bg_active: p.bar,
        col.modal_window_dim_bg: (0.0, 0.0, 0.0, 0.45),
        col.text_selected_bg: _tint(p.accent, 0.45),
        col.tab: _CLEAR,
        col.tab_hovered: _tint(p.ink, 0.08),
        col.tab_selected: p.field,
        col.tab_selected_overline: p.accent,
        col.tab_dimmed: _CLEAR,
        col.tab_dimmed_selected: p.field,
        col.tab_dimmed_selected_overline: p.accent,
        col.nav_cursor: p.accent,
        col.nav_windowing_highlight: p.accent,
        col.nav_windowing_dim_bg: (0.0, 0.0, 0.0, 0.35),
        col.table_border_light: _CLEAR,
    }


SIZES: dict[str, Size] = {  # points at scale 1, of both densities
    "window_rounding": 8.0,
    "window_border_size": 1.0,
    "popup_rounding": 8.0,
    "child_rounding": 4.0,
    "frame_rounding": 5.0,
    "tab_bar_overline_size": 2.0,
    "scrollbar_padding": 3.0,  # apart from the text beside it
    "scrollbar_rounding": 6.0,
    "grab_rounding": 5.0,
    "selectable_rounding": 4.0,
}


def load_fonts(text: Path = TEXT_FONT, icons: Path = ICON_FONT) -> None:
    """Load the fonts into the current context; a missing file is replaced by ImGui's font."""
    bold = text.with_name(BOLD_FONT)
    _Current.bold = _load_font(bold, icons) if bold.is_file() else None
    imgui.get_io().font_default = _load_font(text, icons)  # the last: others are merged into it


def _load_font(text: Path, icons: Path) -> imgui.ImFont:
    """Load a font of letters and icons."""
    fonts = imgui.get_io().fonts
    if text.is_file():
        font = fonts.add_font_from_file_ttf(str(text), 0.0)
    else:
        font = fonts.add_font_default_vector()
    if icons.is_file():
        merged = imgui.ImFontConfig()
        merged.merge_mode = True
        merged.extra_size_scale = 0.82  # icons are larger than letters of the same size
        fonts.add_font_from_file_ttf(str(icons), 0.0, merged)
    return font


class Bold:
    """Draws text in its context in the bold font, for headings, if `when`."""

    __slots__ = ("_when",)

    def __init__(self, when: bool = True) -> None:
        self._when = when

    def __enter__(self) -> None:
        imgui.push_font(_Current.bold if self._when else None, 0.0)

    def __exit__(self, *_error: object) -> None:
        imgui.pop_font()


class FallbackFonts:
    """Fallback fonts: system fonts for letters that the built-in font lacks."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._merged: set[Path] = set()

    def add_for(self, texts: Iterable[str]) -> None:
        """Merge the fonts that these texts need into the font of the current context."""
        new = {letter for text in texts if not text.isascii() for letter in text} - self._known
        new = {letter for letter in new if not letter.isascii()}
        if not new:
            return
        self._known |= new
        from ..images import fallback_fonts  # loads Pillow

        missing = [letter for letter in new if not fallback_fonts.has(TEXT_FONT, letter)]
        for path in fallback_fonts.covering(missing):
            if path not in self._merged:
                self._merged.add(path)
                merged = imgui.ImFontConfig()
                merged.merge_mode = True
                imgui.get_io().fonts.add_font_from_file_ttf(str(path), 0.0, merged)


def apply(scale: float, palette: Palette = DARK, density: Density = "roomy") -> None:
    """Set sizes and colors of the current context; `scale` 1 is for a 96 dpi screen."""
    sizes = METRICS[density]
    _Current.palette = palette
    _Current.metrics = Metrics(
        font=scale * sizes.font,
        gap=scale * sizes.gap,
        row_gap=scale * sizes.row_gap,
        icon=scale * sizes.icon,
    )
    colors = _colors(palette)
    base = imgui.Style()
    (imgui.style_colors_light if palette is LIGHT else imgui.style_colors_dark)(base)
    for name, size in {**SIZES, **sizes.style}.items():
        setattr(base, name, imgui.ImVec2(*size) if isinstance(size, tuple) else size)
    base.scale_all_sizes(scale)
    style = imgui.get_style()
    for name, value in _plain(base).items():
        setattr(style, name, value)
    style.font_size_base = _FONT_SIZE
    style.font_scale_main = scale * sizes.font / _FONT_SIZE
    for number in range(imgui.Col_.count):
        color = colors.get(imgui.Col_(number))
        style.set_color_(number, imgui.ImVec4(*color) if color else base.color_(number))


@lru_cache(maxsize=512)
def packed(color: Color, alpha: float = 1.0) -> int:
    """Return a color as a draw list's integer, its alpha multiplied by `alpha`."""
    return imgui.color_convert_float4_to_u32(imgui.ImVec4(*color[:3], color[3] * alpha))


def _plain(style: imgui.Style) -> dict[str, object]:
    """Return the sizes and numbers of a style, without its methods and colors."""
    values = {name: getattr(style, name) for name in dir(style) if not name.startswith("_")}
    return {name: value for name, value in values.items() if not callable(value)}
