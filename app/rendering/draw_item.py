"""One primitive of one mesh instance on the GPU."""

from dataclasses import dataclass, field

import moderngl

from ..model.model import MeshInstance, Primitive
from .geometry import GpuPrimitive
from .gpu_material import GpuMaterial

_FORWARD = frozenset(("MATERIAL_EXTENSIONS", "UV_TRANSFORM", "UNLIT", "COLORS"))


@dataclass(frozen=True, slots=True)
class DrawItem:
    """One primitive of one mesh instance with everything needed to draw it."""

    geometry: GpuPrimitive
    material: GpuMaterial
    material_number: int  # index in the model; -1: the default material of glTF
    skin: int  # its palette in the model; -1: rigid
    instance: int  # among those that are drawn
    source: MeshInstance
    defines: dict[str, int]
    primitive: Primitive
    number: int  # index of the primitive in its mesh
    # by mode and definitions, compiled on first use
    programs: dict[tuple[object, ...], moderngl.Program] = field(default_factory=dict)


def can_be_deferred(item: DrawItem, mode: str) -> bool:
    """Return whether an item can be shaded after all data are drawn."""
    material = item.material
    return (
        mode == "lit"
        and item.geometry.mode == moderngl.TRIANGLES
        and not material.blend
        and not material.transmits
        and _FORWARD.isdisjoint(item.defines)
    )
