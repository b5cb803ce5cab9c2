"""Rigview: a viewer and headless tool for animated glTF characters.

The public names are listed in `__all__`; each is imported when it is first used, so that
``import rigview`` costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .animation.model_space import set_joint_matrix
    from .errors import AppError
    from .loading.load import load
    from .motion.bind import bind
    from .motion.read import read_motion
    from .scene.character import Character
    from .tasks.still_pictures import render_image, render_still
    from .version import __version__

__all__ = [
    "AppError",
    "Character",
    "__version__",
    "bind",
    "load",
    "read_motion",
    "render_image",
    "render_still",
    "set_joint_matrix",
]

_MODULES = {
    "AppError": ".errors",
    "Character": ".scene.character",
    "__version__": ".version",
    "bind": ".motion.bind",
    "load": ".loading.load",
    "read_motion": ".motion.read",
    "render_image": ".tasks.still_pictures",
    "render_still": ".tasks.still_pictures",
    "set_joint_matrix": ".animation.model_space",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the type is that of the name asked for
    """Import a public name from its module on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES[name], __name__), name)
