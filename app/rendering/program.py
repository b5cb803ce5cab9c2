"""Shader programs, cached by files and definitions."""

import re
from collections.abc import Mapping
from typing import Any

import moderngl
import numpy as np

from ..model.material import TEXTURES
from ..resources import shader_names, shader_text
from .material_block import block_glsl, glsl_name, size_glsl

BLOCKS = {
    "Frame": 0,
    "Palette": 1,
    "Material": 2,
    "Instance": 3,
    "Lights": 4,
}  # uniform block bindings
_OTHER_TEXTURES = (
    "palette_texture",
    "morph_targets",
    "morph_active",
    "mask_weights",
    "vertex_values",
    "environment_levels",
    "environment_map",
    "shadow_map",
    "material_rows",
    "transmitted_light",
    "transmitted_unlit",
    "occlusion_map",
    "occlusion_map_blended",
    "surface_data",
    "surface_depth",
)
UNITS = {name: k for k, name in enumerate((*_OTHER_TEXTURES, *map(glsl_name, TEXTURES)))}

WHOLE_PICTURE = ("outline", "probe", "resolve", "cover", "mipmap", "occlusion_distance")
TILES = ("open", "sum", "average")
BEHIND = ("occlusion", "occlusion_blur")  # at the greatest depth
STAGES = {  # shader files of programs other than NAME.vert and NAME.frag
    "depth": ("mesh.vert", None, "depth.frag"),
    "pick": ("mesh.vert", None, "pick.frag"),
    "surface": ("mesh.vert", None, "surface.frag"),
    "wire": ("mesh.vert", "wire.geom", "wire.frag"),
    "contact": ("floor.vert", None, "contact.frag"),
    **{name: ("picture.vert", None, f"{name}.frag") for name in WHOLE_PICTURE},
    **{name: ("behind.vert", None, f"{name}.frag") for name in BEHIND},
    **{name: ("tile.vert", None, f"{name}.frag") for name in TILES},
}

OWN_PROGRAMS = frozenset(("surface", "depth", "pick", "wire"))  # of modes; others are in "mesh"
SURFACES = OWN_PROGRAMS | {"mesh", "shade"}  # programs that draw surfaces of models
AS_DISPLAYED = {"RADIANCE", "DISPLAYED"}  # definitions of programs that never write linear light
KEPT = 64  # programs of surfaces that are kept without a model

_INCLUDE = re.compile(r'#include "(lib/\w+\.glsl)"')  # in a file that is included itself

Defines = Mapping[str, int]
NO_DEFINES: Defines = {}


class Programs:
    """A cache of programs by name and definitions.

    If they are `linear`, colours are light before tone mapping in place of sRGB.
    """

    def __init__(self, context: moderngl.Context, *, linear: bool = False) -> None:
        self._context = context
        self._linear = {"LINEAR": 1} if linear else {}
        self._programs: dict[tuple[str, frozenset[tuple[str, int]]], moderngl.Program] = {}
        self._arrays: dict[moderngl.Program, moderngl.VertexArray] = {}  # without attributes
        for name in shader_names():
            if name.startswith("lib/"):
                text = shader_text(name)
                context.includes[name] = _INCLUDE.sub(lambda found: shader_text(found[1]), text)
        context.includes["material_fields.glsl"] = block_glsl()
        context.includes["material_size.glsl"] = size_glsl()

    def get(self, name: str, defines: Defines = NO_DEFINES) -> moderngl.Program:
        """Return the program of a name (see `STAGES`) with definitions, compiled on first use."""
        key = (name, frozenset(defines.items()))
        program = self._programs.pop(key, None)
        if program is None:
            stages = STAGES.get(name, (f"{name}.vert", None, f"{name}.frag"))
            all_defines = dict(defines)
            if AS_DISPLAYED.isdisjoint(all_defines):
                all_defines |= self._linear
            vertex, geometry, fragment = (
                define(shader_text(file), all_defines) if file else None for file in stages
            )
            program = self._context.program(
                vertex_shader=vertex or "", geometry_shader=geometry, fragment_shader=fragment
            )
            bind_slots(program)
        self._programs[key] = program  # last, as it was used last
        return program

    def draw(
        self,
        name: str,
        values: Mapping[str, Any],
        defines: Defines = NO_DEFINES,
        mode: int = moderngl.TRIANGLES,
        vertices: int = 3,
    ) -> None:
        """Draw a program that has no vertex attributes; `values` are its uniforms."""
        program = self.get(name, defines)
        if program not in self._arrays:
            self._arrays[program] = self._context.vertex_array(program, [])
        set_uniforms(program, values)
        self._arrays[program].render(mode, vertices=vertices)

    def trim(self) -> None:
        """Free the programs of surfaces but the last `KEPT`; only while no model is uploaded."""
        surfaces = [key for key in self._programs if key[0] in SURFACES]
        for key in surfaces[: max(len(surfaces) - KEPT, 0)]:
            program = self._programs.pop(key)
            if program in self._arrays:
                self._arrays.pop(program).release()
            program.release()

    def release(self) -> None:
        """Free all programs."""
        for array in self._arrays.values():
            array.release()
        for program in self._programs.values():
            program.release()
        self._arrays.clear()
        self._programs.clear()


def define(source: str, defines: Mapping[str, int]) -> str:
    """Return a shader's source with definitions inserted after its version line."""
    version, rest = source.split("\n", 1)
    lines = [f"#define {name} {value}" for name, value in sorted(defines.items())]
    return "\n".join([version, *lines, rest])


def bind_slots(program: moderngl.Program) -> None:
    """Assign fixed bindings to a program's uniform blocks and samplers."""
    for name in program:
        member = program[name]
        if isinstance(member, moderngl.UniformBlock):
            member.binding = BLOCKS[name]
        elif isinstance(member, moderngl.Uniform) and name in UNITS:
            member.value = UNITS[name]


def set_uniforms(program: moderngl.Program, values: Mapping[str, Any]) -> None:
    """Set those uniforms that a program has; textures are bound to the first units."""
    unit = 0
    for name, value in values.items():
        if isinstance(value, moderngl.Texture):
            value.use(unit)
            value, unit = unit, unit + 1
        uniform = program.get(name, None)
        if isinstance(uniform, moderngl.Uniform) and isinstance(value, np.ndarray):
            uniform.write(value)
        elif uniform is not None:
            program[name] = value
