"""A model on the GPU: buffers, textures, materials and draw items."""

import moderngl
import numpy as np

from ..animation.types import F32, F64
from ..model.material import Material
from ..model.model import MeshInstance, Model, Primitive
from ..model.pointer_values import PointerValues
from ..scene.billboard_nodes import matrices_facing
from ..scene.character import Character
from .context import is_software
from .draw_item import DrawItem
from .frame import Frame
from .geometry import GpuPrimitive
from .gpu_material import GpuMaterial
from .palette import MaskTexture, Palette, VertexValueTexture
from .program import BLOCKS
from .textures.mipmaps import Mipmaps
from .textures.texture import Textures
from .textures.texture_stream import TextureStream
from .transparency_order import DepthOrder
from .upload import Upload

_IDENTITY = np.eye(4, dtype=np.float32)
CARRIED = 50_000  # vertices: larger meshes have few fragments for each
SLOT = 256  # bytes of an instance block: an alignment that every driver accepts


class GpuModel:
    """Buffers, textures and draw items of one model."""

    def __init__(
        self,
        context: moderngl.Context,
        model: Model,
        mipmaps: Mipmaps,
        *,
        palette_texture: bool = False,
        streamed: bool = False,
    ) -> None:
        self.model = model
        self.stream = TextureStream()
        self._textures = Textures(context, model, mipmaps, stream=self.stream if streamed else None)
        self._materials: dict[int, GpuMaterial] = {}
        self._geometries: dict[tuple[int, int, int, bool], GpuPrimitive] = {}
        self.palettes = [
            Palette(context, len(skin.joints), texture=palette_texture) for skin in model.skins
        ]
        drawn = [k for k, instance in enumerate(model.instances) if instance.in_scene]
        self.instances = [model.instances[k] for k in drawn]
        self._numbers = drawn  # of the instances in the model
        self._vertex_values = VertexValueTexture(context)
        count = 2 * len(self.instances)  # rows: one rigid and one skinned block per instance
        self._joints = np.repeat([instance.joint for instance in self.instances], 2).astype(int)
        self._skinned = (np.arange(count) % 2 == 1)[:, None, None]  # palettes map to model space
        self._displayed_weights: tuple[int, tuple[float, ...]] | None = None  # joint, mask
        self._mask: MaskTexture | None = None
        self._context = context
        self._carries = is_software(context)  # values of blocks (lib/carried.glsl)
        self._instance_data = np.zeros((count, SLOT // 4), np.float32)
        self._instance_buffer = context.buffer(reserve=max(1, count) * SLOT, dynamic=True)
        self._instance_upload = Upload(self._instance_buffer)
        self._variant = -1
        self._orders: dict[tuple[int, int], DepthOrder] = {}
        self._rows: tuple[F32, ...] = ()
        self._matrices: F32 = _IDENTITY[None]
        self.visible: list[DrawItem] = []  # items visible in the current frame
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

    def _draw_items(self, variant: int) -> list[DrawItem]:
        return [
            item
            for row, instance in enumerate(self.instances)
            for item in self._upload(self._context, row, instance, variant)
        ]

    def write(
        self,
        character: Character,
        frame: Frame,
        weights_joint: int,
        mask: tuple[float, ...] = (),
    ) -> None:
        """Upload palettes, instance matrices and morph weights of the current frame.

        Parameters
        ----------
        frame
            The frame to draw; billboards face its camera.
        weights_joint
            Joint whose weights are displayed, -1: none.
        mask
            [J] weights displayed instead; (): none.
        """
        matrices = matrices_facing(character, frame.camera, frame.origin)
        palettes = character.palettes
        self._matrices = matrices
        if matrices is not character.matrices:
            palettes = tuple(skin.palette(matrices) for skin in self.model.skins)
        self._rows = palettes
        for palette, rows in zip(self.palettes, palettes, strict=True):
            palette.write(rows)
        posed = np.where(self._skinned, _IDENTITY, matrices[self._joints])
        self._instance_data[:, :16] = (character.world_from(frame.origin) @ posed).reshape(-1, 16)
        if (weights_joint, mask) != self._displayed_weights:
            self._displayed_weights = weights_joint, mask
            self._write_displayed_weights(weights_joint, mask)
        if self._mask is not None and mask:
            self._mask.use()
        if character.vertex_values:
            self._vertex_values.write(character.vertex_values)
        self._instance_upload.write(self._instance_data)
        self._write_pointer_values(character)
        for item in self.items:
            if item.geometry.morph is not None and item.source.channel >= 0:
                values = character.pose.values[self.model.channels[item.source.channel].slice]
                item.geometry.morph.write(values)

    def _write_pointer_values(self, character: Character) -> None:
        """Upload animated materials and select the visible items."""
        moving, values = character.pointer_values, character.pose.values
        for number in moving.materials:
            if number in self._materials:
                self._materials[number].write(moving.material(number, values))
        hidden = moving.hidden(values) | character.hidden_joints
        parts = character.hidden_parts
        self.visible = [
            item
            for item in self.items
            if item.source.joint not in hidden and (item.source.joint, item.number) not in parts
        ]

    def order(self, item: DrawItem) -> DepthOrder:
        """Return the depth order of an item, prepared on first use."""
        skinned = item.palette is not None
        key = id(item.primitive), item.source.skin if skinned else -1
        if key not in self._orders:
            joints = len(self.model.skins[item.source.skin].joints) if skinned else 0
            self._orders[key] = DepthOrder(item.primitive, skinned=skinned, joints=joints)
        return self._orders[key]

    def rows(self, item: DrawItem) -> F32:
        """Return the matrices [S, 3, 4] of an item in the current frame, to model space."""
        if item.palette is not None:
            return self._rows[item.source.skin]
        return self._matrices[item.source.joint, None, :3]

    def has_material(self, number: int) -> bool:
        """Return whether a material is used by any item."""
        return number in self._materials

    def extended(self, number: int) -> bool:
        """Return whether a material has the values of its extensions."""
        return self._materials[number].extended

    def write_material(self, number: int, material: Material) -> None:
        """Upload a material with its current values."""
        self._materials[number].write(material)

    def use_vertex_values(self, item: DrawItem, program: moderngl.Program) -> None:
        """Bind the values of the vertices of an item."""
        self._vertex_values.use(program, self._numbers[item.instance // 2], item.number)

    def use_instance(self, row: int) -> None:
        """Bind the instance block of one row."""
        self._instance_buffer.bind_to_uniform_block(
            BLOCKS["Instance"], offset=row * SLOT, size=SLOT
        )

    def mirrored(self, item: DrawItem, character: Character) -> bool:
        """Return whether an item's triangles are mirrored by a negative scale."""
        if item.palette is None:
            matrix = character.matrices[item.source.joint][:3, :3]
        else:
            matrix = character.palettes[item.source.skin][0, :, :3]
        return bool(_determinant(matrix) * _determinant(character.world[:3, :3]) < 0.0)

    def release(self) -> None:
        """Free all GPU objects."""
        for group in (self.palettes, self._materials.values(), self._geometries.values()):
            for item in group:
                item.release()
        if self._mask is not None:
            self._mask.release()
        self._vertex_values.release()
        self.stream.release()
        self._textures.release()
        self._instance_buffer.release()

    def _upload(
        self, context: moderngl.Context, row: int, instance: MeshInstance, variant: int
    ) -> list[DrawItem]:
        items = []
        for index, primitive in enumerate(self.model.meshes[instance.mesh].primitives):
            if not len(primitive.positions) or _is_empty(primitive):
                continue
            skinned = instance.skin >= 0 and primitive.joints is not None
            # morph weights belong to the instance, so morphed meshes are uploaded once per node
            owner = row if primitive.morph is not None else -1
            key = (instance.mesh, owner, index, skinned)
            if key not in self._geometries:
                self._geometries[key] = GpuPrimitive(context, primitive, skinned=skinned)
            geometry = self._geometries[key]
            number = primitive.variants.get(variant, primitive.material)
            material = self._material(context, number)
            palette = self.palettes[instance.skin] if skinned else None
            defines = {**geometry.defines, **material.defines}
            if palette is not None:
                defines |= palette.defines
            if self._carries and len(primitive.positions) <= CARRIED and not material.extended:
                defines["CARRIED"] = 1
            block = 2 * row + skinned
            items.append(
                DrawItem(
                    geometry,
                    material,
                    number,
                    palette,
                    block,
                    instance,
                    defines,
                    primitive,
                    index,
                )
            )
        return items

    def _material(self, context: moderngl.Context, index: int) -> GpuMaterial:
        if index not in self._materials:
            material = self.model.materials[index] if index >= 0 else Material()
            animated = [path for path, _ in PointerValues(self.model).materials.get(index, ())]
            self._materials[index] = GpuMaterial(context, material, self._textures, animated)
        return self._materials[index]

    def _write_displayed_weights(self, joint: int, mask: tuple[float, ...]) -> None:
        """Write the joint and mask of the weight display to instance blocks and mask texture."""
        for row, instance in enumerate(self.instances):
            entry, rigid = self._displayed_weight(instance, joint)
            if mask:
                rigid = mask[instance.joint]
            self._instance_data[2 * row : 2 * row + 2, 16:19] = entry, rigid, max(instance.skin, 0)
        if mask:
            if self._mask is None:
                self._mask = MaskTexture(self._context, [s.joints for s in self.model.skins])
            self._mask.write(mask)

    def _displayed_weight(self, instance: MeshInstance, joint: int) -> tuple[float, float]:
        """Return the palette entry whose weights are displayed, and the weight of a rigid mesh."""
        entry = -1
        if instance.skin >= 0 and joint >= 0:
            found = np.nonzero(self.model.skins[instance.skin].joints == joint)[0]
            entry = int(found[0]) if len(found) else -1
        return float(entry), float(instance.joint == joint)


def _is_empty(primitive: Primitive) -> bool:
    """Return whether a primitive has an empty index list: incomplete triangles were removed."""
    return primitive.indices is not None and not len(primitive.indices)


def _determinant(matrix: F32 | F64) -> float:
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
