"""Drawing of curves: a lane per value scale, a common time axis, and a label at each line's end.

A drawing has lines, markers and text, and is rendered as SVG or as pixels by Pillow. Positions are
pixels from the upper left corner; colours are "#rrggbb".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..animation.types import F64, U8
from .curve_set import Chart, CurveSet, Line, style_of, tick_labels, ticks
from .lane import Axes

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw


Anchor = Literal["start", "middle", "end"]
Kind = Literal["circle", "square", "triangle", "diamond", "ring"]
KINDS: tuple[Kind, ...] = ("circle", "square", "triangle", "diamond")
_FINE = 3  # supersampling factor of pixels
_CORNERS: dict[str, tuple[tuple[float, float], ...]] = {  # of a marker of radius 1
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "triangle": ((0, -1.25), (1.15, 0.85), (-1.15, 0.85)),
    "diamond": ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)),
}


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """A polyline through points [n, 2]."""

    points: F64
    color: str
    width: float = 1.0
    dash: tuple[float, ...] = ()  # lengths on and off

    def svg(self) -> str:
        """Return the element of an SVG file."""
        lengths = " ".join(map(_number, self.dash))
        dash = f' stroke-dasharray="{lengths}"' if lengths else ""
        style = f'stroke="{self.color}" stroke-width="{_number(self.width)}"{dash}'
        return f'<polyline points="{_pairs(self.points)}" {style}/>'

    def paint(self, pen: "ImageDraw") -> None:
        """Draw it `_FINE` times as large."""
        width = max(round(self.width * _FINE), 1)
        pieces = dashes(self.points, self.dash) if self.dash else [self.points]
        for piece in pieces:
            flat = (piece * _FINE).ravel().tolist()
            pen.line(flat, fill=self.color, width=width, joint="curve")


@dataclass(frozen=True, slots=True, eq=False)
class Markers:
    """Markers at points [n, 2]; a ring is hollow."""

    points: F64
    color: str
    kind: Kind
    radius: float

    def svg(self) -> str:
        """Return the element of an SVG file."""
        r = self.radius
        if self.kind in ("circle", "ring"):
            arc = f"a{_number(r)} {_number(r)} 0 1 0"
            dots = "".join(
                f"M{_number(x - r)} {_number(y)}{arc} {_number(2 * r)} 0{arc} {_number(-2 * r)} 0z"
                for x, y in self.points.tolist()
            )
        else:
            corners = np.array(_CORNERS[self.kind]) * r
            dots = "".join(f"M{_pairs(point + corners)}z" for point in self.points)
        drawn = "stroke" if self.kind == "ring" else "fill"
        return f'<path d="{dots}" {drawn}="{self.color}"/>'

    def paint(self, pen: "ImageDraw") -> None:
        """Draw them `_FINE` times as large."""
        r = self.radius * _FINE
        for x, y in (self.points * _FINE).tolist():
            if self.kind == "ring":
                pen.ellipse((x - r, y - r, x + r, y + r), outline=self.color, width=_FINE)
            elif self.kind == "circle":
                pen.ellipse((x - r, y - r, x + r, y + r), fill=self.color)
            else:
                corners = np.array(_CORNERS[self.kind]) * r + (x, y)
                pen.polygon(corners.ravel().tolist(), fill=self.color)


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text; `y` is its baseline."""

    x: float
    y: float
    text: str
    color: str
    size: float
    anchor: Anchor = "start"
    bold: bool = False

    def svg(self) -> str:
        """Return the element of an SVG file."""
        anchor = "" if self.anchor == "start" else f' text-anchor="{self.anchor}"'
        bold = ' font-weight="600"' if self.bold else ""
        style = f'font-size="{_number(self.size)}" fill="{self.color}"{anchor}{bold}'
        place = f'x="{_number(self.x)}" y="{_number(self.y)}"'
        return f"<text {place} {style}>{_text(self.text)}</text>"

    def paint(self, pen: "ImageDraw") -> None:
        """Draw it `_FINE` times as large."""
        from ..images.text import Anchor, TextRenderer

        anchors: dict[str, Anchor] = {"start": "ls", "middle": "ms", "end": "rs"}
        TextRenderer(self.size * _FINE).write(
            pen,
            (self.x * _FINE, self.y * _FINE),
            self.text,
            anchor=anchors[self.anchor],
            fill=self.color,
            stroke_width=1 if self.bold else 0,
            stroke_fill=self.color,
        )


@dataclass(slots=True)
class Drawing:
    """A list of items, in drawing order."""

    width: int
    height: int
    paper: str
    title: str  # accessible title of the SVG
    items: list[Stroke | Markers | Label] = field(default_factory=list)

    def line(self, x0: float, y0: float, x1: float, y1: float, color: str, width: float) -> None:
        """Add a straight line."""
        self.items.append(Stroke(np.array([[x0, y0], [x1, y1]]), color, width))

    def svg(self) -> str:
        """Return the text of an SVG file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" '
            'font-family="system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, sans-serif" '
            'fill="none" stroke-linejoin="round" stroke-linecap="butt">'
        )
        paper = f'<rect width="{self.width}" height="{self.height}" fill="{self.paper}"/>'
        body = [item.svg() for item in self.items]
        return "\n".join([head, f"<title>{_text(self.title)}</title>", paper, *body, "</svg>", ""])

    def pixels(self) -> U8:
        """Return the picture [H, W, 4]."""
        from PIL import Image, ImageDraw  # 40 ms: imported on demand

        size = self.width * _FINE, self.height * _FINE
        fine = Image.new("RGB", size, self.paper)
        pen = ImageDraw.Draw(fine)
        for item in self.items:
            item.paint(pen)
        return np.array(fine.reduce(_FINE).convert("RGBA"))


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text, pixels."""
    return sum(size if ord(letter) > 0x2E80 else 0.56 * size for letter in text)


def dashes(points: F64, dash: Sequence[float]) -> Iterator[F64]:
    """Yield the visible pieces [n, 2] of a dashed line."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    total, lengths = float(along[-1]), list(dash)
    place, k = 0.0, 0
    while place < total:
        end = min(place + lengths[k % len(lengths)], total)
        if k % 2 == 0:
            inner = points[(along > place) & (along < end)]
            ends = [
                np.array([np.interp(at, along, column) for column in points.T])
                for at in (place, end)
            ]
            yield np.concatenate([ends[:1], inner, ends[1:]])
        place, k = end, k + 1


def _text(text: str) -> str:
    """Return text escaped for XML, without control characters."""
    return escape("".join(letter if letter.isprintable() else "�" for letter in text))


def _number(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _pairs(points: F64) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points.tolist())


PAPER, INK, FAINT, GRID, AXIS = "#ffffff", "#1d2127", "#666d78", "#e9ebee", "#b9bec6"
COLORS = ("#c8322b", "#2b7d3c", "#2a5bd0", "#7d3f9f", "#a85b00", "#007a87", "#b0307a", "#4f5966")
DASHES: tuple[tuple[float, ...], ...] = ((), (7, 3), (2, 2.5), (9, 3, 2, 3))
WIDTH = 1024  # pixels, default
_TEXT = 12.0
_HEAD, _FOOT, _LEFT = 44.0, 46.0, 66.0
_LANE, _LONE_LANE, _STILL_LANE = 160.0, 280.0, 70.0  # default heights of lanes
_TITLE = 34.0  # above each lane
_LEAST = 24.0  # least height of a lane
_CLOSE = 2.5  # pixels: keys with smaller gaps are not drawn


def draw(curves: CurveSet, size: tuple[int, int] | None = None, note: str = "") -> Drawing:
    """Return the drawing.

    Parameters
    ----------
    size
        Width and height, pixels; None: the default heights of the lanes.
    note
        Text in the corner, such as the file name.
    """
    lanes = [lane for chart in curves.charts for lane in chart.lanes]
    tall = _LANE if len(lanes) > 1 else _LONE_LANE
    wants = [_STILL_LANE if lane.still else tall for lane in lanes]
    if size is None:
        size = WIDTH, round(_HEAD + _FOOT + sum(wants) + _TITLE * len(lanes))
    room = size[1] - _HEAD - _FOOT - _TITLE * len(lanes)
    heights = [max(room * want / max(sum(wants), 1.0), _LEAST) for want in wants]
    title = f"{curves.subject} in {curves.clip}"
    drawing = Drawing(*size, PAPER, title)
    named = max((text_width(n.label, _TEXT) for lane in lanes for n in lane.lines), default=0.0)
    right = size[0] - min(named + 44.0, size[0] / 3)
    drawing.items.append(Label(16, 30, title, INK, 18, bold=True))
    drawing.items.append(Label(drawing.width - 16, 30, note, FAINT, _TEXT, "end"))
    top = _HEAD
    for lane, height in zip(lanes, heights, strict=True):
        box = (_LEFT, top + _TITLE, right, top + _TITLE + height)
        _lane(drawing, curves, lane, box)
        top += _TITLE + height
    _time_axis(drawing, curves, right, top)
    return drawing


def _lane(
    drawing: Drawing, curves: CurveSet, lane: Chart, box: tuple[float, float, float, float]
) -> None:
    scale, heading = lane.scale, lane.heading
    axes = Axes(*box, curves.begin, curves.end, *scale)
    left, top, right, bottom = box
    drawing.items.append(Label(left, top - 7, heading, INK, _TEXT + 1, bold=True))
    x = left + text_width(heading, _TEXT + 1) + 14
    drawing.items.append(Label(x, top - 7, lane.summary, FAINT, _TEXT - 1))
    values = ticks(*scale, max(int((bottom - top) / 32), 2))
    for value, text in zip(values, tick_labels(values), strict=True):
        y = axes.y(value)
        drawing.line(left, y, right, y, GRID, 1)
        drawing.items.append(Label(left - 8, y + 4, text, FAINT, _TEXT - 1, "end"))
    for seconds in _seconds(curves, right - left):
        drawing.line(axes.x(seconds), top, axes.x(seconds), bottom, GRID, 1)
    drawing.line(left, top, left, bottom, AXIS, 1)
    drawing.line(left, bottom, right, bottom, AXIS, 1)
    ends = []
    for place, line in enumerate(lane.lines):
        number = style_of(line.label, place)
        _line(drawing, axes, line, number)
        ends.append((axes.y(float(line.points[-1, 1])), line.label, number))
    _names(drawing, ends, right, (top, bottom))


def _line(drawing: Drawing, axes: Axes, line: Line, number: int) -> None:
    color, kind = COLORS[number % len(COLORS)], KINDS[number % len(KINDS)]
    dash = DASHES[number % len(DASHES)]
    keys = axes.place(_shown(axes, line.keys))
    gaps = np.diff(keys[:, 0])
    near = float(np.median(gaps)) if gaps.size else 99.0
    radius = min(max(0.28 * near, 1.4), 3.4)
    handles = axes.place(_shown(axes, line.handles))
    for handle in handles if near > 4 * _CLOSE else ():
        drawing.items.append(Stroke(handle, AXIS, 1))
    if len(handles) and near > 4 * _CLOSE:
        drawing.items.append(Markers(handles[:, 1], FAINT, "ring", 2.2))
    points = axes.place(_cut(line.points, axes.begin))
    for held in _held(axes, points):
        drawing.items.append(Stroke(held, color, 1, (1.5, 3)))
    drawing.items.append(Stroke(points, color, 1.7, dash))
    if near > _CLOSE:
        drawing.items.append(Markers(keys, color, kind, radius))


def _held(axes: Axes, points: F64) -> list[F64]:
    """Return the lines before the first and after the last key, where the value holds, pixels."""
    first, last = points[0], points[-1]
    found = []
    if first[0] > axes.left + 0.5:
        found.append(np.array([[axes.left, first[1]], first]))
    if last[0] < axes.right - 0.5:
        found.append(np.array([last, [axes.right, last[1]]]))
    return found


def _shown(axes: Axes, keys: F64) -> F64:
    """Return the keys [n, 2], or handles [n, 2, 2], that are not before the start of the axis."""
    seconds = keys[:, 0, 0] if keys.ndim == 3 else keys[:, 0]
    return keys[seconds >= axes.begin - 1e-9]


def _cut(points: F64, begin: float) -> F64:
    """Return the points from a start time."""
    if points[0, 0] >= begin:
        return points
    first = [begin, float(np.interp(begin, points[:, 0], points[:, 1]))]
    return np.concatenate([[first], points[points[:, 0] > begin]])


def _names(
    drawing: Drawing, ends: list[tuple[float, str, int]], right: float, span: tuple[float, float]
) -> None:
    """Draw the label of every line at its end, with a sample of its stroke and marker."""
    gap = _TEXT + 2
    ordered = sorted(ends, key=lambda end: (round(end[0]), end[2]))  # X, Y, Z at equal heights
    places = [y for y, _, _ in ordered]
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + gap)
    over = max(places[-1] - max(span[1] - 2, span[0] + gap * len(places) - gap), 0.0)
    for y, (_, label, number) in zip(places, ordered, strict=True):
        y -= over
        color = COLORS[number % len(COLORS)]
        piece = np.array([[right + 6, y], [right + 28, y]])
        drawing.items.append(Stroke(piece, color, 1.7, DASHES[number % len(DASHES)]))
        middle = np.array([[right + 17, y]])
        drawing.items.append(Markers(middle, color, KINDS[number % len(KINDS)], 3.2))
        drawing.items.append(Label(right + 33, y + 4, label, color, _TEXT, bold=True))


def _seconds(curves: CurveSet, width: float) -> list[float]:
    return ticks(curves.begin, curves.end, max(int(width / 90), 2))


def _time_axis(drawing: Drawing, curves: CurveSet, right: float, y: float) -> None:
    axes = Axes(_LEFT, 0, right, 1, curves.begin, curves.end, 0, 1)
    times = _seconds(curves, right - _LEFT)
    for seconds, text in zip(times, tick_labels(times), strict=True):
        x = axes.x(seconds)
        drawing.line(x, y, x, y + 4, AXIS, 1)
        drawing.items.append(Label(x, y + 18, text, FAINT, _TEXT - 1, "middle"))
    drawing.items.append(Label((_LEFT + right) / 2, y + 34, "seconds", FAINT, _TEXT - 1, "middle"))
