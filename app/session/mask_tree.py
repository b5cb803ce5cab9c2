"""The joint tree of the mask panel: weights of all joints and rows, kept from frame to frame."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

import numpy as np

from ..animation.types import F32
from ..errors import UsageError
from ..memo import Memo
from ..model.lookup import find_joint
from ..model.model import Model
from ..motion.document import MaskSettings
from ..scene.drawn_joints import shown_joints
from .outliner import TreeRow, tree_rows
from .search import searched


@dataclass(frozen=True, slots=True, eq=False)
class MaskWeights:
    """The weights of a mask.

    Attributes
    ----------
    named
        The joints that the mask names, with its keys for them.
    joints
        The weight of every joint [J]: its own, else that of its parent.
    """

    named: dict[int, str]
    joints: tuple[float, ...]


@dataclass(slots=True)
class MaskTree:
    """State of the tree.

    Attributes
    ----------
    joint
        The selected joint to which it has scrolled, -1 for none.
    weights
        The weights of a mask; `weights_of`.
    """

    joint: int = -1
    weights: Memo[[Model, MaskSettings], MaskWeights] = field(
        default_factory=lambda: Memo(weights_of)
    )
    _rows: Memo[[Model, frozenset[int], str], list[TreeRow]] = field(
        default_factory=lambda: Memo(_rows)
    )

    def rows(self, model: Model, folded: Set[int], text: str) -> list[TreeRow]:
        """Return the rows of the joints that masks apply to; with a search those that it finds."""
        return self._rows(model, frozenset(folded), text)


def _rows(model: Model, folded: Set[int], text: str) -> list[TreeRow]:
    return tree_rows(model, folded, shown_joints(model), searched(text))


def weights_of(model: Model, mask: MaskSettings) -> MaskWeights:
    """Return the weights of a mask."""
    named = named_joints(model, mask)
    return MaskWeights(named, tuple(mask_weights(model, named, mask).tolist()))


def named_joints(model: Model, mask: MaskSettings) -> dict[int, str]:
    """Return the joints that a mask names, with the mask's keys for them."""
    found = {}
    for name in mask.joints:
        try:
            found[find_joint(model, name).index] = name
        except UsageError:
            continue  # reported when the motion is bound
    return found


def mask_weights(model: Model, named: Mapping[int, str], mask: MaskSettings) -> F32:
    """Return the weight [J] of every joint: its own, else that of its parent."""
    weights = np.zeros(model.skeleton.count, np.float32)
    for joint, parent in enumerate(model.skeleton.parents.tolist()):
        if joint in named:
            weights[joint] = mask.joints[named[joint]]
        elif parent >= 0:
            weights[joint] = weights[parent]
    return weights
