"""What a record names, as it was read: models, and an environment map."""

from dataclasses import dataclass
from typing import NamedTuple

from ..animation.types import F16
from ..model.model import Model
from ..scenedoc.look import Background, Lighting, Look
from .environment import Environment


@dataclass(frozen=True, slots=True, eq=False)
class LoadedEnvironment:
    """The environment map of a file.

    Attributes
    ----------
    file, rotation
        As in `Lighting`, degrees.
    light
        Prefiltered and rotated.
    map, blur
        [H, W, 3] as a background, and how blurred it is; None: it is not shown.
    """

    file: str
    rotation: float
    light: Environment
    map: F16 | None = None
    blur: float = 0.0


class Loaded(NamedTuple):
    """The models of the characters of a record, in its order, and its environment map."""

    models: tuple[Model, ...]
    environment: LoadedEnvironment | None = None


def shown_look(look: Look, loaded: LoadedEnvironment | None) -> Look:
    """Return a look with the environment that is loaded in place of one that is not yet."""
    if look.lighting.environment is None or loaded is None:
        return look.without_environment()
    there = look.background.environment and loaded.map is not None
    shown = look.changed(Lighting, environment=loaded.file, rotation=loaded.rotation)
    return shown.changed(Background, environment=there, blur=loaded.blur if there else 0.0)
