"""A cache of uploaded models: one per character of the scene, with its surfaces."""

from collections.abc import Sequence

import moderngl

from ..errors import ContextError
from ..model.model import Model
from ..scene.character import Character
from .character_surfaces import CharacterSurfaces
from .gpu_model import GpuModel
from .program import Programs
from .textures.mipmaps import Mipmaps
from .textures.texture_stream import TextureStream


class ModelCache:
    """Owns the uploaded models, including those whose character is not in the scene yet.

    Parameters
    ----------
    context
        The OpenGL context that is current whenever this object is used.
    programs
        Draw their surfaces.
    mipmaps
        Builds those of the textures.
    streamed
        Upload large textures later, by the streams of the models.
    """

    def __init__(
        self,
        context: moderngl.Context,
        programs: Programs,
        mipmaps: Mipmaps,
        *,
        streamed: bool = False,
    ) -> None:
        self._context = context
        self._programs = programs
        self._mipmaps = mipmaps
        self._streamed = streamed
        self._assigned: dict[Character, CharacterSurfaces] = {}
        self._unassigned: list[CharacterSurfaces] = []

    def __len__(self) -> int:
        return len(self._assigned) + len(self._unassigned)

    def find(self, model: Model) -> GpuModel | None:
        """Return an uploaded model, None if there is none."""
        every = (each.uploaded for each in (*self._unassigned, *self._assigned.values()))
        return next((entry for entry in every if _same_surfaces(entry.model, model)), None)

    def upload(self, model: Model) -> GpuModel:
        """Upload a model whose character is added before the next frame.

        Raises
        ------
        ContextError
            The driver cannot allocate it.
        """
        self._unassigned.append(self._upload(model))
        return self._unassigned[-1].uploaded

    def of_character(self, character: Character) -> CharacterSurfaces:
        """Return the surfaces of a character; upload its model if needed."""
        if character not in self._assigned:
            self._assigned[character] = self._upload(character.model)
        return self._assigned[character]

    def assign(self, characters: Sequence[Character]) -> list[CharacterSurfaces]:
        """Assign uploaded models to the characters of the scene; return the unused ones.

        A character of the same model takes over the upload of a removed one.
        """
        kept = {each: surfaces for each, surfaces in self._assigned.items() if each in characters}
        unused = self._unassigned + [
            surfaces for each, surfaces in self._assigned.items() if each not in kept
        ]
        for character in characters:
            if character not in kept:
                model = character.model
                surfaces = next(
                    (each for each in unused if _same_surfaces(each.uploaded.model, model)), None
                )
                if surfaces is not None:
                    unused.remove(surfaces)
                    kept[character] = surfaces
        self._assigned, self._unassigned = kept, []
        return unused

    @property
    def streams(self) -> list[TextureStream]:
        """The streams of textures that are not uploaded yet."""
        every = (*self._unassigned, *self._assigned.values())
        streams = (each.uploaded.stream for each in every)
        return [stream for stream in streams if stream.pending]

    def release(self) -> None:
        """Free all uploaded models."""
        for surfaces in (*self._unassigned, *self._assigned.values()):
            surfaces.release()
        self._unassigned.clear()
        self._assigned.clear()

    def _upload(self, model: Model) -> CharacterSurfaces:
        try:
            return CharacterSurfaces(
                self._context,
                self._programs,
                GpuModel(self._context, model, self._mipmaps, streamed=self._streamed),
            )
        except moderngl.Error as error:  # usually out of memory
            raise ContextError(f"cannot upload {model.name!r} to the GPU ({error})") from None


def _same_surfaces(a: Model, b: Model) -> bool:
    """Return whether two models have the same surfaces: they may differ in their clips."""
    return a.skeleton is b.skeleton and a.meshes is b.meshes
