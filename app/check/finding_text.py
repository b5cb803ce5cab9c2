"""Formatting of names and numbers in the sentences of findings."""

from collections.abc import Sequence

from ..gltf.unique_names import printable

_SHOWN = 60  # characters of a name
_FEW = 3  # names of a list


def quoted(name: str) -> str:
    """Return a name in quotation marks, on one line, truncated to 60 characters."""
    text = printable(name)
    return f"“{text}”" if len(text) <= _SHOWN else f"“{text[:_SHOWN]}…”"


def listed(names: Sequence[str], most: int = _FEW) -> str:
    """Return the first names of a list in quotation marks, and the number of the others."""
    shown = [quoted(name) for name in names[:most]]
    more = len(names) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: “1 vertex”, “3 vertices”."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def bytes_text(number: float) -> str:
    """Return a size with a binary unit: “312 bytes”, “4.5 KiB”, “1.2 MiB”."""
    if number < 1024:
        return counted(round(number), "byte")
    for unit in ("KiB", "MiB"):
        number /= 1024
        if number < 1024:
            return f"{number:.3g} {unit}" if number < 1000 else f"{number:.0f} {unit}"
    return f"{number / 1024:.3g} GiB"


def number(amount: float) -> str:
    """Return an amount with three significant digits, without exponent: “1240”, “0.25”."""
    if not abs(amount) < 1e15:
        return f"{amount:.3g}"
    digits = f"{amount:.3g}"
    return f"{amount:.0f}" if abs(amount) >= 100 or "e+" in digits else f"{float(digits):.10g}"
