"""A model on the GPU: buffers, textures, materials and draw items."""

import moderngl

from ..model.material import Material
from ..model.model import MeshInstance, Model, Primitive
from ..model.pointer_values import PointerValues
from .context import is_software
from .draw_item import DrawItem
from .geometry import GpuPrimitive
from .gpu_material import GpuMaterial
from .textures.mipmaps import Mipmaps
from .textures.texture import Textures
from .textures.texture_stream import TextureStream
from .transparency_order import DepthOrder

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
        for index, primitive in enumerate(self.model.meshes[instance.mesh].primitives):
            if not len(primitive.positions) or _is_empty(primitive):
                continue
            skinned = instance.skin >= 0 and primitive.joints is not None
            # morph weights belong to the instance, so morphed meshes are uploaded once per node
            owner = row if primitive.morph is not None else -1
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


def _is_empty(primitive: Primitive) -> bool:
    """Return whether a primitive has an empty index list: incomplete triangles were removed."""
    return primitive.indices is not None and not len(primitive.indices)
