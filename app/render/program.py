"""Shader programs, cached by files and definitions."""

from collections.abc import Mapping

import moderngl

from ..resources import shader_names, shader_text

BLOCKS = {
    "Frame": 0,
    "Palette": 1,
    "Material": 2,
    "Instance": 3,
    "Lights": 4,
}  # uniform block bindings
UNITS = {  # texture units
    "base_texture": 0,
    "metal_rough_texture": 1,
    "normal_texture": 2,
    "occlusion_texture": 3,
    "emissive_texture": 4,
    "palette_texture": 5,
    "morph_targets": 6,
    "morph_active": 7,
    "mask_weights": 8,
    "environment_levels": 9,
    "shadow_map": 10,
    "material_rows": 11,
    "background_light": 12,
    "background_unlit": 13,
    "specular_texture": 14,
    "specular_color_texture": 15,
    "coat_texture": 16,
    "coat_roughness_texture": 17,
    "coat_normal_texture": 18,
    "sheen_color_texture": 19,
    "sheen_roughness_texture": 20,
    "transmission_texture": 21,
}

STAGES = {  # shader files of programs other than NAME.vert and NAME.frag
    "depth": ("mesh.vert", None, "depth.frag"),
    "wire": ("mesh.vert", "wire.geom", "wire.frag"),
}

Defines = frozenset[tuple[str, int]]


class Programs:
    """A cache of programs by name and definitions."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._programs: dict[tuple[str, Defines], moderngl.Program] = {}
        for name in shader_names():
            if name.startswith("lib/"):
                context.includes[name] = shader_text(name)

    def get(self, name: str, defines: Defines = frozenset()) -> moderngl.Program:
        """Return the program of a name (see `STAGES`) with definitions, compiled on first use."""
        key = (name, defines)
        if key not in self._programs:
            stages = STAGES.get(name, (f"{name}.vert", None, f"{name}.frag"))
            vertex, geometry, fragment = (
                define(shader_text(file), dict(defines)) if file else None for file in stages
            )
            program = self._context.program(
                vertex_shader=vertex or "", geometry_shader=geometry, fragment_shader=fragment
            )
            bind_slots(program)
            self._programs[key] = program
        return self._programs[key]

    def release(self) -> None:
        """Free all programs."""
        for program in self._programs.values():
            program.release()
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
