"""Samples of all rows as JSON, and the figures of a row: medians with spans, and ratios."""

import json
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STORED = ROOT / "docs" / "performance.json"
UNITS = {"wall": "s", "cpu": "s", "peak": "MiB"}
QUANTITIES = {"wall": "time", "cpu": "CPU time", "peak": "memory"}


@dataclass(frozen=True)
class Line:
    """A comparison in a row.

    Attributes
    ----------
    quantity
        "wall" or "cpu", seconds; "peak", MiB.
    ours, peer
        Names of programs; without a peer the line shows ours alone.
    ratio
        The aim: ours / peer is at most this.
    limit
        The aim: ours is at most this.
    """

    quantity: str
    ours: str
    peer: str | None = None
    ratio: float | None = None
    limit: float | None = None


@dataclass(frozen=True)
class Span:
    """The median of samples, the least and the greatest."""

    middle: float
    least: float
    most: float

    @classmethod
    def of(cls, samples):
        return cls(statistics.median(samples), min(samples), max(samples))

    @property
    def width(self):
        return self.most - self.least


def figures(row, line):
    """Return the spans of ours, of the peer (or None), and of the ratios (or None)."""
    samples = [row["samples"].get(name, {}).get(line.quantity) for name in (line.ours, line.peer)]
    ours, peer = samples
    ratios = [a / b for a, b in zip(ours, peer, strict=True)] if ours and peer else None
    return tuple(Span.of(each) if each else None for each in (ours, peer, ratios))


def lines(row):
    """Return the lines of a stored row to be shown: of a missing peer only the first of ours."""
    shown, measured, seen = [], row["samples"], set()
    for line in (Line(*each) for each in row["lines"]):
        if line.ours in measured and (
            line.peer in measured or (line.quantity, line.ours) not in seen
        ):
            shown.append(line)
            seen.add((line.quantity, line.ours))
    return shown


def is_met(row, line):
    """Return whether the aim of a line is reached, None without an aim or a figure for it."""
    ours, _, ratios = figures(row, line)
    if line.limit is not None:
        return ours.middle <= line.limit
    return None if line.ratio is None or ratios is None else ratios.middle <= line.ratio


def worse(row, former):
    """Return the former median of each line, by its number, that is worse by more than its span."""
    found = {}
    known = dict(_compared(former, line) for line in lines(former)) if former else {}
    for number, line in enumerate(lines(row)):
        what, now = _compared(row, line)
        before = known.get(what)
        if before and now.middle - before.middle > max(before.width, now.width):
            found[str(number)] = rounded(before.middle)
    return found


def _compared(row, line):
    """Return what is compared with the last measurement, and its span: the ratio, or ours alone."""
    ours, _, ratios = figures(row, line)
    return (line.quantity, line.ours, ratios and line.peer), ratios or ours


def merged(stored, run, rows, names):
    """Return stored results with the rows of a run in place of those of the same name.

    Rows of another machine are replaced, but not compared. `names` are those of all rows, in order.
    """
    runs = list(stored.get("runs", []))
    if run not in runs:
        runs.append(run)
    known = dict(stored.get("rows", {}))
    for name, row in rows.items():
        former = known.get(name)
        same = former is not None and runs[former["run"]]["machine"] == run["machine"]
        known[name] = row | {"run": runs.index(run), "worse": worse(row, former if same else None)}
    known = {name: known[name] for name in names if name in known}
    used = sorted({row["run"] for row in known.values()})
    for row in known.values():
        row["run"] = used.index(row["run"])
    return {"runs": [runs[number] for number in used], "rows": known}


def as_row(experiment, samples):
    """Return the row of an experiment to be stored."""
    compact = {
        name: {quantity: [rounded(value) for value in values] for quantity, values in each.items()}
        for name, each in samples.items()
    }
    return {
        "group": experiment.group,
        "what": experiment.what,
        "lines": [list(asdict(line).values()) for line in experiment.lines],
        "samples": compact,
    }


def rounded(value):
    """Return a value with four significant digits."""
    return float(f"{value:.4g}")


def read(path=STORED):
    """Return stored results, empty ones if there are none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(results, path=STORED):
    """Write results."""
    path.write_text(_text(results) + "\n", encoding="utf-8")


def _text(value, indent=""):
    """Return JSON with a line for each list of numbers or strings."""
    inner = indent + " "
    if isinstance(value, dict) and value:
        parts = (f"{inner}{json.dumps(name)}: {_text(each, inner)}" for name, each in value.items())
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        parts = (inner + _text(each, inner) for each in value)
        return "[\n" + ",\n".join(parts) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)
