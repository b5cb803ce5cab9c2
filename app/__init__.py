"""Rigview: a viewer and headless tool for animated glTF characters.

The public names are `load`, `Character`, `render_image`, `render_still` and `AppError`; each is
imported when it is first used, so that ``import app`` costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.character import Character
    from app.cli.still import render_still
    from app.errors import AppError
    from app.files import load
    from app.picture import render_image

__all__ = ["AppError", "Character", "load", "render_image", "render_still"]

__version__ = "0.1.0"

_HOMES = {
    "AppError": "app.errors",
    "Character": "app.character",
    "load": "app.files",
    "render_image": "app.picture",
    "render_still": "app.cli.still",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the type is that of the name asked for
    """Import a public name from its home when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'app' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
