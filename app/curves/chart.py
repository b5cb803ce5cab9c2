"""Drawing of curves: a lane per value scale, a common time axis, and a label at each line's end."""

import numpy as np

from ..animation.types import F64
from .canvas import KINDS, Drawing, Label, Markers, Stroke, text_width
from .curve_set import Chart, CurveSet, Line, style_of, tick_labels, ticks

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
    _head(drawing, title, note)
    top = _HEAD
    for lane, height in zip(lanes, heights, strict=True):
        box = (_LEFT, top + _TITLE, right, top + _TITLE + height)
        _lane(drawing, curves, lane, box)
        top += _TITLE + height
    _time_axis(drawing, curves, right, top)
    return drawing


def _head(drawing: Drawing, title: str, note: str) -> None:
    drawing.items.append(Label(16, 30, title, INK, 18, bold=True))
    drawing.items.append(Label(drawing.width - 16, 30, note, FAINT, _TEXT, "end"))


class _Frame:
    """Mapping of seconds and values to pixels of a lane."""

    def __init__(
        self,
        box: tuple[float, float, float, float],
        span: tuple[float, float],
        scale: tuple[float, float],
    ) -> None:
        self.left, self.top, self.right, self.bottom = box
        self.begin, self.end = span
        self._low, self._high = scale
        self._length = max(self.end - self.begin, 1e-9)

    def place(self, points: F64) -> F64:
        """Return pixels [..., 2] of [seconds, value] [..., 2]."""
        x = self.left + (points[..., 0] - self.begin) / self._length * (self.right - self.left)
        u = (points[..., 1] - self._low) / (self._high - self._low)
        return np.stack([x, self.bottom - u * (self.bottom - self.top)], axis=-1)

    def y(self, value: float) -> float:
        """Return the y coordinate of a value."""
        return float(self.place(np.array([self.begin, value]))[1])

    def x(self, seconds: float) -> float:
        """Return the x coordinate of a time."""
        return float(self.place(np.array([seconds, self._low]))[0])


def _lane(
    drawing: Drawing, curves: CurveSet, lane: Chart, box: tuple[float, float, float, float]
) -> None:
    scale = lane.scale
    frame = _Frame(box, (curves.begin, curves.end), scale)
    left, top, right, bottom = box
    heading = lane.heading
    drawing.items.append(Label(left, top - 7, heading, INK, _TEXT + 1, bold=True))
    x = left + text_width(heading, _TEXT + 1) + 14
    drawing.items.append(Label(x, top - 7, lane.summary, FAINT, _TEXT - 1))
    values = ticks(*scale, max(int((bottom - top) / 32), 2))
    for value, text in zip(values, tick_labels(values), strict=True):
        y = frame.y(value)
        drawing.line(left, y, right, y, GRID, 1)
        drawing.items.append(Label(left - 8, y + 4, text, FAINT, _TEXT - 1, "end"))
    for seconds in _seconds(curves, right - left):
        drawing.line(frame.x(seconds), top, frame.x(seconds), bottom, GRID, 1)
    drawing.line(left, top, left, bottom, AXIS, 1)
    drawing.line(left, bottom, right, bottom, AXIS, 1)
    ends = []
    for place, line in enumerate(lane.lines):
        number = style_of(line.label, place)
        _line(drawing, frame, line, number)
        ends.append((frame.y(float(line.points[-1, 1])), line.label, number))
    _names(drawing, ends, right, (top, bottom))


def _line(drawing: Drawing, frame: _Frame, line: Line, number: int) -> None:
    color, kind = COLORS[number % len(COLORS)], KINDS[number % len(KINDS)]
    dash = DASHES[number % len(DASHES)]
    keys = frame.place(_shown(frame, line.keys))
    gaps = np.diff(keys[:, 0])
    near = float(np.median(gaps)) if gaps.size else 99.0
    radius = min(max(0.28 * near, 1.4), 3.4)
    handles = frame.place(_shown(frame, line.handles))
    for handle in handles if near > 4 * _CLOSE else ():
        drawing.items.append(Stroke(handle, AXIS, 1))
    if len(handles) and near > 4 * _CLOSE:
        drawing.items.append(Markers(handles[:, 1], FAINT, "ring", 2.2))
    points = frame.place(_cut(line.points, frame.begin))
    for held in _held(frame, points):
        drawing.items.append(Stroke(held, color, 1, (1.5, 3)))
    drawing.items.append(Stroke(points, color, 1.7, dash))
    if near > _CLOSE:
        drawing.items.append(Markers(keys, color, kind, radius))


def _held(frame: _Frame, points: F64) -> list[F64]:
    """Return the lines before the first and after the last key, where the value holds, pixels."""
    first, last = points[0], points[-1]
    found = []
    if first[0] > frame.left + 0.5:
        found.append(np.array([[frame.left, first[1]], first]))
    if last[0] < frame.right - 0.5:
        found.append(np.array([last, [frame.right, last[1]]]))
    return found


def _shown(frame: _Frame, keys: F64) -> F64:
    """Return the keys [n, 2], or handles [n, 2, 2], that are not before the start of the axis."""
    seconds = keys[:, 0, 0] if keys.ndim == 3 else keys[:, 0]
    return keys[seconds >= frame.begin - 1e-9]


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
    ordered = sorted(
        ends, key=lambda end: (round(end[0]), end[2])
    )  # X, Y, Z in order at equal heights
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
    frame = _Frame((_LEFT, 0, right, 1), (curves.begin, curves.end), (0, 1))
    times = _seconds(curves, right - _LEFT)
    for seconds, text in zip(times, tick_labels(times), strict=True):
        x = frame.x(seconds)
        drawing.line(x, y, x, y + 4, AXIS, 1)
        drawing.items.append(Label(x, y + 18, text, FAINT, _TEXT - 1, "middle"))
    drawing.items.append(Label((_LEFT + right) / 2, y + 34, "seconds", FAINT, _TEXT - 1, "middle"))
