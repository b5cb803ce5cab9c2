"""Blend space pads: the clips of a blend space on a line, a plane with its cells, or a dial.

Each function draws one and returns the value under the mouse during a drag, else None.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from ..animation.types import F64
from ..images.label_layout import Box, first_free
from ..session.session import Session
from . import theme, widgets

Point = tuple[float, float]
DOT, DISC = 0.16, 0.38  # font heights: radius of a clip without weight, and with all of it
KNOB = 0.6  # font heights: radius of the handle


@dataclass(frozen=True, slots=True)
class PlotArea:
    """A rectangle of the screen and the range of values that it shows; y points up."""

    low: Point  # points, upper left
    high: Point  # lower right
    first: Point  # values at the lower left
    last: Point  # values at the upper right

    def at(self, value: Sequence[float]) -> Point:
        """Return the screen position of a value."""
        x, y = (
            (value[k] - self.first[k]) / max(self.last[k] - self.first[k], 1e-9) for k in (0, 1)
        )
        return (
            self.low[0] + x * (self.high[0] - self.low[0]),
            self.high[1] - y * (self.high[1] - self.low[1]),
        )

    def value(self, x: float, y: float) -> Point:
        """Return the value at a screen position, clamped to the rectangle."""
        u = min(max((x - self.low[0]) / max(self.high[0] - self.low[0], 1e-9), 0.0), 1.0)
        v = min(max((self.high[1] - y) / max(self.high[1] - self.low[1], 1e-9), 0.0), 1.0)
        return (
            self.first[0] + u * (self.last[0] - self.first[0]),
            self.first[1] + v * (self.last[1] - self.first[1]),
        )


def _begin_pad(session: Session, name: str, height: float) -> tuple[Point, Point, Point | None]:
    """Add a mouse area as wide as the panel.

    Returns its corners, and the mouse position during a drag, else None.
    """
    low, mouse = imgui.get_cursor_screen_pos(), imgui.get_io().mouse_pos
    width = imgui.get_content_region_avail().x
    widgets.area(session, name, (width, height))
    high = imgui.ImVec2(low.x + width, low.y + height)
    imgui.get_window_draw_list().add_rect_filled(low, high, theme.packed(theme.palette().face), 5.0)
    dragged = (mouse.x, mouse.y) if imgui.is_item_active() else None
    return (low.x, low.y), (high.x, high.y), dragged


def line(
    session: Session,
    clips: Sequence[tuple[str, float]],
    weights: F64,
    extent: tuple[float, float],
    now: float,
) -> tuple[float | None, PlotArea]:
    """Draw clips on a line, and the current value."""
    em = widgets.em()
    low, high, mouse = _begin_pad(session, "space line", 4.6 * em)
    inset = 1.2 * em
    y = low[1] + 1.5 * em
    frame = PlotArea(
        (low[0] + inset, y), (high[0] - inset, y + 1.0), (extent[0], 0), (extent[1], 1)
    )
    lines = imgui.get_window_draw_list()
    lines.add_line((frame.low[0], y), (frame.high[0], y), theme.packed(theme.palette().rail), 3.0)
    spots = [(clip, (frame.at((place, 0.0))[0], y)) for clip, place in clips]
    _draw_clips(spots, weights, low, high, below=True)
    _knob(frame.at((now, 0.0))[0], y)
    return (None if mouse is None else frame.value(*mouse)[0]), frame


def plane(
    session: Session,
    clips: Sequence[tuple[str, Point]],
    weights: F64,
    cells: Sequence[Sequence[int]],
    extent: tuple[Point, Point],
    now: Point,
) -> tuple[Point | None, PlotArea]:
    """Draw clips on a plane, the cells between them, and the current point."""
    em = widgets.em()
    width = imgui.get_content_region_avail().x
    low, high, mouse = _begin_pad(session, "space pad", min(width, 18.0 * em))
    inset = 1.7 * em
    frame = PlotArea((low[0] + inset, low[1] + inset), (high[0] - inset, high[1] - inset), *extent)
    lines = imgui.get_window_draw_list()
    _axes(frame, lines)
    spots = [(clip, frame.at(place)) for clip, place in clips]
    for cell in cells:
        corners: list[imgui.ImVec2Like] = [spots[k][1] for k in cell]
        if len(corners) > 2:
            lines.add_convex_poly_filled(corners, theme.packed(theme.palette().accent, 0.07))
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            lines.add_line(a, b, theme.packed(theme.palette().quiet, 0.55), 1.0)
    _draw_clips(spots, weights, low, high, below=False, knob=frame.at(now))
    _knob(*frame.at(now))
    return (None if mouse is None else frame.value(*mouse)), frame


def dial(
    session: Session, clips: Sequence[tuple[str, float]], weights: F64, now: float
) -> float | None:
    """Draw clips around a circle, forward at the top and left on the left; values are degrees."""
    em = widgets.em()
    low, high, mouse = _begin_pad(session, "space dial", 12.0 * em)
    x, y = (low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0
    radius = 4.0 * em
    lines = imgui.get_window_draw_list()
    lines.add_circle((x, y), radius, theme.packed(theme.palette().rail), 48, 2.0)

    def at(degrees: float, far: float = 1.0) -> Point:
        angle = math.radians(degrees)
        return x - radius * far * math.sin(angle), y - radius * far * math.cos(angle)

    for degrees in range(-180, 180, 45):
        lines.add_line(at(degrees, 0.93), at(degrees), theme.packed(theme.palette().quiet), 1.0)
    spots = [(clip, at(degrees)) for clip, degrees in clips]
    tip = at(now, 0.72)
    _draw_clips(spots, weights, low, high, below=False, knob=tip)
    lines.add_line((x, y), tip, theme.packed(theme.palette().accent), 3.0)
    _knob(*tip)
    if mouse is None or math.dist(mouse, (x, y)) < 0.1 * em:
        return None
    return math.degrees(math.atan2(x - mouse[0], y - mouse[1]))


def nearest(spots: Sequence[Point], frame: PlotArea) -> int:
    """Return the index of the value nearest to the mouse, -1 if none is close."""
    mouse = imgui.get_io().mouse_pos
    places = [frame.at(spot) for spot in spots]
    far = [math.hypot(x - mouse.x, y - mouse.y) for x, y in places]
    best = min(range(len(far)), key=far.__getitem__, default=-1)
    return best if best >= 0 and far[best] < 1.2 * widgets.em() else -1


def _axes(frame: PlotArea, lines: imgui.ImDrawList) -> None:
    """Draw the axes through 0 if they are visible."""
    color = theme.packed(theme.palette().line)
    if frame.first[0] < 0.0 < frame.last[0]:
        x = frame.at((0.0, frame.first[1]))[0]
        lines.add_line((x, frame.low[1]), (x, frame.high[1]), color, 1.0)
    if frame.first[1] < 0.0 < frame.last[1]:
        y = frame.at((frame.first[0], 0.0))[1]
        lines.add_line((frame.low[0], y), (frame.high[0], y), color, 1.0)


def _draw_clips(
    spots: Sequence[tuple[str, Point]],
    weights: F64,
    low: Point,
    high: Point,
    *,
    below: bool,
    knob: Point | None = None,
) -> None:
    """Draw a disc for each clip, at a point of the screen, with its name and weight [n].

    The weight sets the size of the disc. Names that would overlap another name or the knob are
    left out.
    """
    em = widgets.em()
    lines = imgui.get_window_draw_list()
    lines.push_clip_rect(low, high, True)
    size, gap = 0.82 * em, 0.25 * em
    taken: list[Box] = []
    if knob is not None:
        around = KNOB * em
        taken.append((knob[0] - around, knob[1] - around, knob[0] + around, knob[1] + around))
    palette = theme.palette()
    clips = zip(spots, weights.tolist(), strict=True)
    for (clip, place), weight in sorted(clips, key=lambda each: -each[1]):
        lines.add_circle_filled(place, DOT * em, theme.packed(palette.quiet))
        shown, ink = widgets.shortened(clip, 7.0 * em), palette.quiet
        if weight > 0.0005:
            shown, ink = f"{shown} {weight:.2f}", palette.text
            radius = (DOT + (DISC - DOT) * math.sqrt(weight)) * em
            lines.add_circle_filled(place, radius, theme.packed(palette.accent, 0.55))
            lines.add_circle(place, radius, theme.packed(palette.accent), 0, 1.5)
        width = imgui.calc_text_size(shown).x * 0.82
        x = min(max(place[0] - width / 2.0, low[0] + 3.0), high[0] - width - 3.0)
        steps = (1.0, 1.95) if below else (0.75, -1.6, 1.7)
        rows = [place[1] + step * em for step in steps]
        y = free((x - gap, x + width + gap), [y for y in rows if y + size < high[1]], size, taken)
        if y is None:
            continue  # the list below the pad has the same information
        lines.add_text(imgui.get_font(), size, (x, y), theme.packed(ink), shown)
    lines.pop_clip_rect()


def free(across: Point, places: Sequence[float], height: float, taken: list[Box]) -> float | None:
    """Return the first y where a label overlaps nothing, and reserve it; else None."""
    box = first_free([(across[0], y, across[1], y + height) for y in places], taken)
    if box is None:
        return None
    taken.append(box)
    return box[1]


def _knob(x: float, y: float) -> None:
    em = widgets.em()
    lines = imgui.get_window_draw_list()
    palette = theme.palette()
    for share, color in ((1.0, palette.bar), (0.88, palette.knob), (0.55, palette.accent)):
        lines.add_circle_filled((x, y), share * KNOB * em, theme.packed(color))
