"""A cache of uploaded models: one per character of the scene."""

from collections.abc import Sequence

import moderngl

from ..errors import ContextError
from ..model.model import Model
from ..scene.character import Character
from .gpu_model import GpuModel
from .textures.mipmaps import Mipmaps
from .textures.texture_stream import TextureStream


class ModelCache:
    """Owns the uploaded models, including those whose character is not in the scene yet.

    Parameters
    ----------
    context
        The OpenGL context that is current whenever this object is used.
    mipmaps
        Builds those of the textures.
    palette_texture
        Store every palette in a texture.
    streamed
        Upload large textures later, by the streams of the models.
    """

    def __init__(
        self,
        context: moderngl.Context,
        mipmaps: Mipmaps,
        *,
        palette_texture: bool,
        streamed: bool = False,
    ) -> None:
        self._context = context
        self._mipmaps = mipmaps
        self._palette_texture = palette_texture
        self._streamed = streamed
        self._assigned: dict[Character, GpuModel] = {}
        self._unassigned: list[GpuModel] = []

    def __len__(self) -> int:
        return len(self._assigned) + len(self._unassigned)

    def find(self, model: Model) -> GpuModel | None:
        """Return an uploaded model, None if there is none."""
        every = (*self._unassigned, *self._assigned.values())
        return next((entry for entry in every if _same_surfaces(entry.model, model)), None)

    def upload(self, model: Model) -> GpuModel:
        """Upload a model whose character is added before the next frame.

        Raises
        ------
        ContextError
            The driver cannot allocate it.
        """
        self._unassigned.append(self._upload(model))
        return self._unassigned[-1]

    def of_character(self, character: Character) -> GpuModel:
        """Return the uploaded model of a character; upload it if needed."""
        if character not in self._assigned:
            self._assigned[character] = self._upload(character.model)
        return self._assigned[character]

    def assign(self, characters: Sequence[Character]) -> list[GpuModel]:
        """Assign uploaded models to the characters of the scene; return the unused ones.

        A character of the same model takes over the upload of a removed one.
        """
        kept = {each: uploaded for each, uploaded in self._assigned.items() if each in characters}
        unused = self._unassigned + [
            uploaded for each, uploaded in self._assigned.items() if each not in kept
        ]
        for character in characters:
            if character not in kept:
                uploaded = next(
                    (each for each in unused if _same_surfaces(each.model, character.model)), None
                )
                if uploaded is not None:
                    unused.remove(uploaded)
                    kept[character] = uploaded
        self._assigned, self._unassigned = kept, []
        return unused

    @property
    def streams(self) -> list[TextureStream]:
        """The streams of textures that are not uploaded yet."""
        every = (*self._unassigned, *self._assigned.values())
        return [each.stream for each in every if each.stream.pending]

    def release(self) -> None:
        """Free all uploaded models."""
        for uploaded in (*self._unassigned, *self._assigned.values()):
            uploaded.release()
        self._unassigned.clear()
        self._assigned.clear()

    def _upload(self, model: Model) -> GpuModel:
        try:
            return GpuModel(
                self._context,
                model,
                self._mipmaps,
                palette_texture=self._palette_texture,
                streamed=self._streamed,
            )
        except moderngl.Error as error:  # usually out of memory
            raise ContextError(f"cannot upload {model.name!r} to the GPU ({error})") from None


def _same_surfaces(a: Model, b: Model) -> bool:
    """Return whether two models have the same surfaces: they may differ in their clips."""
    return a.skeleton is b.skeleton and a.meshes is b.meshes
