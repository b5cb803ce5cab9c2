"""Where the motion file of a character is."""

from pathlib import Path

ENDING = ".motion.toml"


def motion_path(path: Path) -> Path:
    """Return the motion file beside a character: of ``hero.glb`` ``hero.motion.toml``."""
    return path.with_name(f"{path.stem}{ENDING}")
