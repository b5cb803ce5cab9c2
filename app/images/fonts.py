"""Fonts of this system for what the program's own ones cannot write: names in any script.

What a font has is asked of FreeType, through Pillow: a letter that it lacks comes out as the
letter that nobody has.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

_NOBODYS = "\U0010ffff"  # is no character, and never will be
_MOST = 600  # files that are looked into: a system may have thousands
_SIZE = 16  # pixels: of the letters that are compared
_ENDINGS = (".ttf", ".otf", ".ttc", ".otc")
_LIKED = (  # in which people read; the first ones before the others
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
_PLAIN = ("", "regular", "book", "medium", "full")  # what is left of a name that is not bold


def folders() -> list[Path]:
    """Return where this system keeps its fonts; they need not exist."""
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
    """Return fonts that together have these letters, as far as this system has them at all."""
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
    """Tell whether a font has a letter; a file that is no font has none."""
    font = _opened(path)
    return font is not None and shows(font)(letter)


def shows(font: "FreeTypeFont") -> Callable[[str], bool]:
    """Return what tells whether a font has a letter."""

    def look(letter: str) -> tuple[object, ...]:
        mask, offset = font.getmask2(letter)
        return mask.size, offset, bytes(mask), font.getlength(letter)

    nobody = look(_NOBODYS)
    return lambda letter: look(letter) != nobody


@lru_cache(maxsize=64)
def _opened(path: Path) -> "FreeTypeFont | None":
    from PIL import ImageFont  # few names need it

    try:
        return ImageFont.truetype(str(path), _SIZE, layout_engine=ImageFont.Layout.BASIC)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=1)
def _files() -> tuple[Path, ...]:
    """Return the font files there are, those that are read most easily first."""
    found = {path for folder in folders() for path in _under(folder)}
    return tuple(sorted(found, key=_rank)[:_MOST])


def _under(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place) / name for name in names if name.lower().endswith(_ENDINGS))


def _rank(path: Path) -> tuple[int, int, int, str]:
    """Return what fonts are ordered by: families that are liked, and no slanted or bold one."""
    stem = path.stem.lower().replace(" ", "").replace("_", "")
    family, _, style = stem.partition("-")
    liked = next((k for k, name in enumerate(_LIKED) if family.startswith(name)), len(_LIKED))
    plain = style in _PLAIN
    return (liked, not plain, len(stem), str(path))
