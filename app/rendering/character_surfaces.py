"""The surfaces of one character: palettes and matrices in uniform blocks, and displayed weights."""

from collections.abc import Collection, Mapping, Sequence

import moderngl
import numpy as np

from ..animation.types import F32, F64
from ..model.model import MeshInstance
from ..scene.character import Character
from .frame import Frame
from .gpu_model import DrawItem, GpuModel
from .palette import MaskTexture, VertexValueTexture
from .program import Programs
from .surfaces import SLOT, Batch, Poses, Surfaces
from .upload import Upload

_IDENTITY = np.eye(4, dtype=np.float32)
_ONLY = np.zeros(1, np.intp)  # the character


class CharacterSurfaces(Surfaces):
    """Draws the surfaces of one character; owns its uploaded model."""

    def __init__(self, context: moderngl.Context, programs: Programs, uploaded: GpuModel) -> None:
        super().__init__(context, programs, uploaded)
        self._instances = [uploaded.model.instances[k] for k in uploaded.numbers]
        count = 2 * len(self._instances)  # slots: one rigid and one skinned block per instance
        self._joints = np.repeat([instance.joint for instance in self._instances], 2).astype(int)
        self._skinned = (np.arange(count) % 2 == 1)[:, None, None]  # palettes map to model space
        self._data = np.zeros((count, SLOT // 4), np.float32)
        self._buffer = context.buffer(reserve=max(1, count) * SLOT, dynamic=True)
        self._upload = Upload(self._buffer)
        self._found: dict[int, Batch] = {}  # by slot, of the current frame
        self._displayed_weights: tuple[int, tuple[float, ...]] | None = None  # joint, mask
        self._mask: MaskTexture | None = None
        self._vertex_values = VertexValueTexture(context)

    def write(self, character: Character, frame: Frame, mode: str = "") -> None:
        """Upload the current pose, and the weights that the frame shows; by default in its mode."""
        self.mode = mode or frame.mode_of(character)
        world = character.world_from(frame.origin)
        self.origin = world[:3, 3]
        palettes = tuple(rows[None] for rows in character.palettes)
        values = character.pose.values[None]
        poses = Poses(world[None], character.matrices[None], palettes, values)
        self._pose(poses, character, frame.camera)
        posed = np.where(self._skinned, _IDENTITY, self._poses.matrices[0, self._joints])
        self._data[:, :16] = (world @ posed).reshape(-1, 16)
        joint = frame.joint_of(character, frame.weights_joint)
        mask = frame.mask if frame.is_active(character) else ()
        if (joint, mask) != self._displayed_weights:
            self._displayed_weights = joint, mask
            self._write_displayed_weights(joint, mask)
        if self._mask is not None and mask:
            self._mask.use()
        if character.vertex_values:
            self._vertex_values.write(character.vertex_values)
        self._upload.write(self._data)
        self._found.clear()

    def batches(self, item: DrawItem, omitted: Collection[int] = ()) -> Sequence[Batch]:
        """Return the character, unless it is omitted."""
        return () if omitted else (self.single(item, 0),)

    def single(self, item: DrawItem, member: int) -> Batch:  # noqa: ARG002 - one character
        """Return the character."""
        slot = 2 * item.instance + (item.skin >= 0)
        if slot not in self._found:
            inner, world = self._posed(item, 0)[0, :, :3], self._poses.world[0, :3, :3]
            mirrored = _determinant(inner) * _determinant(world) < 0.0
            self._found[slot] = Batch(_ONLY, mirrored, self._buffer, slot)
        return self._found[slot]

    def release(self) -> None:
        """Free all GPU objects, with the model."""
        super().release()
        if self._mask is not None:
            self._mask.release()
        self._vertex_values.release()
        self._buffer.release()
        self.uploaded.release()

    def _use(
        self, item: DrawItem, mode: str, defines: Mapping[str, int], *, instanced: bool
    ) -> moderngl.Program:
        program = super()._use(item, mode, defines, instanced=instanced)
        if mode == "heat":
            number = self.uploaded.numbers[item.instance]
            self._vertex_values.use(program, number, item.number)
        return program

    def _write_displayed_weights(self, joint: int, mask: tuple[float, ...]) -> None:
        """Write the joint and mask of the weight display to instance blocks and mask texture."""
        for row, instance in enumerate(self._instances):
            entry, rigid = self._displayed_weight(instance, joint)
            if mask:
                rigid = mask[instance.joint]
            self._data[2 * row : 2 * row + 2, 16:19] = entry, rigid, max(instance.skin, 0)
        if mask:
            if self._mask is None:
                joints = [skin.joints for skin in self.uploaded.model.skins]
                self._mask = MaskTexture(self._context, joints)
            self._mask.write(mask)

    def _displayed_weight(self, instance: MeshInstance, joint: int) -> tuple[float, float]:
        """Return the palette entry whose weights are displayed, and the weight of a rigid mesh."""
        entry = -1
        if instance.skin >= 0 and joint >= 0:
            found = np.nonzero(self.uploaded.model.skins[instance.skin].joints == joint)[0]
            entry = int(found[0]) if len(found) else -1
        return float(entry), float(instance.joint == joint)


def _determinant(matrix: F32 | F64) -> float:
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
