"""Keys and curves to draw: charts of lines, each chart with its own value scale."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..animation.track import Track
from ..animation.types import F64
from ..wording import counted

_STILL = 1e-6  # of a value: lines with a smaller range are constant
_NOISE, _NOISE_DEGREES = 1e-4, 1e-2  # metres, degrees: what changes less is not seen
_CLEAR = 2.0  # times the step of another line: a greater one is off alone
_APART = 3.0  # times the greatest range of a line: beyond, each line has its own lane


@dataclass(frozen=True, eq=False)
class Line:
    """A component over time, with points [seconds, value]."""

    label: str  # "X", or the name of a morph target
    points: F64  # [n, 2] in order of time; steps are right angles
    keys: F64  # [K, 2]
    handles: F64  # [H, 2, 2] from a key to its control point; only of CUBICSPLINE
    track: Track | None = None  # whose keys these are, None: sampled
    column: int = 0  # of its values; of an angle that of the axis

    @cached_property
    def range(self) -> tuple[float, float]:
        """Least and greatest value, handles included."""
        values = np.concatenate([self.points[:, 1], self.handles[..., 1].ravel()])
        return float(values.min()), float(values.max())

    @cached_property
    def still(self) -> bool:
        """Whether the line is constant."""
        low, high = self.range
        return high - low <= _STILL * max(abs(low), abs(high), 1.0)


@dataclass(frozen=True, eq=False)
class Chart:
    """The components of one track, or values with separate tracks."""

    name: str  # "Translation"
    unit: str  # "m", "°" or none
    interpolation: str
    lines: tuple[Line, ...]
    note: str = ""
    space: str = ""  # "local", "model", or none

    @cached_property
    def key_count(self) -> int:
        """Greatest number of keys of a line."""
        return max(len(line.keys) for line in self.lines)

    @cached_property
    def noise(self) -> float:
        """Greatest range of a constant line, in the unit of the chart: 0.1 mm, 0.01°, 0.0001."""
        if self.unit == "°":
            return _NOISE_DEGREES
        scale = self.unit.removesuffix(" m")
        return _NOISE / float(scale) if scale.replace(".", "", 1).isdigit() else _NOISE

    @cached_property
    def still(self) -> bool:
        """Whether all lines are constant, or change less than is seen."""
        return all(map(self.is_still, self.lines))

    def is_still(self, line: Line) -> bool:
        """Return whether a line is constant, or changes less than is seen."""
        return line.still or line.range[1] - line.range[0] <= self.noise

    def line_off(self, seconds: float) -> str:
        """Return the label of the line that alone has a great step at the key nearest to a time.

        A step counts without the usual one of its line; "": no line is off alone.
        """
        steps = sorted(((_step(line, seconds), line.label) for line in self.lines), reverse=True)
        (greatest, label), second = steps[0], steps[1][0] if len(steps) > 1 else 0.0
        return label if greatest > max(_CLEAR * second, self.noise) else ""

    @cached_property
    def heading(self) -> str:
        """Heading above the chart: "Translation Y (local, m)"."""
        one = self.lines[0].label if len(self.lines) == 1 else ""
        facts = ", ".join(part for part in (self.space, self.unit) if part)
        return " ".join(part for part in (self.name, one, f"({facts})" if facts else "") if part)

    @cached_property
    def summary(self) -> str:
        """Text beside the heading: interpolation, number of keys, note."""
        keys = counted(self.key_count, "key") if self.key_count else ""
        return ", ".join(part for part in (self.interpolation, keys, self.note) if part)

    @cached_property
    def scale(self) -> tuple[float, float]:
        """Least and greatest value of the axis."""
        low = min(line.range[0] for line in self.lines)
        high = max(line.range[1] for line in self.lines)
        least = {"°": 1.0, "m": 1e-3}.get(self.unit, 1e-2)
        least = max(least, _STILL * max(abs(low), abs(high)))
        if self.still:
            least = max(least, 0.2 * max(abs(low), abs(high)))
        spare = max(least - (high - low), 0.16 * (high - low)) / 2
        return low - spare, high + spare

    @cached_property
    def lanes(self) -> list["Chart"]:
        """The chart as one or more charts with separate scales.

        Lines that are far apart relative to their ranges would look flat on a common scale: then
        every line has its own. Constant lines become part of the note if others move.
        """
        ranges = [line.range for line in self.lines]
        longest = max(high - low for low, high in ranges)
        together = max(high for _, high in ranges) - min(low for low, _ in ranges)
        moving = [line for line in self.lines if not line.still]
        if not moving or together <= _APART * longest:
            return [self]
        still = [line for line in self.lines if line.still]
        constants = ", ".join(f"{line.label} = {line.points[0, 1]:.4g}" for line in still)
        notes = [self.note] * len(moving)
        notes[-1] = ", ".join(part for part in (self.note, constants) if part)
        return [
            Chart(self.name, self.unit, self.interpolation, (line,), note, self.space)
            for line, note in zip(moving, notes, strict=True)
        ]


def _step(line: Line, seconds: float) -> float:
    """Return the greatest step beside the key nearest to a time, without the median one."""
    if len(line.keys) < 2:
        return 0.0
    steps = np.abs(np.diff(line.keys[:, 1]))
    key = int(np.abs(line.keys[:, 0] - seconds).argmin())
    return float(steps[max(key - 1, 0) : key + 1].max() - np.median(steps))


@dataclass(frozen=True, slots=True, eq=False)
class CurveSet:
    """All tracks of one joint or channel in one clip."""

    subject: str
    clip: str
    begin: float  # seconds, where the time axis starts
    end: float
    charts: tuple[Chart, ...]


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most `most` (or 2) round numbers in a range."""
    span = high - low
    if not span > 0 or not math.isfinite(span):
        return [low]
    rough = span / max(most, 2)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * k for k in (1, 2, 5, 10, 20) if power * k >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def tick_labels(values: Sequence[float]) -> list[str]:
    """Return a label for each tick, with as many digits as their step needs."""
    if len(values) < 2:
        return [f"{value + 0:.4g}" for value in values]
    step = values[1] - values[0]
    largest = max(abs(value) for value in values)
    digits = math.ceil(math.log10(max(largest / step, 1.0)) + 1e-9) + 1
    return [f"{0.0 if abs(value) < step / 2 else value:.{max(digits, 4)}g}" for value in values]


def style_of(label: str, place: int) -> int:
    """Return the style index of a line: X, Y, Z and W have fixed styles, others that of `place`."""
    return "XYZW".index(label) if len(label) == 1 and label in "XYZW" else place
