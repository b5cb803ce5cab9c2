"""A drawing of lines, markers and text, rendered as SVG or as pixels by Pillow.

Positions are pixels from the upper left corner; colours are "#rrggbb".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..animation.types import F64, U8

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


@dataclass(frozen=True, slots=True, eq=False)
class Markers:
    """Markers at points [n, 2]; a ring is hollow."""

    points: F64
    color: str
    kind: Kind
    radius: float


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
        body = [_svg(item) for item in self.items]
        return "\n".join([head, f"<title>{_text(self.title)}</title>", paper, *body, "</svg>", ""])

    def pixels(self) -> U8:
        """Return the picture [H, W, 4]."""
        from PIL import Image, ImageDraw  # 40 ms: imported on demand

        size = self.width * _FINE, self.height * _FINE
        fine = Image.new("RGB", size, self.paper)
        pen = ImageDraw.Draw(fine)
        for item in self.items:
            if isinstance(item, Stroke):
                _paint_stroke(pen, item)
            elif isinstance(item, Markers):
                _paint_marks(pen, item)
            else:
                _paint_words(pen, item)
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


def _svg_stroke(item: Stroke) -> str:
    dash = (
        f' stroke-dasharray="{" ".join(_number(length) for length in item.dash)}"'
        if item.dash
        else ""
    )
    style = f'stroke="{item.color}" stroke-width="{_number(item.width)}"{dash}'
    return f'<polyline points="{_pairs(item.points)}" {style}/>'


def _svg_marks(item: Markers) -> str:
    r = item.radius
    if item.kind in ("circle", "ring"):
        arc = f"a{_number(r)} {_number(r)} 0 1 0"
        dots = "".join(
            f"M{_number(x - r)} {_number(y)}{arc} {_number(2 * r)} 0{arc} {_number(-2 * r)} 0z"
            for x, y in item.points.tolist()
        )
    else:
        corners = np.array(_CORNERS[item.kind]) * r
        dots = "".join(f"M{_pairs(point + corners)}z" for point in item.points)
    if item.kind == "ring":
        return f'<path d="{dots}" stroke="{item.color}"/>'
    return f'<path d="{dots}" fill="{item.color}"/>'


def _svg_words(item: Label) -> str:
    anchor = "" if item.anchor == "start" else f' text-anchor="{item.anchor}"'
    bold = ' font-weight="600"' if item.bold else ""
    style = f'font-size="{_number(item.size)}" fill="{item.color}"{anchor}{bold}'
    return f'<text x="{_number(item.x)}" y="{_number(item.y)}" {style}>{_text(item.text)}</text>'


def _svg(item: Stroke | Markers | Label) -> str:
    if isinstance(item, Stroke):
        return _svg_stroke(item)
    return _svg_marks(item) if isinstance(item, Markers) else _svg_words(item)


def _paint_stroke(pen: "ImageDraw", item: Stroke) -> None:
    width = max(round(item.width * _FINE), 1)
    pieces = dashes(item.points, item.dash) if item.dash else [item.points]
    for piece in pieces:
        flat = (piece * _FINE).ravel().tolist()
        pen.line(flat, fill=item.color, width=width, joint="curve")


def _paint_marks(pen: "ImageDraw", item: Markers) -> None:
    r = item.radius * _FINE
    for x, y in (item.points * _FINE).tolist():
        if item.kind == "ring":
            pen.ellipse((x - r, y - r, x + r, y + r), outline=item.color, width=_FINE)
        elif item.kind == "circle":
            pen.ellipse((x - r, y - r, x + r, y + r), fill=item.color)
        else:
            corners = np.array(_CORNERS[item.kind]) * r + (x, y)
            pen.polygon(corners.ravel().tolist(), fill=item.color)


def _paint_words(pen: "ImageDraw", item: Label) -> None:
    from ..images.text import Anchor, TextRenderer

    anchors: dict[str, Anchor] = {"start": "ls", "middle": "ms", "end": "rs"}
    TextRenderer(item.size * _FINE).write(
        pen,
        (item.x * _FINE, item.y * _FINE),
        item.text,
        anchor=anchors[item.anchor],
        fill=item.color,
        stroke_width=1 if item.bold else 0,
        stroke_fill=item.color,
    )
