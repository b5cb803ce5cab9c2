"""How a scene's characters are shown: definitions of a mode, and what is solid or glass in it."""

from ..scene.character import Character
from ..scene.scene import Scene
from ..scene.view_modes import VIEWS
from .crowd import GpuCrowd
from .gpu_model import GpuModel

MODES: dict[str, dict[str, int]] = {
    **{name: {"VIEW": view.number} if view.number else {} for name, view in VIEWS.items()},
    "weights": {"WEIGHTS": 1},
    "mask": {"WEIGHTS": 1, "MASK": 1},
    "heat": {"WEIGHTS": 1, "HEAT": 1},
    "wire": {},
    "depth": {},
}


def mode_of(scene: Scene, character: Character) -> tuple[str, bool]:
    """Return how a character is shown, and whether all of it is solid then."""
    display = scene.display
    painted = "mask" if display.mask else "weights" if display.weights_joint >= 0 else ""
    if character is not scene.character:  # joints are those of the other one
        painted = ""
    mode = painted or display.view_mode
    return mode, all_solid(mode)


def all_solid(mode: str) -> bool:
    """Tell whether a mode shows nothing blended."""
    return mode not in ("lit", "base-colour")


def has_glass(
    scene: Scene, drawn: list[tuple[Character, GpuModel]], gathered: GpuCrowd | None
) -> bool:
    """Tell whether anything is in the picture that shows what stands behind it."""
    if gathered is not None:
        return scene.display.view_mode == "lit" and gathered.transmits
    return any(
        item.material.transmits
        for character, uploaded in drawn
        if mode_of(scene, character)[0] == "lit"
        for item in uploaded.visible
    )
