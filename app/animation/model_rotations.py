"""Rotations of whole skeletons: local to model space and back."""

from . import quat
from .skeleton import Skeleton
from .types import F32


def to_model(skeleton: Skeleton, local: F32) -> F32:
    """Return the model-space rotations of local ones.

    Parameters
    ----------
    skeleton
        With J joints.
    local
        [..., J, 4] unit quaternions, parent space.

    Returns
    -------
    F32
        [..., J, 4] model space; scale, which may rotate axes where it is non-uniform, is ignored.
    """
    out = local.copy()
    for level in skeleton.levels[1:]:
        above = out[..., skeleton.parents[level], :]
        out[..., level, :] = quat.multiply(above, local[..., level, :])
    return out


def to_local(skeleton: Skeleton, model: F32) -> F32:
    """Return the local rotations [..., J, 4] of model-space ones."""
    out = model.copy()
    if len(skeleton.levels) > 1:
        below = slice(skeleton.levels[1].start, None)
        above = model[..., skeleton.parents[below], :]
        out[..., below, :] = quat.multiply(quat.conjugate(above), model[..., below, :])
    return out
