"""Rules about budgets: joints, vertices, draw calls, morph targets, palettes."""

from collections.abc import Iterator

from ...wording import binary_size, counted, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule

_ROWS = 48  # bytes per joint of a palette of 3 × 4 matrices
_MATRIX = 64  # bytes per joint of a palette of 4 × 4 matrices
_VECTOR = 16  # bytes of a vec4


def _joints(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for s, skin in enumerate(context.model.skins):
        number = len(skin.joints)
        if number > limits["joints"]:
            yield Finding(
                f"skin {quoted(skin.name)} has {number} joints, more than {limits['joints']:g}: "
                "their indices no longer fit 8 bits, and engines split the mesh",
                amount=number,
                unit="joints",
                limit=limits["joints"],
                place=f"/skins/{s}/joints",
                item=skin.name,
            )


def _palette(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for s, skin in enumerate(context.model.skins):
        size = len(skin.joints) * _ROWS
        if size > limits["bytes"]:
            whole = len(skin.joints) * _MATRIX
            yield Finding(
                f"the palette of skin {quoted(skin.name)} needs {binary_size(size)} with 3 × 4 "
                f"matrices and {binary_size(whole)} with 4 × 4 ({whole // _VECTOR} vec4); "
                f"{binary_size(limits['bytes'])} hold {int(limits['bytes'] // _ROWS)} of its "
                f"{len(skin.joints)} joints",
                amount=size,
                unit="bytes",
                limit=limits["bytes"],
                place=f"/skins/{s}/joints",
                item=skin.name,
            )


def _drawn(context: CheckContext) -> list[int]:
    """Return the mesh indices of all nodes in the scene."""
    return [instance.mesh for instance in context.model.instances if instance.in_scene]


def _vertices(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    meshes = context.model.meshes
    number = sum(len(p.positions) for m in _drawn(context) for p in meshes[m].primitives)
    if number > limits["vertices"]:
        yield Finding(
            f"the character has {number} vertices, more than {limits['vertices']:g}",
            amount=number,
            unit="vertices",
            limit=limits["vertices"],
            place="/meshes",
        )


def _triangles(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    meshes = (context.model.meshes[m] for m in _drawn(context))
    number = sum(primitive.triangle_count for mesh in meshes for primitive in mesh.primitives)
    if number > limits["triangles"]:
        yield Finding(
            f"the character has {number} triangles, more than {limits['triangles']:g}",
            amount=number,
            unit="triangles",
            limit=limits["triangles"],
            place="/meshes",
        )


def _draws(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    number = sum(len(context.model.meshes[m].primitives) for m in _drawn(context))
    if number > limits["draws"]:
        yield Finding(
            f"the character needs {number} draw calls, more than {limits['draws']:g}; it has "
            f"{counted(len(context.model.materials), 'material')}",
            amount=number,
            unit="draws",
            limit=limits["draws"],
            place="/meshes",
        )


def _materials(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    number = len(context.model.materials)
    if number > limits["materials"]:
        yield Finding(
            f"the file has {number} materials, more than {limits['materials']:g}",
            amount=number,
            unit="materials",
            limit=limits["materials"],
            place="/materials",
        )


def _morphs(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    for m, mesh in enumerate(context.model.meshes):
        number = max((len(p.morph.names) for p in mesh.primitives if p.morph), default=0)
        if number > limits["targets"]:
            yield Finding(
                f"mesh {quoted(mesh.name)} has {number} morph targets, more than "
                f"{limits['targets']:g}",
                amount=number,
                unit="targets",
                limit=limits["targets"],
                place=f"/meshes/{m}",
                item=mesh.name,
            )


RULES: tuple[Rule, ...] = (
    Rule(
        "budget-joints",
        "warning",
        "a skin has more joints than 8-bit indices can address",
        "remove joints without influence, or split the skin; Unreal needs 16-bit bone indices "
        "beyond 256",
        _joints,
        (Limit("joints", 256, "joints", "joints of a skin"),),
    ),
    Rule(
        "budget-palette",
        "warning",
        "the palette of a skin exceeds the guaranteed size of a uniform block (16 KiB in OpenGL "
        "ES 3 and WebGL 2: 341 joints with 3 × 4 matrices; most desktops have 64 KiB: 1365)",
        "remove joints, split the skin, or store the palette in a texture or a storage buffer",
        _palette,
        (Limit("bytes", 16384, "bytes", "size of a palette of 3 × 4 matrices"),),
    ),
    Rule(
        "budget-vertices",
        "warning",
        "a character has many vertices",
        "simplify the meshes, or make levels of detail",
        _vertices,
        (Limit("vertices", 200_000, "vertices", "vertices of all drawn meshes"),),
    ),
    Rule(
        "budget-triangles",
        "warning",
        "a character has many triangles",
        "simplify the meshes, or make levels of detail",
        _triangles,
        (Limit("triangles", 200_000, "triangles", "triangles of all drawn meshes"),),
    ),
    Rule(
        "budget-draws",
        "warning",
        "a character needs many draw calls",
        "join meshes, and merge materials into texture atlases: each primitive is a draw call",
        _draws,
        (Limit("draws", 32, "draws", "primitives of all drawn meshes"),),
    ),
    Rule(
        "budget-materials",
        "warning",
        "a file has many materials",
        "merge materials into texture atlases",
        _materials,
        (Limit("materials", 32, "materials", "materials of a file"),),
    ),
    Rule(
        "budget-morphs",
        "warning",
        "a mesh has many morph targets",
        "remove morph targets that no clip uses, or separate the face into its own mesh; the 52 "
        "blend shapes of face capture are within the limit",
        _morphs,
        (Limit("targets", 64, "targets", "morph targets of a mesh"),),
    ),
)
