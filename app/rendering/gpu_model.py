"""A model on the GPU: buffers, textures, materials and draw items, and their draw order."""

from dataclasses import dataclass, field
from functools import cached_property

import moderngl
import numpy as np

from ..animation.distinct import distinct
from ..animation.types import F32, F64, U32
from ..animation.vectors import length
from ..model.material import Material
from ..model.model import MeshInstance, Model, Primitive
from ..model.pointer_values import PointerValues
from .context import is_software
from .geometry import GpuPrimitive
from .gpu_material import GpuMaterial
from .peeling import MOST_TESTED, triangles_cross
from .textures.mipmaps import Mipmaps
from .textures.texture import Textures
from .textures.texture_stream import TextureStream

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


MOST_SORTED = 20_000  # triangles of a primitive; above, back faces are drawn before front faces


class DepthOrder:
    """Data for depth sorting of a primitive, prepared once.

    Primitives are sorted by the depth of their posed centre, triangles of a primitive by their own
    centre. Triangles that intersect cannot be sorted.

    Parameters
    ----------
    primitive
        Triangles.
    skinned
        Whether it is deformed by a palette.
    joints
        Entries of that palette.
    """

    def __init__(self, primitive: Primitive, *, skinned: bool, joints: int = 0) -> None:
        count = len(primitive.positions)
        given = primitive.indices
        self.indices: U32 = np.arange(count, dtype=np.uint32) if given is None else given
        self._points = np.ones((count, 4), np.float32)
        self._points[:, :3] = primitive.positions
        self._joints = primitive.joints if skinned else None
        self._weights = primitive.weights if skinned else None
        self.sorted = primitive.topology == "triangles" and 3 < len(self.indices) <= 3 * MOST_SORTED
        used = distinct(self.indices)
        points = self._points[used].astype(np.float64) / max(len(used), 1)
        if self._joints is None or self._weights is None:
            self._center: F64 = points.sum(axis=0)[None]
        else:  # the centre of blended points is the blend of the weighted centres
            self._center = np.zeros((joints, 4))
            share = self._weights[used][..., None] * points[:, None]
            np.add.at(self._center, self._joints[used].astype(np.intp), share)

    def center(self, matrices: F32) -> F64:
        """Return the centre [3] of the posed vertices.

        Parameters
        ----------
        matrices
            [S, 3, 4] the palette, or [1, 3, 4] the matrix of a rigid mesh.
        """
        found: F64 = np.einsum("sab,sb->a", matrices, self._center)
        return found

    @cached_property
    def crosses_itself(self) -> bool:
        """Whether triangles cross each other at rest; of many, they may."""
        triangles = self.indices.reshape(-1, 3)
        if len(triangles) > MOST_TESTED:
            return True
        return triangles_cross(self._points[:, :3].astype(np.float64), triangles.astype(np.intp))

    @cached_property
    def radius(self) -> float:
        """The greatest distance of a vertex at rest from the middle."""
        points = self._points[distinct(self.indices), :3]
        away = length(points - points.mean(axis=0)) if len(points) else np.zeros(1)
        return float(away.max())

    def back_to_front(self, matrices: F32, view_axis: F64) -> U32:
        """Return the indices with triangles sorted back to front along `view_axis`.

        Parameters
        ----------
        matrices
            As for `center`.
        view_axis
            [3] view direction, in the space that the matrices map to.
        """
        rows = np.einsum("a,sab->sb", view_axis.astype(np.float32), matrices)  # depth of a point
        if self._joints is None or self._weights is None:
            depth = self._points @ rows[0]
        else:
            depth_of_vertex = np.einsum("vkb,vb->vk", rows[self._joints], self._points)
            depth = np.einsum("vk,vk->v", depth_of_vertex, self._weights)
        triangles = self.indices.reshape(-1, 3)
        order = np.argsort(-depth[triangles].sum(axis=1), kind="stable")
        return np.ascontiguousarray(triangles[order])


CARRIED = 50_000  # vertices: larger meshes have few fragments for each


class GpuModel:
    """Buffers, textures and draw items of one model.

    Attributes
    ----------
    numbers
        Index in the model of each mesh instance that is drawn.
    materials
        By index in the model; -1: the default material of glTF.
    items
        Of all instances, with the materials of the variant.
    """

    def __init__(
        self, context: moderngl.Context, model: Model, mipmaps: Mipmaps, *, streamed: bool = False
    ) -> None:
        self.model = model
        self.stream = TextureStream()
        self._context = context
        self._textures = Textures(context, model, mipmaps, stream=self.stream if streamed else None)
        self.materials: dict[int, GpuMaterial] = {}
        self._geometries: dict[tuple[int, int, int, bool], GpuPrimitive] = {}
        self.numbers = [k for k, instance in enumerate(model.instances) if instance.in_scene]
        self._carries = is_software(context)  # values of blocks (lib/carried.glsl)
        self._variant = -1
        self._orders: dict[tuple[int, int], DepthOrder] = {}
        try:
            self.items = self._draw_items(-1)
        except Exception:  # free partial uploads
            self.release()
            raise

    def set_variant(self, variant: int) -> None:
        """Use the materials of a variant (-1: the default materials)."""
        if variant != self._variant:
            self.items = self._draw_items(variant)
            self._variant = variant

    def renew(self, model: Model) -> None:
        """Show a model with the same surfaces but for weights of vertices and materials."""
        before, self.model = self.model, model
        for (m, _, p, _), geometry in self._geometries.items():
            primitive = model.meshes[m].primitives[p]
            if primitive is not before.meshes[m].primitives[p]:
                geometry.write_influences(primitive)
        self._orders.clear()
        for number in [k for k in self.materials if k >= 0]:
            if model.materials[number] is not before.materials[number]:
                self.materials.pop(number).release()
        self.items = self._draw_items(self._variant)

    def order(self, item: DrawItem) -> DepthOrder:
        """Return the depth order of an item, prepared on first use."""
        key = id(item.primitive), item.skin
        if key not in self._orders:
            skinned = item.skin >= 0
            joints = len(self.model.skins[item.skin].joints) if skinned else 0
            self._orders[key] = DepthOrder(item.primitive, skinned=skinned, joints=joints)
        return self._orders[key]

    def release(self) -> None:
        """Free all GPU objects."""
        for group in (self.materials.values(), self._geometries.values()):
            for item in group:
                item.release()
        self.stream.release()
        self._textures.release()

    def _draw_items(self, variant: int) -> list[DrawItem]:
        return [
            item
            for row, number in enumerate(self.numbers)
            for item in self._upload(row, self.model.instances[number], variant)
        ]

    def _upload(self, row: int, instance: MeshInstance, variant: int) -> list[DrawItem]:
        items = []
        for index, primitive in enumerate(self.model.drawn_mesh(instance).primitives):
            if primitive.is_empty:
                continue
            skinned = instance.skin >= 0 and primitive.joints is not None
            # morph weights and placements belong to the instance: uploaded once per node
            shared = primitive.morph is None and instance.written is None
            owner = -1 if shared else row
            key = (instance.mesh, owner, index, skinned)
            if key not in self._geometries:
                self._geometries[key] = GpuPrimitive(self._context, primitive, skinned=skinned)
            geometry = self._geometries[key]
            number = primitive.variants.get(variant, primitive.material)
            material = self._material(number)
            defines = {**geometry.defines, **material.defines}
            if self._carries and len(primitive.positions) <= CARRIED and not material.extended:
                defines["CARRIED"] = 1
            items.append(
                DrawItem(
                    geometry,
                    material,
                    number,
                    instance.skin if skinned else -1,
                    row,
                    instance,
                    defines,
                    primitive,
                    index,
                )
            )
        return items

    def _material(self, index: int) -> GpuMaterial:
        if index not in self.materials:
            material = self.model.materials[index] if index >= 0 else Material()
            animated = [path for path, _ in PointerValues(self.model).materials.get(index, ())]
            self.materials[index] = GpuMaterial(self._context, material, self._textures, animated)
        return self.materials[index]
