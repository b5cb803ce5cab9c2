"""The prefixes of the names of a model's joints and clips."""

from ..retargeting.name_affixes import prefix_of
from .model import Model


def joint_prefix(model: Model) -> str:
    """Return the prefix of the joints' names, empty without one."""
    return prefix_of(model.skeleton.names)


def clip_prefix(model: Model) -> str:
    """Return the prefix of the clips' names, empty without one."""
    return prefix_of(tuple([clip.name for clip in model.clips]))
