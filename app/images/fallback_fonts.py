"""System fonts for characters that the bundled font lacks, for names in any script.

A missing character is detected by rendering it with FreeType, through Pillow: it gives the same
bitmap as a noncharacter.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

_NONCHARACTER = "\U0010ffff"  # in no font
_MAX_FILES = 600  # searched font files: a system may have thousands
_SIZE = 16  # font size of compared characters, pixels
_ENDINGS = (".ttf", ".otf", ".ttc", ".otc")
_PREFERRED = (  # font families, in order of preference
    "notosanscjk",
    "pingfang",
    "hiragino",
    "yugoth",
    "meiryo",
    "msgothic",
    "msyh",
    "malgun",
    "applesdgothic",
    "droidsansfallback",
    "wqy",
    "notosans",
    "segoeui",
    "dejavusans",
    "arial",
    "arialuni",
)
undrawn: set[str] = set()  # letters of the pictures of a command that no font has
_PLAIN = ("", "regular", "book", "medium", "full")  # styles that are neither bold nor italic


def folders() -> list[Path]:
    """Return the font folders of this system; they need not exist."""
    home = Path.home()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        own = [Path(local) / "Microsoft/Windows/Fonts"] if local else []
        return [Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts", *own]
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    data = os.environ.get("XDG_DATA_HOME")
    return [
        Path("/usr/share/fonts"),
        Path("/usr/local/share/fonts"),
        Path(data) / "fonts" if data else home / ".local/share/fonts",
        home / ".fonts",
    ]


def covering(letters: Iterable[str]) -> list[Path]:
    """Return fonts that together cover these characters, as far as the system has them."""
    missing, found = set(letters), []
    for path in _files():
        if not missing:
            break
        known = [letter for letter in sorted(missing) if has(path, letter)]
        if known:
            found.append(path)
            missing.difference_update(known)
    return found


@lru_cache(maxsize=4096)
def has(path: Path, letter: str) -> bool:
    """Return whether a font has a character; False for files that are not fonts."""
    font = _opened(path)
    return font is not None and shows(font)(letter)


def shows(font: "FreeTypeFont") -> Callable[[str], bool]:
    """Return a function that returns whether a font has a character."""

    def look(letter: str) -> tuple[object, ...]:
        mask, offset = font.getmask2(letter)
        return mask.size, offset, bytes(mask), font.getlength(letter)

    missing = look(_NONCHARACTER)
    return lambda letter: look(letter) != missing


@lru_cache(maxsize=64)
def _opened(path: Path) -> "FreeTypeFont | None":
    from PIL import ImageFont  # rarely needed

    try:
        return ImageFont.truetype(str(path), _SIZE, layout_engine=ImageFont.Layout.BASIC)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=1)
def _files() -> tuple[Path, ...]:
    """Return the font files of the system, the preferred families first."""
    found = {path for folder in folders() for path in _under(folder)}
    return tuple(sorted(found, key=_rank)[:_MAX_FILES])


def _under(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place) / name for name in names if name.lower().endswith(_ENDINGS))


def _rank(path: Path) -> tuple[int, int, int, str]:
    """Return the sort key of a font: preferred families first, regular styles before others."""
    stem = path.stem.lower().replace(" ", "").replace("_", "")
    family, _, style = stem.partition("-")
    rank = (k for k, name in enumerate(_PREFERRED) if family.startswith(name))
    plain = style in _PLAIN
    return (next(rank, len(_PREFERRED)), not plain, len(stem), str(path))
