"""View modes: shader definitions, and which surfaces are opaque or transmissive."""

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
    """Return the mode in which a character is drawn, and whether it is all opaque in it."""
    display = scene.display
    weights = "mask" if display.mask else "weights" if display.weights_joint >= 0 else ""
    if character is not scene.character:  # joint and mask belong to the active character
        weights = ""
    mode = weights or display.view_mode
    return mode, is_opaque_mode(mode)


def is_opaque_mode(mode: str) -> bool:
    """Return whether a mode draws all surfaces as opaque."""
    return mode not in ("lit", "base-colour")


def has_transmission(
    scene: Scene, drawn: list[tuple[Character, GpuModel]], crowd: GpuCrowd | None
) -> bool:
    """Return whether any visible surface is transmissive."""
    if crowd is not None:
        return scene.display.view_mode == "lit" and crowd.transmits
    return any(
        item.material.transmits
        for character, uploaded in drawn
        if mode_of(scene, character)[0] == "lit"
        for item in uploaded.visible
    )
