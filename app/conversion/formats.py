"""The formats that Blender reads, and those that it cannot convert to a character."""

import re
from collections.abc import Iterable
from pathlib import Path

from ..errors import ConversionError, UnsupportedError

FORMATS = (".blend", ".fbx", ".dae", ".obj", ".usd", ".usda", ".usdc", ".usdz")
_USD, _ZIP, _GZIP, _ZSTD = b"#usda", b"PK\3\4", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BEGINNINGS = {  # of binary files, and of texts after blanks
    ".blend": (b"BLENDER", _GZIP, _ZSTD),
    ".fbx": (b"Kaydara FBX Binary", b";", b"FBX"),
    ".dae": (b"<",),
    ".obj": (b"",),
    ".usd": (_USD, b"PXR-USDC"),
    ".usda": (_USD,),
    ".usdc": (b"PXR-USDC",),
    ".usdz": (_ZIP,),
}
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")  # bytes that text does not have
_EXPORT = "export it as FBX or glTF"
_OTHERS = {  # what they are, what to do
    ".ma": ("a Maya file", _EXPORT),
    ".mb": ("a Maya file", _EXPORT),
    ".max": ("a 3ds Max file", _EXPORT),
    ".c4d": ("a Cinema 4D file", _EXPORT),
    ".hip": ("a Houdini file", _EXPORT),
    ".lwo": ("a LightWave file", _EXPORT),
    ".abc": (
        "an Alembic file, a vertex cache: it has neither joints nor weights",
        "export the character itself as FBX or glTF",
    ),
}


def other_formats(names: Iterable[str], characters: tuple[str, ...]) -> list[str]:
    """Return those files of a folder that Blender reads, without those of a character's name.

    `characters` are the extensions that need no Blender.
    """
    names = list(names)
    taken = {Path(name).stem for name in names if name.lower().endswith(characters)}
    return [name for name in names if is_convertible(name) and Path(name).stem not in taken]


def is_convertible(path: Path | str) -> bool:
    """Return whether Blender is needed to read a file, by its extension."""
    return Path(path).suffix.lower() in FORMATS


def check_beginning(head: bytes, ending: str) -> None:
    """Raise ConversionError for a file that does not begin as its extension says."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text.startswith(_BEGINNINGS[ending]) or (ending == ".obj" and _CONTROL.search(head)):
        raise ConversionError(f"it is empty, or no {ending} file")


def check_format(path: Path | str) -> None:
    """Raise UnsupportedError for a file of another program that Blender cannot convert."""
    found = _OTHERS.get(Path(path).suffix.lower())
    if found is not None:
        raise UnsupportedError(f"this is {found[0]}", file=str(path), hint=found[1])
