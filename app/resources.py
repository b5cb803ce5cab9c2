"""Paths of shaders and assets: beside `app` in a checkout, inside the package in a wheel."""

from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent


@cache
def _folder(kind: str) -> Path:
    packed = _HERE / "_data" / kind
    return packed if packed.is_dir() else _HERE.parent / kind


def asset_path(name: str) -> Path:
    """Return the path of a bundled asset, such as ``mannequin.glb``."""
    return _folder("assets") / name


def shader_text(name: str) -> str:
    """Return the source of a shader, such as ``mesh.vert`` or ``lib/skin.glsl``."""
    return (_folder("shaders") / name).read_text(encoding="utf-8")


def shader_names() -> list[str]:
    """Return the names of all shader files, ``lib/…`` included."""
    root = _folder("shaders")
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.*") if path.is_file())
