"""Formatting of numbers: grouped digits, units after a thin space."""

import math

_THIN = "\u202f"  # narrow no-break space
_SPACE = "\u00a0"  # no-break space
_WORD = 5  # least number of letters of a unit that is a word: "bytes", "joints"
_UNITS = ("bytes", "kB", "MB", "GB")
_DIGITS = 4  # significant digits of an amount
_MAX_DIGITS = 6  # decimal places
_VAST = 1e7  # metres: greater lengths have an exponent


def count(number: int) -> str:
    """Return an integer with digits grouped in threes: ``12 345``."""
    return f"{number:,}".replace(",", _THIN)


def size(number: float) -> str:
    """Return a size in bytes with a decimal unit: ``4.1 MB``."""
    unit = 0
    while number >= 999.5 and unit < len(_UNITS) - 1:
        number, unit = number / 1000, unit + 1
    digits = f"{number:.0f}" if unit == 0 or number >= 99.5 else f"{number:.2g}"
    return f"{digits}{_THIN if unit else _SPACE}{_UNITS[unit]}"


def amount(number: float, unit: str = "") -> str:
    """Return an amount with its unit: ``12.3 mm``, ``4°``."""
    if unit == "bytes" and math.isfinite(number):
        return size(number)
    text = f"{number:.{_DIGITS}g}" if math.isfinite(number) else str(number)
    if "e" in text and 1e-3 < abs(number) < 1e9:
        text = f"{number:.0f}"
    if not unit:
        return text
    gap = "" if unit.startswith(("°", "%")) else _THIN if len(unit) < _WORD else _SPACE
    return f"{text}{gap}{unit}"


def capitalized(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def seconds(number: float) -> str:
    """Return a time: ``1.07 s``."""
    return f"{number:.2f}{_THIN}s"


def metres(number: float, digits: int = 3) -> str:
    """Return a length with `digits` decimal places: ``0.932``."""
    if not math.isfinite(number) or abs(number) >= _VAST:
        return f"{number:.2e}"
    return f"{round(number, digits) + 0.0:.{digits}f}"  # turns -0.0 into 0.0


def digits_for(greatest: float) -> int:
    """Return the decimal places that show a thousandth of `greatest`."""
    if not math.isfinite(greatest) or greatest <= 0:
        return _MAX_DIGITS // 2
    return min(max(3 - math.floor(math.log10(greatest) + 0.5), 0), _MAX_DIGITS)


def plural(number: int, word: str, words: str = "") -> str:
    """Return a number with its noun: ``1 clip``, ``2 clips``."""
    return f"{count(number)} {word if number == 1 else words or word + 's'}"
