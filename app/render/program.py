"""Shader programs, made once for each set of files and definitions."""

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
    "behind_light": 12,
    "behind_shown": 13,
    "specular_texture": 14,
    "specular_color_texture": 15,
    "coat_texture": 16,
    "coat_roughness_texture": 17,
    "coat_normal_texture": 18,
    "sheen_color_texture": 19,
    "sheen_roughness_texture": 20,
    "transmission_texture": 21,
}

STAGES = {  # files of a program that is not simply NAME.vert and NAME.frag
    "depth": ("mesh.vert", None, "depth.frag"),
    "wire": ("mesh.vert", "wire.geom", "wire.frag"),
}

Defines = frozenset[tuple[str, int]]


class Programs:
    """A cache of programs by (name, definitions)."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made: dict[tuple[str, Defines], moderngl.Program] = {}
        for name in shader_names():
            if name.startswith("lib/"):
                context.includes[name] = shader_text(name)

    def get(self, name: str, defines: Defines = frozenset()) -> moderngl.Program:
        """Return the program of a name (see `STAGES`) under the definitions."""
        key = (name, defines)
        if key not in self._made:
            stages = STAGES.get(name, (f"{name}.vert", None, f"{name}.frag"))
            vertex, geometry, fragment = (
                define(shader_text(file), dict(defines)) if file else None for file in stages
            )
            program = self._context.program(
                vertex_shader=vertex or "", geometry_shader=geometry, fragment_shader=fragment
            )
            bind_slots(program)
            self._made[key] = program
        return self._made[key]

    def release(self) -> None:
        """Free all of them."""
        for program in self._made.values():
            program.release()
        self._made.clear()


def define(source: str, defines: Mapping[str, int]) -> str:
    """Return a shader's source with definitions put behind its version line."""
    version, rest = source.split("\n", 1)
    lines = [f"#define {name} {value}" for name, value in sorted(defines.items())]
    return "\n".join([version, *lines, rest])


def bind_slots(program: moderngl.Program) -> None:
    """Give a program's uniform blocks and samplers their fixed places."""
    for name in program:
        member = program[name]
        if isinstance(member, moderngl.UniformBlock):
            member.binding = BLOCKS[name]
        elif isinstance(member, moderngl.Uniform) and name in UNITS:
            member.value = UNITS[name]
