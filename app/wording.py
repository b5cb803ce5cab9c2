"""Wording of numbers, sizes, plurals, names and lists in messages, tables and pages."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Sequence

_UNPRINTABLE = re.compile(  # controls, bidirectional ones too, surrogates, byte order mark
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
_THIN = "\u202f"  # narrow no-break space
_SPACE = "\u00a0"  # no-break space
_WORD = 5  # least number of letters of a unit that is a word: "bytes", "joints"
LONG = 10_000  # millimetres: from there on lengths and speeds are written in metres
_NEAR, _NEAR_SHORT = 0.75, 0.65  # least similarity of suggested names; of three letters
_MAX_DIGITS = 6  # decimal places
_SINGULARS = {"vertices": "vertex", "meshes": "mesh"}  # other units drop their "s"


# -- names and lists ------------------------------------------------------------------------------


def one_line(text: str) -> str:
    """Return text on one line, with control characters written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable(text: str) -> str:
    """Return a text with control characters and surrogates replaced by U+FFFD."""
    return text if text.isprintable() else _UNPRINTABLE.sub("\ufffd", text)


def capitalized(text: str) -> str:
    """Return a sentence with a capital first letter."""
    return text[:1].upper() + text[1:]


def shortened(text: str, length: int) -> str:
    """Return a text, cut after `length` characters."""
    return text if len(text) <= length else text[:length] + "…"


def quoted(name: str) -> str:
    """Return a name in quotation marks, on one line, cut after 60 characters."""
    return f"“{shortened(printable(name), 60)}”"


def joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return the first names of a list in quotation marks, and the number of the others."""
    shown = [quoted(name) for name in names[:most]]
    more = len(names) - len(shown)
    return f"{', '.join(shown)} and {more} more" if more else joined(shown)


def first_of(words: Sequence[str], most: int) -> str:
    """Return the first words of a list: ``a, b, ...``."""
    return ", ".join(words[:most]) + (", ..." if len(words) > most else "")


def suggestion(wrong: str, known: Iterable[str], quote: Callable[[str], str] = repr) -> str:
    """Return a hint with up to three names near a wrong one; "" if there is none.

    Near are names with nearly the same letters, and those that begin with the wrong name or have
    three or more of its letters inside. Case and a namespace (``mixamorig:``) are ignored.
    """
    from difflib import get_close_matches  # imported late: rarely needed

    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(name.casefold(), name)
    text = wrong.casefold()
    tail = re.split("[:|]", text)[-1] or text
    near = []
    for part in dict.fromkeys((text, tail)):
        near += get_close_matches(part, list(folded), 3, _NEAR if len(part) > 3 else _NEAR_SHORT)
    inside = [key for key in folded if text and text in key]
    near += [key for key in inside if key.startswith(text) or len(text) >= 3]
    names = [quote(folded[key]) for key in list(dict.fromkeys(near))[:3]]
    return f"did you mean {' or '.join(names)}?" if names else ""


def columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows of a table as lines with aligned columns, those of `right` to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


# -- numbers --------------------------------------------------------------------------------------


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: ``1 vertex``, ``3000 vertices``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def page_counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, digits in groups: ``1 vertex``, ``3 000 vertices``."""
    return f"{in_groups(number)} {counted(number, one, many).partition(' ')[2]}"


def in_groups(number: int) -> str:
    """Return an integer with digits grouped in threes by thin spaces: ``12 345``."""
    return f"{number:,}".replace(",", _THIN)


def number(amount: float) -> str:
    """Return an amount with three significant digits, without exponent: ``1240``, ``0.25``."""
    if not abs(amount) < 1e15:
        return f"{amount:.3g}"
    digits = f"{amount:.3g}"
    return f"{amount:.0f}" if abs(amount) >= 100 or "e+" in digits else f"{float(digits):.10g}"


def apart_from(value: float, other: float) -> str:
    """Return a number with as many digits, four or more, as show that it is not another one."""
    texts = (f"{value:.{digits}g}" for digits in range(4, 17))
    return next((text for text in texts if float(text) != other), repr(value))


def measure(value: float, unit: str) -> str:
    """Return a value with its unit: ``12.3 mm``, ``290 m``, ``4°``, ``1 vertex``."""
    if unit in ("mm", "mm/s") and abs(value) >= LONG and math.isfinite(value):
        value, unit = value / 1000, unit.removeprefix("m")
    if value == 1 and len(unit) > 3 and unit.isalpha():
        unit = _SINGULARS.get(unit, unit.removesuffix("s"))
    gap = "" if unit in ("", "°", "%") or unit.startswith("°/") else " "
    return f"{number(value)}{gap}{unit}"


def page_measure(value: float, unit: str = "") -> str:
    """Return a value with four significant digits and its unit after a thin space.

    Lengths and speeds are in metres where `measure` writes them so.
    """
    if unit in ("mm", "mm/s") and abs(value) >= LONG and math.isfinite(value):
        value, unit = value / 1000, unit.removeprefix("m")
    if unit == "bytes" and math.isfinite(value):
        return page_size(value)
    text = f"{value:.4g}" if math.isfinite(value) else str(value)
    if "e" in text and 1e-3 < abs(value) < 1e9:
        text = f"{value:.0f}"
    if not unit:
        return text
    gap = "" if unit.startswith(("°", "%")) else _THIN if len(unit) < _WORD else _SPACE
    return f"{text}{gap}{unit}"


def page_seconds(value: float) -> str:
    """Return a time, the unit after a thin space: ``1.07 s``."""
    return f"{value:.2f}{_THIN}s"


def metres(value: float, digits: int = 3) -> str:
    """Return a length with `digits` decimal places: ``0.932``; with an exponent from 10⁷ m."""
    if not math.isfinite(value) or abs(value) >= 1e7:
        return f"{value:.2e}"
    return f"{round(value, digits) + 0.0:.{digits}f}"  # turns -0.0 into 0.0


def digits_for(greatest: float) -> int:
    """Return the decimal places that show a thousandth of `greatest`."""
    if not math.isfinite(greatest) or greatest <= 0:
        return _MAX_DIGITS // 2
    return min(max(3 - math.floor(math.log10(greatest) + 0.5), 0), _MAX_DIGITS)


def millimetres(length: float, form: str = ".3f") -> str:
    """Return a length in metres as millimetres, without decimal places from a metre on.

    Lengths are in metres where `measure` writes them so.
    """
    value = length * 1000
    if abs(value) >= LONG:
        return measure(value, "mm")
    return f"{value:{form if value < 1000 else '.0f'}} mm"


# -- sizes ----------------------------------------------------------------------------------------


def binary_size(size: float) -> str:
    """Return bytes with a binary unit: ``312 bytes``, ``4.5 KiB``, ``1.2 MiB``."""
    if size < 1024:
        return counted(round(size), "byte")
    for unit in ("KiB", "MiB"):
        size /= 1024
        if size < 1024:
            return f"{size:.3g} {unit}" if size < 1000 else f"{size:.0f} {unit}"
    return f"{size / 1024:.3g} GiB"


def decimal_size(size: float) -> str:
    """Return bytes with a decimal unit, three significant digits: ``4.12 MB``."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}" if unit != "bytes" else f"{size:.0f} bytes"
        size /= 1000
    return f"{size:.3g} GB"


def page_size(size: float) -> str:
    """Return bytes with a decimal unit after a thin space, two digits: ``4.1 MB``."""
    units, power = ("bytes", "kB", "MB", "GB"), 0
    while size >= 999.5 and power < len(units) - 1:
        size, power = size / 1000, power + 1
    digits = f"{size:.0f}" if power == 0 or size >= 99.5 else f"{size:.2g}"
    return f"{digits}{_THIN if power else _SPACE}{units[power]}"
