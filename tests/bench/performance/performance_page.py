"""Writes the tables of docs/performance.md and its plot from docs/performance.json."""

import re

from tests.bench.performance import ratio_plot, results
from tests.bench.performance.results import QUANTITIES, ROOT

PAGE = ROOT / "docs" / "performance.md"
PLOTS = {
    theme: ROOT / "assets" / "readme" / f"performance-{theme}.svg" for theme in ratio_plot.THEMES
}
_BLOCK = "<!-- {0} -->\n.*?<!-- end -->\n"
HEAD = "| {0} | | ours | peer | ours / peer | aim |\n| --- | --- | --- | --- | --- | --- |"


def write(found):
    """Write the page and the plot of stored results."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    for theme, path in PLOTS.items():
        path.write_text(ratio_plot.drawn(found, theme), encoding="utf-8")


def filled(text, found):
    """Return the page with the machines and tables of some results."""
    for name, block in (("machines", machines(found)), ("tables", tables(found))):
        made = f"<!-- {name} -->\n\n{block}\n\n<!-- end -->\n"
        text = re.sub(_BLOCK.format(name), lambda _, made=made: made, text, flags=re.DOTALL)
    return text


def machines(found):
    """Return what was measured where, a paragraph a run; the last run comes first."""
    paragraphs = []
    for number, run in reversed(list(enumerate(found["runs"]))):
        at = run["machine"]
        named = ", ".join(f"{name} {version}" for name, version in run["versions"].items())
        rows = [name for name, row in found["rows"].items() if row["run"] == number]
        which = "" if len(found["runs"]) == 1 else f" ({', '.join(f'`{row}`' for row in rows)})"
        missing = f" Not measured, since missing: {', '.join(run['missing'])}." * bool(
            run["missing"]
        )
        where = f"{at['processor']}, {at['cores']} cores, {at['memory']} GiB"
        where += f", {at['system']}, {at['OpenGL']}"
        where += f", load average {run['load']:g} at the start"
        head = f"{run['date']}, commit {run['commit']}{which}"
        paragraphs.append(f"{head}: {where}. {named}.{missing}")
    return "\n\n".join(paragraphs)


def tables(found):
    """Return a table for each group of rows."""
    groups = {}
    for row in found["rows"].values():
        groups.setdefault(row["group"], []).extend(_cells(row))
    return "\n\n".join(
        "\n".join([HEAD.format(name), *(f"| {' | '.join(each)} |" for each in cells)])
        for name, cells in groups.items()
    )


def printed(row):
    """Return the lines of a row for a terminal."""
    widths = (46, 8, 42, 32, 30, 0)
    padded = (
        "  ".join(f"{text:{width}}" for text, width in zip(cells, widths, strict=True))
        for cells in _cells(row)
    )
    return [line.replace("*", "").rstrip() for line in padded]


def _cells(row):
    """Yield the cells of each line of a row."""
    for number, line in enumerate(results.lines(row)):
        ours, peer, ratios = results.figures(row, line)
        before = row["worse"].get(str(number))
        ratio = "" if ratios is None else f"**{_digits(ratios.middle)}** ({_range(ratios)})"
        if before is not None:
            was = _digits(before) if ratios else amount(before, line.quantity)
            ratio = f"{ratio} ▲ was {was}".strip()
        yield (
            "" if number else row["what"],
            QUANTITIES[line.quantity],
            f"{line.ours} {spanned(ours, line.quantity)}",
            "" if peer is None else f"{line.peer} {spanned(peer, line.quantity)}",
            ratio,
            _aim(row, line),
        )


def _aim(row, line):
    if line.limit is None and line.ratio is None:
        return ""
    text = _digits(line.ratio) if line.limit is None else amount(line.limit, line.quantity)
    met = results.is_met(row, line)
    return f"≤ {text}" + {None: "", True: ", met", False: ", not met"}[met]


def amount(value, quantity):
    """Return a value with its unit."""
    scale, unit = _unit(value, quantity)
    return f"{_digits(value * scale)} {unit}"


def spanned(span, quantity):
    """Return a median with its unit, and the least and greatest sample."""
    scale, unit = _unit(span.middle, quantity)
    low, middle, high = (_digits(value * scale) for value in (span.least, span.middle, span.most))
    return f"{middle} {unit} ({low}–{high})"


def _range(span):
    return f"{_digits(span.least)}–{_digits(span.most)}"


def _unit(value, quantity):
    if results.UNITS[quantity] != "s":
        return 1.0, results.UNITS[quantity]
    return next(each for each in ((1e6, "µs"), (1e3, "ms"), (1.0, "s")) if value * each[0] < 1000)


def _digits(value):
    """Return a number with three significant digits, without zeros at its end."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{float(f'{value:.2g}' if value < 0.1 else f'{value:.3g}'):g}"
