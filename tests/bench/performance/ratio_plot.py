"""Draws the ratios ours / peer on a logarithmic axis, as SVG for a light or a dark page."""

import math

import numpy as np

from rigview.curves.chart import Drawing, Label, Markers, Stroke
from tests.bench.performance import results

WIDTH, LEFT, RIGHT = 800, 292, 64
TOP, STEP, GAP = 64, 20, 30  # pixels
TICKS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30)
THEMES = {  # text, dim text, grid, better, worse
    "light": ("#1f2328", "#59636e", "#d1d9e0", "#0969da", "#bc4c00"),
    "dark": ("#f0f6fc", "#9198a1", "#3d444d", "#4493f8", "#f0883e"),
}
TITLE = "CPU time of Rigview relative to that of other programs"


def drawn(found, theme):
    """Return the SVG of the first comparison of CPU time of each row and program of ours."""
    return _drawing(_groups(found), *THEMES[theme]).svg()


def _groups(found):
    """Return (label, span of the ratios, aim or None) by group."""
    groups = {}
    for row in found["rows"].values():
        seen = set()
        for line in results.lines(row):
            ratios = results.figures(row, line)[2]
            if ratios and line.quantity == "cpu" and line.ours not in seen:
                seen.add(line.ours)
                _, _, kind = line.ours.partition("Rigview")
                label = f"{row['what']}{kind.replace(' [', ', [')} ({line.peer})"
                groups.setdefault(row["group"], []).append((label, ratios, line.ratio))
    return groups


def _drawing(groups, text, dim, grid, better, worse):
    spans = [span for rows in groups.values() for _, span, _ in rows]
    least, most = min(span.least for span in spans), max(span.most for span in spans)
    ticks = [tick for tick in TICKS if least / 3.4 < tick < most * 3.4]
    low, high = (math.log(value) for value in (ticks[0], ticks[-1]))
    height = TOP + sum(GAP + STEP * len(rows) for rows in groups.values()) + 12

    def x(value):
        return LEFT + (math.log(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    made = Drawing(WIDTH, height, "none", TITLE)
    made.items.append(Label(8, 18, TITLE, text, 14, bold=True))
    for tick in ticks:
        made.line(
            x(tick), TOP - 6, x(tick), height - 8, dim if tick == 1 else grid, 1 + (tick == 1)
        )
        made.items.append(Label(x(tick), TOP - 12, f"{tick:g}", dim, 11, "middle"))
    for apart, words, anchor in ((-14, "◂ less", "end"), (14, "more ▸", "start")):
        made.items.append(Label(x(1) + apart, TOP - 12, words, dim, 11, anchor))
    y = TOP
    for name, rows in groups.items():
        y += GAP
        made.items.append(Label(8, y - 8, name, text, 12, bold=True))
        for label, span, aim in rows:
            colour = better if span.middle <= 1 else worse
            made.items.append(Label(16, y + 12, label, text, 12))
            ends = np.array([[x(span.least), y + 8], [x(span.most), y + 8]])
            made.items.append(Stroke(ends, colour, 2))
            made.items.append(Markers(np.array([[x(span.middle), y + 8]]), colour, "circle", 4.5))
            if aim is not None:
                made.line(x(aim), y + 1, x(aim), y + 15, text, 1.5)
            made.items.append(
                Label(WIDTH - 8, y + 12, f"{span.middle:.2g}", colour, 12, "end", True)
            )
            y += STEP
    return made
