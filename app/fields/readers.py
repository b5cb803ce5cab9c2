"""Readers of option values; they raise ValueError with a message for the user.

They read text, as on the command line; those of numbers read numbers too, and those of several
numbers sequences of numbers.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..animation.playback import Mode

Number = str | float
Numbers = str | float | Sequence[Number]
Colour = tuple[float, float, float, float]

LARGEST_SIDE = 16384  # pixels; the largest texture of most drivers
LARGEST_NUMBER = 1e15  # absolute value: sums of larger ones lose precision or overflow
LARGEST_SPEED = 1000.0  # of playback; at 60 frames a second, 17 s of a clip in one frame
MAX_STOPS = 64
MAX_BYTES = 1 << 43  # 8 TiB
MOST_FRAMES = 1_000_000  # of one sequence: nine hours at 30 a second
MOST_COLOURS = 3  # of a background
_COMMA = re.compile(r",(?![^(]*\))")  # not within brackets


def text(given: object) -> str:
    """Read text; several values are joined by commas."""
    return ",".join(map(str, given)) if isinstance(given, list | tuple) else str(given)


def _quoted(given: object) -> str:
    return repr(text(given))


def number(given: Number) -> float:
    """Read a finite number."""
    try:
        value = float(_not_bool(given))
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{_quoted(given)} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{_quoted(given)} is not a finite number")
    return _within(value, given)


def speed(given: Number) -> float:
    """Read a playback speed."""
    value = number(given)
    if abs(value) > LARGEST_SPEED:
        bounds = f"from -{LARGEST_SPEED:g} to {LARGEST_SPEED:g}"
        raise ValueError(f"{_quoted(given)} is not a speed {bounds}")
    return value


def _not_bool(given: Number) -> Number:
    if isinstance(given, bool):
        raise TypeError
    return given


def _within(value: float, given: Number) -> float:
    if abs(value) > LARGEST_NUMBER:
        raise ValueError(f"{text(given)[:40]!r} is beyond {LARGEST_NUMBER:g}")
    return value


def _parts(given: Numbers) -> Sequence[Number]:
    """Return the parts of a text with commas between them, or of a sequence."""
    if isinstance(given, str):
        return given.split(",")
    return given or ("",) if isinstance(given, Sequence) else (given,)


def positive(given: Number) -> float:
    """Read a number above 0."""
    value = number(given)
    if value <= 0:
        raise ValueError(f"{_quoted(given)} is not above 0")
    return value


_UNITS = {"": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}


def bytes_from_text(given: Number) -> int:
    """Read a number of bytes: ``2GiB``, ``512MiB``, or 2147483648."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMG]iB|)\s*", text(given), re.IGNORECASE)
    if match is None:
        raise ValueError(f"{_quoted(given)} is not a size such as 2GiB or 512MiB")
    size = float(match[1]) * _UNITS[match[2].lower()]
    if not 1 <= size <= MAX_BYTES:
        raise ValueError(f"{_quoted(given)} is not a size from 1 byte to {MAX_BYTES >> 40} TiB")
    return int(size)


def bytes_text(given: int) -> str:
    """Return a number of bytes as `bytes_from_text` reads it."""
    for unit, size in reversed(_UNITS.items()):
        if given % size == 0:
            return f"{given // size}{unit[:-2].upper()}{'iB' if unit else ''}"
    raise AssertionError


def field_of_view(given: Number) -> float:
    """Read an angle in degrees that a camera can see."""
    value = number(given)
    if not 0 < value < 180:
        raise ValueError(f"{_quoted(given)} is not between 0 and 180 degrees")
    return value


def numbers(given: Numbers) -> tuple[float, ...]:
    """Read numbers with commas between them."""
    return tuple(number(part) for part in _parts(given))


def number_from(least: float, most: float) -> Callable[[Number], float]:
    """Return the reader of a number between two, both included."""

    def read(given: Number) -> float:
        value = number(given)
        if not least <= value <= most:
            raise ValueError(f"{_quoted(given)} is not from {least:g} to {most:g}")
        return value

    return read


share = number_from(0, 1)
stops = number_from(-MAX_STOPS, MAX_STOPS)  # of an exposure


def phases(given: Numbers) -> tuple[float, ...]:
    """Read phases, each from 0 to 1."""
    values = numbers(given)
    for value in values:
        if not 0 <= value <= 1:
            raise ValueError(f"a phase is from 0 to 1, not {value:g}")
    return values


def whole_number(given: Number) -> int:
    """Read a whole number."""
    try:
        value = int(_not_float(given))
    except (TypeError, ValueError):
        raise ValueError(f"{_quoted(given)} is not a whole number") from None
    _within(value, given)
    return value


def _not_float(given: Number) -> str | int:
    if isinstance(given, bool | float):
        raise TypeError
    return given


def whole_numbers(given: Numbers) -> tuple[int, ...]:
    """Read whole numbers with commas between them."""
    return tuple(whole_number(part) for part in _parts(given))


def natural_numbers(given: Numbers) -> tuple[int, ...]:
    """Read whole numbers from 0 with commas between them."""
    values = whole_numbers(given)
    if min(values) < 0:
        raise ValueError(f"{min(values)} is below 0")
    return values


def whole_number_from(least: int, most: int) -> Callable[[Number], int]:
    """Return the reader of a whole number between two, both included."""

    def read(given: Number) -> int:
        value = whole_number(given)
        if not least <= value <= most:
            raise ValueError(f"{value} is not from {least} to {most}")
        return value

    return read


def size(given: Numbers) -> tuple[int, int]:
    """Read a width and a height: ``800,600`` or ``800x600``."""
    parts = _parts(given.lower().replace("x", ",") if isinstance(given, str) else given)
    if len(parts) != 2:
        raise ValueError(f"{_quoted(given)} is not a width and a height, such as 800x600")
    width, height = (whole_number_from(1, LARGEST_SIDE)(part) for part in parts)
    return width, height


LARGEST_CROWD = 10_000  # characters of a crowd


def grid(given: object) -> tuple[int, int, int]:
    """Read ``N`` or ``ROWSxCOLUMNS``; returns rows, columns and how many there are of all."""
    written = text(given)
    parts = written.lower().split("x")
    if len(parts) > 2:
        raise ValueError(f"{written!r} is neither a number nor rows and columns, such as 4x6")
    sides = [whole_number_from(1, LARGEST_CROWD)(part) for part in parts]
    if len(sides) == 2:
        rows, columns, count = *sides, sides[0] * sides[1]
    else:
        count = sides[0]
        columns = min(count, math.ceil(math.sqrt(2 * count)))  # wider than deep, as pictures are
        rows = math.ceil(count / columns)
    if count > LARGEST_CROWD:
        raise ValueError(f"{written!r} are {count} characters, more than {LARGEST_CROWD}")
    return rows, columns, count


def grid_text(given: tuple[int, int, int]) -> str:
    """Return the text of rows, columns and how many there are of all."""
    rows, columns, count = given
    return f"{rows}x{columns}" if count == rows * columns else str(count)


def attachment(given: object) -> tuple[str, str]:
    """Read ``FILE=JOINT``."""
    written = text(given)
    file, _, joint = written.rpartition("=")
    if not file or not joint:
        raise ValueError(f"{written!r} is not FILE=JOINT, such as sword.glb=RightHand")
    return file, joint


def attachment_text(given: tuple[str, str]) -> str:
    """Return the text of a file and the joint that it is attached to."""
    return f"{given[0]}={given[1]}"


def vector(given: Numbers) -> tuple[float, float, float]:
    """Read three numbers with commas between them."""
    values = numbers(given)
    if len(values) != 3:
        raise ValueError(f"{_quoted(given)} is not three numbers, such as 0,1,2")
    return values[0], values[1], values[2]


def frame_range(given: object) -> range:
    """Read ``A..B`` or ``A..B:STEP``, B included."""
    written = text(given)
    span, colon, step_text = written.partition(":")
    first_text, dots, last_text = span.partition("..")
    if not dots:
        raise ValueError(f"{written!r} is not a range of frames, such as 0..30 or 0..30:2")
    first, last = whole_number(first_text), whole_number(last_text)
    step = whole_number(step_text) if colon else 1
    if step < 1:
        raise ValueError(f"the step of {written!r} is below 1")
    if last < first:
        raise ValueError(f"{written!r} ends before it begins")
    frames = range(first, last + 1, step)
    if len(frames) > MOST_FRAMES:
        raise ValueError(f"{written!r} is {len(frames)} frames, more than {MOST_FRAMES}")
    return frames


def frame_range_text(frames: range) -> str:
    """Return the text of a range of frames."""
    step = f":{frames.step}" if frames.step != 1 else ""
    return f"{frames.start}..{frames[-1]}{step}"


def time_range(given: object) -> tuple[float, float]:
    """Read ``A..B``, seconds."""
    written = text(given)
    begin, dots, end = written.partition("..")
    if not dots:
        raise ValueError(f"{written!r} is not a range of seconds, such as 0..2.5")
    span = number(begin), number(end)
    if span[1] < span[0]:
        raise ValueError(f"{written!r} ends before it begins")
    return span


class TimeRange(NamedTuple):
    """Times from `begin` to `end`, both included, seconds; `step` None: one for each frame."""

    begin: float
    end: float
    step: float | None


def times(given: Numbers) -> tuple[float, ...] | TimeRange:
    """Read seconds: numbers with commas between them, ``A..B`` or ``A..B:STEP``."""
    if not isinstance(given, str) or ".." not in given:
        return numbers(given)
    span, colon, step = given.partition(":")
    return TimeRange(*time_range(span), positive(step) if colon else None)


def times_text(given: tuple[float, ...] | TimeRange) -> str:
    """Return the text of times."""
    if not isinstance(given, TimeRange):
        return ",".join(map(str, given))
    return f"{given.begin}..{given.end}" + (f":{given.step}" if given.step else "")


def loop_mode(given: object) -> "tuple[Mode, float]":
    """Read how a clip repeats; returns "loop" or "pingpong", and passes (may be infinite)."""
    from ..animation.playback import parse_loop  # numpy: not before a value is given

    return parse_loop(text(given))


def loop_text(given: "tuple[Mode, float]") -> str:
    """Return the text of a loop mode and passes."""
    mode, passes = given
    if mode == "pingpong":
        return mode if math.isinf(passes) else f"pingpong:{passes:.0f}"
    if passes == 1:
        return "once"
    return mode if math.isinf(passes) else f"{passes:.0f}"


def colour(given: object) -> Colour:
    """Read a colour by CSS name or in hexadecimal; returns sRGB and alpha, 0 to 1."""
    from PIL.ImageColor import getrgb  # imported only where a colour is given

    name = text(given)
    try:
        red, green, blue, *alpha = getrgb(name)
    except ValueError:
        message = f"{name!r} is not a colour, such as white, #fff, #ffffff or #ffffff80"
        raise ValueError(message) from None
    opacity = alpha[0] if alpha and name.startswith("#") else 255
    return red / 255, green / 255, blue / 255, opacity / 255


def colours(given: object) -> tuple[Colour, ...]:
    """Read one to three colours, separated by commas; those in brackets belong to a colour."""
    parts = given if isinstance(given, list | tuple) else _COMMA.split(text(given))
    if not 1 <= len(parts) <= MOST_COLOURS:
        raise ValueError(f"{len(parts)} colours; one to {MOST_COLOURS} are allowed")
    return tuple(colour(part.strip() if isinstance(part, str) else part) for part in parts)


def colours_text(given: tuple[Colour, ...]) -> str:
    """Return the text of colours: #rrggbbaa, separated by commas."""
    return ",".join(
        "#" + "".join(f"{round(channel * 255):02x}" for channel in one) for one in given
    )
