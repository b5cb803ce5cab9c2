"""The shaders of surfaces in GLSL ES 3.00, as WebGL 2 compiles them.

The sources are those of the desktop: they have no implicit conversions. Only the version line
differs, and the precision, which the desktop does not have.
"""

import re

from ..resources import shader_text
from .material_block import block_glsl, size_glsl

VERSION = "#version 300 es"
SAMPLERS = ("sampler2D", "sampler3D", "sampler2DShadow")
PRECISION = "\n".join(f"precision highp {kind};" for kind in ("float", "int", *SAMPLERS))

_INCLUDE = re.compile(r'^#include "([\w/.]+)"\n', re.MULTILINE)
_DROPPED = re.compile(r"\s*//.*$|^#extension .*$", re.MULTILINE)
_MADE = {"material_fields.glsl": block_glsl, "material_size.glsl": size_glsl}


def web_source(name: str) -> str:
    """Return a shader without its version line, extensions and comments, with what it includes.

    A program is `VERSION`, a line ``#define NAME VALUE`` for each definition, `PRECISION`, and
    the source.
    """
    text = _included(shader_text(name).split("\n", 1)[1])
    lines = (line.rstrip() for line in _DROPPED.sub("", text).splitlines())
    return "\n".join(line for line in lines if line) + "\n"


def _included(text: str) -> str:
    """Return a source with the files that it includes."""

    def content(found: re.Match[str]) -> str:
        name = found[1]
        return _included(_MADE[name]() if name in _MADE else shader_text(name))

    return _INCLUDE.sub(content, text)
