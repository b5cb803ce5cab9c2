"""Rules about how much a character costs: joints, vertices, draws, morph targets, palettes."""

from collections.abc import Iterator

from ..finding_text import bytes_text, counted, quoted
from ..rule import Hit, Limit, Limits, Rule
from ..subject import Subject

_ROWS = 48  # bytes of a joint in a palette of three rows of four floats
_MATRIX = 64  # of one of whole 4 × 4 matrices
_VECTOR = 16  # of one vec4


def _joints(subject: Subject, limits: Limits) -> Iterator[Hit]:
    for s, skin in enumerate(subject.model.skins):
        number = len(skin.joints)
        if number > limits["joints"]:
            yield Hit(
                f"skin {quoted(skin.name)} has {number} joints, more than {limits['joints']:g}: "
                "their numbers no longer fit 8 bits, and engines cut the mesh apart",
                amount=number,
                unit="joints",
                limit="joints",
                place=f"/skins/{s}/joints",
                item=skin.name,
            )


def _palette(subject: Subject, limits: Limits) -> Iterator[Hit]:
    for s, skin in enumerate(subject.model.skins):
        size = len(skin.joints) * _ROWS
        if size > limits["bytes"]:
            whole = len(skin.joints) * _MATRIX
            yield Hit(
                f"the palette of skin {quoted(skin.name)} takes {bytes_text(size)} as three rows "
                f"a joint and {bytes_text(whole)} as matrices ({whole // _VECTOR} vec4); "
                f"{bytes_text(limits['bytes'])} hold {int(limits['bytes'] // _ROWS)} joints of its "
                f"{len(skin.joints)}",
                amount=size,
                unit="bytes",
                limit="bytes",
                place=f"/skins/{s}/joints",
                item=skin.name,
            )


def _drawn(subject: Subject) -> list[int]:
    """Return the meshes that are drawn, once for each node that holds one."""
    return [each.mesh for each in subject.model.instances if each.in_scene]


def _vertices(subject: Subject, limits: Limits) -> Iterator[Hit]:
    meshes = subject.model.meshes
    number = sum(len(p.positions) for m in _drawn(subject) for p in meshes[m].primitives)
    if number > limits["vertices"]:
        yield Hit(
            f"the character has {number} vertices, more than {limits['vertices']:g}",
            amount=number,
            unit="vertices",
            limit="vertices",
            place="/meshes",
        )


def _triangles(subject: Subject, limits: Limits) -> Iterator[Hit]:
    number = 0
    for m in _drawn(subject):
        for each in subject.model.meshes[m].primitives:
            if each.topology == "triangles":
                number += len(each.positions if each.indices is None else each.indices) // 3
    if number > limits["triangles"]:
        yield Hit(
            f"the character has {number} triangles, more than {limits['triangles']:g}",
            amount=number,
            unit="triangles",
            limit="triangles",
            place="/meshes",
        )


def _draws(subject: Subject, limits: Limits) -> Iterator[Hit]:
    number = sum(len(subject.model.meshes[m].primitives) for m in _drawn(subject))
    if number > limits["draws"]:
        yield Hit(
            f"the character is drawn in {number} parts, more than {limits['draws']:g}; it has "
            f"{counted(len(subject.model.materials), 'material')}",
            amount=number,
            unit="draws",
            limit="draws",
            place="/meshes",
        )


def _materials(subject: Subject, limits: Limits) -> Iterator[Hit]:
    number = len(subject.model.materials)
    if number > limits["materials"]:
        yield Hit(
            f"the file has {number} materials, more than {limits['materials']:g}",
            amount=number,
            unit="materials",
            limit="materials",
            place="/materials",
        )


def _morphs(subject: Subject, limits: Limits) -> Iterator[Hit]:
    for m, mesh in enumerate(subject.model.meshes):
        number = max((len(p.morph.names) for p in mesh.primitives if p.morph), default=0)
        if number > limits["targets"]:
            yield Hit(
                f"mesh {quoted(mesh.name)} has {number} morph targets, more than "
                f"{limits['targets']:g}",
                amount=number,
                unit="targets",
                limit="targets",
                place=f"/meshes/{m}",
                item=mesh.name,
            )


RULES: tuple[Rule, ...] = (
    Rule(
        "budget-joints",
        "warning",
        "a skin has more joints than 8-bit indices can tell apart",
        "leave out joints that move nothing, or split the skin; Unreal asks for 16-bit bone "
        "indices beyond 256",
        _joints,
        (Limit("joints", 256, "joints", "joints that a skin may have"),),
    ),
    Rule(
        "budget-palette",
        "warning",
        "the palette of a skin is larger than a uniform block must be able to be (16 KiB in OpenGL "
        "ES 3 and WebGL 2: 341 joints of three rows; desktops mostly have 64 KiB: 1365)",
        "leave out joints, split the skin, or keep the palette in a texture or a storage buffer",
        _palette,
        (Limit("bytes", 16384, "bytes", "bytes that a palette of three rows a joint may take"),),
    ),
    Rule(
        "budget-vertices",
        "warning",
        "a character has many vertices",
        "reduce it, or make levels of detail",
        _vertices,
        (Limit("vertices", 200_000, "vertices", "vertices of all meshes that are drawn"),),
    ),
    Rule(
        "budget-triangles",
        "warning",
        "a character has many triangles",
        "reduce it, or make levels of detail",
        _triangles,
        (Limit("triangles", 200_000, "triangles", "triangles of all meshes that are drawn"),),
    ),
    Rule(
        "budget-draws",
        "warning",
        "a character is drawn in many parts",
        "join meshes, and materials into atlases: each part of each material is a draw call",
        _draws,
        (Limit("draws", 32, "draws", "primitives of all meshes that are drawn"),),
    ),
    Rule(
        "budget-materials",
        "warning",
        "a file has many materials",
        "merge materials into atlases",
        _materials,
        (Limit("materials", 32, "materials", "materials that a file may have"),),
    ),
    Rule(
        "budget-morphs",
        "warning",
        "a mesh has many morph targets",
        "leave out targets that no clip uses, or make the face a mesh of its own; the 52 of a "
        "face capture fit",
        _morphs,
        (Limit("targets", 64, "targets", "morph targets of a mesh"),),
    ),
)
