"""The surfaces of a crowd: poses and animated materials are textures, a row per character.

Opaque surfaces take one instanced draw call per primitive (two if some characters are mirrored).
Blended surfaces are drawn one by one, back to front.
"""

from collections.abc import Collection, Sequence

import moderngl
import numpy as np

from ..animation.crowd import Crowd
from ..animation.types import F32, Bool
from ..errors import ContextError
from ..scene.character import Character
from ..scene.lights import Light, default_lights, lights_of_many
from ..scene.origin import relative_to
from .frame import Frame
from .gpu_model import DrawItem, GpuModel
from .palette import palette_lines
from .program import Programs
from .surfaces import SLOT, Batch, Poses, Surfaces
from .upload import Upload

ENTRY = 13  # floats per instance: three rows of its matrix, and its texture row
ROW = 19  # place of the texture row in a uniform block, floats

# joint of the mesh (-1: skinned), skin (-1: rigid), joint with animated visibility
Key = tuple[int, int, int]
Written = tuple[moderngl.Buffer, Upload]


class CrowdSurfaces(Surfaces):
    """Draws the surfaces of a crowd of an uploaded model. Buffers are reused in every frame.

    Raises
    ------
    ContextError
        The poses do not fit into a texture of this GPU.
    """

    def __init__(
        self, context: moderngl.Context, programs: Programs, uploaded: GpuModel, crowd: Crowd
    ) -> None:
        rows = crowd.count if uploaded.model.billboards else len(crowd.matrices)
        limit = context.info["GL_MAX_TEXTURE_SIZE"]
        for count in (len(skin.joints) for skin in crowd.skins):
            if palette_lines(count) * rows > limit:
                raise ContextError(
                    f"{rows} characters of {count} joints do not fit into a texture "
                    "of this GPU; let them share poses"
                )
        super().__init__(context, programs, uploaded, rows=rows)
        self.crowd = crowd
        self._row_of = np.minimum(np.arange(crowd.count), rows - 1)
        self._instances: dict[tuple[Key, bool], Written] = {}  # attributes
        self._blocks: dict[Key, Written] = {}  # a slot per character
        self._found: dict[Key, list[Batch]] = {}  # batches of this frame
        self._singles: dict[Key, list[Batch]] = {}  # those of one character

    def write(self, character: Character, frame: Frame) -> None:
        """Upload the current poses, in the view mode of the frame.

        `character` has the variant, and what is hidden.
        """
        crowd = self.crowd
        self.mode = frame.look.shading.view_mode
        self.origin = -frame.origin.astype(np.float32)
        world = relative_to(crowd.world, frame.origin)
        poses = Poses(world, crowd.matrices, crowd.palettes, crowd.values)
        self._pose(poses, character, frame.camera)
        self._found.clear()
        self._singles.clear()

    def lights(self, frame: Frame) -> list[Light]:
        """Return the lights of the crowd (see `lights_of_many`), else the default ones."""
        lighting, camera = frame.look.lighting, frame.camera
        if not self.uploaded.model.lights or lighting.has_given_light:
            return default_lights(lighting, frame.environment, frame.front, camera)
        placed = self._poses.world[:, None] @ self._poses.matrices
        values = self._poses.values[self._row_of]
        return lights_of_many(self._moving, values, placed, camera.position())

    def batches(self, item: DrawItem, omitted: Collection[int] = ()) -> Sequence[Batch]:
        """Return the characters that show an item, in at most two batches."""
        key = self._key(item)
        if omitted:
            self._found.pop(key, None)  # its buffers are written
            return self._batches(item, key, omitted)
        if key not in self._found:
            self._found[key] = self._batches(item, key)
        return self._found[key]

    def single(self, item: DrawItem, member: int) -> Batch:
        """Return one character; the uniform blocks of all are written on first use."""
        key = self._key(item)
        if key not in self._singles:
            count = self.crowd.count
            data = np.zeros((count, SLOT // 4), np.float32)
            data[:, :16] = self._world_matrices(key).reshape(-1, 16)
            data[:, ROW] = self._row_of
            if key not in self._blocks:
                self._blocks[key] = self._reserved(count * SLOT)
            buffer, upload = self._blocks[key]
            upload.write(data)
            members = np.arange(count)[:, None]
            self._singles[key] = [
                Batch(members[k], mirrored, buffer, k)
                for k, mirrored in enumerate(self._mirrored(key).tolist())
            ]
        return self._singles[key][member]

    def release(self) -> None:
        """Free all GPU objects but those of the model."""
        super().release()
        for buffer, _ in (*self._instances.values(), *self._blocks.values()):
            buffer.release()

    def _key(self, item: DrawItem) -> Key:
        switched = -1 if self._off is None else item.source.joint
        return -1 if item.skin >= 0 else item.source.joint, item.skin, switched

    def _batches(self, item: DrawItem, key: Key, omitted: Collection[int] = ()) -> list[Batch]:
        """Return the characters that show an item, those that are mirrored last."""
        shown = np.ones(self.crowd.count, bool)
        if self._off is not None:
            shown &= ~self._off[self._row_of, item.source.joint]
        shown[list(omitted)] = False
        mirrored, world_matrices, found = self._mirrored(key), self._world_matrices(key), []
        for side in (False, True):
            members = np.flatnonzero(shown & (mirrored == side))
            if not len(members):
                continue
            if (key, side) not in self._instances:
                self._instances[key, side] = self._reserved(self.crowd.count * ENTRY * 4)
            buffer, upload = self._instances[key, side]
            data = np.empty((len(members), ENTRY), np.float32)
            data[:, :12] = world_matrices[members, :3].reshape(-1, 12)
            data[:, 12] = self._row_of[members]
            upload.write(data)
            found.append(Batch(members, side, buffer))
        return found

    def _reserved(self, size: int) -> Written:
        buffer = self._context.buffer(reserve=size, dynamic=True)
        return buffer, Upload(buffer)

    def _world_matrices(self, key: Key) -> F32:
        """Return the matrices [N, 4, 4] from mesh space (skinned: model space) to world space."""
        world = self._poses.world
        return world if key[0] < 0 else world @ self._poses.matrices[:, key[0]]

    def _mirrored(self, key: Key) -> Bool:
        """Return whether each character's triangles [N] are mirrored by a negative scale."""
        joint, skin, _ = key
        poses = self._poses
        inner = poses.matrices[:, joint] if skin < 0 else poses.palettes[skin][:, 0]
        return _negative(inner) ^ _negative(poses.world)


def _negative(matrices: F32) -> Bool:
    """Return whether the determinants of matrices [..., 3 or 4, 4] are negative."""
    found: Bool = np.linalg.det(matrices[..., :3, :3]) < 0
    return found
