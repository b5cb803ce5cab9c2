"""Extensions that need an optional package, and whether it is installed."""

from functools import cache
from importlib.util import find_spec

# Module and pip requirement, by extension.
EXTRAS = {
    "EXT_texture_avif": ("PIL._avif", "Pillow>=11.3"),  # missing in some builds of Pillow
    "KHR_draco_mesh_compression": ("DracoPy", "rigview[draco]"),
    "KHR_texture_basisu": ("opengl_basisu", "rigview[basisu]"),
}
_ELSE = {
    "EXT_texture_avif": "export its textures as PNG, JPEG or WebP",
    "KHR_draco_mesh_compression": "export it without Draco compression",
    "KHR_texture_basisu": "export its textures as PNG, JPEG or WebP",
}


def available(name: str) -> bool:
    """Return whether the package for an extension of `EXTRAS` is installed; does not import it."""
    return _found(EXTRAS[name][0])


@cache
def _found(module: str) -> bool:
    return find_spec(module) is not None


def install(name: str) -> str:
    """Return how to install the package for an extension of `EXTRAS`, or how to avoid it."""
    return f"pip install '{EXTRAS[name][1]}', or {_ELSE[name]}"
