"""View modes: shader definitions, and which draw all surfaces as opaque."""

from ..scenedoc.view_modes import VIEWS

MODES: dict[str, dict[str, int]] = {
    **{name: {"VIEW": 1, f"VIEW_{name.upper().replace('-', '_')}": 1} for name in VIEWS},
    "lit": {},
    "weights": {"WEIGHTS": 1},
    "mask": {"WEIGHTS": 1, "MASK": 1},
    "heat": {"WEIGHTS": 1, "HEAT": 1},  # by the values of vertices
    "ghost": {"GHOST": 1},
    "wire": {},
    "depth": {},
}


def is_opaque_mode(mode: str) -> bool:
    """Return whether a mode draws all surfaces as opaque."""
    return mode not in ("lit", "base-colour")
