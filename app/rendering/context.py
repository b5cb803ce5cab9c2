"""OpenGL contexts and their drawing state."""

import os
import platform
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import moderngl

from ..errors import ContextError
from ..file_io import read_file

CACHE_ROOM = 64 << 20  # bytes that Mesa's shader cache needs on its disk
GL_VERSION = 330  # of all shaders
_HINT = "install the OpenGL runtime (Debian: apt-get install libegl1 libgl1 libgl1-mesa-dri)"


class Releasable(Protocol):
    """A GPU object."""

    def release(self) -> None:
        """Free it."""


Made = TypeVar("Made", bound=Releasable)


class GpuObjects(ExitStack):
    """GPU objects that are freed together, the last one first."""

    def add(self, made: Made) -> Made:
        """Return an object that is to be freed with the others."""
        self.callback(made.release)
        return made


class SizedObjects(ABC):
    """GPU objects of the size of a picture, which are made again for another one.

    Attributes
    ----------
    purpose
        What they are for, in errors.
    """

    purpose: str

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made = GpuObjects()
        self._made_for: tuple[tuple[int, int], int] | None = None  # size and samples

    def make(self, size: tuple[int, int], samples: int = 1) -> None:
        """Make the objects of a size, pixels, unless they are there.

        Raises
        ------
        ContextError
            The driver cannot allocate them.
        """
        if self._made_for == (size, samples):
            return
        self.release()
        try:
            self._make(size, samples)
        except moderngl.Error as error:
            self.release()
            sides = f"{size[0]} x {size[1]} pixels"
            raise ContextError(f"not enough GPU memory for {self.purpose}, {sides}") from error
        self._made_for = size, samples

    def release(self) -> None:
        """Free all GPU objects; bound framebuffers cannot be freed."""
        if self._made_for is not None:
            self._context.detect_framebuffer(0).use()
        self._made.close()
        self._made_for = None

    @abstractmethod
    def _make(self, size: tuple[int, int], samples: int) -> None:
        """Make all objects, and add them to `_made`."""


def create_context() -> moderngl.Context:
    """Return an OpenGL context without a window: by EGL, otherwise by the platform's default.

    Raises
    ------
    ContextError
        OpenGL 3.3 is not available; the message contains the drivers' answers.
    """
    spare_a_full_disk()
    tried: list[str] = []
    for name, options in _context_options():
        try:
            return moderngl.create_context(standalone=True, require=GL_VERSION, **options())
        except Exception as error:  # glcontext raises bare Exception
            tried.append(f"{name}: {error}")
    raise ContextError(f"no OpenGL 3.3 context ({'; '.join(tried)})", hint=_HINT)


def spare_a_full_disk() -> None:
    """Disable the shader cache of Mesa where its disk is nearly full.

    Mesa maps the files of its cache into memory; if the disk has no room for them, the process is
    killed (SIGBUS).
    """
    folder = Path(
        os.environ.get("MESA_SHADER_CACHE_DIR")
        or os.environ.get("XDG_CACHE_HOME")
        or os.path.expanduser("~/.cache")
    )
    existing = next((each for each in (folder, *folder.parents) if each.is_dir()), None)
    try:
        room = shutil.disk_usage(existing or folder).free
    except OSError:
        room = 0
    if room < CACHE_ROOM:
        os.environ.setdefault("MESA_SHADER_CACHE_DISABLE", "true")
        os.environ.setdefault("MESA_GLSL_CACHE_DISABLE", "true")  # before Mesa 21.3


def _context_options() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the names of backends with functions that return their options."""
    default: tuple[str, Callable[[], dict[str, Any]]] = "default", dict
    return [("egl", _egl), default] if sys.platform.startswith("linux") else [default]


def _egl() -> dict[str, Any]:
    """Return the options for EGL: a context, as by its name glcontext imports 6 ms of modules."""
    libraries = {"libgl": "libGL.so.1", "libegl": "libEGL.so.1"}  # not searched with a compiler
    if any(name.startswith("GLCONTEXT_") for name in os.environ):
        return {"backend": "egl", **libraries}
    from glcontext import egl

    return {"context": egl.create_context(mode="standalone", glversion=GL_VERSION, **libraries)}


def is_software(context: moderngl.Context) -> bool:
    """Return whether pictures are drawn by the processor."""
    return any(name in context.info["GL_RENDERER"] for name in ("llvmpipe", "softpipe"))


@cache
def processor() -> str:
    """Return maker, family and model of the processor, as far as the system says them."""
    facts: dict[str, str] = {}
    with suppress(OSError):
        text = read_file("/proc/cpuinfo", 4096, truncate=True).decode(errors="replace")
        for line in text.splitlines():
            name, _, value = line.partition(":")
            facts.setdefault(name.strip(), value.strip())
    known = [facts[name] for name in ("vendor_id", "cpu family", "model") if name in facts]
    return " ".join(known) or platform.processor() or platform.machine()


def depth_texture(context: moderngl.Context, size: tuple[int, int]) -> moderngl.Texture:
    """Return a depth texture that is read as numbers."""
    texture = context.depth_texture(size)
    texture.compare_func = ""
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return texture


def set_surface_state(context: moderngl.Context) -> None:
    """Enable the depth test, and blending of premultiplied colours."""
    context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.PROGRAM_POINT_SIZE)
    context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
    context.depth_func = "<="


def widen_lines(context: moderngl.Context, height: int, zoom: int = 1) -> None:
    """Scale the width of a file's lines with the picture's height, if the driver can."""
    widest = context.info["GL_ALIASED_LINE_WIDTH_RANGE"][1]
    width = min(max(height / 1000.0, 1.0) * zoom, widest)
    if width != context.line_width:
        context.line_width = width
        _ = context.error  # some drivers refuse wide lines in core contexts: clear the error


def cull(context: moderngl.Context, *, mirrored: bool, back_faces: bool | None = False) -> None:
    """Set the winding order and the faces that are drawn.

    Parameters
    ----------
    mirrored
        The matrix has a negative determinant, which reverses the winding order.
    back_faces
        Draw only back faces; None: both sides.
    """
    if back_faces is None:
        context.disable(moderngl.CULL_FACE)
    else:
        context.enable(moderngl.CULL_FACE)
        context.cull_face = "front" if back_faces else "back"
    context.front_face = "cw" if mirrored else "ccw"
