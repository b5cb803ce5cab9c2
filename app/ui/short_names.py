"""Names of joints and clips without the prefix that nearly all of them have."""

from ..model.lookup import clip_prefix, joint_prefix

__all__ = ["clip_prefix", "joint_prefix"]
