"""Extensions that another package reads; whether it is there is known without importing it."""

from functools import cache
from importlib.util import find_spec

# By extension: the module, and what installs it.
EXTRAS = {
    "EXT_texture_avif": ("PIL._avif", "Pillow>=11.3"),  # not every build of Pillow has it
    "KHR_draco_mesh_compression": ("DracoPy", "rigview[draco]"),
    "KHR_texture_basisu": ("opengl_basisu", "rigview[basisu]"),
}
_ELSE = {
    "EXT_texture_avif": "export its textures as PNG, JPEG or WebP",
    "KHR_draco_mesh_compression": "export it without Draco compression",
    "KHR_texture_basisu": "export its textures as PNG, JPEG or WebP",
}


def available(name: str) -> bool:
    """Tell whether what reads an extension of `EXTRAS` is installed."""
    return _found(EXTRAS[name][0])


@cache
def _found(module: str) -> bool:
    return find_spec(module) is not None


def install(name: str) -> str:
    """Return what to do to read an extension of `EXTRAS`."""
    return f"pip install '{EXTRAS[name][1]}', or {_ELSE[name]}"
