"""Rigview: a viewer and headless tool for animated glTF characters.

The public names are listed in `__all__`; each is imported when it is first used, so that
``import rigview`` costs nothing.
"""

from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .character import Character
    from .cli.still import render_still
    from .errors import AppError
    from .files import load
    from .motion.bind import bind
    from .motion.read import read_motion
    from .picture import render_image

__all__ = [
    "AppError",
    "Character",
    "__version__",
    "bind",
    "load",
    "read_motion",
    "render_image",
    "render_still",
]

_MODULES = {
    "AppError": ".errors",
    "Character": ".character",
    "bind": ".motion.bind",
    "load": ".files",
    "read_motion": ".motion.read",
    "render_image": ".picture",
    "render_still": ".cli.still",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the type is that of the name asked for
    """Import a public name from its module on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES[name], __name__), name)
