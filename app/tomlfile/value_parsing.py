"""Parsers of option values; they raise ValueError with a message for the user."""

import math
from collections.abc import Callable

LARGEST_SIDE = 16384  # pixels; the largest texture of most drivers
LARGEST_NUMBER = (
    1e15  # largest absolute value of a number: sums of larger ones lose precision or overflow
)
MOST_FRAMES = 1_000_000  # of one sequence: nine hours at 30 a second
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


def number(text: str) -> float:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not a finite number")
    return _within(value, text)


def _within(value: float, text: str) -> float:
    if abs(value) > LARGEST_NUMBER:
        raise ValueError(f"{text[:40]!r} is beyond {LARGEST_NUMBER:g}")
    return value


def positive(text: str) -> float:
    """Read a number above 0."""
    value = number(text)
    if value <= 0:
        raise ValueError(f"{text!r} is not above 0")
    return value


def field_of_view(text: str) -> float:
    """Read an angle in degrees that a camera can see."""
    value = number(text)
    if not 0 < value < 180:
        raise ValueError(f"{text!r} is not between 0 and 180 degrees")
    return value


def stops(text: str) -> float:
    """Read an exposure in stops."""
    value = number(text)
    if abs(value) > 64:
        raise ValueError(f"{text!r} is not from -64 to 64")
    return value


def numbers(text: str) -> tuple[float, ...]:
    """Read numbers with commas between them."""
    return tuple(number(part) for part in text.split(","))


def phases(text: str) -> tuple[float, ...]:
    """Read phases, each from 0 to 1."""
    values = numbers(text)
    for value in values:
        if not 0 <= value <= 1:
            raise ValueError(f"a phase is from 0 to 1, not {value:g}")
    return values


def whole_number(text: str) -> int:
    """Read a whole number."""
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a whole number") from None
    _within(value, text)
    return value


def whole_numbers(text: str) -> tuple[int, ...]:
    """Read whole numbers with commas between them."""
    return tuple(whole_number(part) for part in text.split(","))


def natural_numbers(text: str) -> tuple[int, ...]:
    """Read whole numbers from 0 with commas between them."""
    values = whole_numbers(text)
    if min(values) < 0:
        raise ValueError(f"{min(values)} is below 0")
    return values


def whole_number_from(least: int, most: int) -> Callable[[str], int]:
    """Return the reader of a whole number between two, both included."""

    def read(text: str) -> int:
        value = whole_number(text)
        if not least <= value <= most:
            raise ValueError(f"{value} is not from {least} to {most}")
        return value

    return read


def size(text: str) -> tuple[int, int]:
    """Read a width and a height: ``800,600`` or ``800x600``."""
    parts = text.lower().replace("x", ",").split(",")
    if len(parts) != 2:
        raise ValueError(f"{text!r} is not a width and a height, such as 800x600")
    width, height = (whole_number_from(1, LARGEST_SIDE)(part) for part in parts)
    return width, height


LARGEST_CROWD = 10_000  # characters of a crowd


def grid(text: str) -> tuple[int, int, int]:
    """Read ``N`` or ``ROWSxCOLUMNS``; returns rows, columns and how many there are of all."""
    parts = text.lower().split("x")
    if len(parts) > 2:
        raise ValueError(f"{text!r} is neither a number nor rows and columns, such as 4x6")
    sides = [whole_number_from(1, LARGEST_CROWD)(part) for part in parts]
    if len(sides) == 2:
        rows, columns, count = *sides, sides[0] * sides[1]
    else:
        count = sides[0]
        columns = min(count, math.ceil(math.sqrt(2 * count)))  # wider than deep, as pictures are
        rows = math.ceil(count / columns)
    if count > LARGEST_CROWD:
        raise ValueError(f"{text!r} are {count} characters, more than {LARGEST_CROWD}")
    return rows, columns, count


def vector(text: str) -> tuple[float, float, float]:
    """Read three numbers with commas between them."""
    values = numbers(text)
    if len(values) != 3:
        raise ValueError(f"{text!r} is not three numbers, such as 0,1,2")
    return values[0], values[1], values[2]


def frame_range(text: str) -> range:
    """Read ``A..B`` or ``A..B:STEP``, B included."""
    span, colon, step_text = text.partition(":")
    first_text, dots, last_text = span.partition("..")
    if not dots:
        raise ValueError(f"{text!r} is not a range of frames, such as 0..30 or 0..30:2")
    first, last = whole_number(first_text), whole_number(last_text)
    step = whole_number(step_text) if colon else 1
    if step < 1:
        raise ValueError(f"the step of {text!r} is below 1")
    if last < first:
        raise ValueError(f"{text!r} ends before it begins")
    frames = range(first, last + 1, step)
    if len(frames) > MOST_FRAMES:
        raise ValueError(f"{text!r} is {len(frames)} frames, more than {MOST_FRAMES}")
    return frames


def time_range(text: str) -> tuple[float, float]:
    """Read ``A..B``, seconds."""
    begin, dots, end = text.partition("..")
    if not dots:
        raise ValueError(f"{text!r} is not a range of seconds, such as 0..2.5")
    span = number(begin), number(end)
    if span[1] < span[0]:
        raise ValueError(f"{text!r} ends before it begins")
    return span


def loop_mode(text: str) -> tuple[str, float]:
    """Read how a clip repeats; returns "loop" or "pingpong", and passes (may be infinite)."""
    from ..animation.playback import parse_loop  # numpy: not before a value is given

    return parse_loop(text)


def colour(text: str) -> tuple[float, float, float, float]:
    """Read a colour by CSS name or in hexadecimal; returns sRGB and alpha, 0 to 1."""
    channels = _hexadecimal(text[1:]) if text.startswith("#") else _named(text)
    if channels is None:
        raise ValueError(f"{text!r} is not a colour, such as white, #fff, #ffffff or #ffffff80")
    red, green, blue, alpha = channels
    return red / 255, green / 255, blue / 255, alpha / 255


def _hexadecimal(digits: str) -> tuple[int, ...] | None:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) not in (6, 8) or not _HEXADECIMAL.issuperset(digits):
        return None
    return tuple(bytes.fromhex(digits.ljust(8, "f")))


def _named(name: str) -> tuple[int, ...] | None:
    from PIL.ImageColor import getrgb  # CSS's names; imported only where one is given

    try:
        return (*getrgb(name)[:3], 255)
    except ValueError:
        return None
