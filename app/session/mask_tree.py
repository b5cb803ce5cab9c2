"""The joint tree of the mask panel: weights of all joints and rows, kept from frame to frame."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..animation.types import F32
from ..errors import UsageError
from ..model.lookup import find_joint
from ..model.model import Model
from ..motion.document import MaskSettings
from ..scene.shown_joints import shown_joints
from .outliner import Find, TreeRow, tree_rows


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
    """

    joint: int = -1
    _weights_of: tuple[Model | None, MaskSettings | None] = (None, None)
    _weights: MaskWeights = field(default_factory=lambda: MaskWeights({}, ()))
    _rows_of: tuple[Model | None, tuple[object, ...]] = (None, ())
    _rows: list[TreeRow] = field(default_factory=list)

    def weights(self, model: Model, mask: MaskSettings) -> MaskWeights:
        """Return the weights of a mask."""
        if self._weights_of[0] is not model or self._weights_of[1] is not mask:
            named = named_joints(model, mask)
            self._weights = MaskWeights(named, tuple(mask_weights(model, named, mask).tolist()))
            self._weights_of = model, mask
        return self._weights

    def rows(self, model: Model, folded: set[int], text: str, find: Find) -> list[TreeRow]:
        """Return the rows of the joints that masks apply to; with a search those that it finds."""
        key = frozenset(folded), text
        if self._rows_of[0] is not model or self._rows_of[1] != key:
            shown = shown_joints(model)
            self._rows = tree_rows(model, folded, shown, find if text.strip() else None)
            self._rows_of = model, key
        return self._rows


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
