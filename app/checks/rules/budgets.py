"""Rules about budgets: joints, vertices, draw calls, morph targets, palettes."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ...animation.skin import Skin
from ...model.model import Mesh
from ...wording import binary_size, counted, quoted
from ..check_context import CheckContext
from ..clip_rules import per_skin
from ..finding import Find, Finding, Limit, Limits, rule

_ROWS = 48  # bytes per joint of a palette of 3 × 4 matrices
_MATRIX = 64  # bytes per joint of a palette of 4 × 4 matrices
_VECTOR = 16  # bytes of a vec4


class _Count(NamedTuple):
    """A number of things that has a budget."""

    number: int
    place: str
    owner: str = ""  # name of the skin or mesh that has them
    note: str = ""  # a further clause of the message


def _over(message: str) -> Callable[[Callable[[CheckContext], Iterable[_Count]]], Find]:
    """Make a rule find counts above its only limit."""

    def made(counts: Callable[[CheckContext], Iterable[_Count]]) -> Find:
        def find(context: CheckContext, limits: Limits) -> Iterator[Finding]:
            (most,) = limits.values()
            for count in counts(context):
                if count.number > most:
                    yield Finding(
                        message.format(
                            owner=quoted(count.owner),
                            number=count.number,
                            most=most,
                            note=count.note,
                        ),
                        amount=count.number,
                        place=count.place,
                        item=count.owner,
                    )

        return find

    return made


@rule(
    "budget-joints",
    "warning",
    "a skin has more joints than 8-bit indices can address",
    "remove joints without influence, or split the skin; Unreal needs 16-bit bone indices "
    "beyond 256",
    Limit("joints", 256, "joints", "joints of a skin"),
)
@_over(
    "skin {owner} has {number} joints, more than {most:g}: their indices no longer fit 8 "
    "bits, and engines split the mesh"
)
def _joints(context: CheckContext) -> Iterator[_Count]:
    for s, skin in enumerate(context.model.skins):
        yield _Count(len(skin.joints), f"/skins/{s}/joints", skin.name)


@rule(
    "budget-palette",
    "warning",
    "the palette of a skin exceeds the guaranteed size of a uniform block (16 KiB in OpenGL "
    "ES 3 and WebGL 2: 341 joints with 3 × 4 matrices; most desktops have 64 KiB: 1365)",
    "remove joints, split the skin, or store the palette in a texture or a storage buffer",
    Limit("bytes", 16384, "bytes", "size of a palette of 3 × 4 matrices"),
)
@per_skin
def _palette(_context: CheckContext, limits: Limits, s: int, skin: Skin) -> Iterator[Finding]:
    joints, most = len(skin.joints), limits["bytes"]
    size, whole = joints * _ROWS, joints * _MATRIX
    if size > most:
        yield Finding(
            f"the palette of skin {quoted(skin.name)} needs {binary_size(size)} with 3 × 4 "
            f"matrices and {binary_size(whole)} with 4 × 4 ({whole // _VECTOR} vec4); "
            f"{binary_size(most)} hold {int(most // _ROWS)} of its {joints} joints",
            amount=size,
            place=f"/skins/{s}/joints",
        )


@rule(
    "budget-vertices",
    "warning",
    "a character has many vertices",
    "simplify the meshes, or make levels of detail",
    Limit("vertices", 200_000, "vertices", "vertices of all drawn meshes"),
)
@_over("the character has {number} vertices, more than {most:g}")
def _vertices(context: CheckContext) -> Iterator[_Count]:
    number = sum(len(p.positions) for mesh in _drawn(context) for p in mesh.primitives)
    yield _Count(number, "/meshes")


@rule(
    "budget-triangles",
    "warning",
    "a character has many triangles",
    "simplify the meshes, or make levels of detail",
    Limit("triangles", 200_000, "triangles", "triangles of all drawn meshes"),
)
@_over("the character has {number} triangles, more than {most:g}")
def _triangles(context: CheckContext) -> Iterator[_Count]:
    number = sum(p.triangle_count for mesh in _drawn(context) for p in mesh.primitives)
    yield _Count(number, "/meshes")


@rule(
    "budget-draws",
    "warning",
    "a character needs many draw calls",
    "join meshes, and merge materials into texture atlases: each primitive is a draw call",
    Limit("draws", 32, "draws", "primitives of all drawn meshes"),
)
@_over("the character needs {number} draw calls, more than {most:g}{note}")
def _draws(context: CheckContext) -> Iterator[_Count]:
    number = sum(len(mesh.primitives) for mesh in _drawn(context))
    materials = counted(len(context.model.materials), "material")
    yield _Count(number, "/meshes", note=f"; it has {materials}")


def _drawn(context: CheckContext) -> list[Mesh]:
    """Return the meshes of all nodes in the scene."""
    model = context.model
    return [model.drawn_mesh(instance) for instance in model.instances if instance.in_scene]


@rule(
    "budget-materials",
    "warning",
    "a file has many materials",
    "merge materials into texture atlases",
    Limit("materials", 32, "materials", "materials of a file"),
)
@_over("the file has {number} materials, more than {most:g}")
def _materials(context: CheckContext) -> Iterator[_Count]:
    yield _Count(len(context.model.materials), "/materials")


@rule(
    "budget-morphs",
    "warning",
    "a mesh has many morph targets",
    "remove morph targets that no clip uses, or separate the face into its own mesh; the 52 "
    "blend shapes of face capture are within the limit",
    Limit("targets", 64, "targets", "morph targets of a mesh"),
)
@_over("mesh {owner} has {number} morph targets, more than {most:g}")
def _morphs(context: CheckContext) -> Iterator[_Count]:
    for m, mesh in enumerate(context.model.meshes):
        number = max((len(p.morph.names) for p in mesh.primitives if p.morph), default=0)
        yield _Count(number, f"/meshes/{m}", mesh.name)
