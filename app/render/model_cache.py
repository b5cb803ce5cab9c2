"""The GPU's copies of models: one for each character on stage."""

from collections.abc import Sequence

import moderngl

from ..errors import ContextError
from ..model.model import Model
from ..scene.character import Character
from .gpu_model import GpuModel


class Copies:
    """Owns them; what is sent up before its character is on stage waits for it.

    Parameters
    ----------
    context
        The OpenGL context that is current whenever this object is used.
    palette_texture
        Put every palette into a texture.
    """

    def __init__(self, context: moderngl.Context, *, palette_texture: bool) -> None:
        self._context = context
        self._palette_texture = palette_texture
        self._of: dict[Character, GpuModel] = {}
        self._waiting: list[GpuModel] = []

    def __len__(self) -> int:
        return len(self._of) + len(self._waiting)

    def find(self, model: Model) -> GpuModel | None:
        """Return a copy of a model, None where there is none."""
        every = (*self._waiting, *self._of.values())
        return next((each for each in every if each.model is model), None)

    def send(self, model: Model) -> GpuModel:
        """Return a new copy of a model, whose character is on stage from the next picture on.

        Raises
        ------
        ContextError
            The driver refuses it.
        """
        self._waiting.append(self._made(model))
        return self._waiting[-1]

    def of(self, character: Character) -> GpuModel:
        """Return the copy that is a character's own."""
        if character not in self._of:
            self._of[character] = self._made(character.model)
        return self._of[character]

    def hand_over(self, there: Sequence[Character]) -> list[GpuModel]:
        """Give all who are on stage the copy made of their model; return those of nobody.

        Another character of the same model goes on with the copy of the one before.
        """
        kept = {each: copy for each, copy in self._of.items() if each in there}
        spare = self._waiting + [copy for each, copy in self._of.items() if each not in kept]
        for character in there:
            if character not in kept:
                copy = next((each for each in spare if each.model is character.model), None)
                if copy is not None:
                    spare.remove(copy)
                    kept[character] = copy
        self._of, self._waiting = kept, []
        return spare

    def release(self) -> None:
        """Free all of them."""
        for copy in (*self._waiting, *self._of.values()):
            copy.release()
        self._waiting.clear()
        self._of.clear()

    def _made(self, model: Model) -> GpuModel:
        try:
            return GpuModel(self._context, model, palette_texture=self._palette_texture)
        except moderngl.Error as error:  # mostly: it has no room
            raise ContextError(f"the GPU cannot take {model.name!r} ({error})") from None
