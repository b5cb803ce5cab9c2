"""The one place where OpenGL contexts are made, and what is set in them for what is drawn next."""

import sys
from typing import Any

import moderngl

from ..errors import ContextError

GL_VERSION = 330  # what every shader is written for
_HINT = "install the OpenGL runtime (Debian: apt-get install libegl1 libgl1 libgl1-mesa-dri)"


def create_context() -> moderngl.Context:
    """Return an OpenGL context without a window: EGL first, then the platform's own way.

    Raises
    ------
    ContextError
        No OpenGL 3.3 could be had; the message says what was asked and what the driver answered.
    """
    tried: list[str] = []
    for options in _ways():
        try:
            return moderngl.create_context(standalone=True, require=GL_VERSION, **options)
        except Exception as error:  # glcontext raises bare Exception
            tried.append(f"{options.get('backend', 'default')}: {error}")
    raise ContextError(f"no OpenGL 3.3 context ({'; '.join(tried)})", hint=_HINT)


def _ways() -> list[dict[str, Any]]:
    if sys.platform.startswith("linux"):
        # named in full: otherwise ldconfig and a compiler are started to look for them
        return [{"backend": "egl", "libgl": "libGL.so.1", "libegl": "libEGL.so.1"}, {}]
    return [{}]


def widen_lines(context: moderngl.Context, height: int) -> None:
    """Make a file's lines as wide for a picture's height as at 1000 pixels, where drivers can."""
    widest = context.info["GL_ALIASED_LINE_WIDTH_RANGE"][1]
    width = min(max(height / 1000.0, 1.0), widest)
    if width != context.line_width:
        context.line_width = width
        _ = context.error  # some have wide lines, but not in this kind of context: they stay


def cull(context: moderngl.Context, *, mirrored: bool, inside: bool | None = False) -> None:
    """Choose which side of triangles is drawn.

    Parameters
    ----------
    mirrored
        A negative scale has turned their winding round.
    inside
        Their back faces alone; None: both sides.
    """
    if inside is None:
        context.disable(moderngl.CULL_FACE)
    else:
        context.enable(moderngl.CULL_FACE)
        context.cull_face = "front" if inside else "back"
    context.front_face = "cw" if mirrored else "ccw"
