"""The default path of a character's motion file."""

from pathlib import Path

SUFFIX = ".motion.toml"


def motion_path(path: Path) -> Path:
    """Return the motion file beside a character: ``hero.motion.toml`` for ``hero.glb``."""
    return path.with_name(f"{path.stem}{SUFFIX}")
